"""Circuits that several test files use, synthesized once."""

import pytest

from rsaxcel import catalog
from tests.flow.flow_circuits import Circuit

# The netlists of the other designs differ from these in size more than in kind.
QUICK = ("mulrem_r2l", "ssmm_r2l", "orup_window", "dm_r2l")


@pytest.fixture(
    scope="session",
    params=[
        pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow])
        for name in catalog.DESIGNS
    ],
)
def circuit(request, circuits) -> Circuit:
    """Each design of the registry, synthesized at 8 bits."""
    return circuits(request.param)
