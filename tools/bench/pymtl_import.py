"""PyMTL3's own way to simulate translated Verilog: it imports Verilator's model with cffi."""

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path

from pymtl3 import Component, DefaultPassGroup
from pymtl3.passes.backends.verilog import (
    VerilogTranslationImportPass,
    VerilogTranslationPass,
    VerilogVerilatorImportPass,
)

from rsaxcel.catalog import Configuration
from rsaxcel.sim.native.toolchain import find_toolchain


class PymtlImport:
    """A design's circuit, imported with PyMTL3's ``fast``: the C++ compiler optimizes for speed."""

    def __init__(self, configuration: Configuration, folder: Path) -> None:
        tools = find_toolchain()
        folder.mkdir(parents=True, exist_ok=True)
        environment = {
            "PATH": f"{tools.verilator.parent}{os.pathsep}{os.environ['PATH']}",
            "VERILATOR_ROOT": str(tools.verilator_root),
            "PYMTL_VERILATOR_INCLUDE_DIR": str(tools.include),
        }
        component = configuration.component("rtl")
        component.set_metadata(VerilogTranslationImportPass.enable, True)
        component.set_metadata(VerilogVerilatorImportPass.fast, True)
        component.set_metadata(VerilogTranslationPass.explicit_module_name, configuration.name)
        component.elaborate()
        # The pass writes to the current folder and finds its tools by environment variables.
        with contextlib.chdir(folder), _environment(environment):
            self._top: Component = VerilogTranslationImportPass()(component)
        self._top.elaborate()
        self._top.apply(DefaultPassGroup())
        self._request = type(self._top.recv.msg)

    def run(self, requests: Sequence[tuple[int, ...]]) -> tuple[list[tuple[int, int]], int]:
        """Run requests one after the other; return (result, status) pairs and all cycles."""
        # To be fast, it evaluates combinational logic only after a change of an input, and in each
        # tick.
        top = self._top
        recv, send, tick, settle = top.recv, top.send, top.sim_tick, top.sim_eval_combinational
        kinds = self._request.__bitstruct_fields__.values()
        messages = [
            self._request(*(kind(value) for kind, value in zip(kinds, request, strict=True)))
            for request in requests
        ]
        responses, cycles = [], 0
        top.sim_reset()
        send.rdy @= 1
        for message in messages:
            recv.msg @= message
            recv.val @= 1
            settle()
            while not recv.rdy:
                tick()
                cycles += 1
            tick()
            cycles += 1
            recv.val @= 0
            settle()
            while not send.val:
                tick()
                cycles += 1
            responses.append((int(send.msg.r), int(send.msg.status)))
            tick()
            cycles += 1
        return responses, cycles


@contextlib.contextmanager
def _environment(values: dict[str, str]):
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
