"""Plants faults, runs tests, judges and keeps outcomes; several faults are tested at a time."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import chain, islice
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from rich.console import Console

from rsaxcel.eval.measure.collect import duration
from rsaxcel.eval.report.views import view
from rsaxcel.lab.proofs.circuits_alike import proved_equal
from rsaxcel.store.errors import RunError
from tools.mutants.reach import Reach
from tools.mutants.sites import KINDS, RESET, Fault
from tools.mutants.tree_copy import Copy, PytestRun

#: Outcomes: a test found the fault; a tool refused the circuit; no test found the fault.
KILLED, REFUSED, SURVIVED = "killed", "refused", "survived"

#: Verdicts on a fault that is not counted. PROVED, ARGUED (argued.toml): the fault changes nothing.
#: VOID: its test fails or is slow without it, too.
PROVED, ARGUED, VOID = "proved", "argued", "void"

_VERDICTS = (KILLED, SURVIVED, VOID, PROVED, ARGUED, REFUSED)

# The first this many tests run in a process of pytest of their own, all others in a second one. The
# first process starts faster than one for all tests, because it collects only a few test files.
_FIRST = 12

_PROOF_S = 30
_TRANSLATION_S = 900.0
_CIRCUITS = ("rtl/", "proc/")
_COLLECTION = "collection"
#: If a test reaches its time limit with a fault, it is run again without the fault. The test has
#: found the fault only if this second run takes less than the limit divided by this number.
_SLOWER = 4


@dataclass(frozen=True)
class TrialResult:
    """Result of the tests of a planted fault."""

    fault: Fault
    outcome: str  #: KILLED, REFUSED or SURVIVED
    test: str  #: test that found the fault; empty if none did
    error: str  #: message of the test, in one line
    hung: bool  #: whether the test did not end in time
    ran: int  #: number of tests that ran
    reach: int  #: number of tests that reach the file
    seconds: float  #: elapsed time of the tests
    budget: float  #: CPU seconds after which no test was started
    tree: str  #: digest of code and tests

    def record(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def read(cls, record: dict[str, Any]) -> "TrialResult":
        """Make a result from the values that ``record`` has returned."""
        return cls(**record | {"fault": Fault(**record["fault"])})


def attempt(
    fault: Fault, tests: Sequence[str], copy: Copy, *, budget: float, limit: float, tree: str
) -> TrialResult:
    """Plant a fault in a copy reserved for it, and run tests in order until one fails."""
    began = time.monotonic()
    runs: list[PytestRun] = []
    with copy.planted(fault):
        for part in (tests[:_FIRST], tests[_FIRST:]):
            left = budget - sum(run.spent for run in runs)
            if part and left > 0:
                runs.append(copy.run(part, seconds=left, limit=limit))
                if _found(runs[-1]):
                    break
    last = runs[-1] if runs else PytestRun()
    outcome = SURVIVED
    if runs and _found(last):
        outcome = REFUSED if last.refused else KILLED
    return TrialResult(
        fault=fault,
        outcome=outcome,
        test=next(iter(last.failed), "collection" if outcome == KILLED else ""),
        error=" ".join((last.error or _reason(last, outcome)).split())[:300],
        hung=last.hung,
        ran=sum(len(run.passed) + len(run.failed) for run in runs),
        reach=len(tests),
        seconds=round(time.monotonic() - began, 1),
        budget=budget,
        tree=tree,
    )


def without_faults(tests: Sequence[str], copy: Copy, limit: float) -> dict[str, tuple[str, float]]:
    """Run tests without a fault; return each test's error (empty if it passed) and its seconds."""
    run = copy.run(tests, seconds=limit * len(tests), limit=limit, first=False)
    found = dict.fromkeys(tests, ("it does not run", 0.0))
    found |= {test: ("", seconds) for test, seconds in run.passed.items()}
    return found | {test: (run.error, seconds) for test, seconds in run.failed.items()}


def _found(run: PytestRun) -> bool:
    """Return whether a run found a fault; a failed collection of tests also counts."""
    return bool(run.failed) or run.hung or (run.status not in (0, 5) and not run.begun)


def _reason(run: PytestRun, outcome: str) -> str:
    if outcome == SURVIVED:
        return ""
    lines = [line for line in run.output.splitlines() if line.startswith(("E ", "ERROR"))]
    return lines[-1] if lines else f"pytest ended with status {run.status}"


