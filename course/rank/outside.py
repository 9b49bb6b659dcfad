"""Runs a design's Python code in a confined process, on a copy of the design's folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from course.rank.handed import Handed, digest
from course.rank.inside import PACKAGES
from course.rank.verilog import check_verilog
from eval.signals import descendants, end_processes
from flow.subjects.given import GivenDesign, host_constant
from sim.check.refused import Refused
from store.code import files_below

_LARGEST_ANSWER = 1 << 28
_LONGEST_REASON = 300
# Kinds of refusal that the design's process may report; any other kind that it reports counts as
# ``broken``.
_TOLD = ("touches", "limits", "broken")


@dataclass(frozen=True)
class Limits:
    """Limits of time and memory for a handed-in design.

    Parameters
    ----------
    seconds
        Time limit in seconds for each of: a run of the design's Python code, the check of its
        circuits, the flow.
    memory_gb
        Memory limit in GB for each process.
    """

    seconds: float
    memory_gb: float


@dataclass(frozen=True)
class Translated:
    """Circuits to which a design was translated.

    Parameters
    ----------
    name, summary
        Name of the design, and the summary that its author wrote.
    circuits
        Circuits by width in bits.
    one_lane
        By width, at narrow widths only: a circuit of the design in which two products of a step
        share one lane, and the choices that turn the design into this circuit. See
        ``sim.check.compositions.on_one_lane``.
    skipped
        For each width without a circuit, the reason, by width.
    confined
        Whether the kernel denied the design's Python access to files outside its own folder.
    """

    name: str
    summary: str
    circuits: Mapping[int, GivenDesign]
    one_lane: Mapping[int, tuple[GivenDesign, dict[str, str]]]
    skipped: Mapping[int, str]
    confined: bool


def translated(handed: Handed, widths: Sequence[int], limits: Limits) -> Translated:
    """Translate a design at some widths in bits; the design must support the first width.

    Raises
    ------
    Refused
        If the design can't be translated, exceeds a limit, or does anything forbidden.
    """
    answer = _ask(handed, {"do": "verilog", "widths": list(widths)}, limits)
    try:
        name = str(answer["name"])
        circuits = {int(k): _given(name, int(k), x) for k, x in answer["circuits"].items()}
        one_lane = {
            int(k): (
                _given(name, int(k), x),
                {str(key): str(value) for key, value in x["params"].items()},
            )
            for k, x in answer["one_lane"].items()
        }
        skipped = {int(width): _line(x) for width, x in answer["skipped"].items()}
        summary = _line(answer["summary"])
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise Refused("broken", f"no circuit: {_line(error)}") from error
    if not {widths[0]} | one_lane.keys() <= circuits.keys() <= set(widths):
        raise Refused("broken", f"no circuit of {widths[0]} bits")
    return Translated(name, summary, circuits, one_lane, skipped, "open" not in answer)


def _given(name: str, width: int, content: Mapping[str, Any]) -> GivenDesign:
    return GivenDesign(
        name,
        width,
        check_verilog(str(content["text"])),
        bool(content["odd_modulus"]),
        tuple(host_constant(*c) for c in content["host_constants"]),
    )


def answers(
    handed: Handed,
    operands: Mapping[int, Sequence[tuple[int, ...]]],
    limits: Limits,
    params: Mapping[int, Mapping[str, str]] = MappingProxyType({}),
) -> dict[int, list[tuple[int, ...]]]:
    """Run the design's models on operands at each width; return result, status and cycles of each.

    Parameters
    ----------
    handed
        The design.
    operands
        Operands, by width.
    limits
        Limits of time and memory.
    params
        Choices on the axes that replace the design's own, by width.

    Raises
    ------
    Refused
        If the models fail or do not answer all operands.
    """
    task = {
        "do": "answers",
        "operands": {str(k): list(v) for k, v in operands.items()},
        "params": {str(k): dict(v) for k, v in params.items()},
    }
    answer = _ask(handed, task, limits)
    try:
        found = {w: [tuple(map(int, x)) for x in answer["answers"][str(w)]] for w in operands}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Refused("broken", f"no answers from its models: {_line(error)}") from error
    for width, rows in operands.items():
        if [len(x) for x in found[width]] != [3] * len(rows):
            raise Refused("broken", "its models do not answer all operands")
    return found


def _ask(handed: Handed, task: dict[str, Any], limits: Limits) -> dict[str, Any]:
    before = _states(handed)
    try:
        with tempfile.TemporaryDirectory(prefix="rsaxcel-rank-") as scratch:
            answer = _asked(handed, task, limits, Path(scratch).resolve())
    finally:
        for path, state in _states(handed).items():
            if before[path] != state:
                raise Refused(
                    "touches", f"it has changed {path}: no result of that folder can be trusted"
                )
    if "error" in answer:
        kind = str(answer.get("kind"))
        raise Refused(kind if kind in _TOLD else "broken", _line(answer["error"]))
    return answer


def _asked(handed: Handed, task: dict[str, Any], limits: Limits, scratch: Path) -> dict[str, Any]:
    own, task_file, answer_file = scratch / "own", scratch / "task.json", scratch / "answer.json"
    own.mkdir()
    design = None
    if handed.folder is not None:
        design = own / handed.folder.name
        for file in files_below(handed.folder):
            copy = design / file.relative_to(handed.folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
    places = [Path(x).resolve() for x in sys.path if x and Path(x).exists()]
    packages = _packages()
    roots = {package.parent for package in packages}
    # Folders that may contain designs of other students: the process may not read files in them.
    around = {Path.cwd().resolve(), *(handed.folder.resolve().parents if handed.folder else ())}
    task |= {
        "design": design and str(design),
        "name": handed.label,
        "seconds": limits.seconds,
        "memory_gb": limits.memory_gb,
        "readable": [str(x) for x in (*packages, *(x for x in places if x not in roots | around))],
        "listable": [str(x) for x in (*roots, *places, scratch)],
    }
    task_file.write_text(json.dumps(task))
    # Without -P, Python would search the current folder first. A design whose folder has the name
    # of a package of rsaxcel, such as "sim", would then hide this package.
    command = [sys.executable, "-P", "-m", "course.rank.inside", str(task_file), str(answer_file)]
    with _running(command, own, [*map(str, places)]) as process:
        try:
            _, errors = process.communicate(timeout=limits.seconds)
        except subprocess.TimeoutExpired as error:
            raise Refused("limits", f"its Python takes more than {limits.seconds:g} s") from error
    try:
        if answer_file.stat().st_size > _LARGEST_ANSWER:
            raise Refused("limits", f"it answers more than {_LARGEST_ANSWER >> 20} MB")
        answer = json.loads(answer_file.read_text())
        return dict(answer)
    except (OSError, ValueError, TypeError, RecursionError) as error:
        last = (errors.decode(errors="replace").strip().splitlines() or ["no message"])[-1]
        reason = f"its process ended with exit code {process.returncode}: {_line(last)}"
        raise Refused("broken", reason) from error


def _line(told: object) -> str:
    """Turn a text from a design's process into one printable line of at most 300 characters."""
    text = " ".join(str(told).split())[:_LONGEST_REASON]
    return "".join(x if x.isprintable() else "?" for x in text)


@contextmanager
def _running(command: list[str], folder: Path, path: list[str]) -> Iterator[subprocess.Popen]:
    """Context with a running process; at its end, the process and its descendants are killed."""
    environment = {
        "PATH": os.environ.get("PATH", ""),
        "LANG": "C.UTF-8",
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "RSAXCEL_CACHE": str(folder / "cache"),
        "PYTHONPATH": os.pathsep.join(path),
        "PYTHONDONTWRITEBYTECODE": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        end_processes([*descendants(process.pid), process.pid] if process.poll() is None else [], 9)
        process.wait()


def _packages() -> list[Path]:
    """Folders of the framework's packages."""
    root = Path(__file__).resolve().parents[2]
    return [root / name for name in PACKAGES]


def _states(handed: Handed) -> dict[Path, str]:
    """Digests, by folder, of the folders that a design must not change."""
    places = [*_packages(), *([handed.folder] if handed.folder else [])]
    return {place: digest(place) for place in places}
