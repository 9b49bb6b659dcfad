"""The public names of rsaxcel, imported from this package and from the packages that it uses."""

from importlib.metadata import version

from catalog import Configuration, Design, MultiplierConfiguration, axes, register
from fl.status import Status
from flow.errors import FlowError, SetupError
from flow.fpga import FpgaRecord, run_fpga
from flow.layout import Layout
from flow.record import CriticalPath, OperationRecord, Record
from flow.run import run_flow
from proc.systems import System
from rsaxcel.choosing import design, designs, multiplier, multipliers, system
from rsaxcel.frames import facts, front, points, sweep
from rsaxcel.simulating import LEVELS, random_operands, simulate
from sim.runners import Answer, RunnerError
from store.tools import ToolError

__version__ = version("rsaxcel")

__all__ = [
    "LEVELS",
    "Answer",
    "Configuration",
    "CriticalPath",
    "Design",
    "FlowError",
    "FpgaRecord",
    "Layout",
    "MultiplierConfiguration",
    "OperationRecord",
    "Record",
    "RunnerError",
    "SetupError",
    "Status",
    "System",
    "ToolError",
    "__version__",
    "axes",
    "design",
    "designs",
    "facts",
    "front",
    "multiplier",
    "multipliers",
    "points",
    "random_operands",
    "register",
    "run_flow",
    "run_fpga",
    "simulate",
    "sweep",
    "system",
]
