"""States of a step machine."""

IDLE, START, CONSTANTS, RUN, DONE, BLANK, CLEAR = range(7)
