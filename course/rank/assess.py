"""Checks handed-in designs: circuits, models, and whether their Python does anything forbidden."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from shlex import quote
from statistics import fmean
from types import MappingProxyType
from typing import Any

from rsaxcel import catalog, cl, diagnosis, fl, plan, proc, rtl
from rsaxcel.catalog import registry
from rsaxcel.catalog.given import GivenDesign, constants_from_json
from rsaxcel.circuit import Circuit
from rsaxcel.cores import front_end
from rsaxcel.course import own as own_module
from rsaxcel.course import programs as programs_module
from rsaxcel.course.own import xcel_core
from rsaxcel.course.programs import compile_program, compiler, measure
from rsaxcel.course.project import OWN
from rsaxcel.course.rank import cores, models
from rsaxcel.course.rank.cores import HandedCore
from rsaxcel.course.rank.handed import Handed, is_inside
from rsaxcel.course.rank.rubric import Rubric
from rsaxcel.course.rank.sandbox import Limits, run
from rsaxcel.course.rank.verilog import check_verilog
from rsaxcel.course.testing import cases as cases_module
from rsaxcel.course.testing.cases import random_power_cases
from rsaxcel.diagnosis.error import DesignError
from rsaxcel.eval.measure.job import Job, Measurement, Progress
from rsaxcel.eval.measure.memo import ENGINES, memoize
from rsaxcel.fl.keys import seeded_key
from rsaxcel.flow import requests
from rsaxcel.flow.requests import OPERATION_COUNT, default_exponents, workload_operands
from rsaxcel.proc.elf import Image
from rsaxcel.proc.operands import write_operands
from rsaxcel.proc.run import Devices, run_fl
from rsaxcel.proc.systems import System, find_system
from rsaxcel.sim import check as check_package
from rsaxcel.sim import corners, operations, replay, vectors
from rsaxcel.sim.answers import Expected, difference
from rsaxcel.sim.batch import SimulationError
from rsaxcel.sim.check.behaviour import check_behaviour, compare_models, cycles_of
from rsaxcel.sim.check.refused import Refused
from rsaxcel.sim.check.rows import MODELLED, as_many_as, draw, drawn_indices, numbers_of
from rsaxcel.sim.check.steps import NARROW, OVERLAPS, check_circuit
from rsaxcel.sim.check.subject import CheckSubject, subject_of
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.native.toolchain import ToolError, find_toolchain
from rsaxcel.sim.replay import command
from rsaxcel.sim.runners import translation
from rsaxcel.store.errors import RsaxcelError, RunError, UserError
from rsaxcel.store.shown import one_line, shown

_LONGEST = 2000  #: characters of a circuit's name and constants


@dataclass(frozen=True)
class Translated:
    """Circuits to which a design was translated, by width in bits."""

    name: str
    summary: str
    circuits: Mapping[int, GivenDesign | HandedCore]
    #: Those of ``sim.check.steps.on_one_lane``, with the choices that make them.
    one_lane: Mapping[int, tuple[GivenDesign, dict[str, str]]]
    skipped: Mapping[int, str]  #: reason for each width without a circuit

    @property
    def all_circuits(self) -> dict[str, Any]:
        """Circuits, and circuits on one lane, as values for JSON, by width."""
        circuits = {str(w): x.as_json() for w, x in self.circuits.items()}
        one_lane = {str(w): [x.as_json(), chosen] for w, (x, chosen) in self.one_lane.items()}
        return {"circuits": circuits, "one_lane": one_lane}


def translated(handed: Handed, widths: Sequence[int], limits: Limits) -> Translated:
    """Translate a design at some widths in bits; it must support the first one, or is refused."""
    arguments = {**handed.design, "widths": list(widths)}
    answer = run(models.verilog, arguments, limits, "its translation", is_foreign=True)
    try:
        name = str(answer["name"])
        circuits = {
            int(k): _handed_core(name, int(k), x["files"])
            if "files" in x
            else _given(name, int(k), x)
            for k, x in answer["circuits"].items()
        }
        one_lane = {
            int(k): (_given(name, int(k), x), {str(a): str(b) for a, b in x["params"].items()})
            for k, x in answer["one_lane"].items()
        }
        skipped = {x: one_line(y) for x in widths if (y := answer["skipped"].get(str(x)))}
        summary = one_line(answer["summary"])
    except Exception as error:  # an answer may have any form
        raise Refused("broken", f"no circuit: {one_line(error)}") from error
    if not {widths[0]} | one_lane.keys() <= circuits.keys() <= set(widths):
        raise Refused("broken", f"no circuit of {widths[0]} bits")
    return Translated(name, summary, circuits, one_lane, skipped)


def translated_core(handed: Handed, widths: Sequence[int], limits: Limits) -> Translated:
    """Elaborate a core at some widths in bits, of which it must have the first one."""
    answer = run(cores.described, {**handed.design, "widths": list(widths)}, limits, "its Verilog")
    name, skipped = str(answer["name"]), {int(k): one_line(x) for k, x in answer["skipped"].items()}
    own = [x for x in widths if x not in skipped]
    files, is_product = handed.design["files"], bool(answer["is_product"])
    circuits = {x: HandedCore(name, x, handed.design["name"], files, is_product) for x in own}
    return Translated(name, one_line(answer["summary"]), circuits, {}, skipped)


def _handed_core(name: str, width: int, files: Mapping[str, Any]) -> HandedCore:
    own = {str(k): str(x) for k, x in files.items()}
    if not all(map(is_inside, own)):
        raise ValueError("a file lies outside of the folder")
    _given(name, width, {"text": "", "odd_modulus": False, "host_constants": []})  # its name
    return HandedCore(name, width, f"core_{width}", own)


def _given(name: str, width: int, content: Mapping[str, Any]) -> GivenDesign:
    if len(name) + len(str(content["host_constants"])) > _LONGEST:  # formulas may be a large tree
        raise ValueError("its name and its constants are too long")
    constants = constants_from_json(content["host_constants"])
    return GivenDesign(name, width, str(content["text"]), bool(content["odd_modulus"]), constants)


def answers(
    handed: Handed,
    operands: Mapping[str, Sequence[Operands]],
    limits: Limits,
    params: Mapping[str, Mapping[str, str]],
) -> dict[str, list[tuple[int, int, int | None]]]:
    """Run a design's models on operands, by width; return result, status and cycles of each."""
    arguments = {**handed.design, "operands": operands, "params": params}
    answer = run(models.answers, arguments, limits, "its models", is_foreign=True)
    try:
        found = {
            w: [(int(a), int(status), None if n is None else int(n)) for a, status, n in answer[w]]
            for w in operands
        }
    except Exception as error:  # an answer may have any form
        raise Refused("broken", f"no answers from its models: {one_line(error)}") from error
    if any(len(found[width]) != len(rows) for width, rows in operands.items()):
        raise Refused("broken", "its models do not answer all operands")
    return found


