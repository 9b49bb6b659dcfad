"""Commands of ``rsaxcel``, one module each: options, calls of other packages, output."""
