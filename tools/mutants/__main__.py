"""``python -m tools.mutants``: plants faults, runs tests, and reports the survivors."""

import json
import os
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from filelock import FileLock, Timeout
from rich.console import Console

from rsaxcel.cli.main import guard
from rsaxcel.cli.progress import steps
from rsaxcel.store.code import code_digest
from rsaxcel.store.errors import RunError, UserError
from rsaxcel.store.folders import key_of
from tools.mutants.judge import (
    SURVIVED,
    Judge,
    Judgement,
    Ledger,
    TrialLimits,
    found_share,
    in_resets,
    show,
    summary,
    verdicts,
)
from tools.mutants.reach import TESTS, Reach, Use, collected
from tools.mutants.sites import FOLDERS, Fault, all_faults, drawn
from tools.mutants.tree_copy import Copy

ROOT = Path(__file__).parents[2]
FOLDER = Path("build", "mutants")
_SUFFIXES = (".py", ".cpp", ".c", ".h", ".S", ".ld", ".v", ".yml")
_LOOK_S = 1800.0
_PARTS = [Path(__file__).with_name(x) for x in ("parts.py", "reach.py")]


@click.command()
@click.option("--count", default=300, show_default=True, type=click.IntRange(1), help="Faults.")
@click.option("--seed", default=0, show_default=True, type=int, help="Seed of the drawn faults.")
@click.option(
    "--only",
    multiple=True,
    metavar="PATH",
    help="Plant faults only in this file or folder, such as rtl/axi; repeatable.",
)
@click.option(
    "--budget",
    default=150.0,
    show_default=True,
    type=click.FloatRange(1),
    help="CPU seconds for a fault, after which no further test starts.",
)
@click.option(
    "--limit",
    default=120.0,
    show_default=True,
    type=click.FloatRange(1),
    help="CPU seconds for a test; a test that takes longer has found the fault.",
)
@click.option(
    "--jobs",
    default=len(os.sched_getaffinity(0)),
    show_default="cores",
    type=click.IntRange(1),
    help="Number of faults at a time, each in its own copy of the tree.",
)
@click.option("--prove/--no-prove", default=True, help="Try to prove survivors equal with Yosys.")
@click.option(
    "--survivors",
    is_flag=True,
    help="Try only survivors again; keep earlier results of other faults in unchanged files, and "
    "of faults in argued.toml, even if other files or tests have changed.",
)
@click.option("--least", default=97.0, show_default=True, type=click.FloatRange(0, 100))
@click.option("--least-in-resets", default=90.0, show_default=True, type=click.FloatRange(0, 100))
@click.option("--entries", is_flag=True, help="Print entries of argued.toml for survivors.")
def command(
    count: int,
    seed: int,
    only: tuple[str, ...],
    budget: float,
    limit: float,
    jobs: int,
    prove: bool,
    survivors: bool,
    least: float,
    least_in_resets: float,
    entries: bool,
) -> None:
    """Plant single faults in circuits and cycle models, and count those that the tests find.

    Faults are drawn from all update blocks and connections of rtl, cl and proc/pipeline, and from
    the functions of cl. The kinds of faults take turns: another operator or a dropped operand,
    another constant, another condition, another reset, a dropped assignment, another connection.

    Each fault is planted in a copy of the source tree. The quick tests that use the changed file
    run, the cheapest first, until one fails: the fault is found. If all pass, it has survived. If
    PyMTL3 or Verilator refuses the circuit, another fault is drawn instead. A test that found a
    fault is run again without the fault and must then pass. Survivors do not count if Yosys and ABC
    prove at 8 bits that they change nothing, or if tools/mutants/argued.toml has a reason why they
    have no visible effect.

    Results are kept in build/mutants, so that an interrupted run continues where it stopped. The
    report is build/mutants/report.json. Exit status 1 if too few faults are found: less than
    --least per cent of all, or less than --least-in-resets per cent of those in reset logic.
    """
    if not (ROOT / "tests" / "levels").is_dir():
        raise UserError(f"{ROOT}: there are no tests to find faults; use a checkout")
    argued = arguments()
    found = [x for x in all_faults(ROOT) if not only or any(map(x.is_in, only))]
    if not found:
        raise UserError(f"--only {' '.join(only)}: no faults there; allowed: {', '.join(FOLDERS)}")
    folder = ROOT / FOLDER
    with steps("mutants") as tell, _alone(folder) as work:
        tree = _tree()
        file = folder / "results.jsonl"
        ledger = Ledger(file, tree, survivors, lambda x: any(a.is_about(x) for a in argued))
        copies = [Copy(ROOT, work / str(i)) for i in range(jobs)]
        reach = _reach(copies[0], ledger, tree, tell)
        judge = Judge(copies, reach, ledger, TrialLimits(budget, limit), tree, tell)
        results = judge.judge(drawn(found, seed), count)
        alarms = judge.false_alarms(results)
        reasons = {r.fault.key: a.because for r in results for a in argued if a.is_about(r.fault)}
        left = [r for r in results if r.outcome == SURVIVED and r.fault.key not in reasons]
        proofs = judge.proofs(left) if prove else {}
    told = verdicts(results, alarms, proofs, reasons)
    show(Console(), told)
    _write(folder / "report.json", told, seed, tree)
    if entries:
        for each in told:
            if each.verdict == SURVIVED:
                click.echo(f"\n{entry(each.result.fault)}")
    _check(told, least, least_in_resets)


