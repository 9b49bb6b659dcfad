"""Makes the asynchronous resets of a core synchronous, for a comparison with other designs."""

from __future__ import annotations

import re

_EVENTS = re.compile(
    r"(\balways(?:_ff)?\s*@\s*)\(\s*((?:pos|neg)edge\s+(\w+))\s*(?:or\b|,)"
    r"\s*((?:pos|neg)edge\s+(\w+))\s*\)(\s*(?:begin\b\s*(?::\s*\w+)?\s*)?if\s*\(([^\n()]*)\))?"
)
_MORE_EVENTS = re.compile(r"@\s*\([^()]*edge[^()]*(?:\bor\b|,)[^()]*edge[^()]*\)")


def made_synchronous(text: str) -> str:
    """Leave the reset out of the events of each process, whose first ``if`` asks for it.

    ``ValueError`` if a process has another form, or if none has an asynchronous reset.
    """
    found, count = _EVENTS.subn(_synchronous, text)
    if not count:
        raise ValueError("no process of the core has an asynchronous reset")
    if other := _MORE_EVENTS.search(found):
        raise ValueError(f"{' '.join(other[0].split())}: a clock and a reset are allowed")
    return found


def _synchronous(match: re.Match[str]) -> str:
    head, first, first_name, second, second_name, body, condition = match.groups()
    asked = set(re.findall(r"\w+", condition or "")) & {first_name, second_name}
    if len(asked) != 1:
        events = f"@({first} or {second})"
        raise ValueError(f"{events}: a first `if` with the reset in its condition is needed")
    clock = second if first_name in asked else first
    return f"{head}({clock}){body}"
