"""Building blocks that several circuits share: arithmetic, operand checks, interfaces, control."""
