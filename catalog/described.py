"""Circuits of cores that others wrote in Verilog, by their descriptions (``cores``)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from rsaxcel.catalog.choices import AXES
from rsaxcel.catalog.given import (
    GivenClasses,
    GivenDesign,
    GivenEntry,
    GivenMultiplier,
    GivenMultiplierEntry,
    GivenProduct,
)
from rsaxcel.catalog.sources import sources_of_described
from rsaxcel.catalog.units import Classes
from rsaxcel.circuit import COUNTED, LEFT_OUT, Label
from rsaxcel.cl.elastic import Steady
from rsaxcel.cores import vhdl
from rsaxcel.cores.description import Description, read_description
from rsaxcel.fl.contract import Multiplier
from rsaxcel.fl.exponentiator import Outcome
from rsaxcel.fl.status import InputRules, Status
from rsaxcel.plan.modulus_constants import ModulusConstant
from rsaxcel.plan.parameters import Parameter, parse_parameters
from rsaxcel.plan.protocols import Axi4Lite, Core, StartDone, Step, Wait, Words, Xcel
from rsaxcel.plan.schedules import SCHEDULES
from rsaxcel.rtl.shells import SHELL, Apart, shell
from rsaxcel.rtl.shells.pins import pin

if TYPE_CHECKING:
    from rsaxcel.circuit import DescribedCircuit as _Base
else:
    _Base = object  # a dataclass would take the properties of a protocol for defaults

_REFUSED_CYCLES = 1  #: cycles in which a shell refuses a request
_TAKEN = {*AXES, "r2", *(x.unit for x in SCHEDULES.values())}  #: by designs with a multiplier
_SHOWN = 8  #: most names of a loop
_AFTER = 4  #: cycles that are tried before a status is read


# The shell is this project's, not a part of what the core's authors made.
COUNTS = Parameter(
    "shell",
    lambda nbits: LEFT_OUT,
    lambda nbits: (LEFT_OUT, COUNTED),
    "whether area, clock and energy are those of the core alone, or of core and shell",
)


class _Described(_Base):
    """A core in its shell, as a circuit."""

    described: Description
    counts_shell: bool
    text: str  #: of the core's modules

    if TYPE_CHECKING:

        @property
        def messages(self) -> Any: ...
        def _answer(self, *fields: int) -> tuple[int, ...]: ...

    @property
    def labels(self) -> tuple[Label, ...]:
        """Labels of core and shell, which are instances beside each other."""
        core = re.escape(self.shelled.core)
        return Label(core, "core", self.described.top), Label(SHELL, "shell", "shell")

    @property
    def params(self) -> dict[str, str]:
        return {COUNTS.name: COUNTED} if self.counts_shell else {}

    @property
    def changed(self) -> dict[str, str]:
        return self.params

    @property
    def name(self) -> str:
        own = f"{self.design_name}_{self.nbits}"
        return f"{own}_{COUNTS.name}_{COUNTED}" if self.counts_shell else own

    @property
    def notes(self) -> tuple[str, ...]:
        return self.described.notes(self.nbits)

    @property
    def whole(self) -> Self:
        return replace(self, counts_shell=True)  # type: ignore[type-var]

    @property
    def mapped(self) -> Self:
        self.described.check_netlist(self.nbits)
        text = self.described.netlist_text(self.nbits)
        return replace(self, text=text)  # type: ignore[type-var]

    @cached_property
    def shelled(self) -> Apart:
        core, text = self.described_core, self.described.netlist_text(self.nbits)
        check = partial(self.described.check_netlist, self.nbits)
        macros = self.described.macros(self.nbits)
        return Apart(core, self.rules, text, self.counts_shell, check, macros)

    @property
    def levels(self) -> tuple[str, ...]:
        """Levels of the core: ``cl`` if its description has a formula of its cycles."""
        return ("fl", "cl", "rtl") if self.described.counts_cycles else ("fl", "rtl")

    def cycles(self, *operands: int) -> int | None:
        """Cycles by the formula of the description, if it has one."""
        return self.evaluate(*operands)[1]

    def evaluate(self, *operands: int) -> tuple[Outcome, int | None]:
        """Return result and status, and the cycles if the description has their formula."""
        first, second, modulus = operands
        outcome = self.outcome(first, second, modulus)
        if not self.described.counts_cycles:
            return outcome, None
        if outcome.status is not Status.OK:
            return outcome, _REFUSED_CYCLES if self.rules else 0
        return outcome, self.described.cycles(self.nbits, operands)

    @cached_property
    def sources(self) -> tuple[Path, ...]:
        """Files of the core and of its description, the code of shells, and GHDL's version."""
        tool = [vhdl.version_file()] if self.described.standard else []
        return (*self.described.files, *tool, *sources_of_described())

    @property
    def most_cycles(self) -> int:
        """Cycles that the core takes at most, as its description says; 0: it does not say."""
        return self.described.most_cycles(self.nbits)

    def component(self, level: str) -> Any:
        """PyMTL3 component, not elaborated: at RTL the shell, at FL Python's integers.

        At CL, the formula of the cycles.
        """
        if level == "cl" and level in self.levels:
            from rsaxcel.cl.unit import TimedUnit

            return TimedUnit(*self.messages, self._timed_answer, 1, False)
        if level != "rtl":
            return super().component(level)  # type: ignore[safe-super]
        return shell(self.described_core, self.rules, self.text)

    def unchecked(self, core: Any = None) -> Any:
        """Shell that passes every request; ``core``: one of ``variants`` in place of the core."""
        return shell(core or self.described_core, None, self.text)

    def variants(self) -> list[tuple[str, Any, str]]:
        """Cores, each with a change of the description: name, core, and the change in words."""
        core = self.described_core
        found: list[tuple[str, Any, str]] = []
        if core.reset:
            level = "low" if core.reset.active_high else "high"
            other = replace(core.reset, active_high=not core.reset.active_high)
            told = f'active = "{level}" of the reset'
            found.append((f"reset_{level}", replace(core, reset=other), told))
        if isinstance(core.protocol, StartDone):
            changes: list[dict[str, Any]] = [{"settles": core.protocol.settles + 1}]
            changes += [{x: not getattr(core.protocol, x)} for x in ("sampled", "level")]
            for change in changes:
                ((key, value),) = change.items()
                name = f"{key}_{value}".lower()
                protocol = replace(core.protocol, **change)
                told = f"{key} = {str(value).lower()}"
                found.append((name, replace(core, protocol=protocol), told))
        if isinstance(core.protocol, Words | Axi4Lite | Xcel):
            found += _read_later(core, core.protocol)
        return found

    @property
    def described_core(self) -> Core:
        """The core as its shell sees it."""
        return self.described.core(self.nbits)

    @property
    def output_pins(self) -> list[tuple[str, str]]:
        """Output ports of the core, with their signals in a waveform."""
        ports = self.described_core.ports
        return [(x.name, f"pins.{pin(x.name)}") for x in ports if not x.is_input]

    def explained(self, message: str) -> str:
        """Say where a latch or a loop that a tool has found is in the core's files; "": none is."""
        if loop := re.search(r"found logic loop in module [^:]*: ([^(]+)", message):
            names = [x.rpartition(".")[2] for x in loop[1].strip().split(", ")][:_SHOWN]
            told = f"a loop of combinational logic through {', '.join(names)}; a flip-flop in it"
            return f"{self._assigned(names)}: {told} is allowed"
        if several := re.search(r"multiple conflicting drivers for \S*\\(\w+)", message):
            told = f"several drivers of {several[1]}; the flow takes one"
            return f"{self._assigned([several[1]])}: {told}"
        found = re.search(r"Latch inferred for signal '([^']+)'", message)
        if not found:
            return ""
        name = re.split(r"\.|__DOT__", found[1])[-1]
        places = [*self._lines_with(rf"(?<![\w.]){re.escape(name)}\s*(?:\[[^\]]*\]\s*)?=(?!=)")]
        places = places or [*self._lines_with(rf"(?<![\w.]){re.escape(name)}(?!\w)")]
        where = " or ".join(places[:3]) or self.described.sources.shown
        told = "keeps its value on some path of a combinational block, a latch"
        return f"{where}: {name} {told}; a value on every path, or always_latch, is allowed"

    def _assigned(self, names: Sequence[str]) -> str:
        """Give the place of the first line with a value for one of some names."""
        any_of = "|".join(map(re.escape, names))
        pattern = rf"(?<![\w.])(?:{any_of})\s*(?:\[[^\]]*\]\s*)?<?=(?!=)"
        return next(self._lines_with(pattern, assigns=True), self.described.sources.shown)

    def _lines_with(self, pattern: str, *, assigns: bool = False) -> Iterator[str]:
        """Yield the first line of each file of the core that has a pattern."""
        sources = self.described.sources
        for file in sources.all_files:
            lines = file.read_text("utf-8", errors="replace").split("\n")
            for number, line in enumerate(lines, 1):
                code = line.partition("//")[0]
                if re.search(pattern, code) and (assigns or not re.match(r"\s*assign\b", code)):
                    yield f"{sources.shown}/{file.relative_to(sources.folder)}:{number}"
                    break

    @property
    def word_widths(self) -> tuple[int, ...]:
        """Widths in bits of the words in which operands may come."""
        core = self.described_core
        words = getattr(core.protocol, "word_nbits", 0)
        return tuple({x for x in (words, *(x.nbits for x in core.ports)) if 1 < x < self.nbits})

    def _timed_answer(self, *fields: int) -> tuple[tuple[int, ...], tuple[int]]:
        answer = self._answer(*fields)
        if self.rules and answer[-1] != Status.OK:
            return answer, (_REFUSED_CYCLES,)
        return answer, (self.described.cycles(self.nbits, fields[:3]),)


