"""Circuits given as Verilog: none of their authors' Python is run; results are checked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from rsaxcel.catalog.choices import check_width, refuse_parameter
from rsaxcel.catalog.configuration import Exponentiator, MultiplierAlone
from rsaxcel.catalog.designs import Entry
from rsaxcel.catalog.multipliers import COMPOSED
from rsaxcel.catalog.units import Classes
from rsaxcel.circuit import Label
from rsaxcel.fl.contract import Multiplier
from rsaxcel.fl.exponentiator import Outcome
from rsaxcel.fl.status import InputRules, Status
from rsaxcel.fl.unit import FunctionUnit
from rsaxcel.plan.modulus_constants import (
    Formula,
    ModulusConstant,
    NegatedInverse,
    PowerOfTwo,
    ProductOf,
    Reciprocal,
    Remainder,
)
from rsaxcel.plan.parameters import Parameter
from rsaxcel.plan.scan import Scan
from rsaxcel.store.folders import cache_root, find, keep, key_of

if TYPE_CHECKING:
    from rsaxcel.circuit import Circuit as _Base
else:
    _Base = object  # a dataclass would take the properties of a protocol for defaults

GIVEN = "verilog"  #: parameter of a job whose value is the key of a given design

_FORMULAS: dict[str, type[Any]] = {
    cls.__name__: cls for cls in (PowerOfTwo, Reciprocal, NegatedInverse, ProductOf, Remainder)
}
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*")
_VERILOG, _ABOUT = "design.v", "given.json"
#: Limit for the width of a constant of the modulus, relative to the modulus.
_WIDEST_CONSTANT = 8


@dataclass(frozen=True)
class _Given(_Base):
    """A circuit as Verilog, with the same streams ``recv`` and ``send`` as others of its kind.

    Expected results come from Python's integers, expected cycles from simulation.
    """

    design_name: str  #: name of design and top module: an identifier
    nbits: int  #: width of base, exponent and modulus
    text: str  #: Verilog of all modules
    odd_modulus: bool  #: demanded by an input rule, or by the contract of a multiplier
    #: whether the name is in the catalog; if not, a job finds the design by its key
    named: bool = field(default=False, kw_only=True)

    load_cycles: ClassVar[int] = 0  #: used only to detect a circuit that hangs
    clear_cycles: ClassVar[int] = 0
    is_foreign: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _check_name(self.design_name)

    if TYPE_CHECKING:

        @property
        def messages(self) -> tuple[type[Any], type[Any]]:
            """Message types of the request and of the response."""

        def _answer(self, *fields: int) -> tuple[int, ...]:
            """Fields of the response, for the fields of a request."""

    @property
    def labels(self) -> tuple[Label, ...]:
        return ()

    @property
    def levels(self) -> tuple[str, ...]:
        """Levels of the circuit: nobody knows a model of its cycles."""
        return "fl", "rtl"

    @cached_property
    def key(self) -> str:
        """Key under which the design is stored: a digest of its Verilog and its fields."""
        return key_of(self._about, self.text)

    @property
    def params(self) -> dict[str, str]:
        """Parameters that identify the design in a job."""
        return {} if self.named else {GIVEN: self.key}

    @property
    def changed(self) -> dict[str, str]:
        """No parameter differs from a default."""
        return {}

    @property
    def name(self) -> str:
        own = f"{self.design_name}_{self.nbits}"
        return own if self.named else f"{own}_{self.key}"

    @cached_property
    def sources(self) -> tuple[Path, ...]:
        """Files of the Verilog and of what is declared; jobs find the design by its key there."""

        def write(folder: Path) -> None:
            (folder / _VERILOG).write_text(self.text)
            (folder / _ABOUT).write_text(json.dumps(self._about))

        folder = keep(cache_root(), _entry(self.key), write)
        return folder / _VERILOG, folder / _ABOUT

    def usable_modulus(self, drawn: int) -> int:
        """Return ``drawn``: the circuit supports any modulus."""
        return drawn

    def evaluate(self, *operands: int) -> tuple[Outcome, int | None]:
        """Return the expected result and status; the cycles are not known."""
        first, second, modulus = operands
        return self.outcome(first, second, modulus), None

    def cycles(self, *operands: int) -> int | None:
        """Return None: the cycles are not known."""
        return None

    def component(self, level: str) -> Any:
        """PyMTL3 component, not elaborated: at RTL the Verilog, at FL Python's integers."""
        if level not in self.levels:
            allowed = ", ".join(self.levels)
            raise ValueError(f"level {level!r}: {allowed} are allowed for {self.design_name}")
        if level == "fl":
            return FunctionUnit(*self.messages, self._answer)
        from rsaxcel.rtl.lib.verilog_core import VerilogCore

        return VerilogCore(self.design_name, self.text, *self.messages)

    def check_circuit(self) -> None:
        """Accept every width."""

    def as_json(self) -> dict[str, Any]:
        return {**self._about, "text": self.text}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        rest = dict(content)
        return cls(rest.pop("name"), **rest)

    @property
    def _about(self) -> dict[str, Any]:
        own = {"nbits": self.nbits, "odd_modulus": self.odd_modulus}
        return {"name": self.design_name, **own}


