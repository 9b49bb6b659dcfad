"""A draft: the choices made so far for a configuration, as one axis after the other is decided."""

from dataclasses import dataclass, field
from typing import Any, NoReturn

from rsaxcel.catalog.choices import AXES, Choices
from rsaxcel.catalog.entry import Entry
from rsaxcel.catalog.stores import Store, store_of
from rsaxcel.catalog.units import Classes, Unit
from rsaxcel.fl.multipliers.contract import Multiplier
from rsaxcel.plan.domains import Domain
from rsaxcel.plan.halves import Halves
from rsaxcel.plan.modulus_constants import ModulusConstant
from rsaxcel.plan.parameters import parse_parameters
from rsaxcel.plan.schedules import EXPONENT_NBITS, WINDOW_NBITS, Schedule


def refuse(name: str, value: Any, reason: str) -> NoReturn:
    """Raise ``ValueError`` that names a choice or parameter, its value and why it is refused."""
    raise ValueError(f"{name}={value}: {reason}")


@dataclass
class Draft:
    """Choices and parameters so far; each axis reads the earlier choices and adds its own."""

    entry: Entry  # the registered design to start from
    nbits: int  # width of operands
    # the user's, by name or short symbol; an axis removes what it uses, the rest is refused
    asked: dict[str, Any]
    tokens: dict[str, Any] = field(default_factory=dict)  # choice by axis
    # of constants, where not the source that the multiplier declares
    sources: dict[str, str] = field(default_factory=dict)
    values: tuple[tuple[str, Any], ...] = ()  # of parameters
    halves: Halves | None = None  # layout of two halves, set by the axis of the multiplier
    # multiplier of the lanes; rebuilt, as the contract, for the wider pseudo-modulus
    unit: Unit = field(init=False)
    contract: Multiplier = field(init=False)  # golden model of the multiplier
    constant_modulus: int = 0  # 0: any
    cofactor: int = 1  # of the pseudo-modulus; 1: products run modulo m
    # set with the domain, which forms 1 in a residue that the schedule names
    schedule: Schedule = field(init=False)
    domain: Domain = field(init=False)
    constants: list[ModulusConstant] = field(default_factory=list)  # that the multiplier reads

    @property
    def classes(self) -> Classes:
        return self.unit.classes

    @property
    def store(self) -> Store:
        return store_of(self.classes.fl)

    @property
    def modulus_nbits(self) -> int:
        """Width of the modulus in bits; with two halves, of the modulus of each half."""
        return self.halves.nbits if self.halves else self.nbits

    @property
    def log2_r(self) -> int:
        """Binary logarithm of R, where the multiplier forms ``a * b / R mod m``."""
        return self.contract.r.bit_length() - 1

    def choices(self, lanes: int = 1) -> Choices:
        """Return the choices as an object, with the given number of lanes."""
        values = dict(self.values)
        tokens = {name: self.tokens[name] for name in AXES if name in self.tokens}
        return Choices(
            nbits=self.nbits,
            multiplier=self.unit,
            constant_modulus=self.constant_modulus,
            domain=self.domain,
            constants=tuple(self.constants),
            schedule=self.schedule,
            lanes=lanes,
            exponent_nbits=values.get(EXPONENT_NBITS.name, self.modulus_nbits),
            window_nbits=values.get(WINDOW_NBITS.name, WINDOW_NBITS.default(self.nbits)),
            tokens=tuple((tokens | self.sources).items()),
            values=self.values,
        )

    def take_parameters(self) -> None:
        """Add the parameters that no axis has added, with the user's values or the defaults."""
        others = self.choices().parameters[len(self.values) :]
        self.values += parse_parameters(others, self.asked, self.modulus_nbits)
