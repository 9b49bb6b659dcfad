"""A design given as Verilog: none of its author's Python is run, and its results are checked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property
from pathlib import Path
from typing import Any, ClassVar

from rsaxcel.catalog.choices import check_width, refuse_parameter
from rsaxcel.catalog.configuration import Exponentiator
from rsaxcel.catalog.design import nearest_default
from rsaxcel.fl.exponentiator import Outcome
from rsaxcel.fl.messages import power_request, power_response
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
    widths_of,
)
from rsaxcel.plan.parameters import Parameter
from rsaxcel.plan.scan import Scan
from rsaxcel.store.folders import cache_root, find, keep, key_of

GIVEN = "verilog"  # name of the parameter of a job that has the key of a given design as its value

_FORMULAS: dict[str, type[Any]] = {
    cls.__name__: cls for cls in (PowerOfTwo, Reciprocal, NegatedInverse, ProductOf, Remainder)
}
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*")
_VERILOG, _ABOUT = "design.v", "given.json"
# Limit for the width of a constant of the modulus, relative to the modulus.
_WIDEST_CONSTANT = 8


@dataclass(frozen=True)
class GivenDesign(Exponentiator):
    """An exponentiator as Verilog, with the same streams ``recv`` and ``send`` as other designs."""

    # Expected results come from Python's ``pow`` and the input rules, expected cycles from
    # simulation.

    design_name: str  # and of the top module: an identifier
    nbits: int  # width of base, exponent and modulus
    text: str  # Verilog of all modules
    odd_modulus: bool  # demanded by an input rule
    host_constants: tuple[ModulusConstant, ...] = ()  # that come with each request
    named: bool = False  # in the catalog; if not, a job finds the design by its key

    levels: ClassVar[tuple[str, ...]] = ("fl", "rtl")
    design_id: ClassVar[int] = 0
    halves: ClassVar[None] = None
    constant_modulus: ClassVar[int] = 0
    load_cycles: ClassVar[int] = 0  # used only to detect a circuit that hangs
    clear_cycles: ClassVar[int] = 0
    # The author declares nothing about secrecy.
    exponent_dependent: ClassVar[bool] = True
    base_dependent: ClassVar[bool] = True
    is_foreign: ClassVar[bool] = True

    def __post_init__(self) -> None:
        for name in (self.design_name, *(c.name for c in self.host_constants)):
            if not _NAME.fullmatch(name):
                raise ValueError(f"name {name!r}: letters, digits and single underscores only")
        for constant in self.host_constants:
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

    @cached_property
    def rules(self) -> InputRules:
        return InputRules(self.nbits, self.odd_modulus, bool(self.host_constants), self.nbits)

    def usable_modulus(self, drawn: int) -> int:
        """Return ``drawn``: the circuit supports any modulus."""
        return drawn

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

    def evaluate(self, *operands: int) -> tuple[Outcome, None]:
        """Return the expected result and status; the cycles are not known."""
        base, exponent, modulus = operands
        return self.outcome(base, exponent, modulus), None

    def cycles(self, *operands: int) -> None:
        """Return None: the cycles are not known."""

    def component(self, level: str) -> Any:
        """PyMTL3 component, not elaborated: at RTL the Verilog, at FL Python's ``pow``."""
        if level not in self.levels:
            allowed = ", ".join(self.levels)
            raise ValueError(f"level {level!r}: {allowed} are allowed for {self.design_name}")
        types = (
            power_request(self.nbits, widths_of(self.host_constants), self.nbits),
            power_response(self.nbits),
        )
        if level == "fl":
            return FunctionUnit(*types, self._answer)
        from rsaxcel.rtl.lib.verilog_core import VerilogCore

        return VerilogCore(self.design_name, self.text, *types)

    def _answer(self, base: int, exponent: int, modulus: int, *rest: int) -> Outcome:
        wide, *missing = rest[len(self.host_constants) :]
        return self.outcome(base, exponent | wide << self.nbits, modulus, (), any(missing))

    def operator(self) -> Any:
        return self.component("rtl")

    def check_circuit(self) -> None:
        """Accept every width."""

    def as_json(self) -> dict[str, Any]:
        return {**self._about, "text": self.text}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> GivenDesign:
        constants = tuple(host_constant(*x) for x in content["host_constants"])
        rest = {k: v for k, v in content.items() if k not in ("name", "host_constants")}
        return cls(content["name"], host_constants=constants, **rest)

    @property
    def _about(self) -> dict[str, Any]:
        constants = [[c.name, c.nbits, formula_as_json(c.formula)] for c in self.host_constants]
        return {
            "name": self.design_name,
            "nbits": self.nbits,
            "odd_modulus": self.odd_modulus,
            "host_constants": constants,
        }


@dataclass(frozen=True)
class GivenEntry:
    """Designs as Verilog, one for each width, which the catalog finds by their name."""

    name: str  # of the top modules
    summary: str  # one line
    widths: range  # of operands in bits
    text: Callable[[int], str]  # Verilog of all modules for a width
    odd_modulus: bool  # demanded by an input rule
    source: str = "Verilog"  # where the Verilog comes from

    id: ClassVar[int] = 0
    parameters: ClassVar[tuple[Parameter, ...]] = ()

    @property
    def default_nbits(self) -> int:
        return nearest_default(self.widths)

    @property
    def default(self) -> GivenDesign:
        return self.configure(self.default_nbits)

    def configure(self, nbits: int, /, **params: Any) -> GivenDesign:
        """Make the design of a width; it has no parameters."""
        check_width(nbits, self.widths, self.name)
        for name, value in params.items():
            refuse_parameter(name, value, self.name, ())
        return GivenDesign(self.name, nbits, self.text(nbits), self.odd_modulus, named=True)


def host_constant(name: str, nbits: int, formula: Any) -> ModulusConstant:
    """Make a constant of the modulus; ``formula`` is a list as from ``formula_as_json``."""
    return ModulusConstant(str(name), int(nbits), _formula(formula), "")


def formula_as_json(formula: Formula) -> list[Any]:
    """Return a formula as a list for JSON: the name of its class, then the values of its fields."""
    kind = type(formula)
    if kind.__name__ not in _FORMULAS:
        raise ValueError(f"formula {kind.__name__}: {', '.join(_FORMULAS)} are allowed")
    parts = [getattr(formula, x.name) for x in fields(kind)]  # type: ignore[arg-type]
    return [kind.__name__, *(formula_as_json(x) if isinstance(x, Formula) else x for x in parts)]


def _formula(content: Any) -> Formula:
    kind, *parts = content
    return _FORMULAS[kind](*(_formula(x) if isinstance(x, list) else int(x) for x in parts))


def is_given(params: Mapping[str, Any]) -> bool:
    """Return whether parameters of a job identify a given design."""
    return set(params) == {GIVEN}


def find_given(params: Mapping[str, Any]) -> GivenDesign:
    """Return a stored design by the parameters of a job; ``ValueError`` if it is not stored."""
    return _read(str(params[GIVEN]))


@cache  # the key determines the content
def _read(key: str) -> GivenDesign:
    folder = find(cache_root(), _entry(key))
    if folder is None:
        raise ValueError(f"{GIVEN}={key}: no such circuit in {cache_root()}")
    about = json.loads((folder / _ABOUT).read_text())
    return GivenDesign.from_json({**about, "text": (folder / _VERILOG).read_text()})


def _entry(key: str) -> str:
    return f"given-{key}"
