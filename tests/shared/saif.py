"""Reads the SAIF of Verilator and of the flow: times at 1 and toggles of nets."""

import re
from pathlib import Path

_NET = re.compile(r"\((\S+) \(T0 \d+\) \(T1 (\d+)\) .*\(TC (\d+)\)")


def read_saif(path: Path) -> tuple[int, dict[str, tuple[int, int]]]:
    """Duration; time at 1 and toggles of each net by its name as written, outer modules first."""
    text = path.read_text()
    (duration,) = re.findall(r"\(DURATION (\d+)\)", text)
    nets: dict[str, tuple[int, int]] = {}
    for name, high, toggles in _NET.findall(text):
        nets.setdefault(name, (int(high), int(toggles)))
    return int(duration), nets
