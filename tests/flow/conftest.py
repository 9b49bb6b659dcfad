"""Circuits that several test files use, synthesized once."""

import pytest

import catalog
from tests.flow.flow_circuits import Circuit, build
from tests.harness import VARIANTS


@pytest.fixture(scope="session")
def circuits(tmp_path_factory):
    """Return a function that synthesizes a design of the registry at 8 bits, by name."""
    built: dict[str, Circuit] = {}

    def circuit(name: str) -> Circuit:
        if name not in built:
            built[name] = build(name, tmp_path_factory.mktemp(name))
        return built[name]

    return circuit


# Designs whose parts also occur in other designs.
SLOW = {*VARIANTS, "mont_r2l_shared", "cm_pm_r2l", "mm_pm_r2l"}


@pytest.fixture(
    scope="session",
    params=[
        pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else [])
        for name in catalog.DESIGNS
    ],
)
def circuit(request, circuits) -> Circuit:
    """Each design of the registry, synthesized at 8 bits."""
    return circuits(request.param)