_POWERS = 6  #: random powers of each program
_KEYS = 16
_BASES = 4
_MARGIN = 0.05


def workload_cycles(given: Circuit, seed: int) -> dict[str, float]:
    """Measure mean cycles of each operation with the standard key, from request to response."""
    # A design that is over 5 % faster with the standard key than with the best of 16 random keys of
    # that width knows the key, and is refused.
    found, subject = {}, subject_of(given)
    for name, exponent in default_exponents(given.nbits).items():
        rows = workload_operands(given, exponent, OPERATION_COUNT)
        drawn = [base for base, _, _ in rows]
        standard = _mean(subject, rows)
        fresh = []
        for number in range(_KEYS):
            other = seeded_key(given.nbits, seed + number).n
            fresh.append(
                _mean(subject, [(base % other, exponent, other) for base in drawn[:_BASES]])
            )
        if standard < (1 - _MARGIN) * min(fresh):
            raise Refused(
                "workload",
                f"{name} takes {standard:,.1f} cycles with the standard key, with {_KEYS} other "
                f"keys {min(fresh):,.1f} or more",
            )
        found[name] = standard
    return found


def _mean(subject: CheckSubject, rows: Sequence[tuple[int, int, int]]) -> float:
    batch = subject.simulate(rows)
    for row, response in zip(rows, batch.responses, strict=True):
        if told := difference(Expected(subject.expected(row)), response or ()):
            shown = ", ".join(f"{x:#x}" for x in row)
            raise Refused("wrong", f"workload {shown}: {told}")
    # The cycles of a request count from the cycle in which it is offered, which is the cycle after
    # the previous response is taken. So a circuit gains nothing if it accepts a request late, or
    # works on after its response.
    taken: Sequence[Any] = batch.taken
    valid: Sequence[Any] = batch.valid
    offered = (0, *(cycle + 1 for cycle in taken[:-1]))
    return fmean(x - start for x, start in zip(valid, offered, strict=True))


