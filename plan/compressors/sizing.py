"""How many compressors each column gets in a level."""

from collections.abc import Callable, Sequence

from plan.compressors.cells import COMPRESSOR_5_3, FULL_ADDER, HALF_ADDER, Cell

TREES = {
    "full_adders": (FULL_ADDER,),
    "compressors": (COMPRESSOR_5_3, FULL_ADDER),
    "all": (COMPRESSOR_5_3, FULL_ADDER, HALF_ADDER),
}
"""Cells of each tree (Vassoler, section 2.2.1)."""

# Where the counts of re-inserted carries still change after so many rounds, they are kept instead.
_ROUNDS = 40

Counts = tuple[tuple[Cell, int, int], ...]
"""Cell, how many, and how many inputs of each are in use, the others being tied to 0."""


def target_height(height: int, cells: tuple[Cell, ...]) -> int:
    """Height that one level reaches, from 2 on as Dadda counts it backwards.

    A level of full adders leaves two thirds of the bits of a column, one of 5:3 compressors three
    fifths.
    """
    before, after = (5, 3) if COMPRESSOR_5_3 in cells else (3, 2)
    target = 2
    while (higher := target * before // after) < height:
        target = higher
    return target


def choose(height: int, excess: int, cells: tuple[Cell, ...]) -> Counts:
    """Cells for a column that has to lose ``excess`` bits; fewer where its bits do not suffice."""
    chosen = []
    if COMPRESSOR_5_3 in cells and excess > 1:
        count = min((excess + 2) // 4, height // 5)
        chosen.append((COMPRESSOR_5_3, count, 5))
        height, excess = height - 5 * count, excess - 4 * count
    if excess > 0:
        halves = HALF_ADDER in cells
        count = min((excess + (not halves)) // 2, height // 3)
        chosen.append((FULL_ADDER, count, 3))
        height, excess = height - 3 * count, excess - 2 * count
        if excess > 0:
            count = min(excess, height // 2)
            chosen.append((HALF_ADDER if halves else FULL_ADDER, count, 2))
    return tuple(entry for entry in chosen if entry[1])


def size_level(
    heights: Sequence[int],
    target: int,
    cells: tuple[Cell, ...],
    returns: Callable[[int], tuple[int, ...]] | None,
) -> tuple[list[Counts], int]:
    """Choose the cells of all columns, so that none is higher than ``target`` afterwards.

    Parameters
    ----------
    heights : sequence of int
        Bits of each column.
    target : int
        Bits that may be left.
    cells : tuple of Cell
        What may be used.
    returns : callable or None
        Columns in which a bit is re-inserted that leaves for a column above the last one. None
        where it stays there.

    Returns
    -------
    tuple
        Cells of each column, and the height that they leave; more than ``target`` where the bits
        of a column do not suffice.
    """
    width = len(heights)
    returned = [0] * width
    for _ in range(_ROUNDS):
        counts = []
        incoming = [0] * (width + 2)
        left = 0
        for column, height in enumerate(heights):
            total = height + incoming[column] + returned[column]
            chosen = choose(height, total - target, cells)
            for cell, count, used in chosen:
                total -= count * (used - 1)
                for weight in cell.weights[1:]:
                    incoming[column + weight] += count
            counts.append(chosen)
            left = max(left, total)
        if returns is None:
            return counts, max(left, *incoming[width:])
        before = returned
        returned = [0] * width
        for column in (width, width + 1):
            for place in returns(column):
                returned[place] += incoming[column]
        if all(now <= then for now, then in zip(returned, before, strict=True)):
            return counts, left
        returned = [max(pair) for pair in zip(returned, before, strict=True)]
    return counts, max(heights) + 1
