"""Reports on planted faults, on the terminal and as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from rsaxcel.eval.report.views import view
from tools.mutants.judge import KILLED, REFUSED, SURVIVED, TrialResult
from tools.mutants.sites import KINDS, RESET

#: Verdicts on a fault that is not counted. PROVED, ARGUED (argued.toml): the fault changes nothing.
#: VOID: its test fails or is slow without it, too.
PROVED, ARGUED, VOID = "proved", "argued", "void"


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


_VERDICTS = (KILLED, SURVIVED, VOID, PROVED, ARGUED, REFUSED)


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
