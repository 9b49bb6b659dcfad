"""A valid choice on each axis, with the parameters, programs and units that follow from it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NoReturn

from rsaxcel.catalog.units import CONSTANT_UNITS, STORES, Classes, Store, Unit
from rsaxcel.fl.pseudo_modulus import FAMILY_COFACTOR, NoPseudoModulus, find_pseudo_modulus
from rsaxcel.plan.domains import BLIND_NBITS, HALF_NBITS, PUBLIC_NBITS, Domain
from rsaxcel.plan.dummies import DUMMY_COUNT
from rsaxcel.plan.modulus_constants import ModulusConstant, from_units
from rsaxcel.plan.parameters import Parameter
from rsaxcel.plan.programs import DOUBLED, Program
from rsaxcel.plan.schedules import EXPONENT_NBITS, Schedule, plan
from rsaxcel.store.errors import UserError, nearest

AXES = (
    "multiplier",
    "domain",
    "conversions",
    "r_squared",
    "one",
    "reduction",
    "schedule",
    "lanes",
    "control",
    "bus",
    "memory",
    "check",
    "blinding",
    "dummies",
    "states",
)
"""Names of the axes for users, in the order in which names and records list choices."""

# control: handshakes, or pulses (strobes) as in Li and Chu's Verilog
STREAMS, STROBE = CONTROLS = ("streams", "strobe")

WIDE, DIGIT = BUSES = ("wide", "digit")
"""Tokens of the axis ``bus``: operands in one message, or digit by digit."""

# memory: one for each number, or one with two ports for all but the constant
BANKS, DUAL_PORT = MEMORIES = ("banks", "dual_port")

MAX_GROWTH_NBITS = 16
"""Maximum of t minus the width of m in bits, for a pseudo-modulus ``2^t +- k`` of m."""


def refuse(name: str, value: Any, reason: str) -> NoReturn:
    """Raise ``ValueError`` that names a choice or parameter, its value and why it is refused."""
    raise ValueError(f"{name}={value}: {reason}")


class WidthError(UserError):
    """Raised for a width that a design does not allow; ``allowed`` says which ones it does."""

    allowed = ""


def check_width(nbits: int, widths: range, name: str) -> None:
    """Raise ``WidthError`` for a width in bits that is not in ``widths``, those of ``name``."""
    if nbits not in widths:
        allowed = allowed_widths(widths, name)
        error = WidthError(f"nbits={nbits}: {allowed}")
        error.allowed = allowed
        raise error


def allowed_widths(widths: range, name: str) -> str:
    return f"{widths[0]} to {widths[-1]} bits allowed for {name}"


def refuse_parameter(
    name: str, value: Any, owner: str, known: Sequence[str], others: str = ""
) -> NoReturn:
    """Refuse a name that is no parameter of ``owner``; ``others`` are choices that have it."""
    reason = f"not a parameter of {owner}"
    if others:
        refuse(name, value, f"{reason}; it goes with {others}")
    refuse(name, value, f"{reason}{nearest(name, known)}; allowed: {', '.join(known) or 'none'}")


@dataclass(frozen=True)
class Entry:
    """Declaration of a design; ``catalog.fit`` derives the choices that are left empty."""

    id: int  # stable, at least 1: software tells accelerators apart by it; 0: not in the registry
    name: str
    summary: str  # one line
    multiplier: Classes  # of every lane
    schedule: str  # key of plan.schedules.SCHEDULES
    lanes: int
    source: str  # document with section or algorithm
    conversions: str = ""  # where they run; see plan.domains.montgomery
    r_squared: str = ""  # source of R**2 mod m
    one: str = ""  # source of R mod m
    # "pseudo_modulus", "crt"; empty: Montgomery if the multiplier divides by R, else plain
    domain: str = ""
    reduction: str = ""  # key of catalog.reductions.REDUCTIONS; empty: the first one that fits


@dataclass(frozen=True)
class Choices:
    """A choice on each axis, with the values of the parameters."""

    nbits: int
    multiplier: Unit  # of every lane; for a pseudo-modulus, of the modulus times a cofactor
    constant_modulus: int  # the only modulus; 0: any
    domain: Domain  # representation of the residues
    constants: tuple[ModulusConstant, ...]  # that the multiplier reads
    schedule: Schedule  # order of the products
    lanes: int
    exponent_nbits: int
    window_nbits: int
    # (axis, choice), and sources of constants that differ from the multiplier's
    tokens: tuple[tuple[str, Any], ...]
    values: tuple[tuple[str, Any], ...]  # parameters by name

    @property
    def store(self) -> Store:
        return STORES[self.multiplier.classes.fl.store]

    @property
    def odd_modulus(self) -> bool:
        """Whether an input rule demands an odd modulus."""
        return self.multiplier.classes.fl.odd_modulus or self.domain.montgomery

    @property
    def all_constants(self) -> tuple[ModulusConstant, ...]:
        """Constants of the domain, then those that the multiplier reads."""
        return (*self.domain.constants, *self.constants)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Parameters of multiplier, domain, schedule, and units that compute constants of m."""
        found = [self._of_products(p) for p in self.multiplier.classes.fl.parameters]
        if self.domain.cofactor > 1:
            found.append(cofactor_parameter(self.constant_modulus, self.odd_modulus))
        if self.domain.halves:
            found.append(HALF_NBITS)
            if self.domain.check:
                found.append(PUBLIC_NBITS)
            if self.domain.halves.blinding.exponent_nbits:
                found.append(BLIND_NBITS)
            if self.domain.halves.dummies:
                found.append(DUMMY_COUNT)
        for constant in from_units(self.all_constants):
            found += unit_parameters(constant, CONSTANT_UNITS[constant.source])
        return (*found, *map(self._of_products, self.schedule.parameters))

    def _of_products(self, parameter: Parameter) -> Parameter:
        """Return the parameter; with two halves, its values are for the width of a half."""
        halves = self.domain.halves
        if halves is None:
            return parameter
        allowed = parameter.allowed(halves.nbits)
        if parameter.name == EXPONENT_NBITS.name:  # at most all bits of the 32-bit words of a half
            most = halves.nbits if halves.blinding.exponent_nbits else halves.padded_nbits
            allowed = range(1, most + 1)
        return replace(
            parameter,
            default=lambda nbits: parameter.default(halves.nbits),
            allowed=lambda nbits: allowed,
        )

    @property
    def programs(self) -> tuple[Program, ...]:
        programs = plan(
            self.domain,
            self.schedule,
            self.lanes,
            self.scanned_nbits,
            self.window_nbits,
            self.constants,
        )
        if dict(self.tokens).get("states") == DOUBLED:
            return tuple(replace(program, doubled=True) for program in programs)
        return programs

    @property
    def scanned_nbits(self) -> int:
        """Width in bits of the exponent that is scanned: with its blinding, in whole digits."""
        halves = self.domain.halves
        if halves is None or not halves.blinding.exponent_nbits:
            return self.exponent_nbits
        digit_nbits = self.multiplier.build("fl", halves.nbits).digit_nbits
        return -(-(halves.nbits + halves.blinding.exponent_nbits) // digit_nbits) * digit_nbits

    @property
    def units(self) -> tuple[Unit, ...]:
        """Units that compute the first program's ``computed_constants``, in the same order."""
        values = dict(self.values)
        return tuple(unit_of(constant, values) for constant in from_units(self.all_constants))


@cache
def usual_cofactor(constant_modulus: int) -> int:
    """Cofactor c of the cheapest pseudo-modulus ``c * m``; 3 for any m (0), as Vassoler has it."""
    if not constant_modulus:
        return FAMILY_COFACTOR
    return find_pseudo_modulus(constant_modulus, MAX_GROWTH_NBITS).cofactor


def cofactor_parameter(constant_modulus: int, odd: bool) -> Parameter:
    """Make the parameter c of the pseudo-modulus ``c * m``; ``constant_modulus`` 0: for any m."""
    try:
        default = usual_cofactor(constant_modulus)
    except NoPseudoModulus:
        default = FAMILY_COFACTOR
    # A modulus m of the given width in bits is at least 2^(bits - 1). A pseudo-modulus c * m is at
    # most about 2^(bits + MAX_GROWTH_NBITS). So a cofactor c is below 2^(MAX_GROWTH_NBITS + 1).
    end = 2 << MAX_GROWTH_NBITS
    allowed = range(3, end, 2) if odd else range(2, end)
    return Parameter(
        "cofactor",
        lambda nbits: default,
        lambda nbits: allowed,
        "c, in decimal: products run modulo c times the modulus; by default the cofactor of its "
        "cheapest pseudo-modulus, 3 where any modulus is allowed",
    )


def unit_of(constant: ModulusConstant, values: dict[str, Any]) -> Unit:
    """Return the unit that computes a constant; ``values`` has its parameters by name."""
    classes = CONSTANT_UNITS[constant.source]
    names = [p.name for p in classes.fl.parameters(constant.formula)]
    return Unit(classes, tuple((name, values[f"{constant.name}_{name}"]) for name in names))


def unit_parameters(constant: ModulusConstant, classes: Classes) -> tuple[Parameter, ...]:
    """Parameters of the unit that computes a constant, named after constant and parameter."""
    return tuple(
        replace(
            parameter,
            name=f"{constant.name}_{parameter.name}",
            meaning=f"{parameter.meaning} of the unit that computes {constant.description}",
        )
        for parameter in classes.fl.parameters(constant.formula)
    )
