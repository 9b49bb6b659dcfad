"""Cores of others, which are not in this repository: ``RSAXCEL_CORES`` names their folder."""

import json
import os
from pathlib import Path

import pytest

from rsaxcel.catalog.registry import named
from tools.public_cores import asked_points

FILES = sorted(Path(os.environ.get("RSAXCEL_CORES", os.devnull)).glob("*/core.toml"))


@pytest.mark.skipif(not FILES, reason="RSAXCEL_CORES names no folder of cores")
@pytest.mark.parametrize("file", FILES, ids=lambda x: x.parent.name)
def test_a_public_core(rsaxcel, file):
    """A core is right, or `check` and `flow` both tell the same operands with a wrong result."""
    ((name, nbits, _),) = asked_points([named(str(file))])
    common = name, "--nbits", str(nbits), "--json"
    checked = rsaxcel("check", *common, "--random", "50", "--only", "circuit")
    assert checked.status in (0, 1), checked.err
    measured = rsaxcel("flow", *common, "--activity", "zero")
    assert measured.status == checked.status, measured.err
    record = json.loads(measured.out)
    assert record["area_um2"] > 0
    assert record["min_period_ns"] > 0