@dataclass(frozen=True)
class GivenDesign(_Given, Exponentiator):
    """An exponentiator as Verilog."""

    host_constants: tuple[ModulusConstant, ...] = ()  #: fields of each request
    #: False: the author declares that no exponent, or no base, changes the cycles.
    exponent_dependent: bool = True
    base_dependent: bool = True

    constant_modulus: ClassVar[int] = 0
    design_id: ClassVar[int] = 0
    halves: ClassVar[None] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for constant in self.host_constants:
            _check_name(constant.name)
            widest = _WIDEST_CONSTANT * self.nbits
            if not 1 <= constant.nbits <= widest:
                raise ValueError(f"constant {constant.name}: 1 to {widest} bits are allowed")
            constant.check_width(self.nbits)

    @property
    def exponent_nbits(self) -> int:
        return self.nbits

    @property
    def largest_exponent(self) -> int:
        return (1 << self.nbits) - 1

    @cached_property
    def rules(self) -> InputRules:
        return InputRules(self.nbits, self.odd_modulus, bool(self.host_constants), self.nbits)

    def shortened(self, exponent: int, share: float, least: int) -> int:
        """Leading bits of the exponent: how the circuit reads an exponent is not known."""
        return Scan(self.nbits).leading(exponent, share, least)

    def outcome(
        self,
        base: int,
        exponent: int,
        modulus: int,
        constants: Sequence[int] = (),
        missing: bool = False,
    ) -> Outcome:
        status = self.rules.status(base, exponent, modulus, missing)
        return Outcome(pow(base, exponent, modulus) if status is Status.OK else 0, status)

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        constants = constants_from_json(content["host_constants"])
        return super().from_json({**content, "host_constants": constants})

    @property
    def _about(self) -> dict[str, Any]:
        declared = {x: getattr(self, x) for x in ("exponent_dependent", "base_dependent")}
        constants = constants_as_json(self.host_constants)
        return {**super()._about, "host_constants": constants, **declared}


@dataclass(frozen=True)
class GivenMultiplier(_Given, MultiplierAlone):
    """A multiplier alone as Verilog, which forms ``a * b / divisor mod m``."""

    divisor: int = 1  #: a power of two
    constants: tuple[ModulusConstant, ...] = ()  #: that come with each request

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.divisor < 1 or self.divisor & (self.divisor - 1):
            raise ValueError(f"divisor={self.divisor}: powers of two are allowed")
        if self.divisor > 1 and not self.odd_modulus:
            raise ValueError(f"divisor={self.divisor}: odd_modulus=True is allowed with it")

    @cached_property
    def golden(self) -> Multiplier:
        return GivenProduct(self.nbits, self.odd_modulus, self.divisor, constants=self.constants)

    def operator_cycles(self, *operands: int) -> int | None:
        """Return None: the cycles are not known."""
        return None

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        constants = constants_from_json(content.get("constants", ()))
        return super().from_json({**content, "constants": constants})

    @property
    def _about(self) -> dict[str, Any]:
        constants = {"constants": constants_as_json(self.constants)} if self.constants else {}
        return {**super()._about, "divisor": self.divisor, **constants}


