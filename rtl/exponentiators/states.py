"""States of a ``ProgramExecutor``; ``rtl.exponentiators.clearing`` has a table of their order.

In the state ``CONSTANTS``, between ``START`` and ``RUN``, units compute constants of the modulus.
"""

IDLE, START, CONSTANTS, RUN, DONE, BLANK, CLEAR = range(7)
