"""Marks for a hand-in: what it reached in the checks, and what its files lack."""

from __future__ import annotations

from course.rank.assess import Verdict

MARKS = {
    "builds": (1, "it can be translated, and is a circuit of this kind"),
    "manners": (1, "it keeps to its own files and to the limits of time and memory"),
    "results": (3, "every result and status is right"),
    "state": (1, "no answer depends on what came before"),
    "model": (1, "the golden model gives Python's results"),
    "cycles": (1, "the cycle model gives the circuit's cycles"),
    "flow": (1, "it goes through the flow, and its netlist does the workload"),
    "text": (1, "no TODO is left, sources are named, classes have docstrings"),
}
"""Marks by what they are given for, in the order in which it is tried."""

MOST = sum(points for points, _ in MARKS.values())

# What a refusal of a kind leaves without marks: from there on, nothing was tried.
_FAILS = {
    "broken": "builds",
    "verilog": "builds",
    "declared": "builds",
    "touches": "manners",
    "limits": "manners",
    "wrong": "results",
    "state": "state",
    "workload": "state",
    "model": "model",
    "cycles": "cycles",
    "flow": "flow",
}


def marks(verdict: Verdict) -> dict[str, int]:
    """Give the marks of a hand-in, by what they are given for.

    What comes after the first fault was not tried, and has none: nothing, where it could not be
    translated. The text counts wherever there is one.
    """
    names = list(MARKS)
    given = {name: points for name, (points, _) in MARKS.items()}
    reached = len(names)
    if verdict.kind:
        reached = names.index(_FAILS[verdict.kind]) if verdict.name else 0
    missed = dict.fromkeys(names[reached:], 0)
    has_text = verdict.files and not verdict.lacks
    return given | missed | {"text": given["text"] if has_text else 0}