_COMPARISON = (corners, operations, replay, vectors)
_SOURCES = (
    *(Path(str(package.__path__[0])) for package in (plan, fl, cl, rtl, catalog)),
    Path(front_end.__file__).parent,
    Path(str(requests.__file__)),
    Path(__file__).parent,
    Path(str(proc.__path__[0])),
    *(Path(str(x.__file__)) for x in (own_module, programs_module, cases_module)),
    *map(Path, check_package.__path__),
    *map(Path, diagnosis.__path__),
    *(Path(str(module.__file__)) for module in _COMPARISON),
    ENGINES,
)


@dataclass(frozen=True)
class DesignVerdict:
    """Result of the checks of a design; kind, reason and replay are empty if it passed."""

    label: str
    name: str = ""
    summary: str = ""
    kind: str = ""  #: reason of a refusal: a key of sim.check.refused.KINDS
    reason: str = ""
    replay: str = ""  #: command that shows the fault
    seed: int = 0
    vectors: dict[str, int] = field(default_factory=dict)  #: number of vectors by width in bits
    #: checks of the netlist: "operations" (their number) and "seed"
    netlist: dict[str, int] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)  #: reason by unsupported width
    #: mean cycles of each operation of the workload
    cycles: dict[str, float] = field(default_factory=dict)
    #: circuit of the measured width, as by GivenDesign.as_json; None if refused
    circuit: dict[str, Any] | None = None
    lacks: tuple[str, ...] = ()  #: unfinished parts, such as TODO marks; see sim.check.lacking
    #: for each case, its number of rows, of wrong rows, and the first one's fault in words
    cases: Sequence[tuple[int, int, str]] = ()
    programs: str | None = None  #: what is wrong with programs; None: it has none, or is refused
    program_cycles: dict[str, int] = field(default_factory=dict)  #: of the last power, by program
    files: bool = True  #: whether the folder has the files of a design
    answers: dict[str, str] | None = None  #: what is wrong with each answer; None: there are none


@dataclass(frozen=True)
class Assessment:
    """Parameters of the checks of each design."""

    nbits: int  #: width at which designs are measured
    count: int  #: number of random vectors at each width
    seed: int | None  #: seed of the vectors; None: random
    limits: Limits  #: limits of time and memory of each step
    cases: Sequence[Sequence[Operands]] = ()  #: rows of the rubric's cases
    kind: str | None = None  #: kind of project that is asked for; None: any

    def of_student(self, rubric: Rubric, student: str) -> Assessment:
        """Draw the seed and the rows of a student by a rubric."""
        digest = rubric.digest(student, self.seed)
        seed, cases = int.from_bytes(digest[:4]), rubric.rows(digest, self.nbits)
        return replace(self, seed=seed, cases=cases, kind=rubric.kind)

    @property
    def widths(self) -> list[int]:
        """Widths in bits at which designs are checked; the first is the measured width."""
        return [self.nbits, *(x for x in NARROW if x != self.nbits)]


def assessment(handed: Handed, task: Assessment) -> Measurement:
    """Return the job that checks a design; its result is a ``DesignVerdict`` as JSON."""
    job = Job(f"check {handed.label}", assess, (handed, task), task.nbits, assess)
    return Measurement(job, lambda result: (result,))


def assess(
    handed: Handed, task: Assessment, progress: Progress | None = None
) -> dict[str, Any] | None:
    """Return the verdict as JSON, stored or new; without ``progress``, only a stored one.

    A verdict that a limit was exceeded, or that a tool failed, is not stored, because another
    machine may succeed. A stored verdict fits any random seed if ``task.seed`` is None. A missing
    C++ compiler says nothing about the design: ``ToolError``.
    """
    of = {name: shown(getattr(handed, name)) for name in ("digest", "problem", "label", "folder")}
    # Without GHDL, nothing is known of a core in VHDL: no verdict is stored.
    tools = cores.tools(handed.design["files"]), compiler() if handed.programs else ()
    inputs = {**of, **asdict(task), "limits": None, "tools": tools}

    def measure(tell: Progress) -> dict[str, Any]:
        find_toolchain()
        return asdict(_verdict(handed, task, tell))

    try:
        return memoize(f"rank {handed.label}", inputs, _SOURCES, measure, progress)
    except Refused as error:
        return asdict(
            DesignVerdict(handed.label, kind=error.kind, reason=error.reason, lacks=handed.lacks)
        )


