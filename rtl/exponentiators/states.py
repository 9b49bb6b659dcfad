"""States of a ``ProgramExecutor``; the order of states is in ``rtl.exponentiators.clearing``.

In the state ``CONSTANTS``, between ``START`` and ``RUN``, units compute constants of the modulus.
"""

IDLE, START, CONSTANTS, RUN, DONE, BLANK, CLEAR = range(7)
