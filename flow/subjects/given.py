"""A design given as Verilog: none of its author's Python is run, and its results are checked."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, ClassVar

from fl.messages import power_request, power_response
from fl.status import InputRuleError, InputRules
from flow.errors import WrongNetlist
from flow.requests import OPERATION_COUNT, Exponentiation, workload_operands
from flow.subjects.exponentiator import ExponentiatorSubject
from flow.subjects.fresh import COUNT, Trial
from plan.modulus_constants import (
    Formula,
    ModulusConstant,
    NegatedInverse,
    PowerOfTwo,
    ProductOf,
    Reciprocal,
    Remainder,
    widths_of,
)
from plan.scan import Scan
from sim.batch import Batch, SimulationError
from sim.check.literals import numbers_of
from sim.check.operands import draw
from sim.corners import Operands
from sim.native.engine import NativeEngine
from sim.operations import Power, expected_response
from sim.translate import VerilogModule, message_of
from store.folders import cache_root, find, keep, key_of

GIVEN = "verilog"
"""Name of the parameter of a job that has the key of a given design as its value."""

_FORMULAS: dict[str, type[Any]] = {
    cls.__name__: cls for cls in (PowerOfTwo, Reciprocal, NegatedInverse, ProductOf, Remainder)
}
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*")
_VERILOG, _ABOUT = "design.v", "given.json"
# Limit for the width of a constant of the modulus, relative to the modulus.
_WIDEST_CONSTANT = 8


@dataclass(frozen=True)
class GivenDesign:
    """An exponentiator as Verilog, with the same streams ``recv`` and ``send`` as other designs.

    Expected results come from Python's ``pow`` and the input rules, expected cycles from the native
    engine.

    Parameters
    ----------
    name
        Name of the top module.
    nbits
        Width of base, exponent and modulus in bits.
    text
        Verilog of all modules.
    odd_modulus
        Whether an input rule demands an odd modulus.
    host_constants
        Constants of the modulus that come with each request.

    Raises
    ------
    ValueError
        For a name that is not an identifier, or a constant that is too wide.
    """

    name: str
    nbits: int
    text: str
    odd_modulus: bool
    host_constants: tuple[ModulusConstant, ...] = ()
    halves: ClassVar[None] = None

    constant_modulus = 0
    exponent_dependent = True
    load_cycles = 0  # used only to detect a circuit that hangs

    def __post_init__(self) -> None:
        """Check the names, and the widths of the constants."""
        for name in (self.name, *(c.name for c in self.host_constants)):
            if not _NAME.fullmatch(name):
                raise ValueError(f"name {name!r}: letters, digits and single underscores only")
        for constant in self.host_constants:
            widest = _WIDEST_CONSTANT * self.nbits
            if not 1 <= constant.nbits <= widest:
                raise ValueError(f"constant {constant.name}: 1 to {widest} bits are allowed")
            constant.check_width(self.nbits)

    @property
    def exponent_nbits(self) -> int:
        """Width of the exponent in bits."""
        return self.nbits

    @cached_property
    def key(self) -> str:
        """Key under which the design is stored: a digest of its Verilog and its fields."""
        return key_of(self._about, self.text)

    @property
    def params(self) -> dict[str, str]:
        """Parameters that identify the design in a job."""
        return {GIVEN: self.key}

    @cached_property
    def rules(self) -> InputRules:
        """Input rules of the design."""
        return InputRules(self.nbits, self.odd_modulus, bool(self.host_constants), self.nbits)

    @cached_property
    def module(self) -> VerilogModule:
        """The Verilog, with its ports' messages; every exponentiator has the same messages."""
        request = power_request(self.nbits, widths_of(self.host_constants), self.nbits)
        types = {"recv__msg": request, "send__msg": power_response(self.nbits)}
        messages = {port: message_of(port, kind) for port, kind in types.items()}
        return VerilogModule(self.text, self.name, messages)

    @cached_property
    def engine(self) -> NativeEngine:
        """Native engine with the compiled circuit."""
        return NativeEngine(self.module)

    def request(self, base: int, exponent: int, modulus: int) -> tuple[int, ...]:
        """Fields of the request message; the flag ``wide`` is 1 if an operand does not fit."""
        operands = base, exponent, modulus
        held = tuple(x & (1 << self.nbits) - 1 for x in operands)
        wide = int(held != operands)
        flags = (wide, 0) if self.host_constants else (wide,)
        return (*held, *self._host_values(held[-1]), *flags)

    def _host_values(self, modulus: int) -> tuple[int, ...]:
        try:
            self.rules.check_modulus(modulus)
        except InputRuleError:
            return (0,) * len(self.host_constants)
        return tuple(constant.formula.value(modulus) for constant in self.host_constants)

    def expected(self, base: int, exponent: int, modulus: int) -> tuple[int, int]:
        """Return the expected result and status."""
        return expected_response(Power(self.rules), (base, exponent, modulus))

    def run(self, operands: Sequence[tuple[int, int, int]], **under: Any) -> Batch:
        """Run operations on the circuit; see ``sim.native.engine.NativeEngine.run``."""
        return self.engine.run([self.request(*row) for row in operands], **under)

    def as_json(self) -> dict[str, Any]:
        """Return the design as values for JSON."""
        return {**self._about, "text": self.text}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> GivenDesign:
        """Return the design from the values of ``as_json``."""
        constants = tuple(host_constant(*x) for x in content["host_constants"])
        return cls(**{**content, "host_constants": constants})

    @property
    def _about(self) -> dict[str, Any]:
        constants = [[c.name, c.nbits, formula_as_json(c.formula)] for c in self.host_constants]
        return {
            "name": self.name,
            "nbits": self.nbits,
            "odd_modulus": self.odd_modulus,
            "host_constants": constants,
        }

    def keep(self) -> None:
        """Store the design, so that jobs find it by its key."""

        def write(folder: Path) -> None:
            (folder / _VERILOG).write_text(self.text)
            (folder / _ABOUT).write_text(json.dumps(self._about))

        keep(cache_root(), _entry(self.key), write)


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
    """Return a stored design, by the parameters of a job.

    Raises
    ------
    ValueError
        If the design is not stored.
    """
    return _read(str(params[GIVEN]))


