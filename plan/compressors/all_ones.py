"""Proof that the last two rows of a compressor tree are never all ones, which bounds their sum."""

from collections import defaultdict
from collections.abc import Sequence

from rsaxcel.plan.compressors.cells import AND, FULL_ADDER, NOT
from rsaxcel.plan.compressors.netlist import CORRECTION, OPERAND, REVERSED, ZERO, Bank, Runs


def all_ones_excluded(
    banks: Sequence[Bank], rows: Sequence[Runs], nbits: int, limit: int, correction: int
) -> bool:
    """Tell whether it is certain that no operands make all bits of the given rows 1.

    Ones are traced back to the operands, which are below ``limit``. The outputs of a full adder are
    both 1 only if all of its inputs are 1; those of a half adder or 5:3 compressor are never all 1.
    Ones are excluded if they need an operand of ``limit`` or more, or a 1 at a 0 of the constant
    row, ``correction``.
    """
    ones: defaultdict[int, int] = defaultdict(int)

    def imply(runs: Runs, cells: int) -> None:
        position = 0
        for run in runs:
            known = cells >> position & (1 << run.length) - 1
            ones[run.vector] |= known << run.offset
            position += run.length

    for runs in rows:
        imply(runs, -1)
    ones[ZERO] = 0  # ZERO fills the columns in which a row has no bit: no 1 is needed there
    for bank in reversed(banks):
        if bank.cell is NOT:
            continue
        every = (1 << bank.count) - 1
        for output in range(len(bank.cell.weights)):
            every &= ones[bank.vector + output]
        if every and bank.cell not in (AND, FULL_ADDER):
            return True
        for runs in bank.inputs:
            imply(runs, every)
    backwards = int(f"{ones[REVERSED]:0{nbits}b}"[::-1], 2)
    return bool(
        ones[ZERO] or ones[CORRECTION] & ~correction or ones[OPERAND] >= limit or backwards >= limit
    )