def _read_later(core: Core, protocol: Words | Axi4Lite | Xcel) -> Iterator[tuple[str, Core, str]]:
    """Yield cores whose status or words are read some cycles later."""

    def waiting(*again: int) -> Core:
        steps: list[Step] = []
        for step in protocol.steps:
            steps += [replace(step, after=x) for x in again] if isinstance(step, Wait) else [step]
        return replace(core, protocol=replace(protocol, steps=tuple(steps)))

    if isinstance(protocol, Words):
        for cycles in (protocol.read_cycles + 1, protocol.read_cycles - 1):
            if cycles >= 0:
                other = replace(core, protocol=replace(protocol, read_cycles=cycles))
                yield f"read_cycles_{cycles}", other, f"read_cycles = {cycles}"
    yield "late", waiting(_AFTER), f"after = {_AFTER} of each wait"
    told = f"a second wait with after = {_AFTER} behind each wait"
    yield "again", waiting(0, _AFTER), f"{told} (the end is told before the result is there)"


def _counted(nbits: int, params: dict[str, Any]) -> bool:
    """Remove the parameter ``COUNTS`` from ``params``; return whether the shell is counted."""
    ((_, how),) = parse_parameters((COUNTS,), params, nbits)
    return bool(how == COUNTED)


@dataclass(frozen=True)
class DescribedDesign(_Described, GivenDesign):
    """An exponentiator in its shell."""

    described: Description = field(kw_only=True)
    counts_shell: bool = field(default=False, kw_only=True)

    @cached_property
    def rules(self) -> InputRules:
        return self.described.rules(self.nbits)

    def usable_modulus(self, drawn: int) -> int:
        """Return a modulus of full length from a random number, if the core demands it."""
        return self.described.usable_modulus(self.nbits, drawn)


