"""Widths at which models exist, but no circuit."""

import random

import pytest

import catalog
from proc.systems import System
from sim.runners import open_component

WIDE = [name for name, x in catalog.DESIGNS.items() if x.circuit_widths != x.widths]


def test_only_trees_of_compressors_have_models_beyond_their_circuits():
    assert WIDE == ["cm_r2l", "cm_r2l_shared", "cm_pm_r2l", "cm_pm_r2l_shared"]
    for name in (*WIDE, "dm_r2l", "dm_pm_r2l_shared"):
        assert catalog.get(name).widths[-1] == 1024


@pytest.mark.parametrize("name", [*WIDE, "dm_r2l", "dm_pm_r2l"])
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


@pytest.mark.parametrize("name", ["cm_r2l", "compressor_tree"])
def test_a_circuit_that_is_too_wide_is_refused(name):
    configuration = catalog.find(name).configure(512)
    told = "^nbits=512: up to 256 bits allowed for the circuit of compressor_tree; the levels fl "
    builds = [
        lambda: configuration.component("rtl"),
        configuration.operator,
        lambda: open_component(configuration, "rtl", "native"),
    ]
    if name in catalog.DESIGNS:
        builds.append(lambda: System(f"axi_{name}", 512, configuration).component())
    for build in builds:
        with pytest.raises(ValueError, match=told):
            build()
    assert configuration.component("cl") is not None