class Ledger:
    """Stores values, such as results and proofs, in a file: each under a kind and a key.

    Of several lines of JSON with the same kind and key, the last one counts. With ``keeps_found``,
    results of found or argued faults hold even after changes of other files or tests (``tree``).
    """

    def __init__(
        self,
        file: Path,
        tree: str,
        keeps_found: bool,
        is_argued: Callable[[Fault], bool] = lambda fault: False,
    ) -> None:
        self._file, self._tree, self._keeps_found = file, tree, keeps_found
        self._is_argued = is_argued
        self._lock = threading.Lock()
        self._kept: dict[tuple[str, str], dict[str, Any]] = {}
        file.parent.mkdir(parents=True, exist_ok=True)
        for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
            try:
                kept = json.loads(line)
                self._kept[kept["what"], kept["key"]] = kept["value"]
            except (ValueError, KeyError, TypeError):
                continue  # an interrupted run wrote only a part of the line

    def result(self, fault: Fault, budget: float) -> TrialResult | None:
        """Return the stored result of a fault, unless it may be out of date."""
        kept = self._kept.get(("result", fault.key))
        if kept is None:
            return None
        result = TrialResult.read(kept)
        if self._keeps_found and (result.outcome != SURVIVED or self._is_argued(fault)):
            return result
        if result.outcome == SURVIVED and result.budget < budget and result.ran < result.reach:
            return None
        return result if result.tree == self._tree else None

    def add(self, result: TrialResult) -> None:
        """Store the result of a fault, under the fault's key."""
        self.keep("result", result.fault.key, result.record())

    def keep(self, what: str, key: str, value: Any) -> None:
        """Store a value under a kind, such as ``proof``, and a key."""
        line = json.dumps({"what": what, "key": key, "value": value})
        with self._lock:
            self._kept[what, key] = value
            # An interrupted run may have left an incomplete last line: start a new line then.
            with self._file.open("a+b") as file:
                if file.tell():
                    file.seek(-1, 2)
                    line = line if file.read(1) == b"\n" else f"\n{line}"
                file.write(f"{line}\n".encode())

    def find(self, what: str, key: str) -> Any:
        """Return the value under a kind and a key; None if there is none."""
        return self._kept.get((what, key))


@dataclass(frozen=True)
class TrialLimits:
    """Limits for tests in CPU seconds."""

    budget: float  #: time for all tests of a fault, after which no test starts
    #: time for each test; a test that exceeds it finds the fault, unless it does so without the
    #: fault, too
    test: float


