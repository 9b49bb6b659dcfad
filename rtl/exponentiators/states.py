"""States of a ``ProgramExecutor`` and of a ``DigitBusExponentiator``.

``rtl.exponentiators.clearing`` has a table of their order. In the state ``CONSTANTS``, between
``START`` and ``RUN``, units compute constants of the modulus. In ``CHECK``, the last words of
operands that come word by word are compared (``rtl.exponentiators.digit_bus``).
"""

IDLE, START, CONSTANTS, RUN, DONE, BLANK, CLEAR, CHECK = range(8)
