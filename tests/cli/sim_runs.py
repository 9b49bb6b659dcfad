"""Vectors, options and records of `rsaxcel sim`, and levels of `rsaxcel run`."""

import json

import pytest

POWER_VECTORS = [
    {"base": "5", "exp": "3", "n": "7", "expect": "6"},
    {"base": "2", "exp": "0", "n": "9"},
    {"base": "ffff1", "exp": "10001", "n": "fffffffb"},
    {"base": "9", "exp": "1", "n": "9", "expect": "0"},
    {"base": "1", "exp": "1", "n": "1", "expect": "error"},
    {"base": "1", "exp": "100000000", "n": "7"},
]

NATIVE_GROUP = pytest.mark.xdist_group("rsaxcel-sim")

# Tests of the processor's compiled circuit stay on one worker, so that only one compiles it.
RTL = pytest.param("rtl", marks=pytest.mark.xdist_group("run-rtl"))
levels = pytest.mark.parametrize("level", ["fl", RTL])


def options(level, engine):
    return ["--level", level, *(["--engine", engine] if engine else [])]


def records(finished):
    return [json.loads(line) for line in finished.out.splitlines()]
