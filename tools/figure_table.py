"""docs/figures.json: the measurement of each printed figure, with keys, costs and age.

Keys are by sources alone, which is cheap, and by the translated circuit. No key depends on the
machine: versions of Python, of OpenSTA and of compilers are left out.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from functools import cache, partial
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from typing import Any

from rsaxcel.catalog import Configuration, MultiplierConfiguration
from rsaxcel.eval import measure
from rsaxcel.eval.facts.fact import DERIVED, Fact
from rsaxcel.eval.measure.calls import loaded_energies
from rsaxcel.eval.measure.flows import nodes_of
from rsaxcel.eval.measure.job import Job, Progress
from rsaxcel.eval.studies import STUDIES
from rsaxcel.eval.sweep import diagnosed
from rsaxcel.flow import opensta, requests
from rsaxcel.flow.code import code_files
from rsaxcel.flow.graph import AnyNode, path_to
from rsaxcel.flow.job import circuit_job
from rsaxcel.flow.layout import Layout
from rsaxcel.flow.libraries import kit_digest, known_libraries
from rsaxcel.flow.nodes.fpga import FpgaNode
from rsaxcel.flow.nodes.gate_simulation import GateSimulationNode
from rsaxcel.flow.nodes.steps import StepNode
from rsaxcel.flow.nodes.synthesis import SynthesisNode
from rsaxcel.flow.nodes.translate import TranslateNode
from rsaxcel.flow.requests import usual_exponents
from rsaxcel.flow.runner import Goal, made_digests, run_nodes
from rsaxcel.flow.subjects import Subject, subject_of
from rsaxcel.flow.tools import find_tool
from rsaxcel.proc.systems import System, find_system, is_system
from rsaxcel.sim import translate
from rsaxcel.store.code import closure, code_digest
from rsaxcel.store.folders import key_of

_ROOT = Path(measure.__path__[0]).parents[1]
_TRANSLATION = Path(translate.__file__)
_OPERATIONS = Path(requests.__file__)  #: its results are in the digest of the work
_PINNED = ("pymtl3", "pyosys")


@dataclass(frozen=True)
class WholeKey:
    """Key of a measurement by the circuit itself; figures of equal keys are equal."""

    circuit: str = ""  #: Verilog, cells, clock, and the version of the synthesizer
    making: str = ""  #: code that makes the netlist of the circuit
    netlist: str = ""  #: netlist; empty: not in the store, or several
    work: str = ""  #: conditions and work of the measurement
    code: str = ""  #: code that measures the netlist

    def same(self, other: WholeKey) -> bool:
        """Whether both have the same netlist, measured in the same way."""
        made = (self.circuit, self.making) == (other.circuit, other.making)
        made = made or "" != self.netlist == other.netlist
        return "" != self.work == other.work and self.code == other.code and made

    def like(self, other: WholeKey) -> bool:
        """Whether only the code differs, with the same circuit and work and a known netlist."""
        if "" not in (self.netlist, other.netlist):
            made = self.netlist == other.netlist
        else:
            made = self.circuit == other.circuit
        return "" != self.work == other.work and made


def plain(job: Job) -> Job:
    """Return a job as studies have it: sweeps check the user's own circuits beforehand."""
    if isinstance(job.function, partial) and job.function.func is diagnosed:
        return replace(job, function=job.function.args[1])
    return job


def cheap_key(job: Job) -> str:
    """Key of a measurement by its sources: circuit, parameters, library, and code that measures."""
    job = plain(job)
    sources = [tuple(subject.sources) for subject in _subjects(job)]
    return key_of(
        job.function.__qualname__,
        _conditions(job),
        [_digest(x) for x in sources],
        _digest((*_code(job), _TRANSLATION)),
        [version(x) for x in _PINNED],
    )


def whole_key(
    function: Callable[..., Any], arguments: tuple[Any, ...], progress: Progress
) -> WholeKey:
    """Key of a job by its translated circuit, or empty; nothing is synthesized for the netlist."""
    job = Job("", function, arguments)
    nodes, subjects = nodes_of(job), _subjects(job)
    verilog = [_verilog(subject, progress) for subject in subjects]
    conditions = _conditions(job), [dict(x.params) for x in subjects]
    if not verilog or not nodes or function is loaded_energies:
        # Operands come from the models of subjects that are no circuits.
        code = _digest((*_models(subjects), *_code(job)))
        return WholeKey(key_of(verilog), work=key_of(conditions), code=code)
    (subject,), (target, library, *others) = subjects, arguments
    mapping: AnyNode = FpgaNode if nodes[-1] is FpgaNode else SynthesisNode
    later = _files([x for x in nodes if x not in path_to(mapping)], subject)
    netlist, work, clock_ns = "", None, None
    if mapping is SynthesisNode:
        clock_ns = others[0]
    if clock_ns is not None:  # None: the job tries several clocks
        asked = circuit_job(target, library, clock_ns)
        netlist = (made_digests(asked, path_to(SynthesisNode)) or {}).get("netlist.v", "")
    if any(issubclass(x, GateSimulationNode) for x in nodes):
        exponents = others[1] if len(others) > 1 else None
        work = subject.work(exponents or usual_exponents(subject.nbits, subject.exponent_nbits))
    return WholeKey(
        key_of(verilog, library, clock_ns, version("pyosys")),
        _digest(_files((mapping,))),
        netlist,
        key_of(conditions, work),
        _digest(tuple(x for x in later if x != _OPERATIONS)),
    )


