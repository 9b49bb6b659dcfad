"""Verilog modules that circuits' surroundings share; circuits with their exponentiator outside."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pymtl3 import Component
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.circuit import Widths
from rsaxcel.fl.messages import power_request, power_response
from rsaxcel.rtl.axi.accelerator import BusAccelerator
from rsaxcel.rtl.axi.slave import AxiAccelerator
from rsaxcel.rtl.xcel import XcelAdapter
from rsaxcel.sim.translate import VerilogModule


@dataclass(frozen=True)
class Exchange:
    """A circuit with streams, and claims about it."""

    name: str  #: name as users type it
    component: Callable[[int], Any]  #: function of a width in bits
    #: Verilog of the surroundings, with the top module claim.TOP. Its output "wrong_" + property is
    #: 1 if the property is broken, "seen_" + event in the cycle of the event.
    checked: Callable[[VerilogModule, int], str]
    properties: Mapping[str, str]  #: meaning of each property, by name
    events: tuple[str, ...]  #: events that must be possible, so that no claim is empty
    told: tuple[str, ...]  #: ports that describe the last cycle of a counterexample
    nbits: int  #: width of the standard claims
    most_nbits: int  #: greatest width for which a proof is tried
    least_nbits: int = 1  #: least width for which a proof is tried
    #: formula of what the claims read of the outputs, for self-tests; empty: all outputs, whatever
    #: is around the circuit
    seen: str = ""


ANY_EXPONENTIATOR = """
// An exponentiator: it accepts a request in any cycle, answers it once, after any number of cycles,
// with anything, and holds its response until it is taken.
module any_exponentiator #(parameter REQUEST = 1, RESPONSE = 1) (
  input clk, input reset, input asks, input accepts, input [REQUEST - 1:0] asked,
  input answers, input [RESPONSE - 1:0] answer, input takes,
  output responds, output [RESPONSE - 1:0] response, output busy,
  output wrong_second, output wrong_request
);
  reg has_reg, offers_reg, asks_reg;
  reg [RESPONSE - 1:0] answer_reg;
  reg [REQUEST - 1:0] asked_reg;
  assign responds = has_reg & (offers_reg | answers);
  assign response = offers_reg ? answer_reg : answer;
  assign busy = has_reg & !responds;
  always_ff @(posedge clk) begin
    has_reg <= !reset & (asks & accepts | has_reg & !(responds & takes));
    offers_reg <= !reset & responds & !takes;
    answer_reg <= response;
    asks_reg <= !reset & asks & !accepts;
    asked_reg <= asked;
  end
  // A request while it has one; a request that changes, or is withdrawn, while it waits.
  assign wrong_second = !reset & asks & has_reg;
  assign wrong_request = !reset & asks_reg & (!asks | asked != asked_reg);
endmodule
"""

IN_ORDER = """
// What goes in comes out later, once, in order and unchanged. One item at a time is watched; `pick`
// chooses it, at any time. `count` counts the items that are inside; there are at most MOST.
module in_order #(parameter NBITS = 1, MOST = 2) (
  input clk, input reset, input pick,
  input puts, input [NBITS - 1:0] put, input gets, input [NBITS - 1:0] get,
  output [2:0] count, output wrong
);
  reg [2:0] count_reg, ahead_reg;
  reg picked_reg;
  reg [NBITS - 1:0] item_reg;
  wire found = picked_reg & gets & ahead_reg == 0;
  always_ff @(posedge clk) begin
    count_reg <= reset ? 0 : count_reg + puts - gets;
    picked_reg <= !reset & (puts & pick & !picked_reg | picked_reg & !found);
    if (!picked_reg) begin
      item_reg <= put;
      ahead_reg <= count_reg - gets;
    end else ahead_reg <= ahead_reg - gets;
  end
  assign count = count_reg;
  assign wrong = !reset
    & (gets & count_reg == 0 | puts & count_reg == MOST & !gets | found & get != item_reg);
endmodule
"""


DESIGN_ID = 5


def constants_of(nbits: int) -> Widths:
    """One constant from the host, so that its registers are part of the circuit."""
    return (("c", nbits),)


class Outside(Component):
    """Stands in the exponentiator's place, and passes both streams on to the outside.

    Parameters
    ----------
    nbits : int
        Width of the operands and of the constant in bits.

    Ports
    -----
    recv, send : as those of an exponentiator
    request : send; what ``recv`` gets
    response : recv; what ``send`` gives

    Latency: none.
    """

    def construct(s, nbits: int):
        Request = power_request(nbits, constants_of(nbits), nbits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(power_response(nbits))
        s.request = SendIfcRTL(Request)
        s.response = RecvIfcRTL(power_response(nbits))
        s.recv //= s.request
        s.response //= s.send


def _arguments(nbits: int) -> tuple[Any, ...]:
    return nbits, lambda: Outside(nbits), DESIGN_ID, constants_of(nbits), nbits


def _add_streams(s: Component, inner: Component, nbits: int) -> None:
    """Add ports ``request`` and ``response`` that are those of a component inside."""
    s.request = SendIfcRTL(power_request(nbits, constants_of(nbits), nbits))
    s.response = RecvIfcRTL(power_response(nbits))
    inner.request //= s.request
    s.response //= inner.response


class OpenAdapter(XcelAdapter):
    """``XcelAdapter`` with the exponentiator outside.

    Parameters
    ----------
    nbits : int
        Width of the operands and of one constant from the host in bits.

    Ports
    -----
    Those of ``XcelAdapter``; ``request`` and ``response`` of ``Outside``.
    """

    def construct(s, nbits):
        super().construct(*_arguments(nbits))
        _add_streams(s, s.exponentiator, nbits)


class OpenBusAccelerator(BusAccelerator):
    """``BusAccelerator`` with the exponentiator outside; see ``OpenAdapter``."""

    def construct(s, nbits):
        super().construct(*_arguments(nbits))
        _add_streams(s, s.exponentiator, nbits)


class OpenAxiAccelerator(AxiAccelerator):
    """``AxiAccelerator`` with the exponentiator outside; see ``OpenAdapter``."""

    def construct(s, nbits):
        super().construct(OpenBusAccelerator(nbits))
        _add_streams(s, s.accelerator, nbits)
