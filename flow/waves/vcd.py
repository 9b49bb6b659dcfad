"""Writes value change dumps (VCD) of a netlist, for viewers such as GTKWave and Surfer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TextIO

from rsaxcel.flow.waves.cycles import Change
from rsaxcel.flow.waves.signals import Signal
from rsaxcel.flow.yosys_json import Bit

_FIRST, _LAST = 33, 126  # range of the characters of an identifier code (printable ASCII)


class VcdWriter:
    """Writes a VCD of a window of cycles; its scopes are the modules of the design.

    The values before the window are shown for ``lead_ps``, so that its first edges are visible.
    """

    def __init__(
        self, file: TextIO, top: str, signals: Sequence[Signal], lead_ps: int, comment: str
    ) -> None:
        self._file, self._lead_ps = file, lead_ps
        # Signals with the same nets share an identifier code of the VCD.
        codes: dict[tuple[Bit, ...], str] = {}
        for signal in signals:
            codes.setdefault(signal.bits, _code(len(codes)))
        self._vectors = {bits: code for bits, code in codes.items() if len(bits) > 1}
        self._scalars: dict[Bit, str] = {b[0]: code for b, code in codes.items() if len(b) == 1}
        self._buses: dict[Bit, list[tuple[Bit, ...]]] = defaultdict(list)
        for bits in self._vectors:
            for bit in dict.fromkeys(bits):
                self._buses[bit].append(bits)
        file.write(f"$comment {comment} $end\n$timescale 1 ps $end\n")
        file.writelines(_declared((top,), [(x.path, x) for x in signals], codes))
        file.write("$enddefinitions $end\n")
        self._values: dict[Bit, str] = {}

    def begin(self, values: Mapping[int, int]) -> None:
        """Write the values that nets have before the first dumped cycle, by net number."""
        self._values = {bit: str(value) for bit, value in values.items()}
        write = self._file.write
        write("#0\n$dumpvars\n")
        for bit, code in self._scalars.items():
            write(f"{self._value(bit)}{code}\n")
        for bits, code in self._vectors.items():
            write(self._vector(bits, code))
        write("$end\n")

    def add(self, changes: Iterable[Change]) -> None:
        """Write the changes of one cycle, which are sorted by time."""
        time, write, values = -1, self._file.write, self._values
        buses: dict[tuple[Bit, ...], None] = {}
        for at, bit, value in changes:
            if at != time:
                for bits in buses:
                    write(self._vector(bits, self._vectors[bits]))
                buses.clear()
                time = at
                write(f"#{self._lead_ps + at}\n")
            values[bit] = "1" if value else "0"
            if bit in self._scalars:
                write(f"{value}{self._scalars[bit]}\n")
            if bit in self._buses:
                buses |= dict.fromkeys(self._buses[bit])
        for bits in buses:
            write(self._vector(bits, self._vectors[bits]))

    def end(self, time_ps: int) -> None:
        self._file.write(f"#{self._lead_ps + time_ps}\n")

    def _value(self, bit: Bit) -> str:
        return bit if isinstance(bit, str) else self._values.get(bit, "x")

    def _vector(self, bits: tuple[Bit, ...], code: str) -> str:
        return f"b{''.join(self._value(bit) for bit in reversed(bits))} {code}\n"


def _code(number: int) -> str:
    """Return the identifier code of the signal with this number: a few printable characters."""
    digits = ""
    while True:
        number, digit = divmod(number, _LAST - _FIRST + 1)
        digits += chr(_FIRST + digit)
        if not number:
            return digits
        number -= 1


def _declared(
    scopes: tuple[str, ...],
    signals: Sequence[tuple[tuple[str, ...], Signal]],
    codes: Mapping[tuple[Bit, ...], str],
) -> Iterator[str]:
    """Yield the declarations of a scope: its signals, then the scopes in it."""
    yield f"$scope module {scopes[-1]} $end\n"
    inner: dict[str, list[tuple[tuple[str, ...], Signal]]] = defaultdict(list)
    for path, signal in signals:
        if len(path) > 1:
            inner[path[0]].append((path[1:], signal))
            continue
        shown = f"{path[0]} {signal.range}".rstrip()
        yield f"$var wire {len(signal.bits)} {codes[signal.bits]} {shown} $end\n"
    for name, own in inner.items():
        yield from _declared((*scopes, name), own, codes)
    yield "$upscope $end\n"