class Judge:
    """Plants faults, one at a time in each copy, runs the tests, and judges the outcomes.

    ``tree`` is the digest of code and tests; ``tell`` is called from any thread.
    """

    def __init__(
        self,
        copies: Sequence[Copy],
        reach: Reach,
        ledger: Ledger,
        limits: TrialLimits,
        tree: str,
        tell: Callable[[str], None],
    ) -> None:
        self._reach, self._ledger, self._limits = reach, ledger, limits
        self._tree, self._tell = tree, tell
        self._jobs = len(copies)
        self._free: SimpleQueue[Copy] = SimpleQueue()
        for copy in copies:
            self._free.put(copy)

    def judge(self, faults: Iterator[Fault], count: int) -> list[TrialResult]:
        """Plant faults in order, until ``count`` of them have been tested.

        Faults whose circuit PyMTL3 or Verilator refuses are among the results, but do not count.
        """
        results: list[TrialResult] = []
        first = list(islice(faults, count))
        unknown = [x for x in first if self._earlier(x) is None]
        counted = _Counted(count, len(unknown))
        faults = chain(first, faults)
        under_way: set[Future[TrialResult]] = set()
        with ThreadPoolExecutor(self._jobs) as pool:
            while True:
                while counted.lacks(len(under_way)) and len(under_way) < self._jobs:
                    if (fault := next(faults, None)) is None:
                        break
                    if kept := self._earlier(fault):
                        results.append(kept)
                        counted.add(kept, worked=False)
                        self._tell(f"{counted}: earlier {describe(kept)}")
                    else:
                        under_way.add(pool.submit(self._attempt, fault))
                if not under_way:
                    return results
                done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
                for result in (future.result() for future in done):
                    results.append(result)
                    counted.add(result, worked=True)
                    self._tell(f"{counted}: {describe(result)}")

    def false_alarms(self, results: Sequence[TrialResult]) -> dict[str, str]:
        """Run the tests that have found faults again, without the faults; return reasons by key.

        A fault is not found if its test fails without it, too, or is slow without it, too.
        """
        found = [x for x in results if x.outcome == KILLED and x.test != _COLLECTION]
        tests = sorted({x.test for x in found})
        unknown = [x for x in tests if self._ledger.find("alone", self._alone(x)) is None]
        if unknown:
            self._tell(f"{len(unknown)} tests that have found faults run without one")
        shares = [share for i in range(self._jobs) if (share := unknown[i :: self._jobs])]
        with ThreadPoolExecutor(self._jobs) as pool:
            for runs in pool.map(self._without_faults, shares):
                for test, (error, seconds) in runs.items():
                    self._ledger.keep("alone", self._alone(test), [error, seconds])
        alarms = {}
        for result in found:
            error, seconds = self._ledger.find("alone", self._alone(result.test))
            if error:
                alarms[result.fault.key] = f"{result.test} fails without a fault, too: {error}"
            elif result.hung and seconds > self._limits.test / _SLOWER:
                alarms[result.fault.key] = f"{result.test} takes {seconds:.0f} s without a fault"
        return alarms

    def proofs(self, survivors: Sequence[TrialResult]) -> dict[str, str]:
        """Prove, where possible, that faults which no test found have no effect; proofs by key."""
        faults = [x.fault for x in survivors if x.fault.path.startswith(_CIRCUITS)]
        unknown = [x for x in faults if self._ledger.find("proof", self._in_tree(x)) is None]
        with ThreadPoolExecutor(self._jobs) as pool:
            for number, (fault, proof) in enumerate(
                zip(unknown, pool.map(self._prove, unknown), strict=True), 1
            ):
                self._ledger.keep("proof", self._in_tree(fault), proof)
                what = proof or "no proof"
                self._tell(f"{number} of {len(unknown)} survivors: {fault.place}: {what}")
        found = {x.key: self._ledger.find("proof", self._in_tree(x)) for x in faults}
        return {key: proof for key, proof in found.items() if proof}

    def _earlier(self, fault: Fault) -> TrialResult | None:
        """Return the stored result of a fault; None if there is none, or its test has gone."""
        kept = self._ledger.result(fault, self._limits.budget)
        found_by = kept.test if kept and kept.outcome == KILLED else _COLLECTION
        return kept if found_by == _COLLECTION or self._reach.has(found_by) else None

    def _attempt(self, fault: Fault) -> TrialResult:
        with self._copy() as copy:
            result = attempt(
                fault,
                self._reach.tests(fault.path, fault.line, fault.was, resets=fault.kind == RESET),
                copy,
                budget=self._limits.budget,
                limit=self._limits.test,
                tree=self._tree,
            )
        self._ledger.add(result)
        return result

    def _without_faults(self, tests: Sequence[str]) -> dict[str, tuple[str, float]]:
        with self._copy() as copy:
            return without_faults(tests, copy, self._limits.test)

    def _alone(self, test: str) -> str:
        return f"{test} {self._limits.test:g} {self._tree}"

    def _in_tree(self, fault: Fault) -> str:
        return f"{fault.key} {self._tree}"

    def _prove(self, fault: Fault) -> str:
        """Describe the proof for a fault; empty if there is no proof."""
        names = self._reach.entries(fault.path)
        try:
            with self._copy() as copy:
                return _proof(fault, names, copy) if names else ""
        except RunError as error:
            self._tell(f"{fault.place}: no proof: {' '.join(str(error).split())[:200]}")
            return ""

    @contextmanager
    def _copy(self) -> Iterator[Copy]:
        """Wait for a free copy of the tree, and reserve it."""
        copy = self._free.get()
        try:
            yield copy
        finally:
            self._free.put(copy)


def _proof(fault: Fault, names: Sequence[str], copy: Copy) -> str:
    arguments = ("tools.mutants.parts", fault.path, *names)
    without = copy.answer(*arguments, seconds=_TRANSLATION_S)
    with copy.planted(fault):
        planted = copy.answer(*arguments, seconds=_TRANSLATION_S)
    if without.keys() != planted.keys() or not without:
        return ""
    folder = copy.folder / "build" / f"proof-{fault.key}"
    pairs = {(*without[label], *planted[label]) for label in without}
    changed = sorted(pair for pair in pairs if pair[0] != pair[2])
    for number, (one, top, other, other_top) in enumerate(changed):
        if top != other_top:
            return ""
        if not proved_equal(one, other, top, Path(folder, str(number)), _PROOF_S):
            return ""
    if not changed:  # no circuit in the registry contains the fault, only circuits of tests
        return ""
    return f"equal in all {len(changed)} variants of its component in the registry at 8 bits"


