"""Whether both rows of a tree can be all ones at the same time."""

from collections import defaultdict
from collections.abc import Sequence

from plan.compressors.cells import AND, FULL_ADDER, NOT
from plan.compressors.netlist import CORRECTION, OPERAND, REVERSED, ZERO, Bank, Runs


def all_ones_excluded(
    banks: Sequence[Bank], rows: Sequence[Runs], nbits: int, limit: int, correction: int
) -> bool:
    """Tell whether ones in all bits of the rows contradict the operands; False if in doubt.

    Ones are followed back from the rows: both outputs of a full adder are 1 only if its inputs are,
    those of a half adder never, and not all of a 5:3 compressor's. What they come to for an
    operand is at least the limit, or a constant 0.

    Parameters
    ----------
    banks : sequence of Bank
        In their order.
    rows : sequence of Runs
        What is assumed to be all ones.
    nbits : int
        Width of the operands in bits.
    limit : int
        Operands are below it.
    correction : int
        The row of constant bits.
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
    ones[ZERO] = 0  # where a row has no bit
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