@dataclass(frozen=True)
class DescribedMultiplier(_Described, GivenMultiplier):
    """A multiplier in its shell."""

    described: Description = field(kw_only=True)
    counts_shell: bool = field(default=False, kw_only=True)

    @cached_property
    def golden(self) -> Multiplier:
        declared = not self.described.base_dependent, self.described.rules(self.nbits)
        own = self.nbits, self.odd_modulus, self.divisor
        return GivenProduct(*own, *declared, constants=self.constants)

    def usable_modulus(self, drawn: int) -> int:
        """Return a modulus of full length from a random number, if the core demands it."""
        return self.described.usable_modulus(self.nbits, drawn)

    def operator_cycles(self, *operands: int) -> int | None:
        return self.cycles(*operands)


@dataclass(frozen=True)
class DescribedEntry(GivenEntry):
    """An exponentiator by its description."""

    described: Description = field(kw_only=True)

    parameters: ClassVar[tuple[Parameter, ...]] = (COUNTS,)

    def configure(self, nbits: int, /, **params: Any) -> DescribedDesign:
        counts_shell = _counted(nbits, params)
        found = super().configure(nbits, **params)
        own: dict[str, Any] = {"described": self.described, "counts_shell": counts_shell}
        return DescribedDesign(**_fields(found), **own)


