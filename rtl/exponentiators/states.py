"""States of an executor."""

IDLE, START, CONSTANTS, RUN, DONE, BLANK, CLEAR = range(7)