@contextmanager
def _alone(folder: Path) -> Iterator[Path]:
    """Yield a locked folder for copies of the tree, which is removed at the end."""
    folder.mkdir(parents=True, exist_ok=True)
    work = folder / "work"
    try:
        with FileLock(folder / "lock", timeout=0):
            shutil.rmtree(work, ignore_errors=True)
            try:
                yield work
            finally:
                shutil.rmtree(work, ignore_errors=True)
    except Timeout as error:
        raise UserError(f"{folder}: another run is planting faults") from error


def _tree() -> str:
    """Digest of the code of the packages and of the tests, without the code of this package."""
    packages = [x for x in ROOT.iterdir() if (x / "__init__.py").is_file()]
    tests = [file for x in (*TESTS, "tests/shared") for file in ROOT.glob(x)]
    files = [f for x in (*packages, *tests) for f in (x.rglob("*") if x.is_dir() else [x])]
    code = {x for x in files if x.suffix in _SUFFIXES and Path(__file__).parent not in x.parents}
    return code_digest(sorted(code))[:20]


def _reach(copy: Copy, ledger: Ledger, tree: str, tell: Callable[[str], None]) -> Reach:
    """Find the tests that reach each source file, unless stored for the same code."""
    key = key_of(tree, TESTS, code_digest(_PARTS))
    kept = ledger.find("reach", key)
    if kept is None:
        tell("collecting the tests, and the parts of all circuits")
        patterns = [file for x in TESTS for file in sorted(copy.folder.glob(x))]
        paths = [x.relative_to(copy.folder).as_posix() for x in patterns]
        tests = collected(copy.collect(*paths, seconds=_LOOK_S))
        kept = [tests, copy.answer("tools.mutants.parts", seconds=_LOOK_S)]
        ledger.keep("reach", key, kept)
    tests, parts = kept
    uses = {x: {file: Use(*use) for file, use in files.items()} for x, files in parts.items()}
    return Reach(copy.folder, tests, uses)


def _write(file: Path, told: Sequence[Judgement], seed: int, tree: str) -> None:
    content: dict[str, Any] = {"seed": seed, "tree": tree, **summary(told)}
    content["faults"] = [each.record() for each in told]
    file.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    click.echo(f"written to {file.relative_to(ROOT)}", err=True)


def _check(told: Sequence[Judgement], least: float, least_in_resets: float) -> None:
    """Compare the shares of found faults with the targets; ``RunError`` if one is missed."""
    shares = [
        ("all", found_share(told), least),
        ("those in resets", found_share(in_resets(told)), least_in_resets),
    ]
    missed = [f"{x:.1f} % of {name} found, not {y:g} %" for name, x, y in shares if x < y]
    if missed:
        raise RunError("; ".join(missed))


ARGUED = Path(__file__).with_name("argued.toml")


@dataclass(frozen=True)
class Argument:
    """A reason why a fault (``tools.mutants.sites.Fault``), on any line, has no visible effect."""

    path: str
    scope: str
    was: str
    becomes: str
    because: str

    def is_about(self, fault: Fault) -> bool:
        """Return whether this reason belongs to a fault."""
        place = (fault.path, fault.scope, fault.was, fault.becomes)
        return place == (self.path, self.scope, self.was, self.becomes)


def arguments(file: Path = ARGUED) -> list[Argument]:
    """Read all reasons from a file; ``ValueError`` for missing or unknown keys."""
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        return [Argument(**entry) for entry in table.get("fault", [])]
    except (tomllib.TOMLDecodeError, TypeError) as error:
        raise ValueError(f"{file.name}: {error}") from error


def entry(fault: Fault) -> str:
    """Text of a new entry of argued.toml for a fault, with an empty reason."""
    fields = {"path": fault.path, "scope": fault.scope, "was": fault.was, "becomes": fault.becomes}
    lines = [f"{name} = {json.dumps(text, ensure_ascii=False)}" for name, text in fields.items()]
    return "\n".join(["[[fault]]", *lines, 'because = ""'])


if __name__ == "__main__":
    sys.exit(guard(command, "python -m tools.mutants"))
