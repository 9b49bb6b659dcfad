"""A design as a choice on each axis, and a multiplier on its own, at no width yet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from fl.configuration import STORES, Configuration, MultiplierConfiguration, store_of
from fl.domains import Domain
from fl.multipliers.contract import Multiplier
from fl.parameters import Parameter
from fl.schedules import Schedule
from fl.steps import Program
from fl.units import Unit


@dataclass(frozen=True)
class Design:
    """An exponentiator, named by its choice on each axis.

    Parameters
    ----------
    name, summary, source : str
        Registry name, one line, and document with section or algorithm.
    multiplier : str
        ``"module:Class"`` that exists below ``fl``, ``cl`` and ``rtl``.
    domain : fl.domains.Domain
        The domain's steps and constants.
    schedule : str
        ``"module:NAME"`` of an ``fl.schedules.Schedule``.
    store : str
        Where residues live, a key of ``STORES``.
    widths : range
        Operand widths in bits.
    """

    name: str
    summary: str
    multiplier: str
    domain: Domain
    schedule: str
    store: str
    widths: range
    source: str

    @property
    def multiplier_contract(self) -> type[Multiplier]:
        """Class that declares what the multiplier needs and promises."""
        return Unit(self.multiplier).resolve("fl")

    @property
    def schedule_choice(self) -> Schedule:
        """The schedule's steps."""
        return Unit(self.schedule).resolve("fl")

    @property
    def odd_modulus(self) -> bool:
        """Whether an input rule demands an odd modulus."""
        return self.multiplier_contract.odd_modulus or self.domain.montgomery

    @property
    def exponent_dependent(self) -> bool:
        """Whether the exponent's value changes the cycle count (a side channel)."""
        return self.schedule_choice.exponent_dependent or not self.multiplier_contract.constant_time

    @property
    def base_dependent(self) -> bool:
        """Whether the base's value changes the cycle count (a side channel)."""
        return not self.multiplier_contract.constant_time

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Parameters of the design's units and of its schedule."""
        constants = self.domain.constants_unit
        choices = [self.multiplier, *([constants] if constants else []), self.schedule]
        return tuple(p for ref in choices for p in Unit(ref).resolve("fl").parameters)

    def configure(self, nbits: int = 32, **params: Any) -> Configuration:
        """Validate a width and parameters (values or their text).

        Raises
        ------
        ValueError
            Names the parameter, the value and what is allowed.
        """
        if self.store not in STORES:
            raise ValueError(f"store={self.store}: {', '.join(STORES)} are allowed")
        needed = store_of(self.multiplier_contract)
        if self.store != needed:
            name = Unit(self.multiplier).module
            raise ValueError(f"store={self.store}: {name} needs {needed}")
        values = _validate(self.name, self.widths, self.parameters, nbits, params)
        configuration = Configuration(self, nbits, values)
        if self.multiplier_contract.shares_b:
            _check_shared(configuration.programs, Unit(self.multiplier).module)
        return configuration


@dataclass(frozen=True)
class MultiplierEntry:
    """A multiplier on its own, under the name of its module."""

    name: str
    multiplier: str
    widths: range

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Parameters of the multiplier."""
        return Unit(self.multiplier).resolve("fl").parameters

    def configure(self, nbits: int = 32, **params: Any) -> MultiplierConfiguration:
        """Validate as ``Design.configure`` does."""
        values = _validate(self.name, self.widths, self.parameters, nbits, params)
        return MultiplierConfiguration(self, nbits, values)


def _check_shared(programs: Iterable[Program], multiplier: str) -> None:
    for program in programs:
        for step in program.steps:
            if program.lanes > 1 and len({product.b for product in step}) > 1:
                products = ", ".join(f"{p.dst} = mul({p.a}, {p.b})" for p in step)
                raise ValueError(f"schedule: {multiplier} needs one b for {products}")


def _validate(
    name: str, widths: range, parameters: tuple[Parameter, ...], nbits: int, params: dict[str, Any]
) -> tuple[tuple[str, Any], ...]:
    """Parameters with defaults filled in, in the order in which the units declare them."""
    if nbits not in widths:
        raise ValueError(f"nbits={nbits}: {widths[0]} to {widths[-1]} bits allowed for {name}")
    known = {p.name: p for p in parameters}
    symbols = {p.symbol: p.name for p in parameters if p.symbol}
    for symbol, full_name in symbols.items():
        if symbol in params and full_name in params:
            raise ValueError(f"{symbol}={params[symbol]}: {full_name} is given, too")
    params = {symbols.get(key, key): value for key, value in params.items()}
    for key in params:
        if key not in known:
            allowed = ", ".join(known) or "none"
            raise ValueError(f"{key}={params[key]}: not a parameter of {name}; allowed: {allowed}")
    return tuple((p.name, p.parse(params.get(p.name, p.default(nbits)), nbits)) for p in parameters)
