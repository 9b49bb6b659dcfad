"""Cores on a bus, by their descriptions alone: the same cycles as in a shell made by hand."""

import shutil

import pytest

from rsaxcel.catalog.described import describe
from rsaxcel.sim.runners import open_component
from tests.cores.test_described import make
from tests.shared.own_cores import OTHERS, SKELETON, core_of

REQUESTS = [(3, 5, 7, 0), (250, 255, 251, 0), (9, 3, 7, 0)]
CYCLES = {"axi4_lite": 142, "xcel": 138}


def write(folder, protocol):
    folder.mkdir(exist_ok=True)
    for file in (SKELETON / "power.v", SKELETON / "words/core.v", OTHERS / f"{protocol}.v"):
        shutil.copy(file, folder)
    shutil.copy(OTHERS / f"{protocol}.toml", folder / "core.toml")
    return folder


@pytest.mark.parametrize("protocol", CYCLES)
def test_a_core_on_a_bus(tmp_path, protocol):
    write(tmp_path, protocol)
    circuit = describe(tmp_path / "core.toml").configure(8)
    found = circuit.described.core(8)
    assert found.protocol.steps == core_of(protocol, 8).protocol.steps
    assert {*found.protocol.ports} == {*core_of(protocol, 8).protocol.ports}
    batch = open_component(circuit, "rtl", "native").run(REQUESTS)
    assert batch.responses == [(5, 0), (pow(250, 255, 251), 0), (0, 3)]
    assert batch.cycles == [CYCLES[protocol], CYCLES[protocol], 1]


@pytest.mark.slow_cases("*words*", "*flow*", "*run*")
@pytest.mark.parametrize("protocol", [*CYCLES, "words"])
@pytest.mark.parametrize(
    "command",
    [
        "list CORE",
        "verilog CORE --nbits 8 -o OUT",
        "show CORE --nbits 8 --output OUT.svg",
        "sim CORE --nbits 8 --random 3 --trace",
        "run xcel --system proc_CORE --nbits 8 --data DATA",
        "flow CORE --nbits 8 --activity zero",
    ],
    ids=lambda x: x.split()[0],
)
def test_commands_take_a_core_with_addresses(rsaxcel, tmp_path, protocol, command):
    (write if protocol in CYCLES else make)(tmp_path / "core", protocol)
    data = tmp_path / "data.json"
    data.write_text('{"base": "7b", "exp": "11", "n": "d7"}')
    words = command.replace("CORE", str(tmp_path / "core")).replace("OUT", str(tmp_path / "out"))
    done = rsaxcel(*words.replace("DATA", str(data)).split())
    assert done.status == 0, done
    assert "5d" in done.out or not command.startswith("run")