@dataclass(frozen=True)
class DescribedMultiplierEntry(GivenMultiplierEntry):
    """A multiplier by its description."""

    described: Description = field(kw_only=True)

    parameters: ClassVar[tuple[Parameter, ...]] = (COUNTS,)

    @property
    def refusal(self) -> str:  # type: ignore[override]
        if self.described.full_modulus:
            return "it takes moduli of full length alone, and a composition shorter ones, too"
        return ""

    @cached_property
    def classes(self) -> Classes:
        return GivenClasses(self, self._timing() if self.described.counts_cycles else None)

    def _timing(self) -> type[Any]:
        described = self.described

        class Always(Steady):
            """Timing if no operand changes the cycles."""

            overlaps = False

            def __init__(self, nbits: int) -> None:
                super().__init__(described.cycles(nbits, (0, 0, 0)))

        class Formula:
            """Timing by the formula of the description."""

            overlaps = False

            def __init__(self, nbits: int) -> None:
                self._nbits = nbits

            def durations(self, *operands: int) -> tuple[int, ...]:
                return (described.cycles(self._nbits, operands),)

        return Always if described.steady else Formula

    def configure(self, nbits: int, /, **params: Any) -> DescribedMultiplier:
        counts_shell = _counted(nbits, params)
        found = super().configure(nbits, **params)
        own: dict[str, Any] = {"described": self.described, "counts_shell": counts_shell}
        return DescribedMultiplier(**_fields(found), **own)


def is_same(a: Any, b: Any) -> bool:
    """Whether two entries are from one file."""
    files = [x.described.file.resolve() for x in (a, b) if getattr(x, "described", None)]
    return len(files) == 2 and files[0] == files[1]


def _fields(circuit: Any) -> Mapping[str, Any]:
    return {x.name: getattr(circuit, x.name) for x in fields(circuit)}


def _constants_of_product(description: Description, nbits: int) -> tuple[ModulusConstant, ...]:
    """Constants with formulas that units and drivers know, where there are such."""
    found = description.constants(nbits)
    for constant in found:
        if constant.name in _TAKEN:
            told = f"{constant.name} is no name of a constant: a design has one; others are allowed"
            description.table.table("constants").fail(constant.name, told)
    return tuple(replace(x, formula=x.formula.for_host or x.formula) for x in found)


def describe(path: Path) -> DescribedEntry | DescribedMultiplierEntry:
    """Read a description and make what the registry lists; ``DescriptionError`` for a mistake."""
    found = read_description(path)
    common: dict[str, Any] = {
        "name": found.name,
        "summary": found.title,
        "widths": found.widths,
        "text": found.text,
        "odd_modulus": found.odd_modulus,
        "source": found.source,
        "described": found,
    }
    if found.is_product:
        return DescribedMultiplierEntry(
            **common,
            divisor=found.divisor,
            base_dependent=found.base_dependent,
            constants=partial(_constants_of_product, found),
        )
    declared = {x: getattr(found, x) for x in ("exponent_dependent", "base_dependent")}
    return DescribedEntry(**common, host_constants=found.constants, **declared)