def _verdict(handed: Handed, task: Assessment, progress: Progress) -> DesignVerdict:
    found: dict[str, Any] = {"label": handed.label, "lacks": handed.lacks}
    if handed.problem:
        return DesignVerdict(**found, kind="broken", reason=handed.problem, files=False)
    own = handed.settings.kind if handed.settings else "none"
    if task.kind and own != task.kind:
        told = f"a project of kind {task.kind} is asked for; its kind is {own}"
        return DesignVerdict(**found, kind="broken", reason=told)
    if handed.programs:
        found["programs"] = "not tried"
    try:
        progress("translation")
        translate = translated_core if handed.is_core else translated
        design = translate(handed, task.widths, task.limits)
        found |= {"name": design.name, "summary": design.summary}
        found["skipped"] = {str(k): v for k, v in design.skipped.items()}
        # Drawn after the translation, so that the Verilog can't contain the vectors.
        seed = secrets.randbits(32) if task.seed is None else task.seed
        found["seed"] = seed
        progress(f"vectors of seed {seed}, at {', '.join(map(str, design.circuits))} bits")
        arguments = {**design.all_circuits, "folder": handed.place}
        arguments |= {"nbits": task.nbits, "count": task.count, "seed": seed}
        checked = run(check, {**arguments, "cases": task.cases}, task.limits, "checking it")
        found["cases"] = checked["cases"]
        if checked["refused"]:
            raise Refused(*checked["refused"])
        found["vectors"] = {width: len(rows) for width, (rows, _) in checked["rows"].items()}
        progress("its models")
        for kind in () if handed.is_core else ("rows", "one_lane"):  # a core has no models
            if checked[kind]:
                shared = kind == "one_lane"
                rows = checked[kind]
                _check_models(handed, design, rows, seed, task.limits, on_one_lane=shared)
        circuit, cycles = checked["circuit"], checked["cycles"]
        if handed.programs:
            progress("its programs")
            found |= _programs(handed, circuit, seed, task.limits)
        return DesignVerdict(**found, cycles=cycles, circuit=circuit)
    except Refused as error:
        if error.kind in ("limits", "unknown"):
            raise
        return DesignVerdict(**found, kind=error.kind, reason=error.reason, replay=error.replay)


def _programs(
    handed: Handed, circuit: Mapping[str, Any], seed: int, limits: Limits
) -> dict[str, Any]:
    if absent := [x for x in handed.programs if x not in handed.files]:
        return {"programs": f"{absent[0]}: there is no such file"}
    drawn = random_power_cases(circuit["nbits"], _POWERS, seed)
    arguments = {
        "core": circuit,
        "files": dict(handed.files),
        "programs": handed.programs,
        "rows": [(1, 0, 3), (2, 1, 3), *(x.operands for x in drawn)],
    }
    try:
        answer = run(run_programs, arguments, limits, "running its programs")
    except Refused as error:
        if error.kind == "unknown":
            raise
        return {"programs": error.reason}
    told = [reason for reason, _ in answer.values() if reason]
    cycles = {program: cycles for program, (_, cycles) in answer.items()}
    return {"programs": one_line("".join(told[:1])), "program_cycles": cycles}


def check(
    circuits: Mapping[str, Any],
    one_lane: Mapping[str, Any],
    folder: str,
    nbits: int,
    count: int,
    seed: int,
    cases: Sequence[Sequence[Operands]],
) -> dict[str, Any]:
    """Check circuits, the narrowest first, and run the workload on that of the measured width.

    A sandbox runs this function, on values for JSON. The result has, for ``rows`` and ``one_lane``,
    the operands that were computed correctly, with their cycles; and the mean ``cycles`` of each
    operation. Or it has the fields of the refusal (``refused``). ``cases`` run in any case.
    """
    tried: list[tuple[int, int, str]] = []
    try:
        own = {int(width): _read(content) for width, content in circuits.items()}
        find_toolchain()  # a missing compiler is no fault of the design
        tried += [_case(_subject(folder, own[nbits]), rows) for rows in cases]
        for content in circuits.values():
            _check_products(content, count, seed)
        found = _checked(own, one_lane, folder, nbits, count, seed)
    except Refused as error:
        return {"cases": tried, "refused": (error.kind, error.reason, error.replay)}
    return {**found, "circuit": circuits[str(nbits)], "cases": tried, "refused": None}


