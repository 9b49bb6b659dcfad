"""Circuits that several files of tests look at, synthesized once."""

import pytest

import catalog
from tests.flow.flow_circuits import Circuit, build


@pytest.fixture(scope="session")
def circuits(tmp_path_factory):
    """Give a design of the registry at 8 bits by its name."""
    built: dict[str, Circuit] = {}

    def circuit(name: str) -> Circuit:
        if name not in built:
            built[name] = build(name, tmp_path_factory.mktemp(name))
        return built[name]

    return circuit


# The others' netlists differ from these more in size than in kind.
QUICK = ("mulrem_r2l", "ssmm_r2l", "orup_window", "dm_r2l")


@pytest.fixture(
    scope="session",
    params=[
        pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow])
        for name in catalog.DESIGNS
    ],
)
def circuit(request, circuits) -> Circuit:
    """Every design of the registry."""
    return circuits(request.param)
