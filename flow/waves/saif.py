"""Writes the switching activity of a netlist (SAIF), for tools that compute power."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TextIO

from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.waves.cycles import Change
from rsaxcel.flow.waves.signals import Signal
from rsaxcel.flow.yosys_json import Bit

_SPECIAL = re.compile(r"[^A-Za-z0-9_]")


def escaped(name: str) -> str:
    """Name with a backslash before each character that is special in SAIF."""
    return _SPECIAL.sub(r"\\\g<0>", name)


class SaifCounter:
    """Counts the toggles of each net in a window, and the time for which the net is 1."""

    def __init__(self) -> None:
        self.toggles: Counter[Bit] = Counter()
        self._high_ps: Counter[Bit] = Counter()
        self._values: dict[Bit, int] = {}

    def begin(self, values: Mapping[int, int]) -> None:
        self._values = {bit: value for bit, value in values.items()}

    def add(self, changes: Iterable[Change]) -> None:
        """Count the toggles in a cycle; ``changes`` has the time, net and new value of each."""
        toggles, high_ps, values = self.toggles, self._high_ps, self._values
        for at, bit, value in changes:
            toggles[bit] += 1
            high_ps[bit] += -at if value else at
            values[bit] = value

    def end(self, time_ps: int) -> None:
        """Finish the counts at the end of the window, whose length is ``time_ps``."""
        self._duration_ps = time_ps
        for bit, value in self._values.items():
            if value:
                self._high_ps[bit] += time_ps

    def write(
        self,
        file: TextIO,
        netlist: Netlist,
        signals: Sequence[Signal],
        swallowed: Mapping[int, int],
    ) -> None:
        """Write the top module with its nets, and in it each cell with its output nets.

        SAIF counts the two edges of a swallowed pulse as inertial glitches (``IG``); a net without
        a number has no ``IG``.
        """
        file.write('(SAIFILE\n(SAIFVERSION "2.0")\n(DIRECTION "backward")\n')
        file.write('(PROGRAM_NAME "rsaxcel")\n(DIVIDER / )\n(TIMESCALE 1 ps)\n')
        file.write(f"(DURATION {self._duration_ps})\n(INSTANCE {escaped(netlist.top)}\n(NET\n")
        for signal in signals:
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
            f"(TC {self.toggles[bit]}){glitches})\n"
        )
