"""Choices on every axis, made and found to fit."""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from catalog.constant_units import CONSTANT_UNITS
from catalog.stores import Store, store_of
from catalog.units import Classes, Unit
from fl.pseudo_modulus import FAMILY_COFACTOR, NoPseudoModulus, find_pseudo_modulus
from plan.domains import HALF_NBITS, Domain
from plan.modulus_constants import ModulusConstant, from_units
from plan.parameters import Parameter
from plan.programs import Program
from plan.schedules import EXPONENT_NBITS, Schedule, plan

AXES = (
    "multiplier",
    "domain",
    "conversions",
    "r_squared",
    "one",
    "reduction",
    "schedule",
    "lanes",
)
"""Names by which users choose on the axes, in the order of names and records."""

MAX_GROWTH_NBITS = 16
"""Bits by which the exponent of a pseudo-modulus 2^t +- k may exceed those of its modulus."""


@dataclass(frozen=True)
class Choices:
    """A choice on each axis, with the parameters of what was chosen.

    Parameters
    ----------
    nbits : int
        Width of operands in bits.
    multiplier : Unit
        Multiplier of every lane, for the modulus of the products where it is for one only.
    constant_modulus : int
        The only modulus that the design is for; 0: any.
    domain : Domain
        Representation of the residues.
    constants : tuple of ModulusConstant
        Those that the multiplier reads, each with its source.
    schedule : Schedule
        Order of the products.
    lanes, exponent_nbits, window_nbits : int
        Multipliers of the loop, bits of the exponent and of a window.
    tokens : tuple of (str, value)
        What was chosen on the axes, by their names, and the sources of the multiplier's constants.
    values : tuple of (str, value)
        Parameters of what was chosen, by name.
    """

    nbits: int
    multiplier: Unit
    constant_modulus: int
    domain: Domain
    constants: tuple[ModulusConstant, ...]
    schedule: Schedule
    lanes: int
    exponent_nbits: int
    window_nbits: int
    tokens: tuple[tuple[str, Any], ...]
    values: tuple[tuple[str, Any], ...]

    @property
    def store(self) -> Store:
        """Where the residues live."""
        return store_of(self.multiplier.classes.fl)

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
        """Parameters of what was chosen."""
        found = [self._of_products(p) for p in self.multiplier.classes.fl.parameters]
        if self.domain.cofactor > 1:
            found.append(cofactor_parameter(self.constant_modulus, self.odd_modulus))
        if self.domain.halves:
            found.append(HALF_NBITS)
        for constant in from_units(self.all_constants):
            found += unit_parameters(constant, CONSTANT_UNITS[constant.source])
        return (*found, *map(self._of_products, self.schedule.parameters))

    def _of_products(self, parameter: Parameter) -> Parameter:
        """Give a parameter whose values follow from the width of a half, where there are two."""
        halves = self.domain.halves
        if halves is None:
            return parameter
        allowed = parameter.allowed(halves.nbits)
        if parameter.name == EXPONENT_NBITS.name:  # each travels in the words of a half
            allowed = range(1, halves.padded_nbits + 1)
        return replace(
            parameter,
            default=lambda nbits: parameter.default(halves.nbits),
            allowed=lambda nbits: allowed,
        )

    @property
    def programs(self) -> tuple[Program, ...]:
        """Programs of the step machines."""
        return plan(
            self.domain,
            self.schedule,
            self.lanes,
            self.exponent_nbits,
            self.window_nbits,
            self.constants,
        )

    @property
    def units(self) -> tuple[Unit, ...]:
        """Units that compute constants, in the order of the first program's ``supplied``."""
        values = dict(self.values)
        return tuple(unit_of(constant, values) for constant in from_units(self.all_constants))


@cache
def usual_cofactor(constant_modulus: int) -> int:
    """Cofactor of a modulus' cheapest pseudo-modulus; of Vassoler's family where that is unknown.

    Raises
    ------
    NoPseudoModulus
        If the modulus has none.
    """
    if not constant_modulus:
        return FAMILY_COFACTOR
    return find_pseudo_modulus(constant_modulus, MAX_GROWTH_NBITS).cofactor


def cofactor_parameter(constant_modulus: int, odd: bool) -> Parameter:
    """Cofactor of a pseudo-modulus, which has to be odd where that has to."""
    try:
        default = usual_cofactor(constant_modulus)
    except NoPseudoModulus:
        default = FAMILY_COFACTOR
    end = 2 << MAX_GROWTH_NBITS  # a modulus may be little more than a power of two
    allowed = range(3, end, 2) if odd else range(2, end)
    return Parameter(
        "cofactor",
        lambda nbits: default,
        lambda nbits: allowed,
        "c, in decimal: products run modulo c times the modulus; by default the cofactor of its "
        "cheapest pseudo-modulus, 3 where any modulus is allowed",
    )


def unit_of(constant: ModulusConstant, values: dict[str, Any]) -> Unit:
    """Give the unit that computes a constant; its parameters carry the constant's name."""
    classes = CONSTANT_UNITS[constant.source]
    names = [p.name for p in classes.fl.parameters(constant.formula)]
    return Unit(classes, tuple((name, values[f"{constant.name}_{name}"]) for name in names))


def unit_parameters(constant: ModulusConstant, classes: Classes) -> tuple[Parameter, ...]:
    """Parameters of the unit that computes a constant, as users see them."""
    return tuple(
        replace(
            parameter,
            name=f"{constant.name}_{parameter.name}",
            meaning=f"{parameter.meaning} of the unit that computes {constant.description}",
        )
        for parameter in classes.fl.parameters(constant.formula)
    )
