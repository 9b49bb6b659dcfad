"""A circuit that is given as Verilog: nothing of who wrote it is imported, or believed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property
from pathlib import Path
from typing import Any, ClassVar

from fl.messages import power_request, power_response
from fl.status import InputRuleError, InputRules, Status
from flow.requests import OPERATIONS, Exponentiation, workload_operands
from flow.subjects.exponentiator import ExponentiatorSubject
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
from sim.batch import Batch
from sim.native.engine import NativeEngine
from sim.translate import VerilogModule, message_of
from store.folders import cache_root, find, keep, key_of

GIVEN = "verilog"
"""Parameter of a job that names a circuit that is given."""

_FORMULAS: dict[str, type[Any]] = {
    cls.__name__: cls for cls in (PowerOfTwo, Reciprocal, NegatedInverse, ProductOf, Remainder)
}
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*")
_VERILOG, _ABOUT = "design.v", "given.json"
# A constant of a modulus is a few times as wide as it, whatever reads it.
_WIDEST_CONSTANT = 8


@dataclass(frozen=True)
class GivenDesign:
    """An exponentiator as Verilog, with streams ``recv`` and ``send`` as every other one has them.

    Results to expect are those of Python's ``pow`` and of the input rules, cycles those of the
    native engine.

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
        Constants that come with the request.

    Raises
    ------
    ValueError
        For a name that is no identifier, or a constant too wide.
    """

    name: str
    nbits: int
    text: str
    odd_modulus: bool
    host_constants: tuple[ModulusConstant, ...] = ()
    halves: ClassVar[None] = None

    constant_modulus = 0
    exponent_dependent = True
    load_cycles = 0  # only a run that hangs is given up by it

    def __post_init__(self) -> None:
        """Check what enters names and messages."""
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
        """Key of all there is to it."""
        return key_of(self._about, self.text)

    @property
    def params(self) -> dict[str, str]:
        """Parameters, by which a job names it."""
        return {GIVEN: self.key}

    @cached_property
    def rules(self) -> InputRules:
        """Input rules."""
        return InputRules(self.nbits, self.odd_modulus, bool(self.host_constants), self.nbits)

    @cached_property
    def module(self) -> VerilogModule:
        """The Verilog with the messages of its ports: those that every exponentiator has."""
        request = power_request(self.nbits, widths_of(self.host_constants), self.nbits)
        types = {"recv__msg": request, "send__msg": power_response(self.nbits)}
        messages = {port: message_of(port, kind) for port, kind in types.items()}
        return VerilogModule(self.text, self.name, messages)

    @cached_property
    def engine(self) -> NativeEngine:
        """The circuit, compiled."""
        return NativeEngine(self.module)

    def request(self, base: int, exponent: int, modulus: int) -> tuple[int, ...]:
        """Fields of the request message; what does not fit sets ``wide``."""
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
        """Give the result and the status that every circuit has to give."""
        status = self.rules.status(base, exponent, modulus)
        return (pow(base, exponent, modulus) if status is Status.OK else 0), int(status)

    def run(self, operands: Sequence[tuple[int, int, int]], **under: Any) -> Batch:
        """Run operations on the circuit; see ``sim.native.engine.NativeEngine.run``."""
        return self.engine.run([self.request(*row) for row in operands], **under)

    def as_json(self) -> dict[str, Any]:
        """Give all there is to it, for JSON."""
        return {**self._about, "text": self.text}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> GivenDesign:
        """Take it back."""
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
        """Put it where jobs find it by its key."""

        def write(folder: Path) -> None:
            (folder / _VERILOG).write_text(self.text)
            (folder / _ABOUT).write_text(json.dumps(self._about))

        keep(cache_root(), _entry(self.key), write)


def host_constant(name: str, nbits: int, formula: Any) -> ModulusConstant:
    """Constant by its name, width and formula as ``formula_as_json`` gives it."""
    return ModulusConstant(str(name), int(nbits), _formula(formula), "")


def formula_as_json(formula: Formula) -> list[Any]:
    """Give a formula as a list: its kind, and what it is made of."""
    kind = type(formula)
    if kind.__name__ not in _FORMULAS:
        raise ValueError(f"formula {kind.__name__}: {', '.join(_FORMULAS)} are allowed")
    parts = [getattr(formula, x.name) for x in fields(kind)]  # type: ignore[arg-type]
    return [kind.__name__, *(formula_as_json(x) if isinstance(x, Formula) else x for x in parts)]


def _formula(content: Any) -> Formula:
    kind, *parts = content
    return _FORMULAS[kind](*(_formula(x) if isinstance(x, list) else int(x) for x in parts))


def is_given(params: Mapping[str, Any]) -> bool:
    """Whether these parameters of a job name a circuit that is given."""
    return set(params) == {GIVEN}


def find_given(params: Mapping[str, Any]) -> GivenDesign:
    """Find a circuit that was kept, by the parameters of a job.

    Raises
    ------
    ValueError
        If it is not there.
    """
    return _read(str(params[GIVEN]))


@cache  # the key tells all of it
def _read(key: str) -> GivenDesign:
    folder = find(cache_root(), _entry(key))
    if folder is None:
        raise ValueError(f"{GIVEN}={key}: there is no such circuit in {cache_root()}")
    about = json.loads((folder / _ABOUT).read_text())
    return GivenDesign.from_json({**about, "text": (folder / _VERILOG).read_text()})


class GivenSubject(ExponentiatorSubject):
    """A circuit that is given, with the same operations as every design.

    Parameters
    ----------
    given
        The circuit.
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
        """None: nothing is left to be translated."""
        return {}

    def verilog(self) -> VerilogModule:
        """Give the Verilog as it was given."""
        return self.configuration.module

    def work(self, exponents: Mapping[str, int]) -> Any:
        """Give the requests; the Verilog, by its key, decides the cycles."""
        drawn = [workload_operands(self.configuration, x, OPERATIONS) for x in exponents.values()]
        return [self.configuration.key, dict(exponents), drawn]

    def _operations(self, exponent: int) -> list[Exponentiation]:
        return _measured(self.configuration, exponent)


@cache
def _measured(given: GivenDesign, exponent: int) -> list[Exponentiation]:
    """Operations of the workload with their responses by ``pow`` and their cycles at RTL."""
    rows = workload_operands(given, exponent, OPERATIONS)
    cycles: Sequence[Any] = given.run(rows).cycles
    return [
        Exponentiation(*row, given.expected(*row), count)
        for row, count in zip(rows, cycles, strict=True)
    ]


def _entry(key: str) -> str:
    return f"given-{key}"
