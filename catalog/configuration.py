"""Configurations: designs, and multipliers alone, at a width, with models and components."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from rsaxcel.catalog.choices import (
    DIGIT,
    DUAL_PORT,
    MERGED,
    STROBE,
    Choices,
    reduction,
    usual_choices,
)
from rsaxcel.catalog.sources import outside, sources_with
from rsaxcel.catalog.units import LEVELS, STORES, Unit, check_level
from rsaxcel.circuit import Label, ShelledCore
from rsaxcel.fl.contract import Multiplier, WordMultiplier
from rsaxcel.fl.digit_bus import DigitBusUnit, Frames, power_frames
from rsaxcel.fl.exponentiator import ExponentiatorFL, Outcome, host_values
from rsaxcel.fl.messages import power_request, power_response, product_request, product_response
from rsaxcel.fl.status import InputRuleError, InputRules, Status
from rsaxcel.fl.unit import FunctionUnit
from rsaxcel.plan.halves import Halves
from rsaxcel.plan.measures import MEASURES
from rsaxcel.plan.modulus_constants import ModulusConstant, Widths, from_host, widths_of
from rsaxcel.plan.parameters import Parameter
from rsaxcel.plan.programs import Program, exponent_reaches
from rsaxcel.plan.scan import Scan
from rsaxcel.plan.steps import Product
from rsaxcel.store.folders import key_of

if TYPE_CHECKING:  # at run time, a level is imported only when it is built
    from rsaxcel.circuit import Circuit as _Base
    from rsaxcel.cl.elastic import Timing
    from rsaxcel.cl.exponentiator import ExponentiatorCL, Handshake
    from rsaxcel.rtl.axi.slave import AxiAccelerator
    from rsaxcel.rtl.exponentiators.strobe import StrobeExponentiator
else:
    _Base = object  # a dataclass would take the properties of a protocol for defaults of its fields


_LANE = r"(.+\.)?store\.lanes__(?P<index>\d+)"
_LABELS = (
    Label(_LANE, "multiplier", "multiplier {index}"),
    Label(rf"{_LANE}\.(.+\.)?divider", "divider", "divider"),
    Label(r"(.+\.)?store\.engine", "engine", "engine"),
    Label(r"(.+\.)?constant_units__\d+", "constants", "constants unit"),
)

#: longest name of a configuration: names of files, of up to 255 characters, contain more
_LONGEST_NAME = 150


class _Whole(_Base):
    """Base class of circuits, without a shell where a class adds none."""

    @property
    def core(self) -> Self:
        return self

    @property
    def whole(self) -> Self:
        return self

    @property
    def shelled(self) -> ShelledCore | None:
        return None

    @property
    def notes(self) -> Sequence[str]:
        return ()

    @property
    def mapped(self) -> Self:
        """The circuit of which netlists are made; ``ValueError`` if none can be made."""
        return self

    def operator(self) -> Any:
        """Circuit to synthesize, not elaborated: ``component`` at register-transfer level."""
        return self.mapped.component("rtl")


@dataclass(frozen=True)
class AnyConfiguration(_Whole):
    """Base class of the configurations of designs and of multipliers."""

    design: Any  #: Design or MultiplierEntry, as the registry lists it
    nbits: int  #: width of operands
    multiplier: Unit  #: multiplier of every lane of a design, or the multiplier that is used alone
    levels: ClassVar[tuple[str, ...]] = LEVELS
    labels: ClassVar[tuple[Label, ...]] = _LABELS

    if TYPE_CHECKING:  # both kinds of configurations have these attributes

        @property
        def multiplier_golden(self) -> Multiplier: ...
        @property
        def parameters(self) -> tuple[Parameter, ...]: ...
        @property
        def timing(self) -> Any: ...
        @property
        def messages(self) -> tuple[type[Any], type[Any]]: ...
        @property
        #: first program of executors; None: there are none
        def _first_program(self) -> Program | None: ...
        @property
        def _nstages(self) -> int: ...  #: number of stages of the cycle model's pipeline
        def evaluate(self, *operands: int) -> tuple[Outcome, int]: ...
        #: Fields of the response to a request, and the request's cycles in each stage.
        def _answer(self, *fields: int) -> tuple[int, ...]: ...
        def _timed_answer(self, *fields: int) -> tuple[tuple[int, ...], tuple[int, ...]]: ...
        def _circuit(self) -> Any: ...

    @property
    def design_name(self) -> str:
        """Name of the design or multiplier in the registry."""
        return str(self.design.name)

    @property
    def changed(self) -> dict[str, Any]:
        """Choices that differ from the registered design's, and parameters not at their default."""
        defaults = {p.name: p.default(self.nbits) for p in self.parameters}
        return {k: v for k, v in self.params.items() if k not in defaults or defaults[k] != v}

    @property
    def name(self) -> str:
        """Name for files and modules: design, width, and the items of ``changed``."""
        # A hash replaces long items, such as a wide modulus, because names of files have a limit.
        changed = (f"{key}_{value}" for key, value in self.changed.items())
        name = "_".join([self.design_name, str(self.nbits), *changed])
        if len(name) <= _LONGEST_NAME:
            return name
        return f"{name[: _LONGEST_NAME // 2]}_{key_of(name)}"

    @property
    def sources(self) -> tuple[Path, ...]:
        """Source files and folders on which circuit and models depend."""
        classes = self.multiplier.classes
        return (*sources_with(classes), *classes.files(self.product_nbits))

    @property
    def is_foreign(self) -> bool:
        """Whether the multiplier is not from this project."""
        classes = self.multiplier.classes
        return bool(outside([classes]) or classes.files(self.product_nbits))

    def adapted_choices(self, asked: Iterable[str]) -> dict[str, Any]:
        """Choices, by axis, that were adapted to the user's choices on the axes ``asked``."""
        return {}

    @property
    def product_nbits(self) -> int:
        """Width in bits of the modulus of products: m, a multiple of m, or one of two halves."""
        return self.multiplier_golden.nbits

    def usable_modulus(self, drawn: int) -> int:
        """Return the circuit's only modulus, or ``drawn`` (random) if it supports any modulus."""
        return self.constant_modulus or drawn

    @cached_property
    def _store_timing(self) -> Any:
        timing = self.multiplier.build("cl", self.product_nbits)
        return STORES[self.multiplier_golden.store].cl(self.multiplier_golden, timing)

    @property
    def _handshake(self) -> Handshake:
        """Cycles that control and interface add to the cycles of products and store."""
        handshake: Handshake = self._store_timing.handshake
        return handshake

    @property
    def load_cycles(self) -> int:
        """Cycles in which the operands of a request are loaded before the request is accepted."""
        return self._handshake.load_cycles

    @property
    def clear_cycles(self) -> int:
        """Additional cycles after a response, or after a reset, until a request can be accepted."""
        program = self._first_program
        return self._store_timing.clear_cycles(program) if program else 0

    def cycles(self, *operands: int) -> int:
        """Cycles from the accepted request to the valid response, by the cycle model."""
        return self.evaluate(*operands)[1]

    def component(self, level: str) -> Any:
        """PyMTL3 component, not elaborated, with streams ``recv`` and ``send``.

        A design takes {b, e, m, wide} (base, exponent, modulus; ``wide``: one does not fit its
        field) and gives {r, status}; a multiplier takes {a, b, m} and gives {r}; constants from the
        host come with the request. ``ValueError``: unknown level, or a circuit too wide to be
        built.
        """
        check_level(level, self.levels)
        if level == "fl":
            return self._model(FunctionUnit, (self._answer,))
        if level == "cl":
            from rsaxcel.cl.unit import TimedUnit

            timing = (self._timed_answer, self._nstages, self._overlaps)
            return self._model(TimedUnit, timing, (self.load_cycles, self.clear_cycles))
        self.check_circuit()
        return self._circuit()

    def _model(self, unit: type[Any], arguments: Sequence[Any], cycles: Sequence[int] = ()) -> Any:
        """Build the model as a unit; ``cycles``: of loading and clearing, for a ``TimedUnit``."""
        return unit(*self.messages, *arguments, *cycles)

    def check_circuit(self) -> None:
        """Raise ``ValueError`` if the multiplier's circuit is too large to be built."""
        return self._checked

    @cached_property
    def _checked(self) -> None:
        self.multiplier_golden.check_circuit()

    @property
    def mapped(self) -> Self:
        own = self.multiplier.classes
        classes = own.mapped(self.product_nbits)
        if classes is own:
            return self
        return replace(self, multiplier=replace(self.multiplier, classes=classes))

    @property
    def notes(self) -> Sequence[str]:
        return self.multiplier.classes.notes(self.product_nbits)

    @property
    def _overlaps(self) -> bool:
        """Whether the next request is accepted in the same cycle in which a response is taken."""
        overlaps: bool = self.timing.overlaps
        return overlaps