@cache  # the key determines the content
def _read(key: str) -> GivenDesign:
    folder = find(cache_root(), _entry(key))
    if folder is None:
        raise ValueError(f"{GIVEN}={key}: no such circuit in {cache_root()}")
    about = json.loads((folder / _ABOUT).read_text())
    return GivenDesign.from_json({**about, "text": (folder / _VERILOG).read_text()})


class GivenSubject(ExponentiatorSubject):
    """A design given as Verilog, with the same workload as every design.

    Parameters
    ----------
    given
        The design.
    """

    def __init__(self, given: GivenDesign) -> None:
        self.configuration: Any = given
        self.design, self.nbits, self.params = given.name, given.nbits, given.params
        self.exponent_nbits = given.exponent_nbits
        self.name = f"{given.name}_{given.nbits}_{given.key}"
        given.keep()
        self.sources = [cache_root() / _entry(given.key) / _VERILOG]

    @property
    def tools(self) -> Mapping[str, str]:
        """Versions of the tools of translation: none, because the Verilog is given."""
        return {}

    def verilog(self) -> VerilogModule:
        """Return the Verilog unchanged, with its messages."""
        return self.configuration.module

    @property
    def scan(self) -> Scan:
        """Bit by bit: how a given design reads an exponent is not known."""
        return Scan(self.exponent_nbits)

    def work(self, exponents: Mapping[str, int]) -> Any:
        """Return the design's key (the Verilog determines the cycles), exponents and operands."""
        drawn = [
            workload_operands(self.configuration, x, OPERATION_COUNT) for x in exponents.values()
        ]
        return [self.configuration.key, dict(exponents), drawn]

    @property
    def is_foreign(self) -> bool:
        """Always: the Verilog may be anybody's."""
        return True

    def _trial(self, interface: VerilogModule, seed: int) -> Trial:
        given: GivenDesign = self.configuration
        to_do = Power(given.rules)

        return self._with_messages(
            interface,
            rows=draw(given.rules, COUNT, seed, numbers_of(given.text, given.nbits)),
            keys=to_do.keys,
            values=to_do.values,
            expected=lambda row: given.expected(*row),
            cycles=partial(_cycles, given),
            has_exponent=True,
        )

    def _operations(self, exponent: int) -> list[Exponentiation]:
        return _measured(self.configuration, exponent)


@cache
def _measured(given: GivenDesign, exponent: int) -> list[Exponentiation]:
    """Operations of the workload, with responses from ``pow`` and cycles measured at RTL."""
    rows = workload_operands(given, exponent, OPERATION_COUNT)
    return [
        Exponentiation(*row, given.expected(*row), count)
        for row, count in zip(rows, _cycles(given, rows), strict=True)
    ]


def _cycles(given: GivenDesign, rows: Sequence[Operands]) -> list[int]:
    """Cycles of operations, measured at RTL."""
    try:
        return [int(count or 0) for count in given.run(rows).cycles]
    except SimulationError as error:
        raise WrongNetlist(f"the circuit at RTL: {error}") from error


def _entry(key: str) -> str:
    return f"given-{key}"
