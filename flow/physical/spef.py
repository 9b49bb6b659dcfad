"""Parasitics of wires in SPEF: reads the total capacitance of each net."""

from __future__ import annotations

from pathlib import Path

from flow.errors import FlowError

_FF = {"FF": 1.0, "PF": 1e3}


def read_totals(path: Path) -> dict[str, float]:
    """Read the total capacitance of each net's wire, in fF, by the net's name without escapes.

    Raises
    ------
    FlowError
        If the file is missing or is not SPEF.
    """
    totals: dict[str, float] = {}
    names: dict[str, str] = {}
    unit_ff, in_names, line = 1.0, False, ""
    try:
        with path.open() as file:
            for line in file:
                if not line.startswith("*"):
                    continue
                key, *words = line.split()
                if key == "*D_NET":
                    name, total = words[:2]
                    totals[_plain(names.get(name, name))] = float(total) * unit_ff
                    in_names = False
                elif key == "*C_UNIT":
                    unit_ff = float(words[0]) * _FF[words[1].upper()]
                elif key == "*NAME_MAP":
                    in_names = True
                elif in_names and words and key[1:].isdigit():
                    names[key] = words[0]
    except OSError as error:
        raise FlowError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, KeyError, IndexError) as error:
        raise FlowError(f"{path}: {line.strip()!r} is not SPEF") from error
    if not totals:
        raise FlowError(f"{path}: no nets in it")
    return totals


def _plain(name: str) -> str:
    return name.replace("\\", "")