class Exponentiator(_Whole):
    """Base of the circuits of exponentiators, behind an adapter for a processor or a bus."""

    #: operands of a request come digit by digit, not in one message
    is_framed: ClassVar[bool] = False
    modulus_dependent: ClassVar[bool] = False
    #: The circuit may turn a waiting response into a refusal, for which a bus needs other
    #: registers.
    revises: ClassVar[bool] = False

    if TYPE_CHECKING:

        @property
        def rules(self) -> InputRules:
            """Input rules."""

        @property
        def design_id(self) -> int:
            """Number of the design, which software reads from an accelerator; 0: it has none."""

        def outcome(self, base: int, exponent: int, modulus: int, *more: Any) -> Outcome:
            """Return result and status; ``more``: the host's constants, and whether these miss."""

    def host_values(self, modulus: int) -> tuple[int, ...]:
        """Values of the host's constants for a modulus; zeros if the modulus is refused."""
        return host_values(self.rules, self.host_constants, modulus)

    def request(self, base: int, exponent: int, modulus: int, /) -> tuple[int, ...]:
        """Fields of the request message; ``wide`` is set if an operand does not fit its field."""
        operands = base, exponent, modulus
        widths = self.nbits, self.exponent_nbits, self.modulus_nbits
        held = tuple(x & (1 << n) - 1 for x, n in zip(operands, widths, strict=True))
        wide = int(held != operands)
        flags = (wide, 0) if self.host_constants else (wide,)
        return (*held, *self.host_values(held[-1]), *flags)

    @property
    def _constant_widths(self) -> Widths:
        return widths_of(self.host_constants)

    @property
    def messages(self) -> tuple[type[Any], type[Any]]:
        """Message types of the request and of the response."""
        widths = self._constant_widths, self.exponent_nbits, self.modulus_nbits
        return power_request(self.nbits, *widths), power_response(self.nbits)

    def _operands(self, b: int, e: int, m: int, *rest: int) -> tuple[Any, ...]:
        """Convert the fields of a request to operands of the FL and CL models.

        The models have no field ``wide``: a bit above the exponent makes them refuse the request.
        """
        count = len(self.host_constants)
        constants, (wide, *missing) = rest[:count], rest[count:]
        return b, e | wide << self.exponent_nbits, m, constants, any(missing)

    def _answer(self, *fields: int) -> tuple[int, ...]:
        return self.outcome(*self._operands(*fields))

    def check_whole_messages(self) -> None:
        """Raise ``ValueError`` if operands come digit by digit, not in one message."""
        if self.is_framed:
            raise ValueError("bus=digit: systems send an operand in one message; wide fits")

    def accelerator(self, level: str) -> Any:
        """PyMTL3 component, not elaborated, with the processor's ``xcel`` minion interface.

        At cycle level, the adapter's circuit surrounds the cycle model: cycles are the circuit's.
        """
        if level == "fl":
            from rsaxcel.fl.xcel import RegisterUnit, XcelRegisters

            return RegisterUnit(lambda: XcelRegisters(self))
        from rsaxcel.rtl.xcel import XcelAdapter

        return XcelAdapter(*self._behind(level))

    def bus_accelerator(self, level: str) -> Any:
        """PyMTL3 component, not elaborated, with registers for a bus and a padding circuit.

        At cycle level, the circuit of the registers surrounds the exponentiator's cycle model.
        """
        if level == "fl":
            from rsaxcel.fl.bus import BusRegisters, BusUnit

            return BusUnit(lambda: BusRegisters(self))
        from rsaxcel.rtl.axi.accelerator import BusAccelerator

        more = {"revises": True} if self.revises else {}
        return BusAccelerator(*self._behind(level), **more)

    def axi_accelerator(self, level: str) -> AxiAccelerator:
        """PyMTL3 component, not elaborated: ``bus_accelerator`` behind AXI4-Lite."""
        from rsaxcel.rtl.axi.slave import AxiAccelerator

        return AxiAccelerator(self.bus_accelerator(level))

    def _behind(self, level: str) -> tuple[Any, ...]:
        """Arguments to construct an adapter; ``ValueError``: unknown level or circuit too wide."""
        if level not in self.levels:
            raise ValueError(f"level {level!r}: {', '.join(self.levels)} are allowed")
        if level == "rtl":
            self.check_circuit()
        self.check_whole_messages()
        widths = self._constant_widths, self.exponent_nbits
        make = partial(self.component, level)
        return self.nbits, make, self.design_id, *widths, self.halves

    def constant_words(self, modulus: int) -> list[int]:
        """Constants that the host supplies for a modulus, as 32-bit words in writing order."""
        from rsaxcel.fl.word_serial import constant_words

        widths = (constant.nbits for constant in self.host_constants)
        return constant_words(self.operand_nbits, widths, self.host_values(modulus))

    @property
    def modulus_nbits(self) -> int:
        return self.rules.modulus_nbits

    @property
    def operand_nbits(self) -> int:
        """Greatest width of base, result and modulus in messages, in bits."""
        return max(self.nbits, self.modulus_nbits)

    def block_nbytes(self, modulus: int) -> int:
        """Length in bytes of a block (a padded message): the bits of the modulus, rounded up."""
        # The product p * q can have one bit less than p and q together. If that bit alone needs a
        # byte, the block is one byte longer than the product.
        halves = self.halves
        if halves is None:
            return -(-modulus.bit_length() // 8)
        nbits = sum(half.bit_length() for half in halves.split(modulus))
        return -(-min(nbits, self.nbits) // 8)


@dataclass(frozen=True)
class Configuration(Exponentiator, AnyConfiguration):
    """A design at a width, with validated choices and parameters.

    Parameters
    ----------
    design : Design
        The registered design from which the configuration was made.
    nbits : int
        Width of base and modulus in bits.
    multiplier : Unit
        Multiplier of every lane, with its parameters.
    choices : Choices
        Choices on the axes, with the values of the parameters.
    """

    choices: Choices

    @property
    def composition(self) -> dict[str, Any]:
        """Choices on the axes that differ from those of the registered design.

        A choice that does not follow from the others is listed even if it is the design's own.
        """
        design, chosen = self.design, self.choices
        nbits = self.nbits if self.nbits in design.widths else design.default_nbits
        own = usual_choices(design, nbits).tokens
        return {k: v for k, v in chosen.tokens.items() if k in chosen.forced or own.get(k) != v}

    @property
    def params(self) -> dict[str, Any]:
        """Values of parameters, and choices that differ from the registered design's, by name."""
        return self.choices.values | self.composition

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Parameters of multiplier, domain, units that compute constants of m, and schedule."""
        return self.choices.parameters

    def adapted_choices(self, asked: Iterable[str]) -> dict[str, Any]:
        """Choices, other than the registered design's, that follow from the choices ``asked``."""
        return {k: v for k, v in self.composition.items() if k not in set(asked)}

    @property
    def design_id(self) -> int:
        """Number of the design, which software reads from an accelerator; 0 for a composition."""
        return 0 if self.composition else int(self.design.id)

    @property
    def multiplier_golden(self) -> Multiplier:
        """Functional model of the multiplier."""
        return self.choices.contract

    @cached_property
    def programs(self) -> tuple[Program, ...]:
        """Programs of the plan, one for each executor."""
        return self.choices.programs

    @property
    def constant_modulus(self) -> int:
        """The only modulus that the circuit supports; 0: any."""
        return self.choices.constant_modulus

    @cached_property
    def host_constants(self) -> tuple[ModulusConstant, ...]:
        """Constants that the host supplies, in the order of the fields of a request."""
        return self.golden.host_constants

    @property
    def halves(self) -> Halves | None:
        """Layout of p and q in the modulus field of a request; None: there is one modulus."""
        return self.choices.halves

    @property
    def exponent_nbits(self) -> int:
        """Width of the exponent in a request, in bits."""
        return self.programs[0].exponent_nbits

    @property
    def largest_exponent(self) -> int:
        """Largest exponent of a request: all bits are 1."""
        ones = (1 << self.choices.exponent_nbits) - 1
        if self.halves is None:
            return ones
        above = [(1 << number.nbits) - 1 for number in self.halves.numbers]
        return self.halves.joined_numbers(ones, ones, above)

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
            operands = [name for name in self.multiplier_golden.timed_by if name != "modulus"]
            return self.base_dependent and exponent_reaches(self.programs, operands)
        return True

    @property
    def base_dependent(self) -> bool:
        """Whether the base's value changes the cycle count (a side channel)."""
        return not self.multiplier_golden.constant_time

    @property
    def modulus_dependent(self) -> bool:  # type: ignore[override]
        """Whether the circuit computes constants of the modulus, which may change the cycles."""
        return any(program.computed_constants for program in self.programs)

    @cached_property
    def rules(self) -> InputRules:
        """Input rules."""
        hosted = bool(from_host(self.choices.all_constants))
        widths = self.nbits, self.odd_modulus, hosted, self.choices.exponent_nbits
        return InputRules(*widths, self.constant_modulus, self.halves)

    @property
    def revises(self) -> bool:  # type: ignore[override]
        """Whether a measure may take back a response, of which registers of a bus must know."""
        tokens = self.choices.tokens
        return any(tokens.get(measure.name) in measure.revising for measure in MEASURES)

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

    def cycles(self, *operands: int) -> int:
        base, exponent, modulus = operands
        return sum(self.timing.durations(base, exponent, modulus))

    def evaluate(self, *operands: int) -> tuple[Outcome, int]:
        """Return result, status, and the cycles (cycle model), for base, exponent and modulus."""
        base, exponent, modulus = operands
        outcome, durations = self.timing.evaluate(base, exponent, modulus)
        return outcome, sum(durations)

    def strobe(self, level: str) -> StrobeExponentiator:
        """PyMTL3 component, not elaborated: an exponentiator with Li and Chu's strobe interface."""
        from rsaxcel.rtl.exponentiators.strobe import StrobeExponentiator

        self.check_whole_messages()
        make = partial(self.component, level)
        return StrobeExponentiator(
            self.nbits, make, self._constant_widths, self.exponent_nbits, self.modulus_nbits
        )

    @property
    def _first_program(self) -> Program:
        return self.programs[0]

    @property
    def _nstages(self) -> int:
        return len(self.programs)

    def _timed_answer(self, *fields: int) -> tuple[Outcome, tuple[int, ...]]:
        """Answer, and cycles in each stage until a response, or its first digit, is valid."""
        outcome, (*before, last) = self.timing.evaluate(*self._operands(*fields))
        return outcome, (*before, last - self._handshake.send_cycles)

    def _circuit(self) -> Any:
        import rsaxcel.rtl.measures  # noqa: F401  # adds itself to the parts of circuits
        from rsaxcel.rtl.exponentiators.exponentiator import ExponentiatorRTL

        return ExponentiatorRTL(
            self.nbits,
            self.programs,
            self.multiplier,
            self.choices.units,
            self.rules,
            self._constant_widths,
            self.choices.store.rtl,
        )


class StrobeConfiguration(Configuration):
    """A design whose lanes are started by strobes (``control=strobe``), behind the same streams."""

    @property
    def _handshake(self) -> Handshake:
        """Handshake of the circuit with strobes; its residues are in no store."""
        from rsaxcel.cl.exponentiator import STROBE_TO_READY

        return STROBE_TO_READY

    def _circuit(self) -> Any:
        from rsaxcel.rtl.exponentiators.strobe import StrobeStreams

        return StrobeStreams(self.multiplier, self.rules, self.exponent_nbits)


class MergedConfiguration(Configuration):
    """A design with one state machine for exponent and products (``control=merged``)."""

    @property
    def _handshake(self) -> Handshake:
        from rsaxcel.cl.exponentiator import MERGED_CYCLES

        return replace(MERGED_CYCLES, product_cycles=self.multiplier.classes.cl.merged_cycles)

    def _circuit(self) -> Any:
        from rsaxcel.rtl.exponentiators.merged import MergedExponentiator

        return MergedExponentiator(self.multiplier, self.rules, self.exponent_nbits)


class DigitBusConfiguration(Configuration):
    """A design whose messages are sent digit by digit (``bus=digit``, ``fl.digit_bus``)."""

    is_framed = True

    @cached_property
    def _frames(self) -> Frames:
        # The axis ``bus`` has checked that the multiplier is a word multiplier.
        golden = cast(WordMultiplier, self.multiplier_golden)
        names = [constant.name for constant in self.host_constants]
        return power_frames(golden.word_nbits, golden.words, self.exponent_nbits, names)

    @property
    def messages(self) -> tuple[type[Any], type[Any]]:
        """Message types, whose fields are as wide as whole digits."""
        return self._frames.request, self._frames.response

    @property
    def _handshake(self) -> Handshake:
        """Handshake of a bus on which the digits of a request come in a row."""
        handshake: Handshake = self._store_timing.bus_handshake(self._frames.request_digits)
        return handshake

    def _model(self, unit: type[Any], arguments: Sequence[Any], cycles: Sequence[int] = ()) -> Any:
        """Model behind a bus of one digit, which loads the operands instead of ``cycles``."""
        return DigitBusUnit(self._frames, unit, tuple(arguments))

    def _circuit(self) -> Any:
        from rsaxcel.rtl.exponentiators.digit_bus import DigitBusExponentiator

        (program,) = self.programs
        parts = self.multiplier, self.rules, self._frames
        ports = self.choices.tokens.get("memory") == DUAL_PORT
        return DigitBusExponentiator(self.nbits, program, *parts, ports)


class UntimedConfiguration(Configuration):
    """A design whose multiplier has no cycle model: only a simulation has the cycles."""

    levels = ("fl", "rtl")

    @property
    def _store_timing(self) -> Any:
        """Timing of the store, which adds no cycles to products."""
        return STORES[self.multiplier_golden.store].cl(self.multiplier_golden, None)

    def evaluate(self, *operands: int) -> tuple[Outcome, None]:  # type: ignore[override]
        """Return result and status; the cycles are not known."""
        base, exponent, modulus = operands
        return self.outcome(base, exponent, modulus), None

    def cycles(self, *operands: int) -> None:  # type: ignore[override]
        """Return None: the cycles are not known."""


def configuration_class(choices: Choices) -> type[Configuration]:
    """Return the class for the multiplier, and for the choices on the axes ``control``, ``bus``."""
    if not choices.multiplier.classes.is_timed:
        return UntimedConfiguration
    if choices.tokens.get("control") == STROBE:
        return StrobeConfiguration
    if choices.tokens.get("control") == MERGED:
        return MergedConfiguration
    return DigitBusConfiguration if choices.tokens.get("bus") == DIGIT else Configuration


class MultiplierAlone(_Whole):
    """Base of the circuits of multipliers, each used alone.

    These circuits check no operands: callers send only operands that ``golden.check`` accepts.
    """

    rules: ClassVar[None] = None
    halves: ClassVar[None] = None
    exponent_nbits: ClassVar[int] = 0
    largest_exponent: ClassVar[int] = 0
    exponent_dependent: ClassVar[bool] = False
    is_framed: ClassVar[bool] = False
    modulus_dependent: ClassVar[bool] = False

    if TYPE_CHECKING:

        @property
        def golden(self) -> Multiplier:
            """Functional model."""

    @property
    def constant_modulus(self) -> int:
        """The only modulus that the circuit supports; 0: any."""
        return self.golden.constant_modulus

    @property
    def host_constants(self) -> tuple[ModulusConstant, ...]:
        """Constants of the modulus that come with each request."""
        return self.golden.constants

    @property
    def base_dependent(self) -> bool:
        """Whether the operands' values change the cycle count."""
        return not self.golden.constant_time

    def shortened(self, exponent: int, share: float, least: int) -> int:
        """Return the exponent unchanged: a product has none."""
        return exponent

    @property
    def r(self) -> int:
        """Number by which the product is divided: the result is ``a * b / r mod m``.

        R of the Montgomery product, times the divisor of a final reduction. 1: no division.
        """
        return self.golden.r * self.golden.final_factor

    def request(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        """Fields of the request message."""
        constants = self.golden.constants
        try:
            self.golden.check(a, b, modulus)
        except InputRuleError:
            return (a, b, modulus, *(0 for _ in constants))
        return (a, b, modulus, *(c.formula.value(modulus) for c in constants))

    def outcome(self, a: int, b: int, modulus: int) -> Outcome:
        """Return golden result and status; 0 and an error status for unsupported operands."""
        try:
            self.golden.check(a, b, modulus)
        except InputRuleError as error:
            return Outcome(0, error.status)
        return Outcome(self._product(*self.request(a, b, modulus)), Status.OK)

    def _product(self, a: int, b: int, modulus: int, *constants: int) -> int:
        names = (constant.name for constant in self.golden.constants)
        given = dict(zip(names, constants, strict=True))
        return self.golden.final_reduction(self.golden.product(a, b, modulus, **given), modulus)

    def _answer(self, *fields: int) -> tuple[int, ...]:
        return (self._product(*fields),)

    @property
    def messages(self) -> tuple[type[Any], type[Any]]:
        widths = (*self.golden.operand_widths, *widths_of(self.golden.constants))
        return product_request(self.nbits, widths), product_response(self.nbits)


@dataclass(frozen=True)
class MultiplierConfiguration(MultiplierAlone, AnyConfiguration):
    """A multiplier at a width, used alone.

    Parameters
    ----------
    design : MultiplierEntry
        The multiplier, as the registry lists it.
    nbits : int
        Width of operands in bits.
    multiplier : Unit
        The multiplier with its parameters.
    """

    @property
    def params(self) -> dict[str, Any]:
        """Parameters by name."""
        return dict(self.multiplier.params)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Parameters of the multiplier."""
        return self.multiplier.classes.fl.parameters

    @cached_property
    def multiplier_golden(self) -> Multiplier:
        """Functional model of the multiplier."""
        return self.multiplier.build("fl", self.nbits)

    @property
    def golden(self) -> Multiplier:
        """Functional model."""
        return self.multiplier_golden

    @cached_property
    def timing(self) -> Timing:
        """Cycle model."""
        return self.multiplier.build("cl", self.nbits)

    def evaluate(self, *operands: int) -> tuple[Outcome, int]:
        """Return result, status, and the cycles (cycle model), for a, b and modulus."""
        outcome = self.outcome(*operands)
        if outcome.status is not Status.OK:
            return outcome, 0
        return outcome, sum(self._durations(*operands))

    def operator(self) -> Any:
        """Circuit to synthesize, not elaborated: combinational for a constant modulus."""
        if self.constant_modulus:
            self.check_circuit()
            return self.multiplier.build("rtl", self.nbits)
        return super().operator()

    def operator_cycles(self, *operands: int) -> int:
        """Cycles of a product on ``operator()``."""
        if self.constant_modulus:
            return sum(self.timing.durations(*operands))
        return self.cycles(*operands)

    def _durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        """Cycles of a request by pipeline stage; in an executor (with a store), of one product."""
        durations = self.timing.durations(a, b, modulus)
        if not self._needs_executor:
            return durations
        around, program = self._handshake, self._program
        control = around.fixed_cycles + around.step_cycles
        more = sum(self._store_timing.more_cycles(program).values())
        reduction = program.reduction.steps if program.reduction else 0
        return (sum(durations) + more + control + reduction,)

    @property
    def _needs_executor(self) -> bool:
        """Whether the multiplier only works with a store, which an executor provides."""
        return self.golden.needs_store

    @property
    def _program(self) -> Program:
        """Program that forms one product, for multipliers that only work with a store."""
        constants = self.golden.constants
        excess_nbits = self.golden.excess_nbits()
        return Program(
            name="product",
            residues=("a", "b", "r"),
            receives=("a", "b", "m", *(constant.name for constant in constants)),
            sends=("r",),
            lanes=1,
            scan=Scan(1),
            multiplier_constants=constants,
            enter=((Product("r", "a", "b", reduced=self.golden.final_factor > 1),),),
            reduction=reduction("subtraction", excess_nbits) if excess_nbits else None,
        )

    @property
    def _first_program(self) -> Program | None:
        return self._program if self._needs_executor else None

    @property
    def _overlaps(self) -> bool:
        """Whether a request is accepted as a response is taken: never in an executor."""
        return self.timing.overlaps and not self._needs_executor

    @property
    def _nstages(self) -> int:
        return len(self.timing.durations(0, 0, 3))

    def _timed_answer(self, *fields: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return self._answer(*fields), self._durations(*fields[:3])

    def _circuit(self) -> Any:
        if self._needs_executor:
            from rsaxcel.rtl.exponentiators.exponentiator import ProductExecutor

            parts = self.multiplier, STORES[self.golden.store].rtl
            widths = self.golden.operand_widths
            return ProductExecutor(self.nbits, self._program, *parts, widths)
        if self.golden.holds_modulus:
            return self.multiplier.build("rtl", self.nbits)
        from rsaxcel.rtl.lib.held_modulus import HeldModulus

        return HeldModulus(self.nbits, self.multiplier, *self.messages)
