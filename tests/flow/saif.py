"""Reads the SAIF of Verilator and of the flow: per net the time at 1 and the number of toggles."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rsaxcel.flow.errors import PowerError
from rsaxcel.flow.power.netlist import NetName

#: Both write one net per line, and a scope's opening and closing on lines of their own.
_NET = re.compile(r"\((\S+) \(T0 \d+\) \(T1 (\d+)\) .*\(TC (\d+)\)(?: \(IG \d+\))?\)$")
_DURATION = re.compile(r"\(DURATION (\d+)\)$")


@dataclass(frozen=True, repr=False)
class SaifScope:
    r"""The nets of one scope.

    Parameters
    ----------
    path
        The file, for messages.
    duration
        Length of the run, in the file's unit of time.
    nets
        Time at 1 and toggles by name as written: ``name`` or ``name\[index\]``.
    """

    path: str
    duration: int
    nets: Mapping[str, tuple[int, int]]

    @classmethod
    def read(cls, path: str | Path, scope: str) -> SaifScope:
        r"""Read the innermost scope called `scope`, which is the netlist's module name.

        The scope around it has the name of the C++ model and repeats the ports.

        Raises
        ------
        PowerError
            If the file is not readable, is cut short or has not exactly one such scope.
        """
        try:
            lines = Path(path).read_text().splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise PowerError(f"cannot read the SAIF {path}: {error}") from error
        duration, scopes = _parse(lines, path)
        depth = max((len(s) for s in scopes if s[-1] == scope), default=0)
        found = [nets for s, nets in scopes.items() if s[-1] == scope and len(s) == depth]
        if len(found) != 1:
            there = ", ".join(sorted({"/".join(s) for s in scopes})[:5]) or "none"
            raise PowerError(f"{path} has {len(found)} scopes called {scope!r}; it has: {there}")
        return cls(str(path), duration, found[0])

    def find(self, names: Sequence[NetName]) -> tuple[int, int]:
        r"""Return time at 1 and toggles of a net by any of its names.

        A bus counts from the least significant bit up, whatever its range in the source, and
        its index is escaped (``x\[0\]``); plain brackets belong to an escaped name (``x[0]``).

        Raises
        ------
        PowerError
            If the file has none of the names.
        """
        for name in names:
            key = name.name if name.width == 1 else rf"{name.name}\[{name.index}\]"
            if key in self.nets:
                return self.nets[key]
        what = names[0] if names else "without a public name"
        hint = "trace with --trace-underscore, and name nets before write_json and write_verilog"
        raise PowerError(f"{self.path} lacks the net {what} ({hint})")


def _parse(
    lines: list[str], path: str | Path
) -> tuple[int, dict[tuple[str, ...], dict[str, tuple[int, int]]]]:
    duration = None
    scopes: dict[tuple[str, ...], dict[str, tuple[int, int]]] = {}
    stack: list[str | None] = []
    for number, raw in enumerate(lines, start=1):
        line = raw.strip()
        if match := _NET.match(line):
            scope = tuple(name for name in stack if name)
            if not scope:
                raise PowerError(f"{path}, line {number}: a net outside of all scopes")
            scopes.setdefault(scope, {})[match[1]] = int(match[2]), int(match[3])
        elif line.startswith("(INSTANCE"):
            stack.append(line.removeprefix("(INSTANCE").strip() or "?")
        elif line in ("(NET", "(SAIFILE"):
            stack.append(None)
        elif line == ")":
            if not stack:
                raise PowerError(f"{path}, line {number}: a parenthesis too many")
            stack.pop()
        elif match := _DURATION.match(line):
            duration = int(match[1])
    if duration is None or stack:
        raise PowerError(f"{path} is not a whole SAIF file")
    return duration, scopes
