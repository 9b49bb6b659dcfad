"""Speed of gate-level simulation with and without delays, in operation-cycles per CPU second.

An operation-cycle is one cycle of one operation, of which up to 64 run in the lanes of a simulator.
"""

import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory

from rsaxcel.catalog import Configuration
from rsaxcel.flow.gates.engine import LANES
from rsaxcel.flow.gates.streams import GateSimulator
from rsaxcel.flow.interface import read_interface
from rsaxcel.flow.job import circuit_job
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.flow.libraries import find_kit
from rsaxcel.flow.library import kept_library
from rsaxcel.flow.outline import NETLIST
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.power.slews import FLOW_UNIT_S, Slews
from rsaxcel.flow.requests import Exponentiation, default_exponents, operations
from rsaxcel.flow.run import run
from rsaxcel.flow.subjects.exponentiator import pack
from rsaxcel.sim.translate import VerilogModule
from tools.bench.speed import BenchError

_MODELS = "stdcells.v"


@dataclass(frozen=True)
class GateSpeeds:
    """Speeds of gate-level simulation, in operation-cycles per CPU second."""

    gates: int  #: cells of the netlist
    timed: float  #: GateSimulator with delays
    zero: float  #: GateSimulator without delays
    icarus: float | None  #: Icarus Verilog; None if not installed


def measure_gates(
    configuration: Configuration, repetitions: int, progress: Callable[[str], None]
) -> GateSpeeds:
    """Measure the speed of encryptions on a design's netlist, in two simulators.

    Icarus Verilog runs only one encryption, on the design kit's Verilog models, in which every
    delay from an input to an output is 0.1 ns: the same gates, at other times in the cycle.
    """
    name = configuration.name
    progress(f"{name}: synthesizing")
    paths = run(circuit_job(configuration), NETLIST, progress).files
    interface = read_interface(paths["interface.json"])
    library = kept_library(find_kit(DEFAULT_LIBRARY).liberty)
    netlist = Netlist.from_yosys_json(paths["netlist.json"], library, top=interface.top)
    slews = Slews.from_file(paths["slews.txt"], time_unit_s=FLOW_UNIT_S)
    exponent = default_exponents(configuration.nbits)["encrypt"]
    done = operations(configuration, exponent, LANES)
    messages = [_message(configuration, interface, operation) for operation in done]
    rows = [[message] for message in messages]
    speeds = {}
    for kind, simulator in (
        ("timed", GateSimulator(netlist, slews)),
        ("zero", GateSimulator(netlist)),
    ):
        progress(f"{name}: gates, {kind}")
        speeds[kind] = median(_speed(partial(_cycles, simulator, rows)) for _ in range(repetitions))
    icarus = None
    if shutil.which("iverilog") and shutil.which("vvp"):
        progress(f"{name}: Icarus Verilog")
        icarus = _icarus(interface, paths["netlist.v"], messages[0], done[0])
    return GateSpeeds(len(netlist.instances), speeds["timed"], speeds["zero"], icarus)


def _message(
    configuration: Configuration, interface: VerilogModule, operation: Exponentiation
) -> int:
    fields = configuration.request(operation.base, operation.exponent, operation.modulus)
    return pack(interface.request, fields)


def _cycles(simulator: GateSimulator, rows: Sequence[Sequence[int]]) -> float:
    return simulator.run(rows).activity.cycles


def _speed(simulate: Callable[[], float]) -> float:
    started = time.process_time()
    cycles = simulate()
    return cycles / (time.process_time() - started)


def _icarus(
    interface: VerilogModule, netlist: Path, message: int, expected: Exponentiation
) -> float:
    with TemporaryDirectory() as folder:
        bench, requests, program = (Path(folder, x) for x in ("bench.v", "requests", "program"))
        bench.write_text(files(__package__).joinpath("icarus.v").read_text())
        requests.write_text(f"{message:x}\n")
        defined = {
            "TOP": interface.top,
            "REQUEST": interface.request.width,
            "RESPONSE": interface.response.width,
            "COUNT": 1,
            "REQUESTS": f'"{requests}"',
        }
        models = find_kit(DEFAULT_LIBRARY).liberty.with_name(_MODELS)
        _run(
            "iverilog",
            "-gspecify",
            "-g2012",
            "-s",
            "bench",
            "-o",
            str(program),
            *(f"-D{name}={value}" for name, value in defined.items()),
            *(str(path) for path in (bench, netlist, models)),
        )
        started = getrusage(RUSAGE_CHILDREN).ru_utime
        response, cycles = _run("vvp", "-n", str(program)).split()[:2]
        seconds = getrusage(RUSAGE_CHILDREN).ru_utime - started
    parts = zip(interface.response.fields, expected.response, strict=True)
    if int(response, 16) != sum(value << field.lsb for field, value in parts):
        raise BenchError(f"Icarus Verilog gives {response} instead of {expected.response}")
    return int(cycles) / seconds


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = next(iter((done.stderr + done.stdout).splitlines()), "no reason given")
        raise BenchError(f"{command[0]}: {reason}")
    return done.stdout
