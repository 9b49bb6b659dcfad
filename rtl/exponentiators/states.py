"""States of a ``ProgramExecutor`` and of a ``DigitBusExponentiator``.

``rtl.exponentiators.clearing`` has their order. In ``CONSTANTS``, between ``START`` and ``RUN``,
units compute constants of the modulus. In ``CHECK``, before ``START``, the last words of operands
are compared (``rtl.exponentiators.digit_bus``), or the status goes to a register.
"""

IDLE, START, CONSTANTS, RUN, DONE, BLANK, CLEAR, CHECK = range(8)
