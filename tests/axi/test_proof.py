"""Proof that the AXI4-Lite slave keeps the rules of the specification for all inputs."""

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pyosys
from pymtl3 import Component, InPort, OutPort, connect, update
from pymtl3.stdlib.stream import NormalQueueRTL

from fl.bus_unit import AccessRespMsg
from rtl.axi.pins import CHANNELS, PREFIX, add_axi_pins, axi_pins, connect_axi_pins
from rtl.axi.slave import AxiLiteSlave
from sim.translate import VerilogModule, translate
from tests.axi.checker import AxiLiteChecker
from tests.yosys import through_yosys


class AnyRegisters(Component):
    """The slave with its checker, in front of registers with arbitrary answers and delays.

    With ``impatient`` the checker sees another bready than the slave, so that a rule is broken.
    """

    def construct(s, impatient):
        add_axi_pins(s)
        s.forget = InPort(1)
        s.accepts = InPort(1)
        s.answers = InPort(1)
        s.error = InPort(1)
        s.data = InPort(32)
        s.shown_bready = InPort(1)
        s.wrong = OutPort(1)
        s.slave = AxiLiteSlave()
        connect_axi_pins(s, s.slave.axi)
        s.queue = NormalQueueRTL(AccessRespMsg, 2)

        @update
        def comb_registers():
            s.slave.access.req.rdy @= s.accepts & s.queue.recv.rdy
            s.queue.recv.val @= s.accepts & s.slave.access.req.val
            s.queue.recv.msg.type_ @= s.slave.access.req.msg.type_
            s.queue.recv.msg.error @= s.error
            s.queue.recv.msg.data @= s.data
            s.slave.access.resp.val @= s.answers & s.queue.send.val
            s.queue.send.rdy @= s.answers & s.slave.access.resp.rdy
            s.slave.access.resp.msg @= s.queue.send.msg

        s.watch = AxiLiteChecker()
        s.watch.forget //= s.forget
        for name in axi_pins():
            shown = "shown_bready" if impatient and name == f"{PREFIX}bready" else name
            connect(getattr(s.watch, name), getattr(s, shown))

        @update
        def comb_wrong():
            s.wrong @= s.watch.slave_broke & ~s.watch.master_broke


def after_power_up(module) -> VerilogModule:
    """The circuit with reset and ``forget`` at 1 in its first cycle; ``bad`` must stay 0."""
    header = module.text[module.text.rindex(f"module {module.top}") :].partition(");")[0]
    ports = re.findall(r"(input|output)\s+(logic [^,]*?\w+)\s*(?:,|$)", header)
    inputs = ", ".join(f"input {port}" for way, port in ports if way == "input")
    outputs = "".join(f"  {port};\n" for way, port in ports if way == "output")
    text = f"""{module.text}
module after_power_up({inputs}, output logic bad);
{outputs}  logic started = 0;
  always_ff @(posedge clk) started <= 1;
  {module.top} circuit(.reset(reset | ~started), .forget(~started), .*);
  assign bad = started & wrong;
endmodule
"""
    return replace(module, text=text, top="after_power_up")


def prove(folder, impatient: bool) -> str:
    """Output of ABC's property-directed reachability on the claim that ``bad`` stays 0.

    Registers without a reset begin with arbitrary values.
    """
    module = after_power_up(translate(AnyRegisters(impatient), check=lambda component: None))
    steps = ["proc", "flatten", "memory", "opt", "techmap", "opt", "setundef -anyseq", "dffunmap"]
    steps += ["opt_clean", "aigmap", "write_aiger -zinit slave.aig"]
    through_yosys(module, folder, steps)
    abc = Path(pyosys.__file__).with_name("yosys-abc")
    commands = "read_aiger slave.aig; scorr; dc2; pdr; print_status"
    done = subprocess.run([abc, "-c", commands], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_rules_hold(tmp_path):
    """The slave breaks no rule, for any behaviour of master and registers and any resets."""
    assert set(CHANNELS) == {"aw", "w", "b", "ar", "r"}
    assert "Property proved" in prove(tmp_path, False)


def test_a_broken_rule_is_found(tmp_path):
    assert "was asserted in frame" in prove(tmp_path, True)
