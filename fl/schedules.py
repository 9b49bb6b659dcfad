"""Schedules: in which order the products of an exponentiation run."""

from dataclasses import dataclass, replace

from fl.domains import Domain
from fl.steps import Product, Program, Step, When


@dataclass(frozen=True)
class Schedule:
    """Products per significant exponent bit, least significant bit first.

    Parameters
    ----------
    name : str
        As users see it.
    loop : tuple of Step
        Steps per exponent bit on the residues ``r`` (result) and ``b`` (power of the base).
    lanes : int
        Multipliers of the loop.
    exponent_dependent : bool
        Whether the exponent's value changes which steps run.
    """

    name: str
    loop: tuple[Step, ...]
    lanes: int
    exponent_dependent: bool


RIGHT_TO_LEFT = Schedule(
    name="right-to-left binary, two lanes",
    loop=((Product("r", "r", "b", When.BIT), Product("b", "b", "b", When.MORE)),),
    lanes=2,
    exponent_dependent=True,
)
"""Square and multiply in parallel (McNay, algorithm 1); the last square is never formed."""

RIGHT_TO_LEFT_SHARED = replace(RIGHT_TO_LEFT, name="right-to-left binary, one lane", lanes=1)
"""The same on one lane; a pipelined multiplier has product and square in flight together."""


def plan(domain: Domain, schedule: Schedule) -> tuple[Program, ...]:
    """Programs of the machines that one request passes through, first to last.

    The exponent and the modulus travel under the names ``e`` and ``m``.
    """
    residues = tuple(dict.fromkeys(["b", "r", *domain.constants]))
    if not domain.dedicated:
        whole = Program(
            name="core",
            residues=residues,
            receives=("b", "e", "m"),
            sends=("r",),
            lanes=schedule.lanes,
            ones=domain.ones,
            constants=domain.constants,
            enter=domain.enter,
            loop=schedule.loop,
            leave=domain.leave,
        )
        return (whole,)
    convert_in = Program(
        name="convert_in",
        residues=residues,
        receives=("b", "e", "m"),
        sends=("b", "e", "m", "r"),
        lanes=max(map(len, domain.enter)),
        ones=domain.ones,
        constants=domain.constants,
        enter=domain.enter,
    )
    core = Program(
        name="core",
        residues=("b", "r"),
        receives=("b", "e", "m", "r"),
        sends=("m", "r"),
        lanes=schedule.lanes,
        loop=schedule.loop,
    )
    convert_out = Program(
        name="convert_out",
        residues=("r",),
        receives=("m", "r"),
        sends=("r",),
        lanes=max(map(len, domain.leave)),
        leave=domain.leave,
    )
    return (convert_in, core, convert_out)