class GivenProduct(Multiplier):
    """Functional model of a multiplier in Verilog; ``rules``: more rules for its modulus."""

    odd_modulus = False
    constant_time = False
    source = "Verilog"
    r = 1

    def __init__(
        self,
        nbits: int,
        odd_modulus: bool,
        r: int,
        constant_time: bool = False,
        rules: InputRules | None = None,
        constants: tuple[ModulusConstant, ...] = (),
    ) -> None:
        super().__init__(nbits)
        self._rules, self._constants = rules, constants
        self.odd_modulus, self.r = odd_modulus, r  # type: ignore[misc]
        self.constant_time = constant_time

    @property
    def constants(self) -> tuple[ModulusConstant, ...]:
        return self._constants

    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        return a * b * pow(self.r, -1, modulus) % modulus

    def check(self, a: int, b: int, modulus: int) -> None:
        super().check(a, b, modulus)
        if self._rules:
            self._rules.check_modulus(modulus)


class GivenClasses(Classes):
    """Classes with which compositions build the multiplier in Verilog of ``entry``."""

    is_checked = True
    in_verilog = True
    entry: GivenMultiplierEntry

    def __init__(self, entry: GivenMultiplierEntry, cl: Any = None) -> None:
        class Product(GivenProduct):
            """Functional model for the widths of the entry."""

            odd_modulus = entry.odd_modulus
            source = entry.source
            widths = entry.widths

            def __init__(self, nbits: int) -> None:
                check_width(nbits, entry.widths, entry.name)
                if told := entry.refusal:
                    raise ValueError(f"multiplier={entry.name}: {told}")
                declared = entry.odd_modulus, entry.divisor(nbits), not entry.base_dependent
                super().__init__(nbits, *declared, constants=entry.constants(nbits))

            def __reduce__(self) -> Any:
                return _product, (entry.name, self.nbits)

        def circuit(nbits: int) -> Any:
            return entry.configure(nbits).component("rtl")

        levels = {"fl": Product, "cl": cl, "rtl": circuit}
        self.__dict__.update(entry=entry, name=entry.name, is_timed=bool(cl), **levels)

    def mapped(self, nbits: int) -> Classes:
        def circuit(nbits: int) -> Any:
            return self.entry.configure(nbits).operator()

        circuit(nbits)  # refuses what no netlist can be made of
        found = GivenClasses(self.entry, self.cl)
        found.__dict__["rtl"] = circuit
        return found

    def notes(self, nbits: int) -> Sequence[str]:
        return tuple(self.entry.configure(nbits).notes)

    def files(self, nbits: int) -> tuple[Path, ...]:
        return tuple(self.entry.configure(nbits).sources)

    def __eq__(self, other: object) -> bool:
        """Whether two multipliers are those of one entry."""
        return isinstance(other, GivenClasses) and self.entry == other.entry

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> Any:
        """Pickle the classes by the name of the multiplier, by which another process finds it."""
        return _classes, (self.name,)


def _classes(name: str) -> Classes:
    return COMPOSED[name]


def _product(name: str, nbits: int) -> Multiplier:
    found: Multiplier = COMPOSED[name].fl(nbits)
    return found


@dataclass(frozen=True)
class VerilogEntry(Entry):
    """Circuits as Verilog, one for each width, which the catalog finds by their name."""

    name: str  #: name of the entry and of the top modules
    summary: str  #: one line
    widths: Sequence[int]  #: widths of operands in bits
    text: Callable[[int], str]  #: Verilog of all modules for a width
    odd_modulus: bool  #: demanded by an input rule, or by the contract of a multiplier
    source: str = "Verilog"  #: where the Verilog comes from
    typed: str = field(default="", kw_only=True)  #: path by which a user named it

    id: ClassVar[int] = 0
    parameters: ClassVar[tuple[Parameter, ...]] = ()

    def _fields(self, nbits: int, params: Mapping[str, Any]) -> dict[str, Any]:
        """Fields of the circuit of a width; ``WidthError`` if it is not allowed."""
        nbits = check_width(nbits, self.widths, self.name)
        for name, value in params.items():
            refuse_parameter(name, value, self.name, [p.name for p in self.parameters])
        text = self.text(nbits)
        common = {"nbits": nbits, "text": text, "odd_modulus": self.odd_modulus, "named": True}
        return {"design_name": self.name, **common}


