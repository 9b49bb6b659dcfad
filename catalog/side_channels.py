"""What an exponent's value can reach: residues, and with them the time of products."""

from collections.abc import Collection, Iterable

from plan.programs import Program
from plan.steps import ENTRY, Product, Step, When

_BY_DIGIT = (When.SET, When.CLEAR, When.MORE)


def exponent_reaches(programs: Iterable[Program], operands: Collection[str]) -> bool:
    """Whether the exponent decides an operand's value in some product.

    Fixed scans only: how many products are formed is known. What a product gives depends on the
    exponent if an operand of it does, or if the digit decides whether it is formed. The squares of
    a scan from the least significant bit, for one, depend on the base alone.

    Parameters
    ----------
    programs : iterable of Program
        In the order in which a request passes through them; residues keep their names.
    operands : collection of str
        Operands that are looked at: ``"a"``, ``"b"`` or both.
    """
    reached = {ENTRY}  # the digit decides which one it is
    found = False
    for program in programs:
        passed: set[str] = set()
        while passed != reached:  # from one digit to the next
            passed = set(reached)
            for step in program.loop:
                found |= any(_differs(p, step, reached, operands) for p in step)
                reached |= {p.dst for p in step if p.when in _BY_DIGIT or {p.a, p.b} & reached}
        for step in program.leave:
            found |= any(_differs(p, step, reached, operands) for p in step)
            reached |= {p.dst for p in step if {p.a, p.b} & reached}
    return found


def _differs(
    product: Product, step: Step, reached: Collection[str], operands: Collection[str]
) -> bool:
    """Whether operands are reached, or not those of the product that is formed in its place."""
    names = [getattr(product, operand) for operand in operands]
    others = [
        [getattr(p, operand) for operand in operands]
        for p in step
        if p.when.excludes(product.when) and p.lane == product.lane
    ]
    alone = product.when in _BY_DIGIT and names not in others
    return alone or any(name in reached for name in names)
