"""SPEF files: their head with the names, the wires of nets, and their total capacitances."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isclose, isfinite
from pathlib import Path

from rsaxcel.flow.errors import FlowError

_HEAD = """*SPEF "IEEE 1481-1998"
*DESIGN "{design}"
*DATE "-"
*VENDOR "rsaxcel"
*PROGRAM "rsaxcel"
*VERSION "1"
*DESIGN_FLOW "EXTERNAL_LOADS" "EXTERNAL_SLEWS" "MISSING_NETS"
*DIVIDER /
*DELIMITER :
*BUS_DELIMITER []
*T_UNIT 1 NS
*C_UNIT 1 FF
*R_UNIT 1 OHM
*L_UNIT 1 HENRY

*NAME_MAP
"""
_INDEX = re.compile(r"(.*)(\[\d+\])")
_ESCAPES = {
    ord(sign): f"\\{sign}"
    for sign in map(chr, range(33, 127))
    if not (sign.isalnum() or sign == "_")
}
_START, _CAP, _RES = "*D_NET ", "*CAP", "*RES"
_ESCAPE = re.compile(r"\\(.)")
_NAME = re.compile(r"(\*\d+) (\S+)")
_HIGHEST_FF = 1e5  #: about 1 m of wire
_HIGHEST_OHM = 1e6  #: about 0.3 m of wire


def spef_head(
    design: str, nets: Sequence[str], instances: Sequence[str], ports: Collection[int] = ()
) -> str:
    """Make the head of a SPEF file, up to its name map.

    Nets have numbers from 1 on, then instances. ``ports`` are numbers of instances. A port's bit
    has its index in brackets; the net of the same name is that bit.
    """
    bits = {instances[port] for port in ports}
    is_port = set(ports)
    named = [spef_name(name, is_bit=name in bits) for name in nets]
    named += [spef_name(name, is_bit=at in is_port) for at, name in enumerate(instances)]
    rows = [f"*{number} {name}\n" for number, name in enumerate(named, 1)]
    return _HEAD.format(design=design) + "".join(rows) + "\n"


def spef_name(name: str, *, is_bit: bool = False) -> str:
    """Escape a name; the brackets around the index of a port's bit stay plain."""
    bit = _INDEX.fullmatch(name) if is_bit else None
    return bit[1].translate(_ESCAPES) + bit[2] if bit else name.translate(_ESCAPES)


def read_totals(path: Path) -> dict[str, float]:
    """Read the capacitance of each net's wires, in fF, from a SPEF file of ``write_spef``.

    ``FlowError`` for incomplete nets, implausible values, or sums that differ from totals.
    """
    _, names, parts = _split(path)
    totals: dict[str, float] = {}
    for part in parts:
        label = (part.split(maxsplit=1) or ["?"])[0]
        name = names.get(label, label)
        try:
            if label not in names:
                raise ValueError("it is not in the name map")
            if name in totals:
                raise ValueError("it is there twice")
            totals[name] = _total(part)
        except ValueError as error:
            raise FlowError(f"{path}: net {name}: {error}") from None
    return totals


@dataclass(frozen=True)
class NetWires:
    """Wires of a net: capacitances in fF by node, resistances in ohm between two nodes."""

    name: str
    capacitances: list[tuple[str, float]]
    resistances: list[tuple[str, str, float]]

    def nodes(self) -> set[str]:
        """Names of all nodes, as the file writes them, but without backslashes."""
        ends = (node for one, other, _ in self.resistances for node in (one, other))
        return {node for node, _ in self.capacitances}.union(ends)


def read_nets(path: Path) -> tuple[dict[str, str], Iterator[NetWires]]:
    """Read a SPEF file of this flow: names by their numbers, and the wires of all nets."""
    _, names, parts = _split(path)
    return names, (_wires(path, names, part) for part in parts)


def _wires(path: Path, names: Mapping[str, str], part: str) -> NetWires:
    label = _plain((part.split(maxsplit=1) or ["?"])[0])
    name = names.get(label, label)
    try:
        _total(part)
        lines = part.rstrip().split("\n")
        first, last = lines.index(_CAP), lines.index(_RES)
        caps = [_plain(line).split() for line in lines[first + 1 : last]]
        ohms = [_plain(line).split() for line in lines[last + 1 : -1]]
        return NetWires(
            name,
            [(node, float(ff)) for _, node, ff in caps],
            [(one, other, float(ohm)) for _, one, other, ohm in ohms],
        )
    except ValueError as error:
        raise FlowError(f"{path}: net {name}: {error}") from None


def _plain(text: str) -> str:
    return _ESCAPE.sub(r"\1", text)


def scale_wires(path: Path, factors: Mapping[str, float]) -> None:
    """Multiply capacitances and resistances in a SPEF file; nets without a factor stay."""
    head, names, parts = _split(path)
    with path.open("w", encoding="utf-8") as file:
        file.write(head)
        for part in parts:
            first, *lines = part.splitlines()
            number, total = first.split()
            factor = factors.get(names[number], 1.0)
            file.write(f"{_START}{number} {float(total) * factor:.6g}\n")
            for line in lines:
                if line[:1].isdigit():
                    text, value = line.rsplit(" ", 1)
                    line = f"{text} {float(value) * factor:.6g}"
                file.write(f"{line}\n")


def _split(path: Path) -> tuple[str, dict[str, str], list[str]]:
    """Return a file's head, the names of nets by number, and the parts from the numbers on."""
    try:
        head, *parts = path.read_text(encoding="utf-8").split(_START)
    except (OSError, UnicodeDecodeError) as error:
        raise FlowError(f"cannot read {path}: {error}") from error
    listed = _NAME.findall(head.partition("*NAME_MAP")[2])
    return head, {number: _ESCAPE.sub(r"\1", name) for number, name in listed}, parts


def _total(part: str) -> float:
    """Check the lines of a net, from its number on; return its total capacitance in fF."""
    first, *lines = part.rstrip().split("\n")
    if not lines or lines[-1] != "*END":
        raise ValueError("its end is missing")
    total = _value(first, _HIGHEST_FF, "fF")
    try:
        capacitances, resistances = lines.index(_CAP), lines.index(_RES)
    except ValueError:
        raise ValueError("it has no capacitances or no resistances") from None
    caps = [_value(line, _HIGHEST_FF, "fF") for line in lines[capacitances + 1 : resistances]]
    for line in lines[resistances + 1 : -1]:
        _value(line, _HIGHEST_OHM, "ohm")
    if not isclose(sum(caps), total, rel_tol=1e-3, abs_tol=1e-3):
        raise ValueError(f"capacitances of {sum(caps):.6g} fF, but a total of {total:.6g} fF")
    return total


def _value(line: str, highest: float, unit: str) -> float:
    """Read the number at the end of a line."""
    word = line.rpartition(" ")[2]
    try:
        value = float(word)
    except ValueError:
        raise ValueError(f"{word!r} is no number") from None
    if not (isfinite(value) and 0 <= value <= highest):
        raise ValueError(f"{word} {unit}, expected 0 to {highest:g} {unit}")
    return value
