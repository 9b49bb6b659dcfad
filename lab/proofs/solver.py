"""Runs ABC, which comes with Yosys: its answer about a claim."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.paths import temporary_folder
from rsaxcel.flow.yosys import abc_program
from rsaxcel.lab.proofs.aig import FALSE, TRUE, Aig

_IN_CYCLE = re.compile(r"pi(\d+)@(\d+)=([01])")
_QUERY = 60
_ASSIGNED = re.compile(r"pi(\d+)=([01])")  #: in a counterexample: lines such as ``pi3=1``


def run_abc(commands: str, folder: Path, seconds: float) -> str:
    """Run ABC's commands; the output ends early after ``seconds`` of processor time."""
    limit = max(1, round(seconds))
    done = subprocess.run(
        ["prlimit", f"--cpu={limit}", abc_program(), "-s", "-c", commands],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if "Error:" in done.stdout:
        raise FlowError(f"ABC: {done.stdout.strip().splitlines()[-1:]} ({commands})")
    return done.stdout


def satisfied(graph: Aig, literal: int, seconds: float = _QUERY) -> dict[str, int] | bool | None:
    """Find inputs (by name) that make a literal true; False: there are none; None: open."""
    literal = graph.resolve(literal)
    if literal in (FALSE, TRUE):
        return dict.fromkeys(graph.inputs, 0) if literal else False
    with temporary_folder() as folder:
        graph.write(folder / "query.aig", literal)
        told = run_abc("read_aiger query.aig; sat -C 0; write_cex -n found.txt", folder, seconds)
        if "UNSATISFIABLE" in told:
            return False
        if "SATISFIABLE" not in told:
            return None
        assigned = _ASSIGNED.findall((folder / "found.txt").read_text())
    true = {int(number) for number, value in assigned if value == "1"}
    return {name: int(number in true) for number, name in enumerate(graph.inputs)}


def read_frames(path: Path, inputs: Sequence[str]) -> list[dict[str, int]]:
    """Read a sequential counterexample: lines such as ``pi3@7=1`` for input 3 in cycle 7."""
    found: list[dict[str, int]] = []
    for number, cycle, value in _IN_CYCLE.findall(path.read_text()):
        while len(found) <= int(cycle):
            found.append({})
        found[int(cycle)][inputs[int(number)]] = int(value)
    return found


class ProofVerdict(StrEnum):
    """End of a proof: ``OPEN`` if time ran out before a proof or a counterexample was found."""

    PROVEN = "proven"
    REFUTED = "refuted"
    OPEN = "open"


@dataclass(frozen=True)
class SolverAnswer:
    verdict: ProofVerdict
    method: str  #: method that decided, such as "SAT"
    #: counterexample: inputs by name in each cycle, one if combinational; the first cycle has the
    #: latches' first states, too (``aig.beginning``)
    frames: Sequence[Mapping[str, int]] = ()
