"""The AXI4-Lite slave keeps the specification's rules: proved for all inputs over 20 cycles."""

import pytest
from pymtl3 import Component, InPort, OutPort, connect, update
from pymtl3.stdlib.stream import NormalQueueRTL

from fl.bus_unit import AccessRespMsg
from rtl.axi.pins import CHANNELS, PREFIX, add_axi_pins, axi_pins, connect_axi_pins
from rtl.axi.slave import AxiLiteSlave
from sim.translate import translate
from tests.axi.checker import AxiLiteChecker
from tests.yosys import through_yosys

CYCLES = 20


class AnyRegisters(Component):
    """The slave before registers that answer what and when they like, and the checker.

    With ``impatient`` the checker sees another bready than the slave.
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


def prove(folder, impatient: bool) -> None:
    module = translate(AnyRegisters(impatient), check=lambda component: None)
    begin = "-set-at 1 reset 1 -set-at 1 forget 1 " + " ".join(
        f"-set-at {i} forget 0" for i in range(2, CYCLES + 1)
    )
    proof = f"sat -verify -seq {CYCLES} {begin} -prove wrong 0 -prove-skip 1"
    through_yosys(module, folder, ["proc", "flatten", "memory", "opt", proof])


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_rules_hold(tmp_path):
    """Whatever master and registers do, resets at any time included."""
    assert set(CHANNELS) == {"aw", "w", "b", "ar", "r"}
    prove(tmp_path, False)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_broken_rule_is_found(tmp_path):
    with pytest.raises(AssertionError, match="proof did fail"):
        prove(tmp_path, True)
