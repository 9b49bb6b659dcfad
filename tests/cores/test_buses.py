"""Cores on a bus, by their descriptions alone: the same cycles as in a shell made by hand."""

import shutil

import pytest

from rsaxcel.catalog.described import describe
from rsaxcel.sim.runners import open_component
from tests.shared.own_cores import OTHERS, SKELETON, core_of

REQUESTS = [(3, 5, 7, 0), (250, 255, 251, 0), (9, 3, 7, 0)]
CYCLES = {"axi4_lite": 142, "xcel": 138}


@pytest.mark.parametrize("protocol", CYCLES)
def test_a_core_on_a_bus(tmp_path, protocol):
    for file in (SKELETON / "power.v", SKELETON / "words/core.v", OTHERS / f"{protocol}.v"):
        shutil.copy(file, tmp_path)
    shutil.copy(OTHERS / f"{protocol}.toml", tmp_path / "core.toml")
    circuit = describe(tmp_path / "core.toml").configure(8)
    found = circuit.described.core(8)
    assert found.protocol.steps == core_of(protocol, 8).protocol.steps
    assert {*found.protocol.ports} == {*core_of(protocol, 8).protocol.ports}
    batch = open_component(circuit, "rtl", "native").run(REQUESTS)
    assert batch.responses == [(5, 0), (pow(250, 255, 251), 0), (0, 3)]
    assert batch.cycles == [CYCLES[protocol], CYCLES[protocol], 1]
