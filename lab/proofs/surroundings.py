"""Circuits about which claims of the class ``exchange`` are proven, and their surroundings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pymtl3 import Bits1, Bits4, Component, InPort, OutPort, Wire, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.circuit import Widths
from rsaxcel.fl.messages import power_request, power_response
from rsaxcel.fl.register_map import CLEAR, REGISTERS, START, WORD_NBITS, WORD_NBYTES
from rsaxcel.fl.word_serial import words_per_constant, words_per_operand
from rsaxcel.lab.proofs.claim import translated
from rsaxcel.rtl.axi.accelerator import BusAccelerator
from rsaxcel.rtl.axi.slave import CHANNELS, PREFIX, AxiAccelerator, AxiLiteSlave, axi_pins
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


_ANY_EXPONENTIATOR = """
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

_IN_ORDER = """
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


_DESIGN_ID = 5


def _constants_of(nbits: int) -> Widths:
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
        Request = power_request(nbits, _constants_of(nbits), nbits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(power_response(nbits))
        s.request = SendIfcRTL(Request)
        s.response = RecvIfcRTL(power_response(nbits))
        s.recv //= s.request
        s.response //= s.send


def _arguments(nbits: int) -> tuple[Any, ...]:
    return nbits, lambda: Outside(nbits), _DESIGN_ID, _constants_of(nbits), nbits


def _add_streams(s: Component, inner: Component, nbits: int) -> None:
    """Add ports ``request`` and ``response`` that are those of a component inside."""
    s.request = SendIfcRTL(power_request(nbits, _constants_of(nbits), nbits))
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


#: Cycles of a clearing, at most, in which the adapter does not wait for the exponentiator.
_CLEAR_CYCLES = 3

_WORDS = """
// What a register of the host holds: words come one after the other, the lowest first; the first
// one after a rewind clears the others. `beyond`: a further word was not 0.
module words_written #(parameter WORDS = 1) (
  input clk, input clears, input rewinds, input writes, input [31:0] data,
  output [32 * WORDS - 1:0] value, output beyond
);
  reg [32 * WORDS - 1:0] value_reg;
  reg [7:0] count_reg;
  reg beyond_reg;
  wire [32 * WORDS - 1:0] word = data;
  always_ff @(posedge clk) begin
    if (clears) {value_reg, beyond_reg} <= 0;
    else if (writes) begin
      value_reg <= (count_reg == 0 ? 0 : value_reg)
        | (count_reg == WORDS ? 0 : word << 32 * count_reg);
      beyond_reg <= count_reg != 0 & beyond_reg | count_reg == WORDS & data != 0;
    end
    if (clears | rewinds) count_reg <= 0;
    else if (writes & count_reg != WORDS) count_reg <= count_reg + 1;
  end
  assign value = value_reg;
  assign beyond = beyond_reg;
