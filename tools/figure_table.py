"""docs/figures.json: the measurement of each printed figure, with keys, costs and age."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path

from rsaxcel.eval.facts.fact import DERIVED, Fact
from rsaxcel.eval.studies import STUDIES
from tools.figure_keys import WholeKey

_NONE = "", None, ""
_TOLD = "Figures on this page that are older than their circuits or the flow:"

#: Subject, width, choices, library, clock and stage of facts.
Circuit = tuple[str, int, str, str, float | None, str]

#: System on which each program runs, by the program's name as a subject of facts.
RUNS_ON = {name: on for study in STUDIES for name, on in study.runs_on.items()}


@dataclass(frozen=True)
class Measured:
    """Keys, cost and age of a measurement whose figures are printed."""

    cheap: str  #: key by the sources when it was measured
    whole: WholeKey  #: key by the circuit
    cpu_seconds: float  #: processor time
    circuits: tuple[Circuit, ...]  #: subjects and conditions of its facts
    outdated: str = ""  #: reason why figures older than circuit or flow are printed
    #: jobs of the same kind that stand for this one: the code of these keys gave their printed
    #: figures
    sampled: tuple[str, ...] = ()


def circuit_of(fact: Fact) -> Circuit:
    conditions = fact.library, fact.clock_ns, fact.stage
    return (fact.subject, fact.nbits, fact.choices, *conditions)


class FigureTable(dict[str, Measured]):
    """Measurements whose figures are printed, by the name of their job."""

    @classmethod
    def read(cls, path: Path) -> FigureTable:
        """Read the table from a file; it is empty if there is no file."""
        if not path.exists():
            return cls()
        found = cls()
        for name, row in json.loads(path.read_text(encoding="utf-8")).items():
            row["whole"] = WholeKey(**row["whole"])
            row["circuits"] = tuple(map(tuple, row["circuits"]))
            row["sampled"] = tuple(row["sampled"])
            found[name] = Measured(**row)
        return found

    def write(self, path: Path) -> None:
        """Write the table to a file, a line for each measurement."""
        rows = {name: asdict(self[name]) for name in sorted(self)}
        lines = (f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items())
        path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")

    def jobs_of(self, facts: Iterable[Fact]) -> Mapping[str, list[Fact]]:
        """Facts by the job that gives them; under an empty name, facts of no job.

        Jobs of a derived fact: those of all facts with its conditions, or without any, such as
        cycles.
        """
        jobs: dict[Circuit, set[str]] = defaultdict(set)
        for name, measured in self.items():
            for circuit in measured.circuits:
                jobs[circuit].add(name)
        found: dict[str, list[Fact]] = defaultdict(list)
        for fact in facts:
            own = circuit_of(fact)
            if fact.kind == DERIVED:
                on = (RUNS_ON.get(fact.subject, fact.subject), *own[1:])
                names, counted = (
                    jobs[own] | jobs[on],
                    jobs[(*own[:3], *_NONE)] | jobs[(*on[:3], *_NONE)],
                )
                names = names if names & counted else names | counted
            else:
                names = jobs[own]
            for name in names or {""}:
                found[name].append(fact)
        return found

    def note(self, facts: Collection[Fact]) -> str:
        """Text on which of a page's facts are outdated, with reasons; empty if none is."""
        every: dict[str, set[tuple[int, str]]] = defaultdict(set)
        old: dict[tuple[str, str], set[tuple[int, str]]] = defaultdict(set)
        for fact in facts:
            every[fact.stage].add((fact.nbits, fact.subject))
        for name, own in self.jobs_of(facts).items():
            if name and (reason := self[name].outdated):
                for fact in own:
                    old[reason, fact.stage].add((fact.nbits, fact.subject))
        texts: dict[str, list[str]] = defaultdict(list)
        for (reason, stage), subjects in sorted(old.items()):
            which = "all"
            if subjects != every[stage]:
                by_width = groupby(sorted(subjects), lambda x: x[0])
                names = {nbits: [f"`{x}`" for _, x in group] for nbits, group in by_width}
                which = ", ".join(f"at {x} bits {', '.join(own)}" for x, own in names.items())
            texts[reason].append(f"{stage or 'cycles'} {which}")
        lines = [f"- {reason}: {'; '.join(found)}." for reason, found in texts.items()]
        return "\n".join([_TOLD, "", *lines]) if lines else ""