def kind_of(job: Job) -> str:
    """Key of a kind of measurement: function, nodes, layout, and models of counts.

    Measurements of one kind differ in their circuits and conditions, but run the same code.
    """
    job = plain(job)
    nodes, subjects = nodes_of(job), _subjects(job)
    layouts = [(x.physical, x.utilisation > 0) for x in job.arguments if isinstance(x, Layout)]
    types = sorted({type(x).__name__ for x in subjects})
    own = [job.function.__qualname__, [x.name for x in nodes], types, layouts]
    counts = not nodes or job.function is loaded_energies
    return key_of(own, searches_clock(job), _digest(_models(subjects)) if counts else "")


def _models(subjects: Iterable[Subject]) -> tuple[Path, ...]:
    """Files of the models of circuits, from which cycles and operands come."""
    return tuple(y for x in subjects for y in _without(x.sources, "rtl", "catalog"))


def _conditions(job: Job) -> Any:
    """Arguments of a job, and digests of its cell libraries, for JSON."""
    kits = [kit_digest(x) for x in job.arguments if x in known_libraries()]
    return [_described(x) for x in job.arguments], kits


def _without(files: Iterable[Path], *packages: str) -> list[Path]:
    folders = [_ROOT / name for name in packages]
    return [x for x in files if not any(x.is_relative_to(y) for y in folders)]


def _verilog(subject: Subject, progress: Progress) -> str:
    goal = Goal(lambda _: TranslateNode, lambda job, _: made_digests(job, path_to(TranslateNode)))
    made = run_nodes(circuit_job(subject.target), goal, progress)
    assert made, "the node has run"
    return made["design.v"]


def width_of(job: Job) -> int:
    """Width of the widest circuit of a job in bits; 0 without one."""
    return max((subject.nbits for subject in _subjects(job)), default=0)


def searches_clock(job: Job) -> bool:
    """Whether a job chooses the clock constraint of its circuit."""
    return None in plain(job).arguments[2:3]


def targets_of(job: Job) -> set[str]:
    """Names of the circuits and systems that a job measures; parameters are parts of them."""
    return {subject.name for subject in _subjects(plain(job))}


def _subjects(job: Job) -> list[Subject]:
    kinds = Configuration | MultiplierConfiguration | System
    found: list[Any] = [x for x in job.arguments if isinstance(x, kinds)]
    name, *others = job.arguments
    if isinstance(name, str) and is_system(name):
        found.append(find_system(name, next(x for x in others if isinstance(x, int))))
    return [subject_of(x) for x in found]


def _code(job: Job) -> tuple[Path, ...]:
    """Files of the code that measures, without engines of simulation, which all agree."""
    own = Path(str(sys.modules[job.function.__module__].__file__))
    if nodes := nodes_of(job):
        others = (own,) if job.function is loaded_energies else ()
        return (*_files(nodes, *_subjects(job)), *others)
    return _counting(own)


@cache
def _counting(own: Path) -> tuple[Path, ...]:
    files = closure([own], [_ROOT / x for x in ("eval", "flow")])
    return (own, *_without(files, "eval"))


def _files(nodes: Any, *subjects: Subject) -> tuple[Path, ...]:
    return _files_of(tuple(nodes), frozenset(map(type, subjects)))


@cache
def _files_of(nodes: tuple[AnyNode, ...], subjects: frozenset[type]) -> tuple[Path, ...]:
    owners: set[Any] = {*nodes, *subjects, opensta}
    owners |= {type(find_tool("embedded")) for x in nodes if issubclass(x, StepNode)}
    return tuple(_without(sorted({y for x in owners for y in code_files(x)}), "sim"))


@cache  # a running process keeps the code that it has loaded
def _digest(files: tuple[Path, ...]) -> str:
    return code_digest(files)


def _described(x: Any) -> Any:
    """Describe an argument of a job, for JSON."""
    if isinstance(x, System):
        return [x.design_name, x.params]
    if isinstance(x, Configuration | MultiplierConfiguration):
        return [x.name, x.params]
    if isinstance(x, Layout):
        return {y.name: getattr(x, y.name) for y in fields(x) if y.name != "timer"}
    if is_dataclass(x) and not isinstance(x, type):
        return asdict(x)
    if isinstance(x, Mapping):
        return {key: _described(value) for key, value in x.items()}
    return [_described(y) for y in x] if isinstance(x, tuple | list) else x


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
