"""Claims about the adapter between the processor and an exponentiator."""

from __future__ import annotations

from rsaxcel.fl.word_serial import words_per_constant, words_per_operand
from rsaxcel.lab.proofs.surroundings.parts import (
    ANY_EXPONENTIATOR,
    DESIGN_ID,
    Exchange,
    OpenAdapter,
    constants_of,
)
from rsaxcel.sim.translate import VerilogModule

#: Cycles of a clearing, at most, in which the adapter does not wait for the exponentiator.
CLEAR_CYCLES = 3

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

_CHECKED = """
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


def _checked(module: VerilogModule, nbits: int) -> str:
    """Surroundings of the adapter: any master, any exponentiator, and the checks."""
    words = words_per_operand(nbits)
    constants = constants_of(nbits)
    each = words_per_constant(nbits, (width for _, width in constants))
    fields = {
        x.name: f"asked[{x.lsb + x.width - 1}:{x.lsb}]"
        for x in module.messages["request__msg"].fields
    }
    return (
        ANY_EXPONENTIATOR
        + _WORDS
        + _CHECKED.format(
            nbits=nbits,
            **fields,
            circuit=module.top,
            request_bits=module.messages["request__msg"].width,
            response_bits=module.messages["response__msg"].width,
            clear_cycles=CLEAR_CYCLES,
            words=words,
            position_bits=words.bit_length(),
            design_id=DESIGN_ID,
            constant_words=each * len(constants),
        )
    )


ADAPTER = Exchange(
    "xcel_adapter",
    OpenAdapter,
    _checked,
    {
        "once": "each request gets one response of its type, in order; no request, no response",
        "held": "a response that waits stays the same, but for the bits of STATE",
        "start": "each start and each clearing reaches the exponentiator once, before its response "
        "is given, and never while the exponentiator has another request",
        "request": "a request that waits for the exponentiator stays the same",
        "cycles": "a response takes 1 cycle, and the cycles of waiting for the exponentiator; "
        f"at most 1 more for a start, {CLEAR_CYCLES} more for a clearing",
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
