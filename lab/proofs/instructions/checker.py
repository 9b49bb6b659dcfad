"""Verilog around the processor that checks each instruction which retires."""

from __future__ import annotations

from collections.abc import Sequence

from rsaxcel.lab.proofs.instructions.meanings import identifier, verilog
from rsaxcel.proc.isa import RESET_VECTOR, Cause
from rsaxcel.proc.rvfi.processor import RVFI_PORTS
from rsaxcel.sim.translate import VerilogModule

OTHERS = {
    "illegal": "a word that is no instruction fails and has no effect",
    "registers": "a register that is read has the value that was last written to it, or last read",
    "pc": "an instruction is at the address that the instruction before it names as the next one",
    "order": "instructions are numbered, and each is counted once",
    "fetch": "an instruction is the word that the memory has at the instruction's address",
    "end": "nothing retires after the last instruction; the ports that tell the end stay",
}
"""Checks that are not about one mnemonic, and what they say."""

_CHECKED = """
module checked(
  input clk, input reset,
  input imem_ready, input imem_answers, input [47:0] imem_answer,
  input dmem_ready, input dmem_answers, input [47:0] dmem_answer,
  input xcel_ready, input xcel_answers, input [32:0] xcel_answer,
  input mngr_offers, input [31:0] mngr_offer, input mngr_ready, input [31:0] core_id,
  input refuses, input waits,
  // These inputs stay the same in all cycles.
  input [4:0] any_register, input [31:0] any_address, input [31:0] any_word, input any_fault,
  input from_memory,
  {outputs}
);
  wire commit_inst, stats_en, trap_val;
  wire [3:0] trap_cause;
  wire [31:0] trap_pc, trap_inst, trap_value;
  wire [{imem_bits}:0] imem_request;
  wire [{dmem_bits}:0] dmem_request;
  wire [{xcel_bits}:0] xcel_request;
  wire imem_asks, imem_takes, dmem_asks, dmem_takes, xcel_asks, xcel_takes, mngr_takes, mngr_gives;
  wire [31:0] mngr_given;

  // For the check `fetch`, the instruction memory answers requests only, in order, and has
  // `any_word` at `any_address`. Otherwise it answers anything at any time.
  reg [1:0] open_reg;
  reg first_reg, second_reg;  // the oldest and the second request are to `any_address`
  wire hits = imem_request[{addr}] == any_address;
  wire asked = imem_asks & imem_ready & (!from_memory | open_reg != 2);
  wire answers = imem_answers & (!from_memory | open_reg != 0);
  wire answered = answers & imem_takes;
  wire fixed = from_memory & first_reg;
  wire [47:0] word = {{imem_answer[47:36], fixed ? {{1'b0, any_fault}} : imem_answer[35:34],
    imem_answer[33:32], fixed ? any_word : imem_answer[31:0]}};
  always_ff @(posedge clk) begin
    open_reg <= reset ? 0 : open_reg + asked - answered;
    if (answered) first_reg <= open_reg == 2 ? second_reg : hits;
    else if (open_reg == 0) first_reg <= hits;
    if (open_reg == 1 | answered) second_reg <= hits;
  end

  {circuit} circuit(
    .clk(clk), .reset(reset), .core_id(core_id), .commit_inst(commit_inst), .stats_en(stats_en),
    .trap_val(trap_val), .trap_cause(trap_cause), .trap_pc(trap_pc), .trap_inst(trap_inst),
    .trap_value(trap_value),
    .imem__req__val(imem_asks), .imem__req__rdy(imem_ready & (!from_memory | open_reg != 2)),
    .imem__req__msg(imem_request), .imem__resp__val(answers), .imem__resp__rdy(imem_takes),
    .imem__resp__msg(word),
    .dmem__req__val(dmem_asks), .dmem__req__rdy(dmem_ready), .dmem__req__msg(dmem_request),
    .dmem__resp__val(dmem_answers), .dmem__resp__rdy(dmem_takes), .dmem__resp__msg(dmem_answer),
    .xcel__req__val(xcel_asks), .xcel__req__rdy(xcel_ready), .xcel__req__msg(xcel_request),
    .xcel__resp__val(xcel_answers), .xcel__resp__rdy(xcel_takes), .xcel__resp__msg(xcel_answer),
    .mngr2proc__val(mngr_offers), .mngr2proc__rdy(mngr_takes), .mngr2proc__msg(mngr_offer),
    .proc2mngr__val(mngr_gives), .proc2mngr__rdy(mngr_ready), .proc2mngr__msg(mngr_given),
    .refuses(refuses), .waits(waits),
    {pins});

  wire [31:0] i = rvfi_insn, pc = rvfi_pc_rdata, next = pc + 32'd4;
  wire [31:0] a = rvfi_rs1_rdata, b = rvfi_rs2_rdata;
  wire [31:0] imm_i = {{{{20{{i[31]}}}}, i[31:20]}};
  wire [31:0] imm_s = {{{{20{{i[31]}}}}, i[31:25], i[11:7]}};
  wire [31:0] imm_b = {{{{19{{i[31]}}}}, i[31], i[7], i[30:25], i[11:8], 1'b0}};
  wire [31:0] imm_u = {{i[31:12], 12'd0}};
  wire [31:0] imm_j = {{{{11{{i[31]}}}}, i[31], i[19:12], i[20], i[30:21], 1'b0}};

  // An instruction retires one cycle after it was in stage M for the last time. What happened at
  // the ports in that cycle:
  reg took, gave, fault, stats_before;
  reg [31:0] message, given, answer, core, data;
  reg [63:0] cycles_reg, cycle;
  reg [63:0] orders_reg;
  wire [63:0] count = orders_reg;  // instructions that have retired before
  always_ff @(posedge clk) begin
    took <= mngr_takes & mngr_offers;
    message <= mngr_offer;
    gave <= mngr_gives & mngr_ready;
    given <= mngr_given;
    answer <= xcel_answer[31:0];
    data <= dmem_answer[31:0];
    fault <= dmem_answers & dmem_takes & dmem_answer[35:34] != 0;
    core <= core_id;
    cycles_reg <= reset ? 0 : cycles_reg + 1;
    cycle <= cycles_reg;
    if (reset) stats_before <= 0;
    else if (rvfi_valid) stats_before <= stats_en;
  end

  // The last request before that cycle, and the numbers of requests that were sent before it and
  // that belong to instructions which have retired.
  reg [{dmem_bits}:0] dmem_reg, dmem_last;
  reg [{xcel_bits}:0] xcel_reg, xcel_last;
  reg [2:0] dmem_count_reg, dmem_sent, dmem_retired, xcel_count_reg, xcel_sent, xcel_retired;
  wire [2:0] dmem_new = dmem_sent - dmem_retired, xcel_new = xcel_sent - xcel_retired;
  always_ff @(posedge clk) begin
    if (dmem_asks & dmem_ready) dmem_reg <= dmem_request;
    if (xcel_asks & xcel_ready) xcel_reg <= xcel_request;
    dmem_last <= dmem_reg;
    xcel_last <= xcel_reg;
    dmem_count_reg <= reset ? 0 : dmem_count_reg + (dmem_asks & dmem_ready);
    xcel_count_reg <= reset ? 0 : xcel_count_reg + (xcel_asks & xcel_ready);
    dmem_sent <= reset ? 0 : dmem_count_reg;
    xcel_sent <= reset ? 0 : xcel_count_reg;
    if (reset) dmem_retired <= 0; else if (rvfi_valid) dmem_retired <= dmem_sent;
    if (reset) xcel_retired <= 0; else if (rvfi_valid) xcel_retired <= xcel_sent;
  end
  // Messages that were taken and given up to that cycle, since the last instruction retired.
  reg [2:0] takes_reg, takes_retired, gives_reg, gives_retired;
  wire [2:0] messages = takes_reg - takes_retired, answers_given = gives_reg - gives_retired;
  always_ff @(posedge clk) begin
    takes_reg <= reset ? 0 : takes_reg + (mngr_takes & mngr_offers);
    gives_reg <= reset ? 0 : gives_reg + (mngr_gives & mngr_ready);
    if (reset) takes_retired <= 0; else if (rvfi_valid) takes_retired <= takes_reg;
    if (reset) gives_retired <= 0; else if (rvfi_valid) gives_retired <= gives_reg;
  end
  // Requests of the instruction that retires; 2 and more are wrong for every instruction.
  wire [2:0] loads_and_stores = dmem_new, accelerator = xcel_new;
  wire [31:0] request_address = dmem_last[{addr}], request_data = dmem_last[{wdata}];
  wire [1:0] request_len = dmem_last[{len}];
  wire [3:0] request_writes = dmem_last[{type}];
  wire asked_writes = xcel_last[37];
  wire [4:0] asked_address = xcel_last[36:32];
  wire [31:0] asked_data = xcel_last[31:0];

{instructions}
  wire none = !({any_instruction});
  assign wrong_illegal = rvfi_valid & none & !(
    rvfi_trap & rvfi_halt & (trap_cause == {illegal} | (trap_cause == {outside} & i == 0))
    & trap_pc == pc & trap_inst == i & trap_value == (trap_cause == {outside} ? pc : 0)
    & rvfi_rd_addr == 0 & rvfi_mem_rmask == 0 & rvfi_mem_wmask == 0 & dmem_new == 0 & xcel_new == 0
    & !took & !gave & messages == 0 & answers_given == 0 & stats_en == stats_before);

  reg known_reg;
  reg [31:0] shadow_reg;
  wire first = rvfi_rs1_addr == any_register, second = rvfi_rs2_addr == any_register;
  assign wrong_registers = rvfi_valid & (
    (any_register != 0 & known_reg & first & a != shadow_reg)
    | (any_register != 0 & known_reg & second & b != shadow_reg)
    | (any_register != 0 & first & second & a != b)
    | (rvfi_rs1_addr == 0 & a != 0) | (rvfi_rs2_addr == 0 & b != 0)
    | (rvfi_rd_addr == 0 & rvfi_rd_wdata != 0));
  always_ff @(posedge clk) begin
    if (reset) known_reg <= 0;
    else if (rvfi_valid & (rvfi_rd_addr == any_register | first | second)) known_reg <= 1;
    if (rvfi_valid & rvfi_rd_addr == any_register) shadow_reg <= rvfi_rd_wdata;
    else if (rvfi_valid & first) shadow_reg <= a;
    else if (rvfi_valid & second) shadow_reg <= b;
  end

  reg [31:0] expected_pc_reg;
  always_ff @(posedge clk)
    if (reset) begin
      expected_pc_reg <= {start};
      orders_reg <= 0;
    end else if (rvfi_valid) begin
      expected_pc_reg <= rvfi_pc_wdata;
      orders_reg <= orders_reg + 1;
    end
  assign wrong_pc = rvfi_valid & pc != expected_pc_reg;
  assign wrong_order = commit_inst != (rvfi_valid & !rvfi_trap) | (rvfi_valid & (
    rvfi_order != orders_reg | rvfi_intr | rvfi_mode != 3 | rvfi_ixl != 1));

  wire told = rvfi_trap & trap_cause == {outside};
  assign wrong_fetch = rvfi_valid & pc == any_address & from_memory & (
    any_fault ? i != 0 | !told | trap_value != pc : i != any_word | (i == 0 & told));

  reg halted_reg;
  reg [3:0] cause_reg;
  reg [31:0] end_pc, end_inst, end_value;
  always_ff @(posedge clk) begin
    if (reset) halted_reg <= 0;
    else if (rvfi_valid & rvfi_halt) halted_reg <= 1;
    if (rvfi_valid & rvfi_halt) begin
      cause_reg <= rvfi_trap ? trap_cause : i == 32'h73 ? {ecall} : {to_itself};
      end_pc <= trap_pc;
      end_inst <= trap_inst;
      end_value <= trap_value;
    end
  end
  assign wrong_end = halted_reg
    ? rvfi_valid | !trap_val | trap_cause != cause_reg | trap_pc != end_pc | trap_inst != end_inst
      | trap_value != end_value | dmem_asks | xcel_asks | mngr_gives | mngr_takes
    : trap_val != (rvfi_valid & rvfi_trap) | (!trap_val & trap_cause != 0);
endmodule
"""


