"""The default workload."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fl.keys import seeded_key
from flow.requests import bases, default_exponents, describe_workload

ROOT = Path(__file__).parents[2]


def _objects(content: Any) -> Iterator[dict[str, Any]]:
    """Every object in JSON, wherever it stands."""
    if isinstance(content, dict):
        yield content
    for part in content.values() if isinstance(content, dict) else content:
        if isinstance(part, dict | list):
            yield from _objects(part)


def test_at_32_bits_the_exponents_are_those_that_the_document_prints():
    figures = json.loads((ROOT / "eval/data/published.json").read_text())
    printed = {x["id"]: x["value"] for x in _objects(figures) if x.get("id") in ("e", "d")}
    assert default_exponents(32) == {"encrypt": printed["e"], "decrypt": printed["d"]}


def test_at_other_widths_they_are_those_of_the_standard_key():
    key = seeded_key(64)
    assert default_exponents(64) == {"encrypt": key.e, "decrypt": key.d}
    assert bases(64, key.e, 3)[0] == key.n


def test_the_workload_is_said():
    assert describe_workload(32, default_exponents(32)) == (
        "exponents as McNay (text below table 1) prints them: encrypt 65537, decrypt 977851481; "
        "32 random bases each; modulus of the standard 32-bit key (seed 0), 2311975103"
    )
    assert "of the standard key: encrypt" in describe_workload(64, default_exponents(64))
    assert "as asked: encrypt 3;" in describe_workload(64, {"encrypt": 3})
