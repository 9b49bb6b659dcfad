"""Damaged libraries and translations are renewed, with one line of notice."""

import os
from pathlib import Path

import pytest

from rsaxcel.sim.translate import translate, translate_cached
from tests.flow.flow_circuits import synthesized
from tests.shared.harness import built_once
from tests.shared.processes import run_python
from tests.shared.stores import link_runtime
from tests.sim.components import Gcd

pytestmark = built_once("healing", 8)

DAMAGE = {
    "truncated": lambda path: os.truncate(path, path.stat().st_size // 2),
    "empty": lambda path: os.truncate(path, 0),
    "missing": lambda path: path.unlink(),
    "wrong digest": lambda path: path.write_bytes(path.read_bytes()[:-1] + b"!"),
}

# Separate processes, because a loaded library must not be damaged.
RUNS = {
    "Gcd": """
from rsaxcel.sim.native.engine import NativeEngine
from tests.sim.components import Gcd
((result, _),) = NativeEngine.from_component(lambda: Gcd(8), key="gcd").run([(12, 18)]).responses
print([result])
""",
    "gates": """
import sys
from rsaxcel.flow.gates.streams import GateSimulator
from rsaxcel.flow.power.netlist import Netlist
from tests.flow.flow_circuits import library
netlist = Netlist.from_yosys_json(sys.argv[1], library(), top="unit")
print(GateSimulator(netlist).run([[3, 5]]).responses)
""",
}


UNIT = Path(__file__).with_name("unit.sv").read_text("utf-8")


@pytest.fixture(scope="module")
def netlist(tmp_path_factory) -> Path:
    """Netlist of library cells: a register and an inverter."""
    folder = tmp_path_factory.mktemp("netlist")
    synthesized(UNIT, "unit", folder)
    return folder / "netlist.json"


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> Path:
    """A separate store with Verilator's runtime and headers."""
    return link_runtime(tmp_path_factory.mktemp("store"))


def run(store: Path, script: str, *args: object) -> tuple[str, list[str]]:
    """Output of a process, and the lines of its standard error."""
    done = run_python("-c", script, *args, RSAXCEL_CACHE=str(store))
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr.splitlines()


def assert_told(lines: list[str], path: Path, reason: str) -> None:
    (line,) = lines
    assert line.startswith(f"rsaxcel: renewed {path.parent}: ")
    assert line.endswith(reason)


@pytest.mark.quick_cases("Gcd-truncated")
@pytest.mark.parametrize("reason", ["truncated", "empty", "missing"])
@pytest.mark.parametrize("name", RUNS)
def test_compiled_code(store, netlist, name, reason):
    """The shared library of a circuit, and of the gates of a netlist."""
    answer = {"Gcd": "[6]\n", "gates": "[[12, 10]]\n"}[name]
    assert run(store, RUNS[name], netlist)[0] == answer
    (path,) = store.glob(f"{name}-*/library.so")
    DAMAGE[reason](path)
    renewed, lines = run(store, RUNS[name], netlist)
    assert renewed == answer
    assert_told(lines, path, f"library.so: {reason}")
    assert run(store, RUNS[name], netlist) == (answer, [])


@pytest.mark.parametrize("reason", DAMAGE)
def test_translation(tmp_path, capsys, reason):
    def get():
        return translate_cached("gcd", lambda: Gcd(8), directory=tmp_path)

    assert get() == translate(Gcd(8))
    (path,) = tmp_path.glob("verilog-gcd-*/module.json")
    DAMAGE[reason](path)
    assert get() == translate(Gcd(8))
    assert_told(capsys.readouterr().err.splitlines(), path, f"module.json: {reason}")
