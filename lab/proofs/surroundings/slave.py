"""Claims about the AXI4-Lite slave in front of registers."""

from __future__ import annotations

from rsaxcel.fl.register_map import WORD_NBITS
from rsaxcel.lab.proofs.surroundings.axi import CYCLES, RULES, TOLD, checker
from rsaxcel.lab.proofs.surroundings.parts import IN_ORDER, Exchange
from rsaxcel.rtl.axi.slave import AxiLiteSlave
from rsaxcel.sim.translate import VerilogModule

_CHECKED = """
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


def _checked(module: VerilogModule, nbits: int) -> str:
    """Surroundings of the slave: any master, any registers, and the checks."""
    rules, instance = checker()
    return rules + IN_ORDER + _CHECKED.format(circuit=module.top, checker=instance, most=CYCLES)


SLAVE = Exchange(
    "axi_slave",
    lambda nbits: AxiLiteSlave(),
    _checked,
    {
        "rules": RULES,
        "once": "each read and each write becomes one access, and the answer to each access one "
        "response, in order and unchanged",
        "cycles": f"a response is missing for at most {CYCLES} cycles in which the slave does not "
        "wait for the registers; a request is accepted unless two wait",
    },
    ("write", "read", "wait", "error", "slowest"),
    (*TOLD, "accesses", "responds"),
    nbits=WORD_NBITS,
    least_nbits=WORD_NBITS,
    most_nbits=WORD_NBITS,
)
