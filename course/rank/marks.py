"""Marks for a handed-in design, from its verdict and the unfinished parts of its files."""

from __future__ import annotations

from rsaxcel.course.rank.assess import Verdict

MARKS = {
    "builds": (1, "it can be translated, and has the interface of an exponentiator"),
    "manners": (1, "it keeps to its own files and to the limits of time and memory"),
    "results": (3, "every result and status is right"),
    "state": (1, "no answer depends on earlier requests"),
    "model": (1, "the golden model gives Python's results"),
    "cycles": (1, "the cycle model gives the circuit's cycles"),
    "flow": (1, "it goes through the flow, and its netlist computes the workload"),
    "text": (1, "no TODO is left, sources are named, classes have docstrings"),
}
"""Highest marks and a description for each criterion, in the order of the checks."""

MOST = sum(points for points, _ in MARKS.values())

# Criterion that a design fails, by the kind of its refusal (``sim.check.refused.KINDS``). A refused
# design was not checked against the criteria that come later in ``MARKS``.
_FAILS = {
    "broken": "builds",
    "unknown": "builds",
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
    "netlist": "flow",
}


def marks(verdict: Verdict) -> dict[str, int]:
    """Return the marks by criterion: none for the criterion that fails, nor for later ones."""
    # The criterion ``text`` does not depend on the checks.
    names = list(MARKS)
    given = {name: points for name, (points, _) in MARKS.items()}
    reached = len(names)
    if verdict.kind:
        reached = names.index(_FAILS[verdict.kind]) if verdict.name else 0
    missed = dict.fromkeys(names[reached:], 0)
    has_text = verdict.files and not verdict.lacks
    return given | missed | {"text": given["text"] if has_text else 0}
