"""Claims about an accelerator with an AXI4-Lite slave, with the exponentiator outside."""

from __future__ import annotations

from rsaxcel.fl.register_map import CLEAR, REGISTERS, START, WORD_NBYTES
from rsaxcel.lab.proofs.surroundings.axi import CYCLES, RULES, TOLD, checker, pins
from rsaxcel.lab.proofs.surroundings.parts import (
    ANY_EXPONENTIATOR,
    IN_ORDER,
    Exchange,
    OpenAxiAccelerator,
)
from rsaxcel.sim.translate import VerilogModule

_CHECKED = """
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


def _checked(module: VerilogModule, nbits: int) -> str:
    """Surroundings of the accelerator: any master, any exponentiator, and the checks."""
    rules, instance = checker()
    return (
        rules
        + IN_ORDER
        + ANY_EXPONENTIATOR
        + _CHECKED.format(
            circuit=module.top,
            checker=instance,
            pins=pins(),
            most=CYCLES,
            start=START.lsb,
            clear=CLEAR.lsb,
            end=WORD_NBYTES * len(REGISTERS),
            request_bits=module.messages["request__msg"].width,
            response_bits=module.messages["response__msg"].width,
        )
    )


ACCELERATOR = Exchange(
    "axi_accelerator",
    OpenAxiAccelerator,
    _checked,
    {
        "rules": RULES,
        "once": "each read and each write gets one response, in order, an error if and only if "
        "its address has no register",
        "cycles": f"a response is missing for at most {CYCLES} cycles, whatever the exponentiator "
        "does; a request is accepted unless two wait",
        "start": "the exponentiator gets no more requests than words were written with the "
        "bit of a start or of a clearing, and none while it has another one",
        "request": "a request that waits for the exponentiator stays the same",
    },
    ("write", "read", "wait", "error", "slowest", "start", "second"),
    (*TOLD, "asks", "accepts", "responds", "takes"),
    nbits=8,
    most_nbits=64,
)