@dataclass(frozen=True)
class GivenEntry(VerilogEntry):
    """Designs as Verilog, one for each width."""

    #: By width: constants of the modulus that come with each request, in the order of its fields.
    host_constants: Callable[[int], tuple[ModulusConstant, ...]] = lambda nbits: ()
    exponent_dependent: bool = True  #: False: it is declared that no exponent changes the cycles
    base_dependent: bool = True

    def configure(self, nbits: int, /, **params: Any) -> GivenDesign:
        fields = self._fields(nbits, params) | {"host_constants": self.host_constants(nbits)}
        declared = {x: getattr(self, x) for x in ("exponent_dependent", "base_dependent")}
        return GivenDesign(**fields, **declared)


@dataclass(frozen=True)
class GivenMultiplierEntry(VerilogEntry):
    """Multipliers as Verilog, one for each width; requests have {a, b, m}, responses {r}."""

    #: By width: the power of two by which products are divided, such as Montgomery's R.
    divisor: Callable[[int], int] = lambda nbits: 1
    base_dependent: bool = True  #: False: it is declared that no operand changes the cycles
    #: By width: constants of the modulus that come with each request, in the order of its fields.
    constants: Callable[[int], tuple[ModulusConstant, ...]] = lambda nbits: ()
    refusal: ClassVar[str] = ""  #: why no composition can have it

    @cached_property
    def classes(self) -> Classes:
        """Classes of the multiplier in compositions."""
        return GivenClasses(self)

    def configure(self, nbits: int, /, **params: Any) -> GivenMultiplier:
        own: dict[str, Any] = {"divisor": self.divisor(nbits), "constants": self.constants(nbits)}
        return GivenMultiplier(**self._fields(nbits, params), **own)


def constants_as_json(constants: Iterable[ModulusConstant]) -> list[Any]:
    """Return constants of the modulus as a list for JSON: name, width and formula of each."""
    return [[x.name, x.nbits, _formula_as_json(x.formula)] for x in constants]


def constants_from_json(content: Iterable[Sequence[Any]]) -> tuple[ModulusConstant, ...]:
    """Make constants of the modulus from a list as from ``constants_as_json``."""
    return tuple(ModulusConstant(str(x), int(n), _formula(f), "") for x, n, f in content)


def _formula_as_json(formula: Formula) -> list[Any]:
    """Return a formula as a list for JSON: the name of its class, then the values of its fields."""
    formula = formula.for_host or formula
    kind = type(formula)
    if kind.__name__ not in _FORMULAS:
        raise ValueError(f"formula {kind.__name__}: {', '.join(_FORMULAS)} are allowed")
    parts = [getattr(formula, x.name) for x in fields(kind)]  # type: ignore[arg-type]
    return [kind.__name__, *(_formula_as_json(x) if isinstance(x, Formula) else x for x in parts)]


def _formula(content: Any) -> Formula:
    kind, *parts = content
    return _FORMULAS[kind](*(_formula(x) if isinstance(x, list) else int(x) for x in parts))


def is_given(params: Mapping[str, Any]) -> bool:
    """Return whether parameters of a job identify a given design."""
    return set(params) == {GIVEN}


def find_given(params: Mapping[str, Any]) -> GivenDesign | GivenMultiplier:
    """Return a stored circuit by the parameters of a job; ``ValueError`` if it is not stored."""
    return _read(str(params[GIVEN]))


@cache  # the key determines the content
def _read(key: str) -> GivenDesign | GivenMultiplier:
    folder = find(cache_root(), _entry(key))
    if folder is None:
        raise ValueError(f"{GIVEN}={key}: no such circuit in {cache_root()}")
    about = json.loads((folder / _ABOUT).read_text())
    kind = GivenMultiplier if "divisor" in about else GivenDesign
    return kind.from_json({**about, "text": (folder / _VERILOG).read_text()})


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise ValueError(f"name {name!r}: letters, digits and single underscores only")


def _entry(key: str) -> str:
    return f"given-{key}"
