"""A minimal C++ loop around Verilator's model of one design, with the native engine's flags."""

import ctypes
from collections.abc import Sequence
from importlib.resources import files

import numpy as np

from rsaxcel.sim.native.build import build_library
from rsaxcel.sim.translate import VerilogModule
from rsaxcel.store.foreign import ForeignLibrary

_OPERANDS, _ANSWERS = 4, 2


class BareLoop:
    """Runs requests on ``mont_r2l`` at 32 bits with the loop of bare_loop.cpp."""

    def __init__(self, module: VerilogModule) -> None:
        source = files(__package__).joinpath("bare_loop.cpp").read_text()
        library = ForeignLibrary(build_library(module.text, module.top, source))
        arguments = ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64
        self._run = library.declare("run_bare_loop", ctypes.c_uint64, *arguments)

    def run(self, requests: Sequence[tuple[int, ...]]) -> tuple[list[tuple[int, int]], int]:
        """Run requests one after the other; return (result, status) pairs and the total cycles."""
        operands = np.array(requests, np.uint32).reshape(len(requests), _OPERANDS)
        answers = np.zeros((len(requests), _ANSWERS), np.uint32)
        cycles = self._run(operands.ctypes.data, answers.ctypes.data, len(requests))
        return [(result, status) for result, status in answers.tolist()], cycles
