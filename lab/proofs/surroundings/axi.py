"""Shared parts of claims about AXI4-Lite circuits: the rules of AXI, and a bound in cycles."""

from __future__ import annotations

from pathlib import Path

from pymtl3 import Bits1, Bits4, Component, InPort, OutPort, Wire, mk_bits, update, update_ff

from rsaxcel.lab.proofs.claim import translated
from rsaxcel.rtl.axi.slave import CHANNELS, PREFIX

EXOKAY = 1
PAYLOAD_NBITS = max(sum(nbits for _, nbits in fields) for _, fields in CHANNELS.values())


class StreamRule(Component):
    """Checks one channel: a valid transfer stays valid and unchanged until ready (A3.2.1).

    Also, valid is 0 during a reset (A3.1.2); with a synchronous reset, from its second cycle on.
    """

    def construct(s):
        Payload = mk_bits(PAYLOAD_NBITS)
        s.valid = InPort(1)
        s.ready = InPort(1)
        s.payload = InPort(Payload)
        s.broken = OutPort(1)
        s.waits_reg = Wire(Bits1)
        s.resets_reg = Wire(Bits1)
        s.payload_reg = Wire(Payload)

        @update
        def comb_broken():
            s.broken @= s.resets_reg & s.reset & s.valid
            if s.waits_reg & ~s.reset & (~s.valid | (s.payload != s.payload_reg)):
                s.broken @= 1

        @update_ff
        def seq_past():
            s.waits_reg <<= s.valid & ~s.ready & ~s.reset
            s.resets_reg <<= s.reset
            s.payload_reg <<= s.payload


class AxiLiteChecker(Component):
    """Checks the five channels of AXI4-Lite; ``slave_broke`` and ``master_broke`` are sticky.

    Both are 1 from the cycle after a broken rule. The rules are those of ``StreamRule`` for each
    channel; no response without its request (A3.3.1: a write response needs an accepted address and
    accepted data); no response that AXI4-Lite lacks (B1.1.1: EXOKAY). ``forget`` clears both
    outputs, which is necessary after power-up.
    """

    def construct(s):
        for channel, (_, fields) in CHANNELS.items():
            for name, nbits in (*fields, ("valid", 1), ("ready", 1)):
                setattr(s, f"{PREFIX}{channel}{name}", InPort(nbits))
        s.forget = InPort(1)
        s.slave_broke = OutPort(1)
        s.master_broke = OutPort(1)
        s.slave_reg = Wire(Bits1)
        s.master_reg = Wire(Bits1)
        s.slave_broke //= s.slave_reg
        s.master_broke //= s.master_reg

        s.rules = [StreamRule() for _ in CHANNELS]
        for rule, (channel, (_, fields)) in zip(s.rules, CHANNELS.items(), strict=True):
            rule.valid //= getattr(s, f"{PREFIX}{channel}valid")
            rule.ready //= getattr(s, f"{PREFIX}{channel}ready")
            low = 0
            for name, nbits in fields:
                part = rule.payload[low : low + nbits]
                part //= getattr(s, f"{PREFIX}{channel}{name}")
                low += nbits
            if low < PAYLOAD_NBITS:
                rest = rule.payload[low:PAYLOAD_NBITS]
                rest //= 0

        #: Number of accepted requests without a response.
        s.takes = [Wire(Bits1) for _ in range(3)]
        s.answers = [Wire(Bits1) for _ in range(3)]
        s.owed_reg = [Wire(Bits4) for _ in range(3)]  #: write addresses, write data, reads
        s.slave = Wire(Bits1)
        s.master = Wire(Bits1)

        @update
        def comb_handshakes():
            s.takes[0] @= s.s_axi_awvalid & s.s_axi_awready
            s.takes[1] @= s.s_axi_wvalid & s.s_axi_wready
            s.takes[2] @= s.s_axi_arvalid & s.s_axi_arready
            s.answers[0] @= s.s_axi_bvalid & s.s_axi_bready
            s.answers[1] @= s.s_axi_bvalid & s.s_axi_bready
            s.answers[2] @= s.s_axi_rvalid & s.s_axi_rready

        @update
        def comb_broken():
            s.master @= s.rules[0].broken | s.rules[1].broken | s.rules[3].broken
            s.slave @= s.rules[2].broken | s.rules[4].broken
            if ~s.reset & s.s_axi_bvalid:
                if (s.owed_reg[0] == 0) | (s.owed_reg[1] == 0) | (s.s_axi_bresp == EXOKAY):
                    s.slave @= 1
            if ~s.reset & s.s_axi_rvalid:
                if (s.owed_reg[2] == 0) | (s.s_axi_rresp == EXOKAY):
                    s.slave @= 1

        @update_ff
        def seq_owed():
            for i in range(3):
                if s.reset:
                    s.owed_reg[i] <<= 0
                elif s.takes[i] & ~s.answers[i]:
                    s.owed_reg[i] <<= s.owed_reg[i] + 1
                elif ~s.takes[i] & s.answers[i]:
                    s.owed_reg[i] <<= s.owed_reg[i] - 1

        @update_ff
        def seq_broken():
            s.slave_reg <<= (s.slave_reg | s.slave) & ~s.forget
            s.master_reg <<= (s.master_reg | s.master) & ~s.forget


#: most cycles of the circuit's own in which a request waits while its channel has no response
CYCLES = 3

#: What the property ``rules`` says.
RULES = "AXI4-Lite's rules of a slave hold as long as the master keeps its own"

#: Signals that describe a cycle.
TOLD = (
    "awvalid",
    "awready",
    "wvalid",
    "wready",
    "bvalid",
    "bready",
    "bresp",
    "arvalid",
    "arready",
    "rvalid",
    "rready",
    "rresp",
)

_RULES = """
  wire slave_broke, master_broke;
  axi_checker rules(
    .clk(clk), .reset(reset), .forget(power_up), .slave_broke(slave_broke),
    .master_broke(master_broke),
    {pins});
  assign wrong_rules = slave_broke & !master_broke;
"""


def checker() -> tuple[str, str]:
    """Verilog of the checker of AXI's rules, and of its instance, which drives ``wrong_rules``."""
    module = translated("axi-checker", AxiLiteChecker, "axi_checker", "", Path(__file__))
    return module.text, _RULES.format(pins=pins())


def pins() -> str:
    """Connect the ports with AXI's names to signals without the prefix."""
    names = (
        f"{channel}{name}"
        for channel, (_, fields) in CHANNELS.items()
        for name in (*(field for field, _ in fields), "valid", "ready")
    )
    return ", ".join(f".{PREFIX}{name}({name})" for name in names)
