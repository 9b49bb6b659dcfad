"""A design or a multiplier at a width: models, timing and components of every level."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from catalog.choices import Choices
from catalog.entry import Entry
from catalog.side_channels import exponent_reaches
from catalog.stores import store_of
from cl.elastic import Timing
from cl.exponentiator import ExponentiatorCL, Handshake
from cl.unit import TimedUnit
from fl.exponentiator import ExponentiatorFL, Outcome
from fl.messages import power_request, power_response, product_request, product_response
from fl.modulus_constants import HOST, ModulusConstant, Widths, widths_of
from fl.multipliers.contract import Multiplier, WordMultiplier
from fl.parameters import Parameter
from fl.scan import Scan
from fl.status import InputRuleError, InputRules, Status
from fl.steps import Product, Program
from fl.unit import FunctionUnit
from fl.units import LEVELS, Unit
from fl.xcel import RegisterUnit, XcelRegisters, constant_words
from rtl.exponentiators.exponentiator import ExponentiatorRTL
from rtl.exponentiators.product import ProductMachine
from rtl.lib.held_modulus import HeldModulus
from rtl.xcel.adapter import XcelAdapter


@dataclass(frozen=True)
class AnyConfiguration(ABC):
    """What configurations of designs and of multipliers have in common."""

    design: Any
    nbits: int

    @property
    @abstractmethod
    def params(self) -> dict[str, Any]:
        """Parameters by name, and choices on the axes where they are not the entry's."""

    @property
    @abstractmethod
    def parameters(self) -> tuple[Parameter, ...]:
        """Parameters of what was chosen."""

    @property
    @abstractmethod
    def changed(self) -> dict[str, Any]:
        """Those of ``params`` that are not the default."""

    @property
    def name(self) -> str:
        """Name for files and modules: design, width, and what is not the default."""
        changed = (f"{key}_{value}" for key, value in self.changed.items())
        return "_".join([self.design.name, str(self.nbits), *changed])

    @property
    @abstractmethod
    def multiplier(self) -> Unit:
        """Multiplier, of every lane where there are several."""

    def followed(self, asked: Iterable[str]) -> dict[str, Any]:
        """Choices that are not the entry's although nobody asked for them."""
        return {}

    @cached_property
    def multiplier_golden(self) -> Multiplier:
        """Functional model of the multiplier."""
        return self.multiplier.build("fl", self.nbits)

    @cached_property
    def _store(self) -> Any:
        return store_of(self.multiplier.classes.fl)

    @property
    def load_cycles(self) -> int:
        """Cycles for which operands are loaded before a request is accepted."""
        return self._handshake.load_cycles

    @cached_property
    def _handshake(self) -> Handshake:
        return self._store.cl(self.multiplier_golden).handshake

    @property
    @abstractmethod
    def timing(self) -> Any:
        """Cycle model."""

    @abstractmethod
    def request(self, a: int, b: int, modulus: int, /) -> tuple[int, ...]:
        """Fields of the request message."""

    @abstractmethod
    def outcome(self, a: int, b: int, modulus: int, /) -> Outcome:
        """Golden result and status."""

    @abstractmethod
    def evaluate(self, *operands: int) -> tuple[Outcome, int]:
        """Outcome and cycles, request accepted to response valid, by the cycle model."""

    def cycles(self, *operands: int) -> int:
        """Cycles from request accepted to response valid, by the cycle model."""
        return self.evaluate(*operands)[1]

    def component(self, level: str) -> Any:
        """PyMTL3 component, not elaborated, with streams ``recv`` and ``send``.

        A design takes {b, e, m, wide} and gives {r, status}; a multiplier takes {a, b, m} and
        gives {r}. Constants that the host supplies come with the request.
        """
        if level == "fl":
            return FunctionUnit(*self._messages, self._answer)
        if level == "cl":
            overlaps, load_cycles = self.timing.overlaps, self.load_cycles
            evaluate, nstages = self._timed_answer, self._nstages
            return TimedUnit(*self._messages, evaluate, nstages, overlaps, load_cycles)
        if level == "rtl":
            return self._circuit()
        raise ValueError(f"level {level!r}: {', '.join(LEVELS)} are allowed")

    @property
    @abstractmethod
    def _messages(self) -> tuple[type[Any], type[Any]]:
        """Request and response."""

    @property
    @abstractmethod
    def _nstages(self) -> int:
        """Stages of the cycle model."""

    @abstractmethod
    def _answer(self, *fields: int) -> tuple[int, ...]:
        """Fields of the response to those of a request."""

    @abstractmethod
    def _timed_answer(self, *fields: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Fields of the response, and the cycles in each stage."""

    @abstractmethod
    def _circuit(self) -> Any:
        """Component of the circuit, not elaborated."""


@dataclass(frozen=True)
class Configuration(AnyConfiguration):
    """A design at a width, with validated choices and parameters.

    Parameters
    ----------
    design : Entry
        Entry of the registry.
    nbits : int
        Width of base and modulus in bits.
    choices : Choices
        What was chosen on every axis.
    own_tokens : tuple of (str, value)
        What the entry has on them.
    """

    design: Entry
    choices: Choices
    own_tokens: tuple[tuple[str, Any], ...]

    @property
    def composition(self) -> dict[str, Any]:
        """Choices on the axes that are not the entry's."""
        own = dict(self.own_tokens)
        return {k: v for k, v in self.choices.tokens if k not in own or own[k] != v}

    @property
    def params(self) -> dict[str, Any]:
        """Parameters by name, and choices on the axes where they are not the entry's."""
        return dict(self.choices.values) | self.composition

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Parameters of what was chosen."""
        return self.choices.parameters

    @property
    def changed(self) -> dict[str, Any]:
        """Choices that are not the entry's, and parameters that are not the default."""
        defaults = {p.name: p.default(self.nbits) for p in self.parameters}
        return {k: v for k, v in self.params.items() if k not in defaults or defaults[k] != v}

    def followed(self, asked: Iterable[str]) -> dict[str, Any]:
        """Choices that are not the entry's although nobody asked for them."""
        return {k: v for k, v in self.composition.items() if k not in set(asked)}

    @property
    def design_id(self) -> int:
        """Number of the entry, by which software tells accelerators apart; 0 for a composition."""
        return 0 if self.composition else self.design.id

    @property
    def multiplier(self) -> Unit:
        """Multiplier of every lane."""
        return self.choices.multiplier

    @cached_property
    def programs(self) -> tuple[Program, ...]:
        """Programs of the step machines."""
        return self.choices.programs

    @cached_property
    def host_constants(self) -> tuple[ModulusConstant, ...]:
        """Constants that the host supplies, in their order."""
        return self.golden.host_constants

    @property
    def odd_modulus(self) -> bool:
        """Whether an input rule demands an odd modulus."""
        return self.choices.odd_modulus

    @property
    def exponent_dependent(self) -> bool:
        """Whether the exponent's value changes the cycle count (a side channel)."""
        if self.choices.schedule.fixed:
            timed_by = self.multiplier.classes.fl.timed_by
            operands = [name for name in timed_by if name != "modulus"]
            return self.base_dependent and exponent_reaches(self.programs, operands)
        return True

    @property
    def base_dependent(self) -> bool:
        """Whether the base's value changes the cycle count (a side channel)."""
        return not self.multiplier.classes.fl.constant_time

    @cached_property
    def rules(self) -> InputRules:
        """Input rules."""
        hosted = any(c.source == HOST for c in self.choices.all_constants)
        return InputRules(self.nbits, self.odd_modulus, hosted, self.exponent_nbits)

    @property
    def exponent_nbits(self) -> int:
        """Width of the exponent in bits."""
        return self.choices.exponent_nbits

    @cached_property
    def golden(self) -> ExponentiatorFL:
        """Functional model."""
        constants = self.choices.all_constants
        return ExponentiatorFL(self.rules, self.programs, self.multiplier_golden, constants)

    @cached_property
    def timing(self) -> ExponentiatorCL:
        """Cycle model of the circuit."""
        return self.timing_with(self._handshake)

    def timing_with(self, handshake: Handshake) -> ExponentiatorCL:
        """Cycle model with another control, such as that of a document."""
        extra = {}
        if handshake.product_cycles is not None:
            extra["handshake_cycles"] = handshake.product_cycles
        supplied = self.programs[0].supplied
        units = tuple(
            unit.build("cl", self.nbits, constant, **extra)
            for unit, constant in zip(self.choices.units, supplied, strict=True)
        )
        multiplier = self.multiplier.build("cl", self.nbits, **extra)
        return ExponentiatorCL(self.golden, multiplier, units, handshake)

    def request(self, base: int, exponent: int, modulus: int) -> tuple[int, ...]:
        """Fields of the request message; what does not fit sets ``wide``."""
        operands = (base, exponent, modulus)
        mask = (1 << self.nbits) - 1
        masks = (mask, (1 << self.exponent_nbits) - 1, mask)
        held = tuple(x & mask for x, mask in zip(operands, masks, strict=True))
        wide = int(held != operands)
        flags = (wide, 0) if self.host_constants else (wide,)
        return (*held, *self.golden.host_values(held[-1]), *flags)

    def constant_words(self, modulus: int) -> list[int]:
        """Words of the host constants as they are written to the accelerator's register."""
        widths = (constant.nbits for constant in self.host_constants)
        return constant_words(self.nbits, widths, self.golden.host_values(modulus))

    def outcome(
        self,
        base: int,
        exponent: int,
        modulus: int,
        constants: Sequence[int] = (),
        missing: bool = False,
    ) -> Outcome:
        """Golden result and status; constants that the host supplies are computed unless given."""
        return self.golden.outcome(base, exponent, modulus, constants, missing)

    def evaluate(self, *operands: int) -> tuple[Outcome, int]:
        """Outcome and cycles of base, exponent and modulus by the cycle model."""
        base, exponent, modulus = operands
        outcome, durations = self.timing.evaluate(base, exponent, modulus)
        return outcome, sum(durations)

    def accelerator(self, level: str) -> Any:
        """PyMTL3 component, not elaborated, with the processor's ``xcel`` minion interface.

        The cycle level is the circuit of the registers around the exponentiator's cycle model, so
        that its cycles are the circuit's.
        """
        if level == "fl":
            return RegisterUnit(lambda: XcelRegisters(self))
        if level not in LEVELS:
            raise ValueError(f"level {level!r}: {', '.join(LEVELS)} are allowed")
        make = partial(self.component, level)
        constants = widths_of(self.host_constants)
        return XcelAdapter(self.nbits, make, self.design_id, constants, self.exponent_nbits)

    @property
    def _messages(self) -> tuple[type[Any], type[Any]]:
        request = power_request(self.nbits, widths_of(self.host_constants), self.exponent_nbits)
        return request, power_response(self.nbits)

    @property
    def _nstages(self) -> int:
        return len(self.programs)

    def _operands(self, b: int, e: int, m: int, *rest: int) -> tuple[Any, ...]:
        """Operands as the models see them: a request marked wide has one that does not fit."""
        count = len(self.host_constants)
        constants, (wide, *missing) = rest[:count], rest[count:]
        return b, e | wide << self.exponent_nbits, m, constants, any(missing)

    def _answer(self, *fields: int) -> Outcome:
        return self.outcome(*self._operands(*fields))

    def _timed_answer(self, *fields: int) -> tuple[Outcome, tuple[int, ...]]:
        return self.timing.evaluate(*self._operands(*fields))

    def _circuit(self) -> ExponentiatorRTL:
        return ExponentiatorRTL(
            self.nbits,
            self.programs,
            self.multiplier,
            self.choices.units,
            self.rules,
            widths_of(self.host_constants),
            self._store.rtl,
        )


@dataclass(frozen=True)
class MultiplierConfiguration(AnyConfiguration):
    """A multiplier at a width; operands outside its contract never reach the circuit.

    Parameters
    ----------
    design : catalog.design.MultiplierEntry
        The multiplier's entry.
    nbits : int
        Width of operands in bits.
    unit : Unit
        The multiplier with its parameters.
    """

    unit: Unit

    @property
    def multiplier(self) -> Unit:
        """The multiplier with its parameters."""
        return self.unit

    @property
    def params(self) -> dict[str, Any]:
        """Parameters by name."""
        return dict(self.unit.params)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Parameters of the multiplier."""
        return self.multiplier.classes.fl.parameters

    @property
    def changed(self) -> dict[str, Any]:
        """Parameters that are not the default."""
        defaults = {p.name: p.default(self.nbits) for p in self.parameters}
        return {k: v for k, v in self.params.items() if defaults[k] != v}

    @property
    def golden(self) -> Multiplier:
        """Functional model."""
        return self.multiplier_golden

    @cached_property
    def timing(self) -> Timing:
        """Cycle model."""
        return self.multiplier.build("cl", self.nbits)

    def request(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        """Fields of the request message."""
        constants = self.golden.constants
        try:
            self.golden.check(a, b, modulus)
        except InputRuleError:
            return (a, b, modulus, *(0 for _ in constants))
        return (a, b, modulus, *(c.formula.value(modulus) for c in constants))

    def outcome(self, a: int, b: int, modulus: int) -> Outcome:
        """Golden result and status."""
        try:
            self.golden.check(a, b, modulus)
        except InputRuleError as error:
            return Outcome(0, error.status)
        return Outcome(self._product(*self.request(a, b, modulus)), Status.OK)

    def evaluate(self, *operands: int) -> tuple[Outcome, int]:
        """Outcome and cycles of a, b and modulus by the cycle model."""
        outcome = self.outcome(*operands)
        if outcome.status is not Status.OK:
            return outcome, 0
        return outcome, sum(self._durations(*operands))

    def _product(self, a: int, b: int, modulus: int, *constants: int) -> int:
        names = (constant.name for constant in self.golden.constants)
        given = dict(zip(names, constants, strict=True))
        return self.golden.final_subtraction(self.golden.product(a, b, modulus, **given), modulus)

    def _durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        """Cycles of the multiplier, or of the program of one product around an engine."""
        durations = self.timing.durations(a, b, modulus)
        if not self._needs_machine:
            return durations
        around = self._handshake
        control = around.request_cycles + around.step_cycles + around.unload_cycles
        return (sum(durations) + control,)

    @property
    def _messages(self) -> tuple[type[Any], type[Any]]:
        widths = (*self._operand_widths, *widths_of(self.golden.constants))
        return product_request(self.nbits, widths), product_response(self.nbits)

    @property
    def _operand_widths(self) -> Widths:
        """Widths of a and b where they are wider than the modulus."""
        nbits = self.golden.operand_nbits
        return (("a", nbits), ("b", nbits)) if nbits > self.nbits else ()

    @property
    def _needs_machine(self) -> bool:
        """Whether the multiplier has no streams of its own."""
        return isinstance(self.golden, WordMultiplier)

    @property
    def _program(self) -> Program:
        """One product as a program, for multipliers that need a store around them."""
        constants = self.golden.constants
        return Program(
            name="product",
            residues=("a", "b", "r"),
            receives=("a", "b", "m", *(constant.name for constant in constants)),
            sends=("r",),
            lanes=1,
            scan=Scan(1),
            held=constants,
            enter=((Product("r", "a", "b"),),),
        )

    @property
    def _nstages(self) -> int:
        return len(self.timing.durations(0, 0, 3))

    def _answer(self, *fields: int) -> tuple[int]:
        return (self._product(*fields),)

    def _timed_answer(self, *fields: int) -> tuple[tuple[int], tuple[int, ...]]:
        return self._answer(*fields), self._durations(*fields[:3])

    def _circuit(self) -> Any:
        if self._needs_machine:
            parts = self.multiplier, self._store.rtl
            return ProductMachine(self.nbits, self._program, *parts, self._operand_widths)
        if self.golden.holds_modulus:
            return self.multiplier.build("rtl", self.nbits)
        return HeldModulus(self.nbits, self.multiplier, *self._messages)
