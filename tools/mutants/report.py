"""What is told about planted faults, on the terminal and as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from tools.mutants.fault import KINDS, RESET
from tools.mutants.trial import KILLED, REFUSED, SURVIVED, Result

PROVED, ARGUED, VOID = "proved", "argued", "void"
"""A survivor that is proved to change nothing, or argued to; a fault that counts for nothing,
because the test that found it fails or is slow without one, too."""


@dataclass(frozen=True)
class Verdict:
    """A result and what is made of it: its outcome, ``PROVED``, ``ARGUED`` or ``VOID``, and why."""

    result: Result
    verdict: str
    why: str = ""

    def record(self) -> dict[str, Any]:
        """As JSON can keep it."""
        return self.result.record() | {"verdict": self.verdict, "why": self.why}


def verdicts(
    results: Sequence[Result],
    alarms: Mapping[str, str],
    proofs: Mapping[str, str],
    arguments: Mapping[str, str],
) -> list[Verdict]:
    """Judge results by what is known of faults, by their keys."""
    return [_verdict(result, alarms, proofs, arguments) for result in results]


def found_share(told: Sequence[Verdict]) -> float:
    """Per cent of the faults found, of those that change something; 100 where there are none."""
    found = _count(told, KILLED)
    all_of_them = found + _count(told, SURVIVED) + _count(told, VOID)
    return 100 * found / all_of_them if all_of_them else 100.0


def in_resets(told: Sequence[Verdict]) -> list[Verdict]:
    """Those in reset logic."""
    return [x for x in told if x.result.fault.kind == RESET]


def show(console: Console, told: Sequence[Verdict]) -> None:
    """Print a table by kinds, and what was not found."""
    columns = {
        "found": KILLED,
        "survived": SURVIVED,
        "void": VOID,
        "proved equal": PROVED,
        "argued equal": ARGUED,
        "refused": REFUSED,
    }
    view = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    view.add_column("fault", no_wrap=True)
    for title in ("planted", *columns, "found %"):
        view.add_column(title.replace(" ", "\n"), justify="right", no_wrap=True)
    groups = {kind: [x for x in told if x.result.fault.kind == kind] for kind in KINDS}
    for name, group in (groups | {"all": list(told)}).items():
        counts = [str(_count(group, verdict) or "") for verdict in columns.values()]
        view.add_row(name, str(len(group)), *counts, f"{found_share(group):.1f}" if group else "")
    console.print(view)
    for line in _left(told):
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def summary(told: Sequence[Verdict]) -> dict[str, Any]:
    """Count by kind and verdict, and give the shares in per cent."""
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
    result: Result,
    alarms: Mapping[str, str],
    proofs: Mapping[str, str],
    arguments: Mapping[str, str],
) -> Verdict:
    key = result.fault.key
    if key in alarms:
        return Verdict(result, VOID, alarms[key])
    if result.outcome != SURVIVED:
        return Verdict(result, result.outcome, result.error)
    if key in proofs:
        return Verdict(result, PROVED, proofs[key])
    if key in arguments:
        return Verdict(result, ARGUED, arguments[key])
    return Verdict(result, SURVIVED, f"{result.ran} of {result.reach} tests ran")


def _count(told: Sequence[Verdict], verdict: str) -> int:
    return sum(x.verdict == verdict for x in told)


def _left(told: Sequence[Verdict]) -> Iterator[str]:
    """Lines on what was not found, by any test or for certain."""
    for verdict in (SURVIVED, VOID, ARGUED, PROVED):
        for each in told:
            fault = each.result.fault
            if each.verdict == verdict:
                yield f"{verdict}: {fault.place} {fault.scope} ({fault.kind}): {each.why}"
                yield f"  - {fault.was}"
                yield f"  + {fault.becomes}"
