"""Reads third-party vectors, and checks circuits against them."""

import json
import os
from pathlib import Path

import pytest

from rsaxcel.fl.status import Status
from tests.shared.harness import simulate

FOLDER = Path(
    os.environ.get("RSAXCEL_VECTORS", Path(__file__).resolve().parents[3] / "shared" / "vectors")
)


def records(name: str) -> list[dict]:
    """Records of a file that have all operands."""
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"no {name}: set RSAXCEL_VECTORS to a folder that has it")
    return [json.loads(line) for line in path.read_text().splitlines()]


def operands(record: dict, keys: tuple[str, ...]) -> tuple[int, ...]:
    """Operands of a record as integers."""
    return tuple(int(record[key], 16) for key in keys)


def check_powers(configuration, rows: list[tuple[int, int, int]], published: list[str]) -> int:
    """Run exponentiations on the circuit; each must give its result or its expected status.

    Returns the number of results that were compared with published ones.
    """
    nbits, odd = configuration.nbits, configuration.odd_modulus
    batch = simulate(configuration, "rtl", "native", rows)
    right = 0
    for (b, e, m), expect, (result, status) in zip(rows, published, batch.responses, strict=True):
        if max(b, e, m).bit_length() > nbits:
            assert status == Status.OPERAND_TOO_WIDE
        elif m < (3 if odd else 2):
            assert status == Status.MODULUS_TOO_SMALL
        elif odd and m % 2 == 0:
            assert status == Status.MODULUS_EVEN
        elif b >= m:
            assert status == Status.BASE_TOO_LARGE
        else:
            assert (result, status) == (pow(b, e, m), Status.OK)
            if expect != "error":
                assert result == int(expect, 16)
                right += 1
    return right


def check_products(configuration, rows: list[tuple[int, int, int]], published: list[int]) -> None:
    """Run products that meet the contract; a Montgomery product is multiplied by R."""
    batch = simulate(configuration, "rtl", "native", rows)
    r = configuration.r
    got = [x * r % m for (x,), (_, _, m) in zip(batch.responses, rows, strict=True)]
    assert got == published
