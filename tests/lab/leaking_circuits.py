"""A small circuit whose only leak of the exponent is planted, for the tests of ``rsaxcel leak``.

The circuit takes requests of a real design, works for ``CYCLES`` cycles on data that come from the
base, and responds with the base. The exponent stays on the port and is not read, unless a leak is
planted.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rsaxcel import catalog
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.power.slews import Slews
from rsaxcel.lab.leakage.measure import calibration
from rsaxcel.lab.leakage.recorder import Recorder
from rsaxcel.sim.translate import VerilogModule, translate
from tests.flow.flow_circuits import library, synthesized

NBITS = 8
CYCLES = 24

_CIRCUIT = Path(__file__).with_name("planted.sv").read_text("utf-8")

LEAKS = {
    "none": {},
    # a register keeps a digit of the exponent in each cycle of the work
    "digit": {"digit": "exponent[count_reg[2:0]]"},
    # the register keeps one bit of the exponent in one cycle, beside 256 registers of data
    "moment": {"digit": "exponent[3] & count_reg == 5", "crowd": "255"},
    # eight bits follow a random mask, eight others in turn the mask and the mask xor a bit of the
    # exponent: both toggle together, or one at a time, as the bit says, and equally often
    "shares": {
        "crowd": "15",
        "next": "{2{base_reg}} ^ {{8{count_reg[0] ? share_reg : mask_reg}}, {8{mask_reg}}}",
    },
    # a comparison ends early: the work ends 8 cycles sooner if the upper half of the exponent is 0
    "early": {"last": f"count_reg >= ((exponent[7:4] == 0) ? {CYCLES - 9} : {CYCLES - 1})"},
    # the work ends a cycle sooner for a few of the bases and exponents
    "rarely": {
        "last": f"count_reg == {CYCLES - 1} - (exponent[7:3] == 5'd3 & base_reg[7:3] == 5'd13)"
    },
}
"""Leaks to plant: parts of the circuit's Verilog."""


class _Working:
    """A configuration whose circuit always takes ``CYCLES`` cycles."""

    def __init__(self, configuration: catalog.Configuration) -> None:
        self._configuration = configuration

    def __getattr__(self, name: str) -> Any:
        """Give all else as the design does."""
        return getattr(self._configuration, name)

    def cycles(self, base: int, exponent: int, modulus: int) -> int:
        """Cycles from the request to the response."""
        return CYCLES


def slews_of(netlist: Netlist) -> Slews:
    """The same slew at every pin."""
    pins = ((x.name, pin) for x in netlist.instances for pin in x.nets)
    return Slews(dict.fromkeys(pins, (2e-11, 3e-11)))


def planted_recorder(leak: str, folder, monkeypatch: pytest.MonkeyPatch) -> Recorder:
    """Synthesize the circuit with a leak of ``LEAKS``, and make its recorder."""
    configuration: Any = _Working(catalog.get("mulrem_r2l").configure(NBITS))
    module = translate(configuration.component("rtl"), "mulrem_r2l")
    fields = {x.name: x.lsb for x in (*module.request.fields, *module.response.fields)}
    parts = {
        "digit": "1'b0",
        "crowd": "0",
        "next": "crowd_reg ^ {crowd_reg, data_reg}",
        "last": f"count_reg == {CYCLES - 1}",
    } | LEAKS[leak]
    verilog = _CIRCUIT.format(
        **{name: fields[name] for name in "ber"},
        request=module.request.width - 1,
        response=module.response.width - 1,
        zeros=module.response.width - NBITS,
        **parts,
    )
    synthesized(verilog, "planted", folder)
    netlist = Netlist.from_yosys_json(folder / "netlist.json", library(), top="planted")
    interface = VerilogModule(verilog, "planted", module.messages)
    monkeypatch.setattr(
        "rsaxcel.lab.leakage.recorder.expected_response", lambda _, row: (row[0], 0)
    )
    return Recorder(
        configuration, netlist, interface, slews_of(netlist), calibration(configuration)
    )
