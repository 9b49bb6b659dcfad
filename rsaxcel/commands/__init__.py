"""The commands of ``rsaxcel``, a file for each: it parses, calls and prints."""
