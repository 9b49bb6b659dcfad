"""Check of programs for one memory with two ports (``rtl.stores.port_memory``)."""

from __future__ import annotations

from typing import NamedTuple

from rsaxcel.plan.programs import Program
from rsaxcel.plan.steps import ONE, Product, Step, When

_BASE = "b"
_LANES = 2


class DualPort(NamedTuple):
    """Uses of the numbers in the memories."""

    own: tuple[str, ...]  #: residue that each lane's products write
    constant: str  #: constant from the host, which is never written; it has a memory of its own


def dual_port(program: Program) -> DualPort:
    """Check that the accesses of a program fit two ports; ``ValueError`` tells why not.

    A result is stored during the next product of either lane. So the next step has to read the
    result in its lane: as operand ``a`` of the same lane, or, from lane 1, as operand ``b``.
    """
    if program.lanes != _LANES:
        raise ValueError("a memory with two ports needs two lanes")
    written = {product.dst for step in program.steps for product in step}
    given = [name for name in program.residues if name in program.receives]
    constants = [name for name in given if name not in written]
    others = program.table or program.ones or len(program.residues) != _LANES + 1
    if others or len(constants) != 1 or sorted(given) != sorted((_BASE, *constants)):
        raise ValueError(
            "a memory with two ports holds r, b (which the host sends) and one constant (which the "
            "host sends)"
        )
    own = tuple(_own(program, lane) for lane in range(_LANES))
    first = True
    for step in program.steps:
        reader, squarer = (_of_lane(step, lane) for lane in range(_LANES))
        for product in filter(None, (reader, squarer)):
            if (product.b == own[1] and first) or product.b == own[0]:
                raise ValueError(f"{product} reads b while both ports are in use")
        if reader and reader.a not in (own[0], ONE):
            raise ValueError(f"{reader} reads a while both ports are in use")
        if squarer and squarer.a != own[1]:
            raise ValueError(f"{squarer} reads a while both ports are in use")
        # The next step reads b in lane 1; a step without such a read may follow only the last
        # digit.
        more = (When.ALWAYS, When.MORE)
        if step not in program.leave and (squarer is None or squarer.when not in more):
            raise ValueError(f"lane 1 forms no product in {'; '.join(map(str, step))}")
        first = False
    return DualPort(own, constants[0])


def _own(program: Program, lane: int) -> str:
    """Return the only residue that a lane writes."""
    written = {p.dst for step in program.steps for p in step if p.lane == lane}
    if len(written) != 1 or (lane == 0 and program.sends != tuple(written)):
        found = ", ".join(sorted(written))
        raise ValueError(
            f"a memory with two ports holds one residue of each lane; lane {lane} writes {found}"
        )
    return written.pop()


def _of_lane(step: Step, lane: int) -> Product | None:
    found = [product for product in step if product.lane == lane]
    if len(found) > 1:
        raise ValueError(f"lane {lane} forms several products in a step")
    return found[0] if found else None
