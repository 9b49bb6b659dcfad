"""Commands of ``rsaxcel``: each module parses options, calls other packages and prints."""