def checks(instructions: Sequence[str]) -> tuple[str, ...]:
    return (*instructions, *OTHERS)


def checked(module: VerilogModule, instructions: Sequence[str]) -> str:
    """Verilog of a processor (``AlternativeProcRVFI``) with outputs ``wrong_NAME`` of checks.

    A word that is none of ``instructions`` is illegal.
    """
    request = {field.name: field for field in module.messages["dmem__req__msg"].fields}
    bits = {
        key: f"{request[name].lsb + request[name].width - 1}:{request[name].lsb}"
        for key, name in (("addr", "addr"), ("wdata", "data"), ("len", "len"), ("type", "type_"))
    }
    return module.text + _CHECKED.format(
        outputs=", ".join(
            [
                *(f"output wrong_{identifier(x)}" for x in checks(instructions)),
                *(f"output [{n - 1}:0] rvfi_{x}" for x, n in RVFI_PORTS.items()),
            ]
        ),
        pins=", ".join(f".rvfi_{x}(rvfi_{x})" for x in RVFI_PORTS),
        circuit=module.top,
        imem_bits=module.messages["imem__req__msg"].width - 1,
        dmem_bits=module.messages["dmem__req__msg"].width - 1,
        xcel_bits=module.messages["xcel__req__msg"].width - 1,
        **bits,
        instructions="\n".join(map(verilog, instructions)),
        any_instruction=" | ".join(f"is_{identifier(x)}" for x in instructions),
        start=RESET_VECTOR,
        ecall=int(Cause.ECALL),
        illegal=int(Cause.ILLEGAL_INSTRUCTION),
        outside=int(Cause.OUTSIDE_MEMORY),
        to_itself=int(Cause.SELF_JUMP),
    )