def _check_products(content: Mapping[str, Any], count: int, seed: int) -> None:
    """Check a multiplier alone, too: powers form few of its products."""
    if "core" not in content:
        return
    core = HandedCore.from_json(content)
    try:
        if core.is_product:
            check_circuit(core.circuit(alone=True), count, seed)
    except (ToolError, SimulationError, DesignError) as error:
        raise Refused("verilog", one_line(error)) from error


def _case(subject: CheckSubject, rows: Sequence[Operands]) -> tuple[int, int, str]:
    """Return the number of rows and of wrong ones, and the fault of the first in words."""
    rows = [(base, exponent, modulus) for base, exponent, modulus in rows]  # JSON has lists
    expected = [Expected(subject.expected(x)) for x in rows]
    try:
        responses = subject.run(rows).responses
    except Refused as error:
        return len(rows), len(rows), error.reason
    except (ToolError, SimulationError, DesignError):
        return len(rows), len(rows), "it cannot be simulated"
    told = [
        f"{base}^{exponent} mod {modulus}: {what}"
        for (base, exponent, modulus), own, response in zip(rows, expected, responses, strict=True)
        if (what := difference(own, response or ()))
    ]
    return len(rows), len(told), "".join(told[:1])


def _checked(
    own: Mapping[int, Circuit],
    one_lane: Mapping[str, Any],
    folder: str,
    nbits: int,
    count: int,
    seed: int,
) -> dict[str, Any]:
    found: dict[str, Any] = {}
    shared: dict[str, Any] = {}
    try:
        for width, given in sorted(own.items()):
            subject = _subject(folder, given)
            assert given.rules is not None  # no multiplier alone
            named = numbers_of(translation(given, "rtl").text, width)
            rows = _affordable(subject, draw(given.rules, count, seed, named), seed)
            counted = check_behaviour(subject, rows, seed)
            found[str(width)] = rows, counted
            if "cl" in given.levels:  # by a formula
                some = drawn_indices(rows, MODELLED, seed)
                answers = [(*subject.expected(rows[i]), given.cycles(*rows[i]) or 0) for i in some]
                compare_models(
                    subject, [rows[i] for i in some], [counted[i] for i in some], answers
                )
        for key, (content, params) in one_lane.items():
            subject = _subject(folder, _read(content), params)
            rows, _ = found[key]
            shared[key] = rows, cycles_of(subject, rows)
        cycles = workload_cycles(own[nbits], seed)
    except (ToolError, SimulationError, DesignError) as error:  # loops, invalid Verilog
        raise Refused("verilog", one_line(error)) from error
    return {"rows": found, "one_lane": shared, "cycles": cycles}


def _read(content: Mapping[str, Any]) -> Circuit:
    if "core" in content:
        return HandedCore.from_json(content).circuit()
    given = GivenDesign.from_json(content)
    return replace(given, text=check_verilog(given.text))


def _subject(
    folder: str, given: Circuit, params: Mapping[str, str] = MappingProxyType({})
) -> CheckSubject:
    """Return the subject for ``sim.check``; ``params``: of the command that repeats a fault."""
    again = command("sim", given.design_name, given.nbits, params)
    if folder:
        again = f"RSAXCEL_DESIGNS={quote(folder)} {again}"
    return replace(subject_of(given), command=again, folder=Path("build", "rank"))


