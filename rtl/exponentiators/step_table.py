"""StepTable: numbers the steps of a program, for ``Sequencer`` and ``LookAheadSequencer``."""

from rsaxcel.plan.programs import Program
from rsaxcel.rtl.lib.slots import Slots


class StepTable:
    """Numbers the steps of a program in the order of ``Program.steps``, and the products of steps.

    It holds numbers at elaboration, and no powers of the base: those are ``plan.steps.Table``.

    A program: the steps ``enter``, a step that fills a table of powers, the steps ``begin``, a loop
    over the digits of the exponent, the steps ``leave``. Two halves (CRT) are combined by the steps
    ``join``; one lane executes the steps before ``join`` in two *turns*. Steps of
    a check come last. A dummy has no number: while it runs, the step before it is the current one.

    ====================  ==========================================================
    number                step
    ====================  ==========================================================
    0                     first step of the program
    ``fill``              the step that fills the table; it repeats for each entry
    ``loop_first``        first step of a digit; also the step of a leading zero that
                          is passed over, which forms no products
    ``loop_last``         last step of a digit
    ``leave_first``       first step after the last digit
    ``turn_last``         last step of a turn, before the steps of ``join``
    ``join_last``         last step of ``join``
    ``end``               one more than the last step: the program has ended
    ====================  ==========================================================

    ``fills``: table indices for which ``fill`` runs. ``turns``: number of turns before ``join``.
    ``passes_zeros``: a leading zero of the exponent is passed over in a step without products.
    """

    def __init__(self, program: Program):
        self.slots = Slots(program)
        self.fill = len(program.enter)
        self.loop_first = self.fill + len(program.fill) + len(program.begin)
        self.loop_last = self.loop_first + len(program.loop) - 1
        self.leave_first = self.loop_last + 1
        self.end = len(program.ordered)
        self.turn_last = program.join_range.start - 1
        self.join_last = program.join_range.stop - 1
        self.turns = len(program.turns)
        self.fills = program.table.filled if program.table else range(0)
        scan = program.scan
        self.passes_zeros = bool(program.loop) and scan.from_top and not scan.fixed
