"""Writes VCD and SAIF files of a window."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.waves.run import Change, WaveFile
from rsaxcel.flow.yosys_json import Bit

_FIRST, _LAST = 33, 126  #: range of the characters of an identifier code (printable ASCII)


def code_of(number: int) -> str:
    """Return the identifier code of the signal with this number: a few printable characters."""
    digits = ""
    while True:
        number, digit = divmod(number, _LAST - _FIRST + 1)
        digits += chr(_FIRST + digit)
        if not number:
            return digits
        number -= 1


def declared(scope: str, variables: Iterable[tuple[Sequence[str], str]]) -> Iterator[str]:
    """Yield the lines that declare a scope: its variables, then the scopes in it.

    A variable has its path below the scope, and the text on its width, code and name.
    """
    yield f"$scope module {scope} $end"
    inner: dict[str, list[tuple[Sequence[str], str]]] = defaultdict(list)
    for path, text in variables:
        if len(path) > 1:
            inner[path[0]].append((path[1:], text))
        else:
            yield f"$var wire {text} $end"
    for name, own in inner.items():
        yield from declared(name, own)
    yield "$upscope $end"


_SPECIAL = re.compile(r"[^A-Za-z0-9_]")


def escaped(name: str) -> str:
    """Name with a backslash before each character that is special in SAIF."""
    return _SPECIAL.sub(r"\\\g<0>", name)


class VcdFile(WaveFile):
    """Writes a waveform for a viewer; its scopes are the modules of the design.

    The values before the window are shown for a period, so that its first edges are visible.
    """

    def begin(self, values: Mapping[int, int]) -> None:
        """Write declarations, and the values before the window."""
        signals, write = self.circuit.signals, self._file.write
        # Signals with the same nets share an identifier code of the VCD.
        codes: dict[tuple[Bit, ...], str] = {}
        for signal in signals:
            codes.setdefault(signal.bits, code_of(len(codes)))
        self._vectors = {bits: code for bits, code in codes.items() if len(bits) > 1}
        self._scalars: dict[Bit, str] = {b[0]: code for b, code in codes.items() if len(b) == 1}
        self._buses: dict[Bit, list[tuple[Bit, ...]]] = defaultdict(list)
        for bits in self._vectors:
            for bit in dict.fromkeys(bits):
                self._buses[bit].append(bits)
        write(f"$comment {self.comment} $end\n$timescale 1 ps $end\n")
        variables = [
            (x.path, f"{len(x.bits)} {codes[x.bits]} {x.path[-1]} {x.range}".rstrip())
            for x in signals
        ]
        top = self.circuit.netlist.top
        self._file.writelines(f"{line}\n" for line in declared(top, variables))
        self._values = {bit: str(value) for bit, value in values.items()}
        write("$enddefinitions $end\n#0\n$dumpvars\n")
        for bit, code in self._scalars.items():
            write(f"{self._value(bit)}{code}\n")
        for bits, code in self._vectors.items():
            write(self._vector(bits, code))
        write("$end\n")

    def add(self, changes: Sequence[Change]) -> None:
        """Write the changes of one cycle, which are sorted by time."""
        time, write, values = -1, self._file.write, self._values
        buses: dict[tuple[Bit, ...], None] = {}
        for at, bit, value in changes:
            if at != time:
                for bits in buses:
                    write(self._vector(bits, self._vectors[bits]))
                buses.clear()
                time = at
                write(f"#{self.circuit.period_ps + at}\n")
            values[bit] = "1" if value else "0"
            if bit in self._scalars:
                write(f"{value}{self._scalars[bit]}\n")
            if bit in self._buses:
                buses |= dict.fromkeys(self._buses[bit])
        for bits in buses:
            write(self._vector(bits, self._vectors[bits]))

    def finish(self, time_ps: int, swallowed: Mapping[int, int]) -> None:
        self._file.write(f"#{self.circuit.period_ps + time_ps}\n")

    def _value(self, bit: Bit) -> str:
        return bit if isinstance(bit, str) else self._values.get(bit, "x")

    def _vector(self, bits: tuple[Bit, ...], code: str) -> str:
        return f"b{''.join(self._value(bit) for bit in reversed(bits))} {code}\n"


class SaifFile(WaveFile):
    """Writes toggle counts and times at 0 and 1, for tools that compute power.

    The top module has its nets, and in it is each cell with its output nets. The two edges of a
    swallowed pulse count as inertial glitches (``IG``); a net without a number has no ``IG``.
    """

    def begin(self, values: Mapping[int, int]) -> None:
        self._toggles: Counter[Bit] = Counter()
        self._high_ps: Counter[Bit] = Counter()
        self._values: dict[Bit, int] = {bit: value for bit, value in values.items()}

    def add(self, changes: Sequence[Change]) -> None:
        toggles, high_ps, values = self._toggles, self._high_ps, self._values
        for at, bit, value in changes:
            toggles[bit] += 1
            high_ps[bit] += -at if value else at
            values[bit] = value

    def finish(self, time_ps: int, swallowed: Mapping[int, int]) -> None:
        self._duration_ps = time_ps
        for bit, value in self._values.items():
            if value:
                self._high_ps[bit] += time_ps
        netlist, file = self.circuit.netlist, self._file
        file.write('(SAIFILE\n(SAIFVERSION "2.0")\n(DIRECTION "backward")\n')
        file.write('(PROGRAM_NAME "rsaxcel")\n(DIVIDER / )\n(TIMESCALE 1 ps)\n')
        file.write(f"(DURATION {self._duration_ps})\n(INSTANCE {escaped(netlist.top)}\n(NET\n")
        for signal in self.circuit.signals:
            for name, bit in zip(signal.bit_names, signal.bits, strict=True):
                file.write(self._net(name, bit, swallowed))
        file.write(")\n")
        file.writelines(self._cells(netlist, swallowed))
        file.write(")\n)\n")

    def _cells(self, netlist: Netlist, swallowed: Mapping[int, int]) -> Iterator[str]:
        for instance in netlist.instances:
            pins = [pin.name for pin in instance.cell.outputs if pin.name in instance.nets]
            yield f"(INSTANCE {escaped(instance.name)}\n(NET\n"
            for pin in pins:
                yield self._net(pin, instance.nets[pin], swallowed)
            yield ")\n)\n"

    def _net(self, name: str, bit: Bit, swallowed: Mapping[int, int]) -> str:
        duration = self._duration_ps
        if bit in self._values:
            high, unknown = self._high_ps[bit], 0
        else:
            high, unknown = (duration if bit == "1" else 0), (0 if bit in ("0", "1") else duration)
        low = duration - high - unknown
        pulses = swallowed.get(bit) if isinstance(bit, int) else None
        glitches = "" if pulses is None else f" (IG {2 * pulses})"
        return (
            f"({escaped(name)} (T0 {low}) (T1 {high}) (TX {unknown}) "
            f"(TC {self._toggles[bit]}){glitches})\n"
        )
