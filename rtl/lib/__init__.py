"""Building blocks of several units: arithmetic, operand checks, interfaces, control."""
