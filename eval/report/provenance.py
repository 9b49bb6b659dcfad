"""Under which conditions records were made, and by what."""

from collections.abc import Mapping, Sequence
from typing import Any

_TITLES = {
    "stage": "stage",
    "params": "parameters",
    "library": "library",
    "corner": "corner",
    "clock_ns": "clock (ns)",
    "hash": "hash",
}


def conditions(records: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Library, corner, clock and width of the records: one value each unless they differ."""

    def distinct(key: str) -> list[str]:
        return list(dict.fromkeys(str(record[key]) for record in records))

    return {key: distinct(key) for key in ("library", "corner", "clock_ns", "nbits")}


def provenance(records: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """List what produced each record: parameters, library, clock, hash, tool versions."""
    rows = {title: [_text(record.get(key)) for record in records] for key, title in _TITLES.items()}
    tools = dict.fromkeys(tool for record in records for tool in record["tools"])
    rows |= {tool: [_text(record["tools"].get(tool)) for record in records] for tool in tools}
    return rows


def shared(
    rows: Mapping[str, Sequence[str]], names: Sequence[str]
) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Split ``provenance`` into what all records have in common and what differs, by name."""
    common = {title: values[0] for title, values in rows.items() if len(set(values)) == 1}
    differing = {
        title: dict(zip(names, values, strict=True))
        for title, values in rows.items()
        if title not in common
    }
    return common, differing


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key}={item}" for key, item in value.items()) or "-"
    return "-" if value is None else str(value)
