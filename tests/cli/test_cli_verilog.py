"""`rsaxcel verilog`: its files run in simulators without this project."""

import re
import shutil
from pathlib import Path

import pytest

from rsaxcel import catalog
from tests.shared.harness import everything
from tests.shared.icarus import icarus, run
from tests.shared.planted import plant
from tests.shared.verilator import verilator

LEAST_NBITS = 8


def least_width(name: str) -> int:
    return next(n for n in catalog.find(name).widths if n >= LEAST_NBITS)


@pytest.fixture
def write(shown):
    """Write the files of a design into a folder; return what is told."""

    def call(folder, name, *options, nbits=LEAST_NBITS):
        return shown("verilog", name, "--nbits", nbits, *options, "--output", folder)

    return call


def test_translation_alone(write, tmp_path):
    told = write(tmp_path / "new", "mulrem_r2l")
    (written,) = (tmp_path / "new").iterdir()
    assert written.name == "mulrem_r2l_8.sv"
    assert told.split() == ["written", str(written)]
    assert "module mulrem_r2l_8" in written.read_text()


@pytest.mark.quick_cases("mulrem_r2l")
@pytest.mark.parametrize("name", everything())
def test_testbench_passes_in_icarus(write, tmp_path, name):
    nbits = least_width(name)
    write(tmp_path, name, "--testbench", "--random", 30, nbits=nbits)
    status, text = icarus(tmp_path, f"{name}_{nbits}.v", f"{name}_{nbits}_tb.sv")
    assert (status, text.count("mismatch")) == (0, 0), text
    assert re.search(rf"^PASS: {name}_{nbits}, \d+ vectors, \d+ cycles$", text, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*everything(), *catalog.REDUCERS])
def test_testbench_passes_in_verilator(write, tmp_path, name):
    nbits = least_width(name)
    write(tmp_path, name, "--testbench", "--random", 30, nbits=nbits)
    status, text = verilator(tmp_path, f"{name}_{nbits}.sv", f"{name}_{nbits}_tb.sv")
    assert status == 0, text
    assert re.search(rf"^PASS: {name}_{nbits}, \d+ vectors, \d+ cycles$", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        # Faults: a sum that is off by one, and a state that lasts a cycle longer or never ends.
        ("response[3] = 16'h", "response[3] = 16'h1 ^ 16'h", "vector 4: response"),
        ("duration[5] = ", "duration[5] = 1 + ", "vector 6: [0-9]+ cycles, expected [0-9]+"),
        (".recv__val(val)", ".recv__val(1'b0)", "vector 1: no handshake for [0-9]+ cycles"),
    ],
)
def test_testbench_finds_faults(write, tmp_path, before, after, told):
    write(tmp_path, "mulrem_r2l", "--testbench", "--seed", 3, "--random", 8)
    bench = tmp_path / "mulrem_r2l_8_tb.sv"
    plant(bench, (before, after), once=True)
    status, printed = icarus(tmp_path, "mulrem_r2l_8.v", bench.name)
    assert status != 0
    assert "PASS" not in printed
    assert re.search(told, printed), printed


@pytest.mark.parametrize("simulator", ["Icarus", pytest.param("Verilator", marks=pytest.mark.slow)])
def test_printed_command_runs(write, tmp_path, simulator):
    """A simulator that is not on PATH is called by its path."""
    told = write(tmp_path / 'a $HOME "folder"', "mulrem_r2l", "--testbench")
    (line,) = (x for x in told.splitlines() if x.startswith(simulator))
    command = line.removeprefix(simulator)
    if command.startswith(f"{' ' * (12 - len(simulator))}iverilog") and not shutil.which(
        "iverilog"
    ):
        pytest.skip("Icarus Verilog is not installed")
    status, text = run("sh", "-c", command, PWD=str(tmp_path))
    assert status == 0, text
    assert "PASS: mulrem_r2l_8, 20 vectors" in text


def test_system(write, tmp_path):
    write(tmp_path, "proc_null")
    assert "module proc_null" in (tmp_path / "proc_null.sv").read_text()


def test_vectors_of_a_file(write, tmp_path):
    vectors = tmp_path / "vectors.jsonl"
    vectors.write_text('{"a": "8", "b": "6", "n": "7"}\n{"a": "5", "b": "6", "n": "7"}\n')
    write(tmp_path, "mul_rem", "--testbench", "--vectors", vectors)
    text = (tmp_path / "mul_rem_8_tb.sv").read_text()
    # The first vector breaks the multiplier's rules, and a multiplier's response has no status.
    assert "response[0] = 8'h2; " in text
    assert "localparam COUNT = 1;" in text


@pytest.mark.parametrize("name", ["top.sv", "top.v"])
def test_a_folder_is_not_called_as_a_file(rsaxcel, tmp_path, name):
    command = ("verilog", "mulrem_r2l", "--nbits", 8, "--output", tmp_path / name)
    finished = rsaxcel(*command)
    assert (finished.status, finished.out) == (2, "")
    assert finished.err.endswith(
        f"{name}: a folder is needed, in which NAME{Path(name).suffix} is written\n"
    )
    assert not (tmp_path / name).exists()
    (tmp_path / name).mkdir()  # an existing folder of such a name is used
    assert rsaxcel(*command).status == 0