def _affordable(subject: CheckSubject, rows: Sequence[Operands], seed: int) -> list[Operands]:
    """Choose rows for which some seconds would be enough if all exponents were ones."""
    most = (1 << subject.nbits) - 1
    longest = max(x or 0 for x in subject.run([(most // 2, most, most)]).cycles)
    return as_many_as(rows, longest, seed)


def _check_models(
    handed: Handed,
    design: Translated,
    checked: Mapping[str, tuple[list[Operands], list[int]]],
    seed: int,
    limits: Limits,
    *,
    on_one_lane: bool = False,
) -> None:
    """Compare a design's models with Python's integers and the circuit, on some operands.

    ``on_one_lane``: models and circuits in which two products of a step share a lane.
    """
    circuits = design.all_circuits["one_lane" if on_one_lane else "circuits"]
    chosen = {width: drawn_indices(rows, MODELLED, seed) for width, (rows, _) in checked.items()}
    asked = {width: [checked[width][0][i] for i in x] for width, x in chosen.items()}
    counted = {width: [checked[width][1][i] for i in x] for width, x in chosen.items()}
    params = {width: circuits[width][1] if on_one_lane else {} for width in checked}
    given = answers(handed, asked, limits, params)
    arguments = {
        "circuits": {
            width: circuits[width][0] if on_one_lane else circuits[width] for width in asked
        },
        "params": params,
        "folder": handed.place,
        "rows": asked,
        "cycles": counted,
        "answers": given,
        "hint": OVERLAPS if on_one_lane else "",
    }
    run(compare_answers, arguments, limits, "comparing its models")


def compare_answers(
    circuits: Mapping[str, Any],
    params: Mapping[str, Mapping[str, str]],
    folder: str,
    rows: Mapping[str, list[Operands]],
    cycles: Mapping[str, list[int]],
    answers: Mapping[str, list[tuple[int, int, int | None]]],
    hint: str,
) -> None:
    """Compare answers of models, by width; a sandbox runs this function, on values for JSON.

    Models of a core have no cycles: ``check`` compares those of its description.
    """
    for width, content in circuits.items():
        subject = _subject(folder, _read(content), params[width])
        told = [
            (result, status, counted if own is None and "core" in content else own or 0)
            for (result, status, own), counted in zip(answers[width], cycles[width], strict=True)
        ]
        compare_models(subject, rows[width], cycles[width], told, hint)


_MOST_STEPS = 10_000_000  #: instructions until a program uses its accelerator


class _UsedError(RsaxcelError):
    """The program uses its accelerator."""


class _Watched:
    """Registers that tell of the first access."""

    def read(self, address: int) -> int:
        raise _UsedError

    def write(self, address: int, data: int) -> None:
        raise _UsedError


def run_programs(
    core: Mapping[str, Any],
    files: Mapping[str, str],
    programs: Sequence[str],
    rows: Sequence[Operands],
) -> dict[str, tuple[str, int]]:
    """Return why a program is wrong, or nothing, and its cycles for the last row, by program.

    A sandbox runs this function, on values for JSON. Results are compared with Python's ``pow``;
    all programs but the first of several, the baseline, have to use the accelerator.
    """
    folder, own, _ = core["core"]
    entry = xcel_core(cores.write(folder, own), lambda nbits: _Watched())
    registry.register_given(entry)
    system = find_system(f"{OWN}{entry.name}", core["nbits"])
    place = cores.write("project", files)
    found = {}
    for number, program in enumerate(programs):
        told, cycles = "", 0
        try:
            image = compile_program(place / program)
            is_baseline = number == 0 and len(programs) > 1
            if not is_baseline and not _uses(system, image, rows[-1]):
                told = "it ends without a read or a write of its accelerator's registers"
            for row in () if told else rows:
                result, cycles = measure(system, "rtl", image, row)
                if result != pow(*row):
                    shown = ", ".join(f"{k}={x:#x}" for k, x in zip("ben", row, strict=True))
                    told = f"{shown}: result {result:#x} instead of {pow(*row):#x}"
                    break
        except (RunError, UserError) as error:
            lines = str(error).removeprefix(f"{place / program}: ").splitlines()
            told = next((x for x in lines if "error:" in x.lower()), lines[0]).removeprefix(
                f"{place}/"
            )
        is_named = not told or told.startswith(program)
        found[program] = told if is_named else f"{program}: {told}", cycles
    return found


def _uses(system: System, image: Image, row: Operands) -> bool:
    image = replace(image, memory=bytearray(image.memory))
    write_operands(image, *row)
    try:
        run_fl(image, Devices(_Watched()), (), _MOST_STEPS, instruction_set=system.instruction_set)
    except _UsedError:
        return True
    return False