class _Counted:
    """Counts results, refused faults apart, and estimates the time for results not stored."""

    def __init__(self, wanted: int, unknown: int) -> None:
        self._wanted, self._unknown, self._judged, self._worked = wanted, unknown, 0, 0
        self._began = time.monotonic()

    def lacks(self, under_way: int) -> bool:
        """Return whether further faults must be started; ``under_way`` faults are being tested."""
        return self._judged + under_way < self._wanted

    def add(self, result: TrialResult, worked: bool) -> None:
        """Count a result; ``worked`` is False if it was stored by an earlier run."""
        if result.outcome != REFUSED:
            self._judged += 1
            self._worked += worked

    def __str__(self) -> str:
        counted = f"{self._judged} of {self._wanted}"
        if not self._worked or not self.lacks(0):
            return counted
        each = (time.monotonic() - self._began) / self._worked
        seconds = each * max(self._unknown - self._worked, 1)
        return f"{counted}, about {duration(seconds)} left"


def describe(result: TrialResult) -> str:
    """Describe a result in one line."""
    fault = result.fault
    by = f" by {result.test}" if result.test else f", {result.ran} of {result.reach} tests ran"
    return f"{result.outcome} {fault.kind} {fault.place} ({result.seconds:.0f} s){by}"


@dataclass(frozen=True)
class Judgement:
    """Final judgement of a planted fault."""

    result: TrialResult
    verdict: str  #: outcome of the result; or PROVED, ARGUED or VOID, if it does not count
    why: str = ""  #: reason for the verdict

    def record(self) -> dict[str, Any]:
        return self.result.record() | {"verdict": self.verdict, "why": self.why}


def verdicts(
    results: Sequence[TrialResult],
    alarms: Mapping[str, str],
    proofs: Mapping[str, str],
    arguments: Mapping[str, str],
) -> list[Judgement]:
    """Return the verdict on each fault; the mappings have reasons by the keys of faults."""
    return [_verdict(result, alarms, proofs, arguments) for result in results]


def found_share(told: Sequence[Judgement]) -> float:
    """Per cent of faults found, without refused and ineffective ones; 100 without faults."""
    found = _count(told, KILLED)
    all_of_them = found + _count(told, SURVIVED) + _count(told, VOID)
    return 100 * found / all_of_them if all_of_them else 100.0


def in_resets(told: Sequence[Judgement]) -> list[Judgement]:
    return [x for x in told if x.result.fault.kind == RESET]


def show(console: Console, told: Sequence[Judgement]) -> None:
    """Print a table by kinds of faults, and a list of the faults that were not found."""
    columns = {
        "found": KILLED,
        "survived": SURVIVED,
        "void": VOID,
        "proved equal": PROVED,
        "argued equal": ARGUED,
        "refused": REFUSED,
    }
    table = view()
    table.add_column("fault", no_wrap=True)
    for title in ("planted", *columns, "found %"):
        table.add_column(title.replace(" ", "\n"), justify="right", no_wrap=True)
    groups = {kind: [x for x in told if x.result.fault.kind == kind] for kind in KINDS}
    for name, group in (groups | {"all": list(told)}).items():
        counts = [str(_count(group, verdict) or "") for verdict in columns.values()]
        table.add_row(name, str(len(group)), *counts, f"{found_share(group):.1f}" if group else "")
    console.print(table)
    for line in _left(told):
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def summary(told: Sequence[Judgement]) -> dict[str, Any]:
    """Return counts by kind and verdict, and the shares of found faults in per cent."""
    kinds = {
        kind: {verdict: count for verdict in _VERDICTS if (count := _count(group, verdict))}
        for kind in KINDS
        for group in [[x for x in told if x.result.fault.kind == kind]]
    }
    resets = in_resets(told)
    shares = {"found_percent": found_share(told), "found_in_resets_percent": found_share(resets)}
    return {"kinds": kinds} | {name: round(share, 2) for name, share in shares.items()}


def _verdict(
    result: TrialResult,
    alarms: Mapping[str, str],
    proofs: Mapping[str, str],
    arguments: Mapping[str, str],
) -> Judgement:
    key = result.fault.key
    if key in alarms:
        return Judgement(result, VOID, alarms[key])
    if result.outcome != SURVIVED:
        return Judgement(result, result.outcome, result.error)
    if key in proofs:
        return Judgement(result, PROVED, proofs[key])
    if key in arguments:
        return Judgement(result, ARGUED, arguments[key])
    return Judgement(result, SURVIVED, f"{result.ran} of {result.reach} tests ran")


def _count(told: Sequence[Judgement], verdict: str) -> int:
    return sum(x.verdict == verdict for x in told)


def _left(told: Sequence[Judgement]) -> Iterator[str]:
    """Yield lines about survivors, and about void, argued and proved faults."""
    for verdict in (SURVIVED, VOID, ARGUED, PROVED):
        for each in told:
            fault = each.result.fault
            if each.verdict == verdict:
                yield f"{verdict}: {fault.place} {fault.scope} ({fault.kind}): {each.why}"
                yield f"  - {fault.was}"
                yield f"  + {fault.becomes}"
