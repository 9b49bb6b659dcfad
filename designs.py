"""The registry: every design as a choice on each axis, and nothing else.

Adding a design adds an entry to ``DESIGNS``; a multiplier is known by its name as soon as a design
uses it. Tests, engines, flow and evaluation take a ``Configuration`` and iterate over the registry.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from importlib import import_module
from typing import Any

from fl.domains import HOST, PLAIN, Domain, montgomery
from fl.exponentiator import Exponentiator, Outcome
from fl.messages import (
    Widths,
    power_request,
    power_response,
    product_request,
    product_response,
)
from fl.multipliers.contract import Multiplier, WordMultiplier
from fl.parameters import Parameter
from fl.schedules import Schedule, plan
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
        return Configuration(self, nbits, values)


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
        return list(DESIGNS).index(self.design.name)

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
        return (a, b, modulus, *(self.golden.constant(name, modulus) for name in names))

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
        constants = self.golden.modulus_constants
        return product_request(self.nbits, constants), product_response(self.nbits)

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
            return build(self.nbits, self._program, self.multiplier, self._store)
        if self.golden.holds_modulus:
            return self.multiplier.build("rtl", self.nbits)
        build = import_module("rtl.lib.held_modulus").HeldModulus
        return build(self.nbits, self.multiplier, *self._messages)


def _validate(
    name: str, widths: range, parameters: tuple[Parameter, ...], nbits: int, params: dict[str, Any]
) -> tuple[tuple[str, Any], ...]:
    """Parameters with defaults filled in, in the order in which the units declare them."""
    if nbits not in widths:
        raise ValueError(f"nbits={nbits}: {widths[0]} to {widths[-1]} bits allowed for {name}")
    known = {p.name: p for p in parameters}
    symbols = {p.symbol: p.name for p in parameters if p.symbol}
    params = {symbols.get(key, key): value for key, value in params.items()}
    for key in params:
        if key not in known:
            allowed = ", ".join(known) or "none"
            raise ValueError(f"{key}={params[key]}: not a parameter of {name}; allowed: {allowed}")
    return tuple((p.name, p.parse(params.get(p.name, p.default(nbits)), nbits)) for p in parameters)


def _with_one_lane(design: Design) -> tuple[Design, Design]:
    """Give a design of two lanes, and the same on one lane that does the conversions, too."""
    shared = replace(
        design,
        name=f"{design.name}_shared",
        summary=f"{design.summary}, all in one unit",
        schedule="schedules:RIGHT_TO_LEFT_SHARED",
    )
    return design, shared


# How Li and Chu's exponentiators enter the Montgomery domain: algorithms 2 and 4, section IV.
_LI_CHU_MONTGOMERY = montgomery(conversions="shared", r_squared="ssmm")

DESIGNS: dict[str, Design] = {
    design.name: design
    for design in (
        Design(
            name="mulrem_r2l",
            summary="product and remainder, two in parallel (RSAXcel)",
            multiplier="multipliers.mul_rem:MulRem",
            domain=PLAIN,
            schedule="schedules:RIGHT_TO_LEFT",
            store="registers",
            widths=range(8, 4097),
            source="McNay 2023, section 3.1, figures 5 to 7",
        ),
        Design(
            name="mont_r2l",
            summary="unrolled, pipelined Montgomery products in five units (RSAMontXcel)",
            multiplier="multipliers.mont_mul_rem:MontMulRem",
            domain=montgomery(conversions="dedicated", r_squared="division"),
            schedule="schedules:RIGHT_TO_LEFT",
            store="registers",
            widths=range(8, 257),
            source="McNay 2023, section 3.2, figures 8 to 14",
        ),
        Design(
            name="mont_r2l_shared",
            summary="unrolled, pipelined Montgomery products, all in one unit",
            multiplier="multipliers.mont_mul_rem:MontMulRem",
            domain=montgomery(conversions="shared", r_squared="division"),
            schedule="schedules:RIGHT_TO_LEFT_SHARED",
            store="registers",
            widths=range(8, 257),
            source="McNay 2023, section 3.2, with one of its five units",
        ),
        *_with_one_lane(
            Design(
                name="montred_r2l",
                summary="full products with bit-serial Montgomery reduction",
                multiplier="multipliers.mont_red:MontRed",
                domain=_LI_CHU_MONTGOMERY,
                schedule="schedules:RIGHT_TO_LEFT",
                store="registers",
                widths=range(8, 257),
                source="Li and Chu, algorithm 2",
            )
        ),
        *_with_one_lane(
            Design(
                name="montmul_r2l",
                summary="bit-serial Montgomery products",
                multiplier="multipliers.mont_mul:MontMul",
                domain=_LI_CHU_MONTGOMERY,
                schedule="schedules:RIGHT_TO_LEFT",
                store="registers",
                widths=range(8, 4097),
                source="Li and Chu, algorithm 4",
            )
        ),
        *_with_one_lane(
            Design(
                name="montmul_csa_r2l",
                summary="bit-serial Montgomery products in carry-save form",
                multiplier="multipliers.mont_mul_csa:MontMulCsa",
                # a shift-sub unit would set the clock by its full-width adders
                domain=montgomery(conversions="shared", r_squared="doubling"),
                schedule="schedules:RIGHT_TO_LEFT",
                store="registers",
                widths=range(8, 4097),
                source="Li and Chu, algorithm 4 with section II.B",
            )
        ),
        *_with_one_lane(
            Design(
                name="ssmm_r2l",
                summary="shift-sub products",
                multiplier="multipliers.ssmm:Ssmm",
                domain=PLAIN,
                schedule="schedules:RIGHT_TO_LEFT",
                store="registers",
                widths=range(8, 4097),
                source="Li and Chu, algorithm 6",
            )
        ),
        Design(
            name="systolic_l2r_always",
            summary="Montgomery products in a systolic row of radix-2^k elements",
            multiplier="multipliers.systolic:Systolic",
            domain=montgomery(conversions="shared", r_squared=HOST, one=HOST),
            schedule="schedules:LEFT_TO_RIGHT_ALWAYS",
            store="words",
            widths=range(8, 4097),
            source="Morales-Romero et al., algorithms 3 to 5, figures 1 to 6",
        ),
        Design(
            name="digit_serial_r2l",
            summary="Montgomery products digit by digit, two in lock step (P- and Z-processor)",
            multiplier="multipliers.digit_serial:DigitSerial",
            domain=montgomery(conversions="shared", r_squared=HOST),
            schedule="schedules:RIGHT_TO_LEFT_EVERY_SQUARE",
            store="words",
            widths=range(8, 4097),
            source="Cilardo et al., algorithms 17.1.1 and 17.1.2, figures 17.1 and 17.2",
        ),
    )
}
"""Every design by its name."""


def multipliers() -> dict[str, MultiplierEntry]:
    """Every multiplier of the registry by its name, at the widths of the designs that use it."""
    found: dict[str, MultiplierEntry] = {}
    for design in DESIGNS.values():
        name = Unit(design.multiplier).module
        known = found.get(name)
        widths = design.widths
        if known:
            widths = range(min(widths[0], known.widths[0]), max(widths[-1], known.widths[-1]) + 1)
        found[name] = MultiplierEntry(name, design.multiplier, widths)
    return found


def get(name: str) -> Design:
    """Design by its name; ``ValueError`` lists the names there are."""
    if name not in DESIGNS:
        raise ValueError(f"design {name!r} is unknown; allowed: {', '.join(DESIGNS)}")
    return DESIGNS[name]


def find(name: str) -> Design | MultiplierEntry:
    """Design or multiplier by its name; ``ValueError`` lists the names there are."""
    entries = DESIGNS | multipliers()
    if name not in entries:
        raise ValueError(f"design {name!r} is unknown; allowed: {', '.join(entries)}")
    return entries[name]
