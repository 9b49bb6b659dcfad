"""A design or a multiplier at a width: models, timing and components of every level.

What is not of the functional level, the registry included, is looked up when it is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from importlib import import_module
from typing import Any

from fl.exponentiator import Exponentiator, Outcome
from fl.messages import (
    Widths,
    power_request,
    power_response,
    product_request,
    product_response,
)
from fl.modulus_constants import ModulusConstant
from fl.multipliers.contract import Multiplier, WordMultiplier
from fl.schedules import plan
from fl.status import InputRuleError, InputRules, Status
from fl.steps import Product, Program
from fl.unit import FunctionUnit
from fl.units import Unit
from fl.xcel import RegisterUnit, XcelRegisters, constant_words

LEVELS = ("fl", "cl", "rtl")

STORES = {
    "registers": Unit("stores.registers:RegisterStore"),
    "words": Unit("stores.words:WordStore"),
}
"""Where residues live, and how multipliers reach them."""


def store_of(multiplier: type[Multiplier]) -> str:
    """Store that a multiplier can be built on, a key of ``STORES``."""
    return "words" if issubclass(multiplier, WordMultiplier) else "registers"


@dataclass(frozen=True)
class _Configured:
    """What configurations of designs and of multipliers have in common."""

    design: Any
    nbits: int
    param_items: tuple[tuple[str, Any], ...]

    @property
    def params(self) -> dict[str, Any]:
        """Parameters by name."""
        return dict(self.param_items)

    @property
    def name(self) -> str:
        """Name for files and modules: design, width, and parameters that are not the default."""
        defaults = {p.name: p.default(self.nbits) for p in self.design.parameters}
        changed = [f"{k}_{v}" for k, v in self.param_items if defaults[k] != v]
        return "_".join([self.design.name, str(self.nbits), *changed])

    def unit(self, ref: str) -> Unit:
        """Build the unit with those parameters of this configuration that it knows."""
        known = {p.name for p in Unit(ref).resolve("fl").parameters}
        return Unit(ref, tuple((k, v) for k, v in self.param_items if k in known))

    @cached_property
    def multiplier(self) -> Unit:
        """Multiplier, of every lane where there are several."""
        return self.unit(self.design.multiplier)

    @cached_property
    def multiplier_golden(self) -> Multiplier:
        """Functional model of the multiplier."""
        return self.multiplier.build("fl", self.nbits)

    @property
    def _store(self) -> Unit:
        return STORES[store_of(type(self.multiplier_golden))]

    @property
    def load_cycles(self) -> int:
        """Cycles for which operands are loaded before a request is accepted."""
        return self._handshake.load_cycles

    @cached_property
    def _handshake(self) -> Any:
        return self._store.resolve("cl")(self.multiplier_golden).handshake

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
            build = import_module("cl.unit").TimedUnit
            overlaps, load_cycles = self.timing.overlaps, self.load_cycles
            return build(*self._messages, self._timed_answer, self._nstages, overlaps, load_cycles)
        if level == "rtl":
            return self._circuit()
        raise ValueError(f"level {level!r}: {', '.join(LEVELS)} are allowed")


@dataclass(frozen=True)
class Configuration(_Configured):
    """A design at a width, with validated parameters: golden result, timing and component."""

    @property
    def design_id(self) -> int:
        """Position in the registry, by which software tells accelerators apart."""
        return list(import_module("designs").DESIGNS).index(self.design.name)

    @cached_property
    def constants(self) -> Unit | None:
        """Unit that supplies the domain's constants."""
        ref = self.design.domain.constants_unit
        return self.unit(ref) if ref else None

    @cached_property
    def programs(self) -> tuple[Program, ...]:
        """Programs of the step machines."""
        schedule = self.design.schedule_choice
        return plan(
            self.design.domain,
            replace(schedule, lanes=schedule.lanes_with(self.params)),
            self.multiplier_golden.modulus_constants,
            self._scanned_nbits,
        )

    @cached_property
    def host_constants(self) -> Widths:
        """Constants that the host supplies, in their order, with their widths in bits."""
        of_domain = ((name, self.nbits) for name in self.design.domain.host_constants)
        return (*of_domain, *self.multiplier_golden.modulus_constants)

    @property
    def host_formulas(self) -> tuple[ModulusConstant, ...]:
        """What computes each of the host's constants from a modulus, in their order."""
        return tuple(self.multiplier_golden.constant(name) for name, _ in self.host_constants)

    @cached_property
    def rules(self) -> InputRules:
        """Input rules."""
        hosted = bool(self.host_constants)
        return InputRules(self.nbits, self.design.odd_modulus, hosted, self._scanned_nbits)

    @property
    def exponent_nbits(self) -> int:
        """Width of the exponent in bits."""
        return self._scanned_nbits or self.nbits

    @property
    def _scanned_nbits(self) -> int:
        """Width of the exponent where the schedule makes it a choice, else 0."""
        return self.params.get("exponent_nbits", 0)

    @cached_property
    def golden(self) -> Exponentiator:
        """Functional model."""
        constants = self.constants.build("fl", self.nbits).values if self.constants else None
        names = tuple(name for name, _ in self.host_constants)
        return Exponentiator(self.rules, self.programs, self.multiplier_golden, constants, names)

    @cached_property
    def timing(self) -> Any:
        """Cycle model (``cl.exponentiator.Exponentiator``) of the circuit."""
        return self.timing_with(self._handshake)

    def timing_with(self, handshake: Any) -> Any:
        """Cycle model with a ``cl.exponentiator.Handshake``, such as that of a document."""
        extra = {}
        if handshake.product_cycles is not None:
            extra["handshake_cycles"] = handshake.product_cycles
        constants = self.constants.build("cl", self.nbits, **extra) if self.constants else None
        multiplier = self.multiplier.build("cl", self.nbits, **extra)
        model = import_module("cl.exponentiator").Exponentiator
        return model(self.golden, multiplier, constants, handshake)

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
        return constant_words(self.nbits, self.golden.host_values(modulus))

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

    def evaluate(self, base: int, exponent: int, modulus: int) -> tuple[Outcome, int]:
        """Outcome and cycles, request accepted to response valid, by the cycle model."""
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
        build = import_module("rtl.xcel.adapter").XcelAdapter
        make = partial(self.component, level)
        constants, exponent_nbits = self.host_constants, self.exponent_nbits
        return build(self.nbits, make, self.design_id, constants, exponent_nbits)

    @property
    def _messages(self) -> tuple[type, type]:
        request = power_request(self.nbits, self.host_constants, self._scanned_nbits)
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

    def _circuit(self) -> Any:
        build = import_module("rtl.exponentiators.exponentiator").Exponentiator
        return build(
            self.nbits,
            self.programs,
            self.multiplier,
            self.constants,
            self.rules,
            self.host_constants,
            self._store,
        )


