"""Widths at which models of multipliers for one modulus exist, but no circuit."""

import random

import pytest

from rsaxcel import catalog
from rsaxcel.proc.systems import System
from rsaxcel.sim.runners import open_component

TREES = ("cm_r2l", "cm_r2l_shared", "cm_pm_r2l", "cm_pm_r2l_shared")


@pytest.mark.parametrize(
    ("name", "nbits"), [("cm_r2l", 256), ("cm_pm_r2l", 512), ("dm_r2l", 1024), ("mm_r2l", 4096)]
)
def test_widest_circuits(name, nbits):
    configuration = catalog.get(name).configure(nbits)
    configuration.check_circuit()
    assert configuration.component("rtl") is not None


@pytest.mark.parametrize("name", [*TREES, "dm_r2l", "dm_pm_r2l"])
def test_models_to_1024_bits(name):
    """A decryption of 1024 bits: a product per bit, one more per one; the result is Python's."""
    configuration = catalog.get(name).configure(1024)
    m = ((1 << 1024) - 1) // 3
    draw = random.Random(name)
    exponent = draw.getrandbits(1024) | 1 << 1023
    for base, e in ((draw.randrange(m), exponent), (m - 1, exponent), (0, 0), (m - 1, 2)):
        outcome, cycles = configuration.evaluate(base, e, m)
        assert outcome == (pow(base, e, m), 0)
        squares, ones = max(e.bit_length(), 1), e.bit_count()
        least = squares + ones - 1 if configuration.choices.lanes == 1 else squares
        assert least <= cycles <= least + 8


@pytest.mark.parametrize(
    ("name", "nbits", "told"),
    [
        ("cm_r2l", 1024, "1023 bits: its compressor tree has 1,567,749"),
        ("compressor_tree", 1024, "1023 bits: its compressor tree has 1,567,749"),
        ("cm_pm_r2l", 1024, "1024 bits: its compressor tree has 1,048,576"),
    ],
)
def test_a_circuit_that_is_too_wide_is_refused(name, nbits, told):
    configuration = catalog.find(name).configure(nbits)
    told = f"^modulus of {told} bits, at most 400,000 allowed for a circuit"
    builds = [
        lambda: configuration.component("rtl"),
        configuration.operator,
        lambda: open_component(configuration, "rtl", "native"),
    ]
    if name in catalog.DESIGNS:
        builds.append(lambda: System(f"axi_{name}", nbits, configuration).component())
    for build in builds:
        with pytest.raises(ValueError, match=told):
            build()
    assert configuration.component("cl") is not None
