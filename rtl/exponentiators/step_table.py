"""StepTable: the steps of a program as numbers and masks, which both sequencers share."""

from plan.programs import Program
from rtl.lib.slots import Slots


class StepTable:
    """Numbers of the steps of a program, in the order of ``Program.steps``, and their slots.

    ====================  ==========================================================
    number                step
    ====================  ==========================================================
    0                     first step of ``enter``
    ``fill``              the step that fills the table; it repeats for each entry
    ``loop_first``        first step of a digit; a leading zero that is passed over has
                          this number, too, and no products
    ``loop_last``         last step of a digit
    ``leave_first``       first step behind the last digit
    ``turn_last``         last step of a turn; ``join`` follows
    ``end``               one more than the last step: the program has ended
    ====================  ==========================================================

    Parameters
    ----------
    program : plan.programs.Program
        Steps, lanes and scan.

    Attributes
    ----------
    slots : rtl.lib.slots.Slots
        Slots of the products.
    fills : range
        Indices of the table for which the step ``fill`` runs; empty: no entry is computed.
    passes_zeros : bool
        Whether leading zeros of the exponent are passed over.
    """

    def __init__(self, program: Program):
        self.slots = Slots(program)
        self.fill = len(program.enter)
        self.loop_first = self.fill + len(program.fill) + len(program.begin)
        self.loop_last = self.loop_first + len(program.loop) - 1
        self.leave_first = self.loop_last + 1
        self.end = len(program.steps)
        self.turn_last = self.end - len(program.join) - 1
        self.fills = program.table.filled if program.table else range(0)
        scan = program.scan
        self.passes_zeros = bool(program.loop) and scan.from_top and not scan.fixed
