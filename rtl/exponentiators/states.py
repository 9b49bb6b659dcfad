"""States of a ``ProgramExecutor`` and of a ``DigitBusExponentiator``.

``rtl.exponentiators.clearing`` has a table of their order. In the state ``CONSTANTS``, between
``START`` and ``RUN``, units compute constants of the modulus. ``CHECK`` comes before ``START``: the
last words of operands that come word by word are compared (``rtl.exponentiators.digit_bus``), or
the status of a request goes to a register.
"""

IDLE, START, CONSTANTS, RUN, DONE, BLANK, CLEAR, CHECK = range(8)