@dataclass(frozen=True)
class MultiplierConfiguration(_Configured):
    """A multiplier at a width; operands outside its contract never reach the circuit."""

    @property
    def golden(self) -> Multiplier:
        """Functional model."""
        return self.multiplier_golden

    @cached_property
    def timing(self) -> Any:
        """Cycle model."""
        return self.multiplier.build("cl", self.nbits)

    def request(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        """Fields of the request message."""
        names = (name for name, _ in self.golden.modulus_constants)
        try:
            self.golden.check(a, b, modulus)
        except InputRuleError:
            return (a, b, modulus, *(0 for _ in names))
        return (a, b, modulus, *(self.golden.constant(name).value(modulus) for name in names))

    def outcome(self, a: int, b: int, modulus: int) -> Outcome:
        """Golden result and status."""
        try:
            self.golden.check(a, b, modulus)
        except InputRuleError as error:
            return Outcome(0, error.status)
        product = self.golden.product(a, b, modulus)
        return Outcome(self.golden.settle(product, modulus), Status.OK)

    def evaluate(self, a: int, b: int, modulus: int) -> tuple[Outcome, int]:
        """Outcome and cycles by the cycle model."""
        outcome = self.outcome(a, b, modulus)
        if outcome.status is not Status.OK:
            return outcome, 0
        return outcome, sum(self._durations(a, b, modulus))

    def _durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        """Cycles of the multiplier, or of the program of one product around an engine."""
        durations = self.timing.durations(a, b, modulus)
        if not self._needs_machine:
            return durations
        around = self._handshake
        control = around.request_cycles + around.step_cycles + around.unload_cycles
        return (sum(durations) + control,)

    @property
    def _messages(self) -> tuple[type, type]:
        widths = (*self._operand_widths, *self.golden.modulus_constants)
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
        constants = self.golden.modulus_constants
        return Program(
            name="product",
            residues=("a", "b", "r"),
            receives=("a", "b", "m", *(name for name, _ in constants)),
            sends=("r",),
            lanes=1,
            modulus_constants=constants,
            enter=((Product("r", "a", "b"),),),
        )

    @property
    def _nstages(self) -> int:
        return len(self.timing.durations(0, 0, 3))

    def _answer(self, a: int, b: int, m: int, *constants: int) -> tuple[int]:
        return (self.golden.settle(self.golden.product(a, b, m), m),)

    def _timed_answer(
        self, a: int, b: int, m: int, *constants: int
    ) -> tuple[tuple[int], tuple[int, ...]]:
        return self._answer(a, b, m), self._durations(a, b, m)

    def _circuit(self) -> Any:
        if self._needs_machine:
            build = import_module("rtl.exponentiators.product").ProductMachine
            units = self.multiplier, self._store
            return build(self.nbits, self._program, *units, self._operand_widths)
        if self.golden.holds_modulus:
            return self.multiplier.build("rtl", self.nbits)
        build = import_module("rtl.lib.held_modulus").HeldModulus
        return build(self.nbits, self.multiplier, *self._messages)
