"""Proves that an output of a circuit is 0 at all times in runs that begin with a reset."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rsaxcel.flow.paths import temporary_folder
from rsaxcel.lab.proofs.aig import TRUE, Aig, Machine, beginning
from rsaxcel.lab.proofs.claim import processor_seconds
from rsaxcel.lab.proofs.solver import ProofVerdict, SolverAnswer, read_frames, run_abc

CYCLES = 12  #: cycles that are searched first: a counterexample of these is the shortest one

POWER_UP = "power_up"  #: name of an input that is 1 in the first cycle, and 0 later

_INDUCTION = "induction (scorr)"
_REACHABILITY = "property-directed reachability (scorr, pdr)"
_SEARCH = "bounded search (bmc3)"
_SHARE = 0.1  #: share of the time for the first search
_MARGIN = 5  #: seconds after the time is up in which a search reports its depth
_ABSENT = re.compile(r"No output asserted in (\d+) frames")
_ALL_STATES = "Explored all reachable states"
_PROVED = "the output is constant"


@dataclass(frozen=True)
class FromReset:
    """One output of a circuit, in all runs whose first cycle is a reset.

    Registers begin with arbitrary contents; inputs are arbitrary, so later resets are included.
    """

    machine: Machine
    output: str  #: output of one bit; its value in the first cycle does not matter

    def decide(self, seconds: float) -> SolverAnswer:
        """Prove that the output is never 1, or find a run in which it is.

        The method of an open answer names the cycles that were searched without a counterexample.
        """
        begun = processor_seconds()

        def left() -> float:
            return seconds - (processor_seconds() - begun)

        told, found = self._search(_SHARE * seconds, CYCLES)
        depth = _depth(told)
        if found:
            return SolverAnswer(ProofVerdict.REFUTED, _SEARCH, found)
        told, found = self._run("scorr; dc2; write_aiger left.aig; pdr", 0.75 * left())
        if told == _PROVED:
            return SolverAnswer(ProofVerdict.PROVEN, _INDUCTION)
        if "Property proved" in told:
            return SolverAnswer(ProofVerdict.PROVEN, _REACHABILITY)
        if found:
            return SolverAnswer(ProofVerdict.REFUTED, _REACHABILITY, found)
        told, found = self._search(left())
        if found:
            return SolverAnswer(ProofVerdict.REFUTED, _SEARCH, found)
        return SolverAnswer(
            ProofVerdict.OPEN, f"{_SEARCH}, none in {max(depth, _depth(told))} cycles"
        )

    def search(self, seconds: float, cycles: int) -> Sequence[Mapping[str, int]]:
        """Find inputs of the shortest run with output 1; empty: there is none in ``cycles``.

        ``TimeoutError``: the time is up before all cycles have been searched.
        """
        told, found = self._search(seconds, cycles)
        if not found and _depth(told) < cycles and _ALL_STATES not in told:
            raise TimeoutError(f"{_depth(told)} of {cycles} cycles searched in {seconds:g} s")
        return found

    def _search(self, seconds: float, cycles: int = 0) -> tuple[str, list[dict[str, int]]]:
        """Search by ``_run``, for some seconds, in some cycles (0: without a limit)."""
        if seconds <= 0:
            return "", []
        limit = max(1, round(seconds))
        return self._run(f"bmc3 -F {cycles} -T {limit}", limit + _MARGIN)

    def _run(self, commands: str, seconds: float) -> tuple[str, list[dict[str, int]]]:
        """Output of ABC's commands, and the counterexample that they find."""
        if seconds <= 0:
            return "", []
        with temporary_folder() as folder:
            inputs = self._write(folder / "circuit.aig")
            told = run_abc(
                f"read_aiger circuit.aig; {commands}; write_cex -n found.txt", folder, seconds
            )
            if (left := folder / "left.aig").exists() and is_constant(left):
                return _PROVED, []
            if "asserted in frame" not in told or not (folder / "found.txt").exists():
                return told, []
            frames = read_frames(folder / "found.txt", inputs)
        for at, frame in enumerate(frames):
            frame["reset"] = frame.get("reset", 0) | (at == 0)
            frame[POWER_UP] = int(at == 0)
        return told, frames

    def _write(self, path: Path) -> list[str]:
        """Write the circuit, and return the names of its inputs."""
        graph, latches = Aig(), self.machine.latches
        given = {name: graph.add_input(name) for name in self.machine.inputs}
        free = [graph.add_input(beginning(latch.name)) for latch in latches]
        names = list(graph.inputs)
        started = graph.add_input("started")
        held = [graph.add_input(latch.name) for latch in latches]
        given["reset"] = graph.either(given["reset"], started ^ 1)
        if POWER_UP in given:
            given[POWER_UP] = started ^ 1
        states = [
            graph.either(graph.both(started, x), graph.both(started ^ 1, any_state))
            for x, any_state in zip(held, free, strict=True)
        ]
        frame = graph.copy(self.machine, given, states)
        wrong = graph.both(started, frame.outputs[self.output])
        graph.write(path, wrong, len(names), [started, *held], [TRUE, *frame.nexts])
        return names


def _depth(told: str) -> int:
    """Cycles that a search has covered without a counterexample."""
    found = _ABSENT.search(told)
    return int(found[1]) if found else 0


def is_constant(path: Path) -> bool:
    """Whether the only output of an AIGER file is the constant 0."""
    header, *lines = path.read_bytes().split(b"\n")
    _, _, _, latches, outputs, _ = header.split()[:6]
    return int(outputs) == 1 and lines[int(latches)] == b"0"
