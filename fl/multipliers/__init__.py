"""Golden functions and contracts of the modular multipliers."""
