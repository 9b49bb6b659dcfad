"""Choice of the number of compressors for each column in a level of a tree.

A level is a layer of cells side by side. The height of a column is its number of bits.
"""

from collections.abc import Callable, Sequence

from rsaxcel.plan.compressors.cells import COMPRESSOR_5_3, FULL_ADDER, HALF_ADDER, Cell

# Kinds of cells that each tree may use (Vassoler, section 2.2.1).
TREES = {
    "full_adders": (FULL_ADDER,),
    "compressors": (COMPRESSOR_5_3, FULL_ADDER),
    "all": (COMPRESSOR_5_3, FULL_ADDER, HALF_ADDER),
}

# Largest number of rounds in which the cells of a level are chosen. Carries that are re-inserted
# change the heights of columns, and hence the numbers of cells and carries for the next round. If
# the numbers still change in the last round, the carries stay in the guard columns.
_ROUNDS = 40

# Kind, number of cells, and inputs in use; the other inputs are tied to 0.
Counts = tuple[tuple[Cell, int, int], ...]


def target_height(height: int, cells: tuple[Cell, ...]) -> int:
    """Height to which one level reduces ``height``: the next lower number of Dadda's sequence.

    It begins with 2; each number is 3/2 of the one before for full adders, 5/3 for 5:3 compressors,
    rounded down.
    """
    before, after = (5, 3) if COMPRESSOR_5_3 in cells else (3, 2)
    target = 2
    while (higher := target * before // after) < height:
        target = higher
    return target


def choose(height: int, excess: int, cells: tuple[Cell, ...]) -> Counts:
    """Choose cells that remove ``excess`` bits from a column, or fewer if it has too few bits."""
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
    """Choose the cells of all columns, so that no column is higher than ``target`` afterwards.

    ``returns`` gives the columns in which bits of a column above the last one are re-inserted;
    None: they stay. The second result is the greatest height, above ``target`` if a column has too
    few bits, or re-inserted carries change in every round.
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
