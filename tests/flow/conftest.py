"""Circuits that several files of tests look at, synthesized once."""

import pytest

import catalog
from tests.flow.flow_circuits import Circuit, build
from tests.harness import VARIANTS


@pytest.fixture(scope="session")
def circuits(tmp_path_factory):
    """Give a design of the registry at 8 bits by its name."""
    built: dict[str, Circuit] = {}

    def circuit(name: str) -> Circuit:
        if name not in built:
            built[name] = build(name, tmp_path_factory.mktemp(name))
        return built[name]

    return circuit


# Of parts that other designs have, too.
SLOW = {*VARIANTS, "mont_r2l_shared", "cm_pm_r2l", "mm_pm_r2l"}


@pytest.fixture(
    scope="session",
    params=[
        pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else [])
        for name in catalog.DESIGNS
    ],
)
def circuit(request, circuits) -> Circuit:
    """Every design of the registry."""
    return circuits(request.param)
