"""Signals of a circuit in a run with given inputs, and their waveform as a VCD file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from rsaxcel.flow.waves import code_of, declared
from rsaxcel.lab.proofs.aig import Machine, beginning
from rsaxcel.lab.proofs.claim import Counterexample

_BIT = re.compile(r"^(?P<name>.*?)(?:\[(?P<bit>\d+)\])?$")
_REGISTER = re.compile(r"_reg(?:\[\d+\])*$")

#: Value of each signal in each cycle, and width of each signal, by name.
Signals = tuple[dict[str, list[int]], dict[str, int]]


def signals_of(machine: Machine, frames: Sequence[Mapping[str, int]]) -> Signals:
    """Simulate a machine; return ports and registers.

    The first frame may have the latches' first states (``beginning``). What is missing is 0.
    """
    states = [frames[0].get(beginning(latch.name), 0) for latch in machine.latches]
    signals: dict[str, list[int]] = {}
    widths: dict[str, int] = {}
    for at, given in enumerate(frames):
        outputs, following = step(machine, given, states)
        shown = {name: given.get(name, 0) for name in machine.inputs} | outputs
        for latch, state in zip(machine.latches, states, strict=True):
            shown |= dict.fromkeys(_names(latch.name), state)
        for full, bit in shown.items():
            found = _BIT.match(full)
            name, index = (found["name"], int(found["bit"] or 0)) if found else (full, 0)
            signals.setdefault(name, [0] * len(frames))[at] |= bit << index
            widths[name] = max(widths.get(name, 1), index + 1)
        states = following
    return signals, widths


def step(
    machine: Machine, given: Mapping[str, int], states: Sequence[int], ones: int = 1
) -> tuple[dict[str, int], list[int]]:
    """Return outputs by name, and next states; missing inputs are 0.

    Values are of one run, or have a bit for each run; ``ones`` has them all.
    """
    value = [0] * (machine.count + 1)

    def literal(x: int) -> int:
        return value[x >> 1] ^ ones if x & 1 else value[x >> 1]

    for name, node in machine.inputs.items():
        value[node] = given.get(name, 0)
    for latch, state in zip(machine.latches, states, strict=True):
        value[latch.node] = state
    for node, a, b in machine.gates:
        value[node] = literal(a) & literal(b)
    outputs = {name: literal(x) for name, x in machine.outputs.items()}
    return outputs, [literal(x.following) for x in machine.latches]


def _names(label: str) -> list[str]:
    """Names under which a latch is shown: names of registers, or else its first name."""
    names = label.split()
    return [name for name in names if _REGISTER.search(name)] or names[:1]


def write_vcd(path: Path, found: Counterexample) -> None:
    """Write the waveform of a counterexample; a cycle takes 2 time units, and begins at clk = 1."""
    order = sorted(found.signals)
    code = {name: code_of(number) for number, name in enumerate(order)}
    variables = []
    for name in order:
        scopes, width = name.split("."), found.widths[name]
        bits = f" [{width - 1}:0]" if width > 1 else ""
        variables.append((scopes, f"{width} {code[name]} {scopes[-1]}{bits}"))
    lines = ["$timescale 1 ns $end", *declared("checked", variables), "$enddefinitions $end"]
    length = max((len(values) for values in found.signals.values()), default=0)
    for at in range(length):
        lines.append(f"#{2 * at}")
        for name in order:
            value = 1 if name == "clk" else found.signals[name][at]
            if at == 0 or name == "clk" or value != found.signals[name][at - 1]:
                lines.append(_change(value, found.widths[name], code[name]))
        if "clk" in code:
            lines += [f"#{2 * at + 1}", f"0{code['clk']}"]
    lines.append(f"#{2 * length}")
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


def _change(value: int, width: int, code: str) -> str:
    return f"{value}{code}" if width == 1 else f"b{value:b} {code}"
