"""Schedules: in which order the products of an exponentiation run."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from fl.domains import Domain
from fl.parameters import Parameter
from fl.steps import Product, Program, Step, When

EXPONENT_NBITS = Parameter(
    "exponent_nbits",
    lambda nbits: nbits,
    lambda nbits: range(1, 2 * nbits + 1),
    "width of the exponent; all of its bits are scanned, leading zeros included",
)
"""Width of the exponent; it decides the cycles where the exponent's value must not."""

Z_PROCESSOR = Parameter(
    "z_processor",
    lambda nbits: "on",
    lambda nbits: ("on", "off"),
    "whether squares have a lane of their own",
)
"""The second lane as a choice (Cilardo's name for it)."""


@dataclass(frozen=True)
class Schedule:
    """Products per exponent bit.

    Parameters
    ----------
    name : str
        As users see it.
    loop : tuple of Step
        Steps per exponent bit on the residues ``r`` (result), ``b`` (base or a power of it) and any
        others.
    lanes : int
        Multipliers of the loop.
    exponent_dependent : bool
        Whether the exponent's value changes how many products are formed. Where it does not, bits
        are scanned from the most significant one, a number of them that the operands do not
        change; otherwise the significant ones are, from the least one.
    second_lane : Parameter or None
        By which all but one of the lanes can be left out.
    """

    name: str
    loop: tuple[Step, ...]
    lanes: int
    exponent_dependent: bool
    second_lane: Parameter | None = None

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Choices that the schedule offers."""
        scanned = () if self.exponent_dependent else (EXPONENT_NBITS,)
        return (*scanned, *((self.second_lane,) if self.second_lane else ()))

    def lanes_with(self, params: Mapping[str, Any]) -> int:
        """Lanes that the choices leave."""
        left_out = self.second_lane and params[self.second_lane.name] == "off"
        return 1 if left_out else self.lanes


RIGHT_TO_LEFT = Schedule(
    name="right-to-left binary, two lanes",
    loop=((Product("r", "r", "b", When.BIT), Product("b", "b", "b", When.MORE)),),
    lanes=2,
    exponent_dependent=True,
)
"""Square and multiply in parallel (McNay, algorithm 1); the last square is never formed."""

RIGHT_TO_LEFT_SHARED = replace(RIGHT_TO_LEFT, name="right-to-left binary, one lane", lanes=1)
"""The same on one lane; a pipelined multiplier has product and square in flight together."""

RIGHT_TO_LEFT_EVERY_SQUARE = replace(
    RIGHT_TO_LEFT,
    name="right-to-left binary, one or two lanes, with the last square",
    loop=((Product("r", "r", "b", When.BIT), Product("b", "b", "b")),),
    second_lane=Z_PROCESSOR,
)
"""As printed (Cilardo, algorithm 17.1.2): the square that nobody needs any more is formed, too."""

LEFT_TO_RIGHT_ALWAYS = Schedule(
    name="left-to-right binary, square and multiply always",
    loop=(
        (Product("r", "r", "r"),),
        (Product("r", "b", "r", When.BIT), Product("dummy", "b", "r", When.CLEAR)),
    ),
    lanes=1,
    exponent_dependent=False,
)
"""Two products per exponent bit; where the bit is 0, the second one's result goes to where nobody
reads it (Morales-Romero, algorithm 5, with S[1] as ``dummy``)."""


def plan(
    domain: Domain,
    schedule: Schedule,
    modulus_constants: tuple[tuple[str, int], ...] = (),
    exponent_nbits: int = 0,
) -> tuple[Program, ...]:
    """Programs of the machines that one request passes through, first to last.

    The exponent and the modulus travel under the names ``e`` and ``m``.

    Parameters
    ----------
    domain, schedule : Domain, Schedule
        The choices on two axes.
    modulus_constants : tuple of (str, int)
        Constants that the multiplier needs of the host, with widths in bits.
    exponent_nbits : int
        Width of the exponent where the schedule scans all of it, 0 otherwise.
    """
    supplied = (*domain.constants, *domain.host_constants)
    written = [product.dst for step in schedule.loop for product in step]
    held = tuple(name for name, _ in modulus_constants)
    receives = ("b", "e", "m", *domain.host_constants, *held)
    if not domain.dedicated:
        whole = Program(
            name="core",
            residues=_distinct("b", "r", *supplied, *written),
            receives=receives,
            sends=("r",),
            lanes=schedule.lanes,
            ones=domain.ones,
            constants=domain.constants,
            modulus_constants=modulus_constants,
            enter=domain.enter,
            loop=schedule.loop,
            leave=domain.leave,
            scanned_nbits=exponent_nbits,
        )
        return (whole,)
    if held:
        raise ValueError("conversions=dedicated: constants of the modulus stay in one machine")
    convert_in = Program(
        name="convert_in",
        residues=_distinct("b", "r", *supplied),
        receives=receives,
        sends=("b", "e", "m", "r"),
        lanes=max(map(len, domain.enter)),
        ones=domain.ones,
        constants=domain.constants,
        enter=domain.enter,
        scanned_nbits=exponent_nbits,
    )
    core = Program(
        name="core",
        residues=_distinct("b", "r", *written),
        receives=("b", "e", "m", "r"),
        sends=("m", "r"),
        lanes=schedule.lanes,
        loop=schedule.loop,
        scanned_nbits=exponent_nbits,
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


def _distinct(*names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
