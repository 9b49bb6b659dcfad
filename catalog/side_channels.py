"""Tells whether operands of products depend on the exponent.

If they do and decide the cycles of a product, the latency does, too: a side channel.
"""

from collections.abc import Collection, Iterable

from rsaxcel.plan.programs import Program
from rsaxcel.plan.steps import ENTRY, Product, Step, When

_BY_DIGIT = (When.SET, When.CLEAR, When.MORE)


def exponent_reaches(programs: Iterable[Program], operands: Collection[str]) -> bool:
    """Whether an operand (``"a"``, ``"b"``) of any product depends on the exponent."""
    # This is for fixed scans only, in which the exponent does not change the number of products. A
    # result depends on the exponent if an operand does, or if the digit decides whether the product
    # is formed. In a right-to-left scan, by contrast, the squares depend on the base alone. The
    # programs are in the order of a request; a residue has the same name in all of them.
    reached = {ENTRY}  # the digit decides which table entry is read
    found = False
    for program in programs:
        passed: set[str] = set()
        while passed != reached:  # repeat the loop until it adds no residue
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
    """Whether an operand depends on the exponent, through ``reached`` or an optional product."""
    # An optional product counts unless the lane forms a product with the same operands instead.
    names = [getattr(product, operand) for operand in operands]
    others = [
        [getattr(p, operand) for operand in operands]
        for p in step
        if p.when.excludes(product.when) and p.lane == product.lane
    ]
    alone = product.when in _BY_DIGIT and names not in others
    return alone or any(name in reached for name in names)
