"""``Configuration``: a design at a width, which makes its models, timing and components."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from rsaxcel.catalog.any_configuration import AnyConfiguration
from rsaxcel.catalog.choices import Choices
from rsaxcel.catalog.entry import Entry
from rsaxcel.catalog.exponentiator import Exponentiator
from rsaxcel.catalog.interfaces import StreamInterface, interface_of
from rsaxcel.catalog.side_channels import exponent_reaches
from rsaxcel.catalog.units import Unit
from rsaxcel.fl.exponentiator import ExponentiatorFL, Outcome
from rsaxcel.fl.status import InputRules
from rsaxcel.plan.halves import Halves
from rsaxcel.plan.modulus_constants import ModulusConstant, from_host, widths_of
from rsaxcel.plan.parameters import Parameter
from rsaxcel.plan.programs import Program

if TYPE_CHECKING:  # at run time, a level is imported only when it is built
    from rsaxcel.cl.exponentiator import ExponentiatorCL, Handshake
    from rsaxcel.rtl.exponentiators.strobe import StrobeExponentiator


@dataclass(frozen=True)
class Configuration(Exponentiator, AnyConfiguration):
    """A design at a width, with validated choices and parameters.

    Parameters
    ----------
    design : Entry
        The registered design from which the configuration was made.
    nbits : int
        Width of base and modulus in bits.
    choices : Choices
        Choices on the axes, with the values of the parameters.
    own_tokens : tuple of (str, value)
        Name of each axis, and the registered design's choice, unless it follows from others.
    """

    design: Entry
    choices: Choices
    own_tokens: tuple[tuple[str, Any], ...]

    @property
    def composition(self) -> dict[str, Any]:
        """Choices on the axes that differ from those of the registered design."""
        own = dict(self.own_tokens)
        return {k: v for k, v in self.choices.tokens if k not in own or own[k] != v}

    @property
    def params(self) -> dict[str, Any]:
        """Values of parameters, and choices that differ from the registered design's, by name."""
        return dict(self.choices.values) | self.composition

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Parameters of multiplier, domain, schedule, and units that compute constants of m."""
        return self.choices.parameters

    @property
    def changed(self) -> dict[str, Any]:
        """Choices that differ from the registered design's, and parameters not at their default."""
        defaults = {p.name: p.default(self.nbits) for p in self.parameters}
        return {k: v for k, v in self.params.items() if k not in defaults or defaults[k] != v}

    def adapted_choices(self, asked: Iterable[str]) -> dict[str, Any]:
        """Choices, other than the registered design's, that follow from the choices ``asked``."""
        return {k: v for k, v in self.composition.items() if k not in set(asked)}

    @property
    def design_id(self) -> int:
        """Number of the design, which software reads from an accelerator; 0 for a composition."""
        return 0 if self.composition else self.design.id

    @property
    def multiplier(self) -> Unit:
        """Multiplier of every lane."""
        return self.choices.multiplier

    @cached_property
    def programs(self) -> tuple[Program, ...]:
        """Programs of the plan, one for each executor."""
        return self.choices.programs

    @property
    def product_nbits(self) -> int:
        """Width in bits of the modulus of products: m, a multiple of m, or one of two halves."""
        return self.programs[-1].product_nbits(self.nbits)

    @property
    def constant_modulus(self) -> int:
        """The only modulus that the circuit supports; 0: any."""
        return self.choices.constant_modulus

    @cached_property
    def host_constants(self) -> tuple[ModulusConstant, ...]:
        """Constants that the host supplies, in the order of the fields of a request."""
        return self.golden.host_constants

    @property
    def largest_exponent(self) -> int:
        """Largest exponent of a request: all bits are 1."""
        ones = (1 << self.choices.exponent_nbits) - 1
        if self.halves is None:
            return ones
        above = (1 << self.halves.public_nbits) - 1
        blinds = [(1 << x.nbits) - 1 for x in self.halves.blinds]
        return self.halves.joined_exponents(ones, ones, above, blinds)

    def shortened(self, exponent: int, share: float, least: int) -> int:
        """Exponent that takes a share of the steps; see ``plan.scan.Scan.leading``."""
        return self.programs[0].scan.leading(exponent, share, least)

    def usable_modulus(self, drawn: int) -> int:
        """Return a supported modulus, made from a random number; two halves are coprime moduli."""
        return self.halves.coprime_moduli(drawn) if self.halves else super().usable_modulus(drawn)

    @property
    def odd_modulus(self) -> bool:
        """Whether an input rule demands an odd modulus."""
        return self.choices.odd_modulus

    @property
    def exponent_dependent(self) -> bool:
        """Whether the exponent's value changes the cycle count (a side channel)."""
        if self.choices.schedule.fixed:
            timed_by = self.multiplier_golden.timed_by
            operands = [name for name in timed_by if name != "modulus"]
            return self.base_dependent and exponent_reaches(self.programs, operands)
        return True

    @property
    def base_dependent(self) -> bool:
        """Whether the base's value changes the cycle count (a side channel)."""
        return not self.multiplier_golden.constant_time

    @cached_property
    def rules(self) -> InputRules:
        """Input rules."""
        hosted = bool(from_host(self.choices.all_constants))
        widths = self.nbits, self.odd_modulus, hosted, self.choices.exponent_nbits
        return InputRules(*widths, self.constant_modulus, self.halves)

    @property
    def revises(self) -> bool:  # type: ignore[override]
        """Whether registers of the accelerator revise the circuit's doubled states."""
        return self.programs[0].doubled

    def check_whole_messages(self) -> None:
        """Raise ``ValueError`` if operands come digit by digit, not in one message."""
        if self.interface.frames:
            raise ValueError("bus=digit: systems send an operand in one message; wide fits")

    @property
    def exponent_nbits(self) -> int:
        """Width of the exponent in a request, in bits."""
        return self.interface.exponent_nbits

    @property
    def halves(self) -> Halves | None:
        """How moduli p and q share the modulus field of a request; None: there is one modulus."""
        return self.choices.domain.halves

    @cached_property
    def golden(self) -> ExponentiatorFL:
        """Functional model."""
        constants = self.choices.all_constants
        parts = self.rules, self.programs, self.multiplier_golden, constants
        return ExponentiatorFL(*parts, self.halves)

    @cached_property
    def timing(self) -> ExponentiatorCL:
        """Cycle model of the circuit."""
        return self.timing_with(self._handshake)

    def timing_with(self, handshake: Handshake) -> ExponentiatorCL:
        """Cycle model with another handshake: the cycles that control adds to iterations.

        ``cl.exponentiator.STROBE``, for example, is the handshake of Li and Chu's printed Verilog.
        """
        from rsaxcel.cl.exponentiator import ExponentiatorCL

        extra = {}
        if handshake.product_cycles is not None:
            extra["handshake_cycles"] = handshake.product_cycles
        computed = self.programs[0].computed_constants
        units = tuple(
            unit.build("cl", self.nbits, constant, **extra)
            for unit, constant in zip(self.choices.units, computed, strict=True)
        )
        multiplier = self.multiplier.build("cl", self.product_nbits, **extra)
        more_cycles = self._store_timing.more_cycles
        return ExponentiatorCL(self.golden, multiplier, units, handshake, more_cycles)

    @cached_property
    def interface(self) -> StreamInterface:
        """How a request comes and its result leaves."""
        constants = widths_of(self.host_constants)
        return interface_of(self.choices)(self.choices, self.programs, self.rules, constants)

    def outcome(
        self,
        base: int,
        exponent: int,
        modulus: int,
        constants: Sequence[int] = (),
        missing: bool = False,
    ) -> Outcome:
        """Return result and status by the golden model, which computes missing constants."""
        return self.golden.outcome(base, exponent, modulus, constants, missing)

    def evaluate(self, *operands: int) -> tuple[Outcome, int]:
        """Give result and status, and the cycles (cycle model), for base, exponent and modulus."""
        base, exponent, modulus = operands
        outcome, durations = self.timing.evaluate(base, exponent, modulus)
        return outcome, sum(durations)

    def strobe(self, level: str) -> StrobeExponentiator:
        """PyMTL3 component, not elaborated: an exponentiator with Li and Chu's strobe interface."""
        from rsaxcel.rtl.exponentiators.strobe import StrobeExponentiator

        self.check_whole_messages()
        make = partial(self.component, level)
        constants = widths_of(self.host_constants)
        widths = self.exponent_nbits, self.modulus_nbits
        return StrobeExponentiator(self.nbits, make, constants, *widths)

    @property
    def _handshake(self) -> Handshake:
        return self.interface.handshake(self._store_timing)

    @property
    def _messages(self) -> tuple[type[Any], type[Any]]:
        return self.interface.messages

    def _model(self, *parts: Any) -> Any:
        return self.interface.model(*parts)

    @property
    def _first_program(self) -> Program:
        return self.programs[0]

    @property
    def _nstages(self) -> int:
        return len(self.programs)

    def _operands(self, b: int, e: int, m: int, *rest: int) -> tuple[Any, ...]:
        """Convert the fields of a request to operands of the FL and CL models."""
        # The models have no field ``wide``: a bit above the exponent makes them refuse the request.
        count = len(self.host_constants)
        constants, (wide, *missing) = rest[:count], rest[count:]
        return b, e | wide << self.exponent_nbits, m, constants, any(missing)

    def _answer(self, *fields: int) -> Outcome:
        return self.outcome(*self._operands(*fields))

    def _timed_answer(self, *fields: int) -> tuple[Outcome, tuple[int, ...]]:
        """Answer, and cycles in each stage until a response, or its first digit, is valid."""
        outcome, (*before, last) = self.timing.evaluate(*self._operands(*fields))
        return outcome, (*before, last - self._handshake.send_cycles)

    def _circuit(self) -> Any:
        return self.interface.circuit()
