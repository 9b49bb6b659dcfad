"""Reads value change dumps (VCD) of both engines."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rsaxcel.sim.translate import message_of

_ELEMENT = re.compile(r"__(\d+)$")
_CLOCK, _RESET = "clk", "reset"


class Signal(NamedTuple):
    name: str  # relative to the top: `core.sequencer.step_reg`, `recv.msg`
    message: type[Any] | None = None  # type
    field: str = ""


class _Place(NamedTuple):
    """Place of a signal's value in the VCD file: bits of a variable, from bit ``lsb`` on.

    ``code`` is the variable's; ``mask`` has as many ones as the value has bits.
    """

    code: str
    lsb: int
    mask: int


class Waves:
    """A waveform of either engine, which may have been stopped, with PyMTL3's names of signals.

    Verilator has a scope ``TOP.<top>.lanes__0.recv__msg`` with a variable for each field, PyMTL3 a
    vector ``recv.msg`` in ``top.lanes(0)``; here it is ``lanes[0].recv.msg``.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._codes: dict[str, tuple[str, int]] = {}
        scopes: list[str] = []
        with path.open(encoding="ascii") as file:
            self._header_lines = 0
            for line in file:
                self._header_lines += 1
                words = line.split()
                if words[:1] == ["$scope"]:
                    scopes.append(words[2])
                elif words[:1] == ["$upscope"]:
                    scopes.pop()
                elif words[:1] == ["$var"]:
                    # Verilator puts the top module into a scope TOP, which repeats its ports.
                    inner = scopes[2:] if scopes[0] == "TOP" else scopes[1:]
                    if scopes != ["TOP"]:
                        name = ".".join(map(_component, (*inner, words[4])))
                        self._codes.setdefault(name, (words[3], int(words[2])))
                elif words[:1] == ["$enddefinitions"]:
                    break

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self._codes)

    def cycles(self, signals: Sequence[Signal]) -> Iterator[tuple[int, ...]]:
        """Yield the settled values of signals for each cycle without reset."""
        places = [self._place(signal) for signal in (Signal(_RESET), *signals)]
        values = dict.fromkeys((place.code for place in places), 0)
        clock, high, fell = self._codes[_CLOCK][0], False, False

        def now() -> tuple[int, ...]:
            return tuple(values[p.code] >> p.lsb & p.mask for p in places)

        with self._path.open(encoding="ascii") as file:
            for _ in range(self._header_lines):
                next(file)
            for line in file:
                kind = line[0]
                if kind == "#":
                    if fell:
                        reset, *rest = now()
                        if not reset:
                            yield tuple(rest)
                    fell = False
                elif kind in "01":
                    code = line[1:].strip()
                    if code == clock:
                        fell = high and kind == "0"
                        high = kind == "1"
                    if code in values:
                        values[code] = int(kind)
                elif kind == "b":
                    digits, code = line[1:].split()
                    if code in values:
                        values[code] = int(digits, 2)
        if fell:
            reset, *rest = now()
            if not reset:
                yield tuple(rest)

    def _place(self, signal: Signal) -> _Place:
        name, message, field = signal
        if message is None:
            code, nbits = self._codes[name]
            return _Place(code, 0, (1 << nbits) - 1)
        if name not in self._codes:
            return self._place(Signal(f"{name}.{field}"))
        code, _ = self._codes[name]
        (found,) = (x for x in message_of(name, message).fields if x.name == field)
        return _Place(code, found.lsb, (1 << found.width) - 1)


def _component(name: str) -> str:
    """Convert a name in a VCD file to PyMTL3's: ``lanes__0`` and ``lanes(0)`` to ``lanes[0]``."""
    name = _ELEMENT.sub(r"[\1]", name.replace("(", "[").replace(")", "]"))
    return name.replace("__", ".")
