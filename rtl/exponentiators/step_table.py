"""StepTable: numbers the steps of a program, for ``Sequencer`` and ``LookAheadSequencer``."""

from rsaxcel.plan.programs import Program
from rsaxcel.rtl.lib.slots import Slots


class StepTable:
    """Numbers the steps of a program in the order of ``Program.steps``, and the products of steps.

    It holds numbers at elaboration, and no powers of the base: those are ``plan.steps.Table``.

    A program: the steps ``enter``, a step that fills a table of powers, the steps ``begin``, a loop
    over the digits of the exponent, the steps ``leave``. Two halves (CRT) are combined by the steps
    ``join``; one lane executes the steps before ``join`` in two *turns*. A check of the result
    comes last, in as many turns, with a loop over the bits of the public exponent. A dummy has no
    number: while it runs, the step before it is the current one.

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
    ``check_first``       first step of the check
    ``bit_first``         first step of a bit of the public exponent
    ``bit_last``          last step of a bit of the public exponent
    ``end``               one more than the last step: the program has ended
    ====================  ==========================================================

    ``fills``: table indices for which ``fill`` runs. ``passes_zeros``: a leading zero of the
    exponent is passed over in a step without products.
    """

    def __init__(self, program: Program):
        self.slots = Slots(program)
        self.fill = len(program.enter)
        self.loop_first = self.fill + len(program.fill) + len(program.begin)
        self.loop_last = self.loop_first + len(program.loop) - 1
        self.leave_first = self.loop_last + 1
        self.end = len(program.steps) - (1 if program.dummy else 0)
        self.turn_last = program.join_range.start - 1
        self.join_last = program.join_range.stop - 1
        self.check_first = self.join_last + 1
        check = program.check
        self.bit_first = self.check_first + (len(check.enter) if check else 0)
        self.bit_last = self.bit_first + (len(check.loop) if check else 0) - 1
        self.fills = program.table.filled if program.table else range(0)
        scan = program.scan
        self.passes_zeros = bool(program.loop) and scan.from_top and not scan.fixed
