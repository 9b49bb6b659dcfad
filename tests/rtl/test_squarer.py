"""Lanes that only form squares as squarers: results at all levels, and which lanes they are."""

import pytest

from rsaxcel.plan.compressors import plan_product, plan_square
from rsaxcel.rtl.lib.compressors import ModularProduct, ModularSquare
from tests.shared.compositions import rows_of, run_all_levels
from tests.shared.harness import configure, engine_for

MODULI = (0x80, 0xFF, 3, 0x55, 0xC5)
"""Even, all ones, small, of the document's family, and without a cheap form."""


def lanes_of(configuration) -> list[type]:
    """Class of the operator in each lane of the circuit."""
    circuit = configuration.component("rtl")
    circuit.elaborate()
    found = {c for c in circuit.get_all_components() if type(c) in (ModularProduct, ModularSquare)}
    return [type(c) for c in sorted(found, key=repr)]


@pytest.mark.parametrize(
    ("design", "choices", "classes"),
    [
        ("cm_r2l", {}, [ModularProduct, ModularSquare]),
        ("cm_r2l", {"squares": "product"}, [ModularProduct, ModularProduct]),
        ("cm_pm_r2l", {}, [ModularProduct, ModularSquare]),
        ("cm_r2l", {"schedule": "r2l_always"}, [ModularProduct, ModularSquare]),
        ("cm_r2l", {"schedule": "ladder"}, [ModularProduct, ModularSquare]),
        # a lane that forms other products, too, is a multiplier
        ("cm_r2l_shared", {}, [ModularProduct]),
        ("cm_r2l", {"schedule": "window"}, [ModularProduct]),
    ],
)
def test_which_lanes_are_squarers(design, choices, classes):
    configuration = configure(design, 8, **{"squares": "squarer", **choices})
    assert lanes_of(configuration) == classes


@pytest.mark.parametrize(
    ("design", "modulus", "schedule"),
    [
        *(
            pytest.param("cm_r2l", m, "r2l", marks=[] if m == 0xC5 else [pytest.mark.slow])
            for m in MODULI
        ),
        ("cm_r2l", 0xFF, "ladder"),
        ("cm_pm_r2l", 0x55, "r2l"),
    ],
)
def test_results_and_cycles(design, modulus, schedule):
    """The corners of the compositions, on FL, CL and RTL, with stalls and refused requests."""
    choices = {"modulus": hex(modulus), "schedule": schedule, "squares": "squarer"}
    configuration = configure(design, 8, **choices)

    def run_rtl(requests, **options):
        return engine_for(configuration, "rtl", "native").run(requests, **options)

    run_all_levels(configuration, rows_of(configuration, 60), modulus, run_rtl)


@pytest.mark.parametrize("modulus", [0x5555, 0xC0DE | 1, (1 << 32) - 5])
def test_a_squarer_is_smaller(modulus):
    """By the unit-gate model of the plans, which the planner's choice rests on."""
    square, product = (plan(modulus).estimate.area for plan in (plan_square, plan_product))
    assert square < 0.75 * product
