"""Common base of the configurations of designs and of multipliers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rsaxcel.catalog.sources import outside, sources_with
from rsaxcel.catalog.stores import store_of
from rsaxcel.catalog.units import LEVELS, Unit, check_level
from rsaxcel.fl.exponentiator import Outcome
from rsaxcel.fl.multipliers.contract import Multiplier
from rsaxcel.fl.unit import FunctionUnit
from rsaxcel.plan.parameters import Parameter
from rsaxcel.plan.programs import Program
from rsaxcel.store.folders import key_of

if TYPE_CHECKING:  # at run time, a level is imported only when it is built
    from rsaxcel.cl.exponentiator import Handshake
    from rsaxcel.fl.circuit import Circuit as _Base
else:
    _Base = ABC  # a dataclass would take the properties of a protocol for defaults of its fields


_LONGEST_NAME = 150  # of 255 characters: names of files have more in them


@dataclass(frozen=True)
class AnyConfiguration(_Base):
    """Common base of the configurations of designs and of multipliers."""

    design: Any  # Design or MultiplierEntry, as the registry lists it
    nbits: int  # width of operands
    levels: ClassVar[tuple[str, ...]] = LEVELS

    @property
    def design_name(self) -> str:
        """Name of the design or multiplier in the registry."""
        return str(self.design.name)

    @property
    @abstractmethod
    def params(self) -> dict[str, Any]:
        """Values of parameters, and choices that differ from the registered design's, by name."""

    @property
    @abstractmethod
    def parameters(self) -> tuple[Parameter, ...]:
        """Parameters that users can set in this configuration."""

    @property
    @abstractmethod
    def changed(self) -> dict[str, Any]:
        """Items of ``params`` that differ from the defaults."""

    @property
    def name(self) -> str:
        """Name for files and modules: design, width, and the items of ``changed``."""
        # Where the name of a file has no room for them, such as for a wide modulus, a hash follows.
        changed = (f"{key}_{value}" for key, value in self.changed.items())
        name = "_".join([self.design_name, str(self.nbits), *changed])
        if len(name) <= _LONGEST_NAME:
            return name
        return f"{name[: _LONGEST_NAME // 2]}_{key_of(name)}"

    @property
    def sources(self) -> tuple[Path, ...]:
        """Source files and folders on which circuit and models depend."""
        return sources_with(self.multiplier.classes)

    @property
    def is_foreign(self) -> bool:
        """Whether the multiplier is not from this project."""
        return bool(outside([self.multiplier.classes]))

    @property
    @abstractmethod
    def multiplier(self) -> Unit:
        """The multiplier of every lane of a design, or the multiplier that is used alone."""

    def adapted_choices(self, asked: Iterable[str]) -> dict[str, Any]:
        """Choices adapted, by axis, so that they fit the user's choices on the axes ``asked``."""
        return {}

    @cached_property
    def multiplier_golden(self) -> Multiplier:
        """Functional model of the multiplier."""
        return self.multiplier.build("fl", self.product_nbits)

    @property
    def product_nbits(self) -> int:
        """Width in bits of the modulus of products: m, a multiple of m, or one of two halves."""
        return self.nbits

    @property
    @abstractmethod
    def constant_modulus(self) -> int:
        """The only modulus that the circuit supports; 0: any."""

    def usable_modulus(self, drawn: int) -> int:
        """Return the circuit's only modulus, or ``drawn`` (random) if it supports any modulus."""
        return self.constant_modulus or drawn

    @cached_property
    def _store(self) -> Any:
        return store_of(self.multiplier.classes.fl)

    @property
    def load_cycles(self) -> int:
        """Cycles in which the operands of a request are loaded before the request is accepted."""
        return self._handshake.load_cycles

    @property
    def clear_cycles(self) -> int:
        """Additional cycles after a response, or after a reset, until a request can be accepted."""
        program = self._first_program
        return self._store_timing.clear_cycles(program) if program else 0

    @property
    @abstractmethod
    def _first_program(self) -> Program | None:
        """Program that the first executor runs; None: there is no executor."""

    @cached_property
    def _store_timing(self) -> Any:
        timing = self.multiplier.build("cl", self.product_nbits)
        return self._store.cl(self.multiplier_golden, timing)

    @property
    def _handshake(self) -> Handshake:
        return self._store_timing.handshake

    @property
    @abstractmethod
    def timing(self) -> Any:
        """Cycle model."""

    @abstractmethod
    def request(self, a: int, b: int, modulus: int, /) -> tuple[int, ...]:
        """Fields of the request message."""

    @abstractmethod
    def outcome(self, a: int, b: int, modulus: int, /) -> Outcome:
        """Give the result and the status of a request by the golden model."""

    @abstractmethod
    def evaluate(self, *operands: int) -> tuple[Outcome, int]:
        """Give the result and the status of a request, and its number of cycles (``cycles``)."""

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
        check_level(level)
        if level == "fl":
            return self._model(FunctionUnit, (self._answer,))
        if level == "cl":
            from rsaxcel.cl.unit import TimedUnit

            timing = (self._timed_answer, self._nstages, self._overlaps)
            return self._model(TimedUnit, timing, (self.load_cycles, self.clear_cycles))
        self.check_circuit()
        return self._circuit()

    def check_circuit(self) -> None:
        """Raise ``ValueError`` if the multiplier's circuit is too large to be built."""
        self.multiplier_golden.check_circuit()

    def operator(self) -> Any:
        """Circuit to synthesize, not elaborated: ``component`` at register-transfer level."""
        return self.component("rtl")

    @property
    @abstractmethod
    def _messages(self) -> tuple[type[Any], type[Any]]:
        """Message types of the request and of the response."""

    @property
    def _overlaps(self) -> bool:
        """Whether the next request is accepted in the same cycle in which a response is taken."""
        return self.timing.overlaps

    @property
    @abstractmethod
    def _nstages(self) -> int:
        """Number of pipeline stages of the cycle model."""

    @abstractmethod
    def _answer(self, *fields: int) -> tuple[int, ...]:
        """Fields of the response, for the fields of a request."""

    @abstractmethod
    def _timed_answer(self, *fields: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Fields of the response, and the cycles of the request in each pipeline stage."""

    def _model(self, unit: type[Any], arguments: Sequence[Any], cycles: Sequence[int] = ()) -> Any:
        """Model, not elaborated: a unit with the messages; see ``StreamInterface.model``."""
        return unit(*self._messages, *arguments, *cycles)

    @abstractmethod
    def _circuit(self) -> Any:
        """Component of the circuit, not elaborated."""
