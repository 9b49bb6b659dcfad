"""Third-party vectors, where a folder of them exists; skipped elsewhere."""

import json
import os
from pathlib import Path

import pytest

import designs
from fl.status import Status
from tests.harness import built_once, configure, simulate

FOLDER = Path(
    os.environ.get("RSAXCEL_VECTORS", Path(__file__).resolve().parents[2] / "shared" / "vectors")
)
NBITS = 128


def records(name: str) -> list[dict]:
    """Records of a file whose operands are written out."""
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"no {name}: set RSAXCEL_VECTORS to a folder that has it")
    return [json.loads(line) for line in path.read_text().splitlines()]


def operands(record: dict, keys: tuple[str, ...]) -> tuple[int, ...]:
    """Operands of a record as integers."""
    return tuple(int(record[key], 16) for key in keys)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=built_once(name, NBITS)) for name in designs.DESIGNS]
)
@pytest.mark.parametrize("file", ["open_modexp_odd.jsonl", "open_badinput.jsonl"])
def test_exponentiations(name, file):
    """Every record ends in its result, or in the status that the input rules give."""
    configuration = configure(name, NBITS)
    rows, published = [], []
    for record in records(file):
        if record["op"] == "modexp":
            rows.append(operands(record, ("base", "exp", "n")))
            published.append(record["expect"])
    batch = simulate(configuration, "rtl", "native", rows)
    right = 0
    for (b, e, m), expect, (result, status) in zip(rows, published, batch.responses, strict=True):
        wide = max(b, e, m).bit_length() > NBITS
        small = m < (3 if configuration.design.odd_modulus else 2)
        even = configuration.design.odd_modulus and m % 2 == 0
        if wide:
            assert status == Status.OPERAND_TOO_WIDE
        elif small:
            assert status == Status.MODULUS_TOO_SMALL
        elif even:
            assert status == Status.MODULUS_EVEN
        elif b >= m:
            assert status == Status.BASE_TOO_LARGE
        else:
            assert (result, status) == (pow(b, e, m), Status.OK)
            if expect != "error":
                assert result == int(expect, 16)
                right += 1
    assert right or file == "open_badinput.jsonl"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=built_once(name, NBITS)) for name in designs.multipliers()]
)
def test_products(name):
    """Records inside the multiplier's contract; a Montgomery product is multiplied back by R."""
    configuration = configure(name, NBITS)
    rows, published = [], []
    for record in records("open_modmul_odd.jsonl"):
        a, b, m = operands(record, ("a", "b", "n"))
        if m.bit_length() <= NBITS and max(a, b) < m:
            rows.append((a, b, m))
            published.append(int(record["expect"], 16))
    assert len(rows) > 20
    batch = simulate(configuration, "rtl", "native", rows)
    r = configuration.golden.r
    assert [x * r % m for (x,), (_, _, m) in zip(batch.responses, rows, strict=True)] == published