endmodule
"""

_CHECKED_ADAPTER = """
module checked(
  input clk, input reset,
  // The master: requests and back-pressure.
  input offered, input is_write, input [4:0] address, input [31:0] data, input taken,
  // The exponentiator: when it accepts, when it answers, and what.
  input accepts, input answers, input [{response_bits} - 1:0] answer,
  output ready, output valid, output valid_write, output [31:0] valid_data,
  output asks, output [{request_bits} - 1:0] asked, output responds, output takes,
  output wrong_once, output wrong_held, output wrong_start, output wrong_request,
  output wrong_cycles, output wrong_data, output wrong_writes,
  output seen_wait, output seen_read, output seen_start, output seen_drop, output seen_clear,
  output seen_result
);
  localparam GO = 0, BASE = 1, EXPONENT = 2, MODULUS = 3, RESULT = 4, STATE = 5,
    CONSTANTS = 6;

  wire [{response_bits} - 1:0] response;
  wire busy, wrong_second;
  wire accepted = asks & accepts, dropped = responds & takes;
  any_exponentiator #({request_bits}, {response_bits}) exponentiator(.*);

  {circuit} circuit(
    .clk(clk), .reset(reset),
    .xcel__req__val(offered), .xcel__req__rdy(ready), .xcel__req__msg({{is_write, address, data}}),
    .xcel__resp__val(valid), .xcel__resp__rdy(taken),
    .xcel__resp__msg({{valid_write, valid_data}}),
    .request__val(asks), .request__rdy(accepts), .request__msg(asked),
    .response__val(responds), .response__rdy(takes), .response__msg(response));

  // The request that has no response yet.
  reg open_reg, write_reg, starts_reg, clears_reg, busy_reg;
  reg [4:0] address_reg;
  wire begins = offered & ready;
  wire ends = valid & taken;
  wire starts = is_write & address == GO & data[0];
  wire clears = is_write & address == STATE & data[0];
  always_ff @(posedge clk) begin
    open_reg <= !reset & (begins | open_reg & !ends);
    if (begins) begin
      write_reg <= is_write;
      address_reg <= address;
      starts_reg <= starts;
      clears_reg <= clears;
      busy_reg <= busy | accepted;
    end
  end
  assign wrong_once = !reset & (valid & !open_reg | valid & valid_write != write_reg
    | begins & open_reg & !ends);

  // A response that waits. The bits of STATE go on showing the exponentiator's state.
  reg waits_reg;
  reg [32:0] waiting_reg;
  wire live = !write_reg & address_reg == STATE;
  always_ff @(posedge clk) begin
    waits_reg <= !reset & valid & !taken;
    waiting_reg <= {{valid_write, valid_data}};
  end
  assign wrong_held = !reset & waits_reg
    & (!valid | valid_write != waiting_reg[32] | valid_data != waiting_reg[31:0] & !live);

  // A start, or a clearing, that the exponentiator has not got yet.
  reg unsent_reg;
  always_ff @(posedge clk)
    unsent_reg <= !reset & (begins & (starts | clears) | unsent_reg & !accepted);
  assign wrong_start = wrong_second | !reset & (asks & !unsent_reg
    | valid & open_reg & starts_reg & unsent_reg & !accepted
    | valid & open_reg & clears_reg & (unsent_reg | busy | responds)
    | asks & clears_reg & asked[{request_bits} - 1:1] != 0);

  // Cycles without a response in which the adapter does not wait for the exponentiator.
  reg [2:0] own_reg;
  reg [1:0] sent_reg, drops_reg;
  wire outside = busy | asks & !accepts;
  wire own = open_reg & !valid & !outside;
  wire [2:0] most = clears_reg ? {clear_cycles} : starts_reg & busy_reg ? 1 : 0;
  wire at_once = !starts_reg & !clears_reg
    & (write_reg | address_reg != GO & address_reg != RESULT);
  always_ff @(posedge clk) begin
    own_reg <= reset | begins | ends ? 0 : own_reg + (own & own_reg != 7);
    sent_reg <= reset | begins | ends ? 0 : sent_reg + (accepted & sent_reg != 3);
    drops_reg <= reset | ends & !begins ? 0
      : begins ? dropped : drops_reg + (dropped & drops_reg != 3);
  end
  assign wrong_cycles = !reset & (own_reg > most | sent_reg > 1 | drops_reg > 2
    | starts_reg & drops_reg > 1 | open_reg & at_once & !valid | !ready & (!open_reg | ends));

  // What a read gives.
  reg [7:0] status_reg;
  reg [{position_bits} - 1:0] position_reg;
  wire [7:0] status = responds ? response[7:0] : status_reg;
  wire [{words} * 32 - 1:0] result = response[{response_bits} - 1:8];
  wire [31:0] word = responds & position_reg < {words} ? result[32 * position_reg +: 32] : 0;
  wire [31:0] expected = write_reg ? 0 : address_reg == GO ? status : address_reg == BASE ? {words}
    : address_reg == EXPONENT ? {design_id} : address_reg == MODULUS ? {constant_words}
    : address_reg == RESULT ? word : address_reg == STATE ? {{status, 6'd0, responds, busy}} : 0;
  always_ff @(posedge clk) begin
    if (reset) status_reg <= 0;
    else if (open_reg & clears_reg & dropped) status_reg <= 0;
    else if (dropped) status_reg <= response[7:0];
    if (begins & is_write & (address == GO | address == RESULT)) position_reg <= 0;
    else if (ends & !write_reg & address_reg == RESULT & position_reg < {words})
      position_reg <= position_reg + 1;
  end
  assign wrong_data = !reset & valid & open_reg & valid_data != expected;

  // What writes change: the operands, which the next request has, and their constants.
  wire write = begins & is_write;
  wire rewinds = write & (address == GO | address == STATE);
  wire wipes = reset | write & clears;
  wire [{words} * 32 - 1:0] base, exponent, modulus;
  wire [2:0] beyond;
  words_written #({words}) of_base(.clears(wipes), .writes(write & address == BASE),
    .value(base), .beyond(beyond[0]), .*);
  words_written #({words}) of_exponent(.clears(wipes), .writes(write & address == EXPONENT),
    .value(exponent), .beyond(beyond[1]), .*);
  words_written #({words}) of_modulus(.clears(wipes), .writes(write & address == MODULUS),
    .value(modulus), .beyond(beyond[2]), .*);
  wire wide = beyond != 0 | base >> {nbits} != 0 | exponent >> {nbits} != 0
    | modulus >> {nbits} != 0;

  // The first word of a modulus drops the constants; they are complete after exactly as many words
  // as there are. A reset leaves them as they are: nothing is known of them before such a word.
  reg begun_reg, known_reg, written_reg, complete_reg;
  reg [7:0] count_reg;
  wire drops = write & address == MODULUS & !begun_reg;
  wire [{constant_words} * 32 - 1:0] constant;
  wire too_many;
  words_written #({constant_words}) of_constant(.clears(write & clears), .rewinds(rewinds | drops),
    .writes(write & address == CONSTANTS), .value(constant), .beyond(too_many), .*);
  always_ff @(posedge clk) begin
    begun_reg <= !reset & !rewinds & (begun_reg | drops);
    known_reg <= !reset & (known_reg | drops | write & clears);
    written_reg <= !reset & (written_reg | write & (clears | known_reg & address == CONSTANTS));
    if (rewinds | drops) count_reg <= 0;
    else if (write & address == CONSTANTS & count_reg <= {constant_words})
      count_reg <= count_reg + 1;
    if (drops | write & clears) complete_reg <= 0;
    else if (write & address == CONSTANTS) complete_reg <= count_reg == {constant_words} - 1;
  end
  wire missing = !complete_reg | constant >> {nbits} != 0;
  assign wrong_writes = !reset & asks & ({b} != {nbits}'(base) | {e} != {nbits}'(exponent)
    | {m} != {nbits}'(modulus) | {wide} != wide | known_reg & {missing} != missing
    | known_reg & written_reg & {c} != {nbits}'(constant));

  assign seen_wait = !reset & waits_reg & open_reg & ends;
  assign seen_read = !reset & ends & !write_reg & address_reg == GO;
  assign seen_start = !reset & accepted & starts_reg;
  assign seen_drop = !reset & dropped & starts_reg & own_reg == 0;
  assign seen_clear = !reset & ends & clears_reg & own_reg == {clear_cycles};
  assign seen_result = !reset & ends & !write_reg & address_reg == RESULT & responds & word != 0;
endmodule
"""


def _checked_adapter(module: VerilogModule, nbits: int) -> str:
    """Surroundings of the adapter: any master, any exponentiator, and the checks."""
    words = words_per_operand(nbits)
    constants = _constants_of(nbits)
    each = words_per_constant(nbits, (width for _, width in constants))
    fields = {
        x.name: f"asked[{x.lsb + x.width - 1}:{x.lsb}]"
        for x in module.messages["request__msg"].fields
    }
    return (
        _ANY_EXPONENTIATOR
        + _WORDS
        + _CHECKED_ADAPTER.format(
            nbits=nbits,
            **fields,
            circuit=module.top,
            request_bits=module.messages["request__msg"].width,
            response_bits=module.messages["response__msg"].width,
            clear_cycles=_CLEAR_CYCLES,
            words=words,
            position_bits=words.bit_length(),
            design_id=_DESIGN_ID,
            constant_words=each * len(constants),
        )
    )


_ADAPTER = Exchange(
    "xcel_adapter",
    OpenAdapter,
    _checked_adapter,
    {
        "once": "each request gets one response of its type, in order; no request, no response",
        "held": "a response that waits stays the same, but for the bits of STATE",
        "start": "each start and each clearing reaches the exponentiator once, before its response "
        "is given, and never while the exponentiator has another request",
        "request": "a request that waits for the exponentiator stays the same",
        "cycles": "a response takes 1 cycle, and the cycles of waiting for the exponentiator; "
        f"at most 1 more for a start, {_CLEAR_CYCLES} more for a clearing",
        "writes": "each write changes the operand, the constants or the pointers of its register, "
        "and nothing else, as the next request to the exponentiator shows",
        "data": "reads give the exponentiator's status and result, and the adapter's numbers",
    },
    ("wait", "read", "start", "drop", "clear", "result"),
    ("offered", "address", "data", "valid", "valid_data", "taken", "asks", "accepts", "responds"),
    nbits=8,
    most_nbits=64,
    seen="ready, valid, {33{valid}} & {valid_write, valid_data}, asks, "
    "{$bits(asked){asks}} & asked, responds & takes",
)


EXOKAY = 1
_PAYLOAD_NBITS = max(sum(nbits for _, nbits in fields) for _, fields in CHANNELS.values())


class StreamRule(Component):
    """Checks one channel: a valid transfer stays valid and unchanged until ready (A3.2.1).

    Also, valid is 0 during a reset (A3.1.2); with a synchronous reset, from its second cycle on.
    """

    def construct(s):
        Payload = mk_bits(_PAYLOAD_NBITS)
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
            if low < _PAYLOAD_NBITS:
                rest = rule.payload[low:_PAYLOAD_NBITS]
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


#: Most cycles of an AXI circuit's own in which a request waits while its channel has no response.
_AXI_CYCLES = 3

#: What the property ``rules`` says.
_AXI_RULES = "AXI4-Lite's rules of a slave hold as long as the master keeps its own"

#: Signals that describe a cycle.
_AXI_TOLD = (
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

_AXI_CHECKER = """
  wire slave_broke, master_broke;
  axi_checker rules(
    .clk(clk), .reset(reset), .forget(power_up), .slave_broke(slave_broke),
    .master_broke(master_broke),
    {pins});
  assign wrong_rules = slave_broke & !master_broke;
"""


def _checker() -> tuple[str, str]:
    """Verilog of the checker of AXI's rules, and of its instance, which drives ``wrong_rules``."""
    module = translated("axi-checker", AxiLiteChecker, "axi_checker", "", Path(__file__))
    return module.text, _AXI_CHECKER.format(pins=_pins())


def _pins() -> str:
    """Connect the ports with AXI's names to signals without the prefix."""
    return ", ".join(f".{x}({x.removeprefix(PREFIX)})" for x in axi_pins())


_CHECKED_SLAVE = """
module checked(
  input clk, input reset, input power_up,
  // The master.
  input awvalid, input [11:0] awaddr, input wvalid, input [31:0] wdata, input [3:0] wstrb,
  input bready, input arvalid, input [11:0] araddr, input rready,
  // The registers: when they accept an access, when they answer, and what.
  input accepts, input answers, input error, input [31:0] answer,
  // The item that `in_order` watches.
  input pick,
  output awready, output wready, output bvalid, output [1:0] bresp, output arready, output rvalid,
  output [31:0] rdata, output [1:0] rresp, output accesses, output [48:0] access, output responds,
  output wrong_rules, output wrong_once, output wrong_cycles,
  output seen_write, output seen_read, output seen_wait, output seen_error, output seen_slowest
);
  // The registers hold up to four accesses, and answer them in order.
  reg [2:0] open_reg;
  reg [3:0] types_reg;  // the oldest access is the lowest bit
  wire takes_response;
  wire accepted = accesses & accepts & open_reg != 4;
  wire answered = responds & takes_response;
  wire [2:0] left = open_reg - answered;
  wire [3:0] types = answered ? types_reg >> 1 : types_reg;
  assign responds = answers & open_reg != 0;
  wire answers_write = answered & types_reg[0], answers_read = answered & !types_reg[0];
  always_ff @(posedge clk) begin
    open_reg <= reset ? 0 : left + accepted;
    types_reg <= accepted ? types & ~(4'd1 << left) | 4'(access[48]) << left : types;
  end

  {circuit} circuit(
    .clk(clk), .reset(reset),
    .axi__aw__val(awvalid), .axi__aw__rdy(awready), .axi__aw__msg(awaddr),
    .axi__w__val(wvalid), .axi__w__rdy(wready), .axi__w__msg({{wdata, wstrb}}),
    .axi__b__val(bvalid), .axi__b__rdy(bready), .axi__b__msg(bresp),
    .axi__ar__val(arvalid), .axi__ar__rdy(arready), .axi__ar__msg(araddr),
    .axi__r__val(rvalid), .axi__r__rdy(rready), .axi__r__msg({{rdata, rresp}}),
    .access__req__val(accesses), .access__req__rdy(accepts & open_reg != 4),
    .access__req__msg(access),
    .access__resp__val(responds), .access__resp__rdy(takes_response),
    .access__resp__msg({{types_reg[0], error, answer}}));

  {checker}

  // The slave makes the accesses that the master asked for, and responds with the answer to each.
  wire [2:0] addresses, words, reads, acks, values;
  wire [4:0] disorder;
  wire writes = accepted & access[48], fetches = accepted & !access[48];
  wire [1:0] code = error ? 2 : 0;
  in_order #(.NBITS(12)) in_aw(.puts(awvalid & awready), .put(awaddr), .gets(writes),
    .get(access[47:36]), .count(addresses), .wrong(disorder[0]), .*);
  in_order #(.NBITS(36)) in_w(.puts(wvalid & wready), .put({{wdata, wstrb}}), .gets(writes),
    .get(access[35:0]), .count(words), .wrong(disorder[1]), .*);
  in_order #(.NBITS(12)) in_ar(.puts(arvalid & arready), .put(araddr), .gets(fetches),
    .get(access[47:36]), .count(reads), .wrong(disorder[2]), .*);
  in_order #(.NBITS(2)) in_b(.puts(answers_write), .put(code), .gets(bvalid & bready), .get(bresp),
    .count(acks), .wrong(disorder[3]), .*);
  in_order #(.NBITS(34)) in_r(.puts(answers_read), .put({{answer, code}}), .gets(rvalid & rready),
    .get({{rdata, rresp}}), .count(values), .wrong(disorder[4]), .*);
  assign wrong_once = disorder != 0;

  // Requests of each kind that have no response yet, and the cycles without a response in which the
  // slave does not wait for the registers.
  reg [2:0] writes_open_reg, reads_open_reg, write_own_reg, read_own_reg;
  wire outside = accesses & !(accepts & open_reg != 4) | open_reg != 0 & !responds;
  wire write_waits = !bvalid & (writes_open_reg != 0 | addresses != 0 & words != 0);
  wire read_waits = !rvalid & (reads_open_reg != 0 | reads != 0);
  always_ff @(posedge clk) begin
    writes_open_reg <= reset ? 0 : writes_open_reg + writes - (bvalid & bready);
    reads_open_reg <= reset ? 0 : reads_open_reg + fetches - (rvalid & rready);
    write_own_reg <= reset | !write_waits ? 0 : write_own_reg + (!outside & write_own_reg != 7);
    read_own_reg <= reset | !read_waits ? 0 : read_own_reg + (!outside & read_own_reg != 7);
  end
  assign wrong_cycles = !reset & (write_own_reg > {most} | read_own_reg > {most}
    | !awready & addresses != 2 | !wready & words != 2 | !arready & reads != 2
    | answers & !takes_response);

  assign seen_write = !reset & bvalid & bready & bresp == 0;
  assign seen_read = !reset & rvalid & rready & rdata != 0;
  assign seen_wait = !reset & rvalid & !rready & values == 2;
  assign seen_error = !reset & bvalid & bready & bresp == 2;
  assign seen_slowest = !reset & (write_own_reg == {most} | read_own_reg == {most});
endmodule
"""


def _checked_slave(module: VerilogModule, nbits: int) -> str:
    """Surroundings of the slave: any master, any registers, and the checks."""
    rules, instance = _checker()
    return (
        rules
        + _IN_ORDER
        + _CHECKED_SLAVE.format(circuit=module.top, checker=instance, most=_AXI_CYCLES)
    )


_SLAVE = Exchange(
    "axi_slave",
    lambda nbits: AxiLiteSlave(),
    _checked_slave,
    {
        "rules": _AXI_RULES,
        "once": "each read and each write becomes one access, and the answer to each access one "
        "response, in order and unchanged",
        "cycles": f"a response is missing for at most {_AXI_CYCLES} cycles in which the slave does "
        "not wait for the registers; a request is accepted unless two wait",
    },
    ("write", "read", "wait", "error", "slowest"),
    (*_AXI_TOLD, "accesses", "responds"),
    nbits=WORD_NBITS,
    least_nbits=WORD_NBITS,
    most_nbits=WORD_NBITS,
)


_CHECKED_ACCELERATOR = """
module checked(
  input clk, input reset, input power_up,
  // The master, and the source of random bytes.
  input awvalid, input [11:0] awaddr, input wvalid, input [31:0] wdata, input [3:0] wstrb,
  input bready, input arvalid, input [11:0] araddr, input rready,
  input entropy_valid, input [7:0] entropy,
  // The exponentiator: when it accepts, when it answers, and what.
  input accepts, input answers, input [{response_bits} - 1:0] answer,
  // The item that `in_order` watches.
  input pick,
  output awready, output wready, output bvalid, output [1:0] bresp, output arready, output rvalid,
  output [31:0] rdata, output [1:0] rresp, output asks, output [{request_bits} - 1:0] asked,
  output responds, output takes,
  output wrong_rules, output wrong_once, output wrong_cycles, output wrong_start,
  output wrong_request,
  output seen_write, output seen_read, output seen_wait, output seen_error,
  output seen_slowest, output seen_start, output seen_second
);
  wire [{response_bits} - 1:0] response;
  wire busy, interrupt, entropy_ready, wrong_second;
  any_exponentiator #({request_bits}, {response_bits}) exponentiator(.*);

  {circuit} circuit(
    .clk(clk), .reset(reset), .entropy_data(entropy), .entropy_valid(entropy_valid),
    .entropy_ready(entropy_ready), .interrupt(interrupt),
    {pins},
    .request__val(asks), .request__rdy(accepts), .request__msg(asked),
    .response__val(responds), .response__rdy(takes), .response__msg(response));

  {checker}

  // The address of a request says whether its response is an error.
  wire [2:0] addresses, words, reads;
  wire [2:0] disorder;
  wire write = bvalid & bready, read = rvalid & rready;
  wire [1:0] write_code = awaddr[1:0] == 0 & awaddr < {end} ? 0 : 2;
  wire [1:0] read_code = araddr[1:0] == 0 & araddr < {end} ? 0 : 2;
  in_order #(.NBITS(2), .MOST(4)) in_aw(.puts(awvalid & awready), .put(write_code), .gets(write),
    .get(bresp), .count(addresses), .wrong(disorder[0]), .*);
  in_order #(.MOST(4)) in_w(.puts(wvalid & wready), .put(1'b0), .gets(write), .get(1'b0),
    .count(words), .wrong(disorder[1]), .*);
  in_order #(.NBITS(2), .MOST(4)) in_ar(.puts(arvalid & arready), .put(read_code), .gets(read),
    .get(rresp), .count(reads), .wrong(disorder[2]), .*);
  assign wrong_once = disorder != 0;

  // Cycles for which a request has waited while its channel offers no response.
  reg [2:0] write_own_reg, read_own_reg;
  wire write_waits = !bvalid & addresses != 0 & words != 0;
  wire read_waits = !rvalid & reads != 0;
  always_ff @(posedge clk) begin
    write_own_reg <= reset | !write_waits ? 0 : write_own_reg + (write_own_reg != 7);
    read_own_reg <= reset | !read_waits ? 0 : read_own_reg + (read_own_reg != 7);
  end
  assign wrong_cycles = !reset & (write_own_reg > {most} | read_own_reg > {most}
    | !awready & addresses < 2 | !wready & words < 2 | !arready & reads < 2);

  // Words written with the bit of a start or of a clearing, at any address, less the requests that
  // the exponentiator accepted; counts to 7.
  reg [2:0] commands_reg;
  wire commands = wvalid & wready & (wdata[{start}] | wdata[{clear}]);
  always_ff @(posedge clk)
    commands_reg <= reset ? 0
      : commands_reg + (commands & commands_reg != 7) - (asks & accepts & commands_reg != 0);
  assign wrong_start = wrong_second | !reset & asks & commands_reg == 0;

  reg has_had_reg;
  always_ff @(posedge clk) has_had_reg <= !reset & (has_had_reg | responds & takes);
  assign seen_write = !reset & bvalid & bready & bresp == 0;
  assign seen_read = !reset & rvalid & rready & rdata != 0;
  assign seen_wait = !reset & rvalid & !rready & reads == 4;
  assign seen_error = !reset & bvalid & bready & bresp == 2;
  assign seen_slowest = !reset & (write_own_reg == {most} | read_own_reg == {most});
  assign seen_start = !reset & asks & accepts;
  assign seen_second = !reset & asks & accepts & has_had_reg;
endmodule
"""


def _checked_accelerator(module: VerilogModule, nbits: int) -> str:
    """Surroundings of the accelerator: any master, any exponentiator, and the checks."""
    rules, instance = _checker()
    return (
        rules
        + _IN_ORDER
        + _ANY_EXPONENTIATOR
        + _CHECKED_ACCELERATOR.format(
            circuit=module.top,
            checker=instance,
            pins=_pins(),
            most=_AXI_CYCLES,
            start=START.lsb,
            clear=CLEAR.lsb,
            end=WORD_NBYTES * len(REGISTERS),
            request_bits=module.messages["request__msg"].width,
            response_bits=module.messages["response__msg"].width,
        )
    )


_ACCELERATOR = Exchange(
    "axi_accelerator",
    OpenAxiAccelerator,
    _checked_accelerator,
    {
        "rules": _AXI_RULES,
        "once": "each read and each write gets one response, in order, an error if and only if "
        "its address has no register",
        "cycles": f"a response is missing for at most {_AXI_CYCLES} cycles, whatever the "
        "exponentiator does; a request is accepted unless two wait",
        "start": "the exponentiator gets no more requests than words were written with the "
        "bit of a start or of a clearing, and none while it has another one",
        "request": "a request that waits for the exponentiator stays the same",
    },
    ("write", "read", "wait", "error", "slowest", "start", "second"),
    (*_AXI_TOLD, "asks", "accepts", "responds", "takes"),
    nbits=8,
    most_nbits=64,
)


#: Circuits by name.
EXCHANGES: dict[str, Exchange] = {x.name: x for x in (_ADAPTER, _SLAVE, _ACCELERATOR)}
