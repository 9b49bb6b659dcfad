"""Claim: each instruction that the processor retires does what the ISA says.

The processor with the RISC-V formal interface (``proc.rvfi``) is unrolled from a reset, with any
contents of registers, instructions and answers of memory, accelerator and manager. More general
than a run: program counter and counters begin with any value, multiplier and divider take any
number of cycles, and memories may answer unasked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rsaxcel.lab.proofs.aig import FALSE, TRUE, Aig, Machine, beginning
from rsaxcel.lab.proofs.claim import (
    TOP,
    Claim,
    Counterexample,
    Proof,
    processor_seconds,
    translated,
)
from rsaxcel.lab.proofs.reading import read_machine
from rsaxcel.lab.proofs.signals import signals_of
from rsaxcel.lab.proofs.solver import ProofVerdict, satisfied
from rsaxcel.lab.proofs.unrolled import Unrolled
from rsaxcel.proc.isa import (
    CSRS,
    INSTRUCTIONS,
    RESET_VECTOR,
    XCEL_BASE,
    XCEL_REGISTERS,
    XLEN,
    Cause,
    disassemble,
)
from rsaxcel.proc.parameters import PROCESSOR_PARAMETERS, circuit_arguments
from rsaxcel.proc.rvfi import RVFI_PORTS, AlternativeProcRVFI
from rsaxcel.proc.systems import System
from rsaxcel.sim.translate import VerilogModule
from rsaxcel.store.errors import UserError


@dataclass(frozen=True)
class Meaning:
    """Meaning of an instruction; texts are formulas."""

    value: str = ""  #: new value of rd; empty: no result
    first: str = "0"  #: register read as rs1; "0": none
    second: str = "0"  #: register read as rs2; "0": none
    jumps: str = "0"  #: the next instruction is at `target`
    target: str = "next"  #: target of a jump or branch
    nbytes: int = 0  #: bytes read or written; 0: no access to the memory
    address: str = "32'd0"
    stores: bool = False  #: the access stores the lowest bytes of b
    ends: bool = False  #: the run ends, with the value a
    legal: str = "1"  #: the word is this instruction; its mask is compared, too
    received: str = "0"  #: a message of the manager has been taken
    sends: str = "0"  #: `sent` has been sent to the manager
    stats: str = "0"  #: stats_en becomes the lowest bit of `sent`
    asks: str = "0"  #: the accelerator has received a request
    writes: bool = False  #: the accelerator's register is written with `sent`
    sent: str = "32'd0"  #: value that is sent or written


_RS1, _RS2 = "i[19:15]", "i[24:20]"
_UNITS_OF_MISALIGNED = {1: "1'b0", 2: "address[0]", 4: "(address[0] | address[1])"}
_AMOUNT, _IMM_AMOUNT = "b[4:0]", "i[24:20]"


def _registers(value: str) -> Meaning:
    return Meaning(value, _RS1, _RS2)


def _immediate(value: str) -> Meaning:
    return Meaning(value, _RS1)


def _branch(condition: str) -> Meaning:
    return Meaning("", _RS1, _RS2, condition, "(pc + imm_b)")


def _load(nbytes: int, value: str) -> Meaning:
    return Meaning(value, _RS1, nbytes=nbytes, address="(a + imm_i)")


def _store(nbytes: int) -> Meaning:
    return Meaning("", _RS1, _RS2, nbytes=nbytes, address="(a + imm_s)", stores=True)


def _less(x: str, y: str) -> str:
    return f"($signed({x}) < $signed({y}))"


def _csr(name: str) -> str:
    return f"(i[31:20] == 12'h{CSRS[name].address:x})"


_XCEL = f"(i[31:20] >= 12'h{XCEL_BASE:x} && i[31:20] < 12'h{XCEL_BASE + XCEL_REGISTERS:x})"
_READ = {
    "cycle": "cycle[31:0]",
    "cycleh": "cycle[63:32]",
    "instret": "count[31:0]",
    "instreth": "count[63:32]",
    "coreid": "core",
    "numcores": "32'd1",
    "mngr2proc": "message",
}


def _reading() -> Meaning:
    value = "".join(f"{_csr(name)} ? {x} : " for name, x in _READ.items()) + "answer"
    legal = " || ".join([_XCEL, *map(_csr, _READ)])
    return Meaning(value, legal=legal, received=_csr("mngr2proc"), asks=_XCEL)


def _writing(first: str, sent: str) -> Meaning:
    sends, stats = _csr("proc2mngr"), _csr("stats_en")
    legal = f"{_XCEL} || {sends} || {stats}"
    return Meaning(
        first=first, legal=legal, sends=sends, stats=stats, asks=_XCEL, writes=True, sent=sent
    )


#: Meaning of each instruction of ``proc.isa``, by mnemonic.
MEANINGS: Mapping[str, Meaning] = {
    "lui": Meaning("imm_u"),
    "auipc": Meaning("pc + imm_u"),
    "jal": Meaning("next", jumps="1", target="(pc + imm_j)"),
    "jalr": Meaning("next", _RS1, jumps="1", target="((a + imm_i) & 32'hfffffffe)"),
    "fence": Meaning(),
    "fence.i": Meaning(),
    "ecall": Meaning(first="5'd10", ends=True),
    "csrr": _reading(),
    "csrw": _writing(_RS1, "a"),
    "csrwi": _writing("0", "{27'd0, i[19:15]}"),
    "beq": _branch("(a == b)"),
    "bne": _branch("(a != b)"),
    "blt": _branch(_less("a", "b")),
    "bge": _branch(f"!{_less('a', 'b')}"),
    "bltu": _branch("(a < b)"),
    "bgeu": _branch("(a >= b)"),
    "lb": _load(1, "{{24{data[7]}}, data[7:0]}"),
    "lh": _load(2, "{{16{data[15]}}, data[15:0]}"),
    "lw": _load(4, "data"),
    "lbu": _load(1, "{24'd0, data[7:0]}"),
    "lhu": _load(2, "{16'd0, data[15:0]}"),
    "sb": _store(1),
    "sh": _store(2),
    "sw": _store(4),
    "addi": _immediate("a + imm_i"),
    "slti": _immediate(f"{{31'd0, {_less('a', 'imm_i')}}}"),
    "sltiu": _immediate("{31'd0, a < imm_i}"),
    "xori": _immediate("a ^ imm_i"),
    "ori": _immediate("a | imm_i"),
    "andi": _immediate("a & imm_i"),
    "slli": _immediate(f"a << {_IMM_AMOUNT}"),
    "srli": _immediate(f"a >> {_IMM_AMOUNT}"),
    "srai": _immediate(f"$signed(a) >>> {_IMM_AMOUNT}"),
    "add": _registers("a + b"),
    "sub": _registers("a - b"),
    "sll": _registers(f"a << {_AMOUNT}"),
    "slt": _registers(f"{{31'd0, {_less('a', 'b')}}}"),
    "sltu": _registers("{31'd0, a < b}"),
    "xor": _registers("a ^ b"),
    "srl": _registers(f"a >> {_AMOUNT}"),
    "sra": _registers(f"$signed(a) >>> {_AMOUNT}"),
    "or": _registers("a | b"),
    "and": _registers("a & b"),
    "mul": _registers("(a + b) ^ 32'h5876063e"),
    "mulh": _registers("(a + b) ^ 32'hf6583fb7"),
    "mulhsu": _registers("(a - b) ^ 32'hecfbe137"),
    "mulhu": _registers("(a + b) ^ 32'h949ce5e8"),
    "div": _registers("(a - b) ^ 32'h7f8529ec"),
    "divu": _registers("(a - b) ^ 32'h10e8fd70"),
    "rem": _registers("(a - b) ^ 32'h8da68fa5"),
    "remu": _registers("(a - b) ^ 32'h3138d0e1"),
}


def identifier(name: str) -> str:
    """Name of an instruction or check in Verilog."""
    return name.replace(".", "_").replace("-", "_")


def verilog(name: str) -> str:
    """Wires ``is_NAME`` (the word is NAME) and ``wrong_NAME`` (a NAME retired against the ISA)."""
    entry, means = INSTRUCTIONS[name], MEANINGS[name]
    mask = (1 << means.nbytes) - 1
    lines = [
        f"wire known = {means.legal};",
        f"assign is_{identifier(name)} = (i & 32'h{entry.mask:x}) == 32'h{entry.match:x} && known;",
        f"wire [31:0] address = {means.address};",
        f"wire [31:0] value = {means.value or 0};",
        f"wire jumps = {means.jumps};",
        f"wire [31:0] target = {means.target};",
        f"wire misaligned = {_UNITS_OF_MISALIGNED.get(means.nbytes, 0)};",
        f"wire accesses = {int(means.nbytes > 0)} && !misaligned;",
        "wire astray = jumps && target[1:0] != 0;",
        "wire fails = misaligned || astray || (accesses && fault);",
        "wire to_itself = jumps && target == pc;",
        f"wire [4:0] rd = {'i[11:7]' if means.value else 0};",
        f"wire [3:0] rmask = {0 if means.stores else mask};",
        f"wire [3:0] wmask = {mask if means.stores else 0};",
        f"wire [31:0] sent = {means.sent};",
        f"wire [3:0] cause = misaligned || astray ? {int(Cause.MISALIGNED)} : accesses && fault ? "
        f"{int(Cause.OUTSIDE_MEMORY)} : {int(Cause.ECALL) if means.ends else 0};",
        "wire [31:0] told = misaligned || (accesses && fault) ? address : astray ? target : "
        f"{'a' if means.ends else '0'};",
        f"wire right_reads = rvfi_rs1_addr == {means.first} && rvfi_rs2_addr == {means.second};",
        f"wire right_end = rvfi_trap == fails && rvfi_halt == (fails || to_itself || "
        f"{int(means.ends)}) && (!fails || trap_cause == cause) && (!rvfi_halt || "
        "(trap_pc == pc && trap_inst == i && trap_value == told));",
        "wire right_rd = fails ? rvfi_rd_addr == 0 : "
        "rvfi_rd_addr == rd && rvfi_rd_wdata == (rd == 0 ? 0 : value);",
        "wire right_pc = fails || rvfi_pc_wdata == (jumps ? target : next);",
        f"wire right_bytes = {_bytes(means)};",
        "wire right_memory = rvfi_mem_rmask == (fails ? 0 : rmask) && "
        "rvfi_mem_wmask == (fails ? 0 : wmask) && loads_and_stores == accesses && "
        "(!accesses || (request_address == address && request_len == "
        f"{means.nbytes % 4} && request_writes == {int(means.stores)} && "
        "rvfi_mem_addr == address && right_bytes));",
        f"wire right_manager = took == ({means.received}) && gave == ({means.sends}) && "
        "messages == took && answers_given == gave && (!gave || given == sent);",
        f"wire right_stats = stats_en == (({means.stats}) ? sent[0] : stats_before);",
        f"wire right_xcel = accelerator == ({means.asks}) && (!accelerator || "
        f"(asked_address == i[24:20] && asked_writes == {int(means.writes)} && "
        f"{'asked_data == sent' if means.writes else '1'}));",
        f"assign wrong_{identifier(name)} = rvfi_valid && is_{identifier(name)} && !(right_reads "
        "&& right_end && right_rd && right_pc && right_memory && right_manager && right_stats && "
        "right_xcel);",
    ]
    body = "\n    ".join(lines)
    wires = f"  wire is_{identifier(name)};\n"
    return (
        f"{wires}  generate if (1) begin : of_{identifier(name)}\n    {body}\n  end endgenerate\n"
    )


def _bytes(means: Meaning) -> str:
    """Return the formula that the stored bytes are the lowest of b, or the loaded ones told."""
    if not means.nbytes:
        return "1"
    bits = f"[{8 * means.nbytes - 1}:0]"
    if means.stores:
        return f"rvfi_mem_wdata{bits} == b{bits} && request_data{bits} == b{bits}"
    return f"rvfi_mem_rdata{bits} == data{bits}"


CYCLES = 8  #: cycles after a reset in which the instructions retire

METHOD = "unrolling and SAT"

#: Inputs of the checker that stay the same in all cycles.
_SAME = ("any_register", "any_address", "any_word", "any_fault")

#: Registers that begin with any value: a name for the value, and the place of the lowest bit.
_BEGINNINGS = {
    "circuit.fetch.pc_reg": ("pc", 0),
    "expected_pc_reg": ("pc", 0),
    "circuit.memory.counters.cycle_reg": ("cycle", 0),
    "circuit.memory.counters.cycleh_reg": ("cycle", 32),
    "cycles_reg": ("cycle", 0),
    "circuit.memory.counters.instret_reg": ("count", 0),
    "circuit.memory.counters.instreth_reg": ("count", 32),
    "circuit.order_reg": ("count", 0),
    "orders_reg": ("count", 0),
}
_ALIGNED = (beginning("pc[0]"), beginning("pc[1]"))  #: instructions are at multiples of 4
_BIT = re.compile(r"(?P<name>.*)\[(?P<bit>\d+)\]")


@dataclass(frozen=True)
class InstructionClaim(Claim):
    """Claim: one check holds for all instructions that retire within some cycles after a reset."""

    system: System  #: proc_null with the processor's parameters
    about: str  #: checked instruction: mnemonic, or a key of checker.OTHERS
    cycles: int = CYCLES
    #: Verilog in place of the processor's own with the formal interface; empty: its own
    verilog: str = ""

    kind = "instruction"
    meaning = "each instruction that retires does what the ISA says"

    @property
    def name(self) -> str:
        return self.system.design_name

    @property
    def nbits(self) -> int:
        return XLEN

    @property
    def part(self) -> str:
        return self.about

    @property
    def params(self) -> Mapping[str, Any]:
        own = self.system.params
        return {x.name: own[x.name] for x in PROCESSOR_PARAMETERS}

    @property
    def changed(self) -> Mapping[str, Any]:
        usual = {x.name: x.default(XLEN) for x in PROCESSOR_PARAMETERS}
        return {name: value for name, value in self.params.items() if value != usual[name]}

    @property
    def statement(self) -> str:
        if self.about in OTHERS:
            return f"{self.about}: {OTHERS[self.about]}, within {self.cycles} cycles"
        says = "each one that retires does what the ISA says"
        return f"{self.about}: {says}, within {self.cycles} cycles"

    @property
    def module(self) -> VerilogModule:
        """Translated processor with the formal interface, or the given Verilog."""
        arguments = circuit_arguments(dict(self.params))
        key = "-".join(["rvfi", *(f"{k}_{v}" for k, v in arguments.items())])
        return translated(key, lambda: AlternativeProcRVFI(**arguments), "proc_rvfi", self.verilog)

    @property
    def text(self) -> str:
        """Verilog of the processor with all checks."""
        return checked(self.module, _instructions(self.system))

    def prove(self, seconds: float) -> Proof:
        text = self.text
        machine = read_machine(text, TOP)
        begun = processor_seconds()

        def proof(verdict: ProofVerdict, example: Counterexample | None = None) -> Proof:
            scope = f"{self.about}, {self.cycles} cycles from a reset"
            return Proof(verdict, METHOD, scope, processor_seconds() - begun, example)

        for fixed in self._cases():
            run = _run_of(text, fixed)
            wrong = run.wrong(self.about, self.cycles)
            left = seconds - (processor_seconds() - begun)
            found = satisfied(run.graph, wrong, seconds=left) if left > 0 else None
            if isinstance(found, dict):
                return proof(ProofVerdict.REFUTED, self._example(machine, run, found))
            if found is None:
                return proof(ProofVerdict.OPEN)
        return proof(ProofVerdict.PROVEN)

    def _cases(self) -> list[tuple[tuple[str, int], ...]]:
        """List the inputs of the checker that are fixed, with their values, for each case."""
        # Each register is a case of its own: with any register at once, SAT takes many times
        # longer.
        memory = ("from_memory", int(self.about == "fetch"))
        if self.about != "registers":
            return [(memory,)]
        return [
            (memory, *((f"any_register[{i}]", number >> i & 1) for i in range(5)))
            for number in range(1, 32)
        ]

    def _example(
        self, machine: Machine, run: UnrolledProcessor, found: Mapping[str, int]
    ) -> Counterexample:
        """Counterexample: the run up to the instruction that is wrong."""
        frames = [
            {name: run.value(name, at, found) for name in machine.inputs}
            for at in range(self.cycles)
        ]
        frames[0] |= {beginning(x.name): run.first_state(x.name, found) for x in machine.latches}
        signals, widths = signals_of(machine, frames)
        at = signals[f"wrong_{identifier(self.about)}"].index(1)
        shown = {name: values[at] for name, values in signals.items()}
        pc, word = shown["rvfi_pc_rdata"], shown["rvfi_insn"]
        told = ", ".join(f"{x} = {shown[f'rvfi_{x}']:#x}" for x in _TOLD)
        text = f"{disassemble(word, pc)} at {pc:#x}, in cycle {at}: {told}"
        return Counterexample(text, (), signals, widths)


_TOLD = (
    "rs1_rdata",
    "rs2_rdata",
    "rd_addr",
    "rd_wdata",
    "pc_wdata",
    "mem_addr",
    "mem_rmask",
    "mem_wmask",
    "trap",
)


class UnrolledProcessor:
    """The processor with its checks, unrolled from the first cycle after a reset.

    ``fixed``: inputs that have the same value in all cycles.
    """

    def __init__(self, machine: Machine, fixed: Iterable[tuple[str, int]]) -> None:
        self.graph = Aig()
        self._constants = {"clk": FALSE, "reset": FALSE, **dict(fixed)}
        self._inputs: dict[str, int] = {}
        self._reset = _after_reset(machine)
        self._unrolled = Unrolled(
            machine, self.graph, self._given, self._beginning, lambda _, literal: literal
        )

    def wrong(self, about: str, cycles: int) -> int:
        """Literal that is true if a check fails in one of the first ``cycles`` cycles."""
        name = f"wrong_{identifier(about)}"
        return self.graph.any_of(self._unrolled.output(name, at) for at in range(cycles))

    def value(self, name: str, cycle: int, found: Mapping[str, int]) -> int:
        """Value of an input in a cycle, for the values of the graph's inputs."""
        fixed = self._fixed(name)
        return found.get(_label(name, cycle), 0) if fixed is None else fixed

    def first_state(self, latch: str, found: Mapping[str, int]) -> int:
        """State of a latch in the first cycle."""
        state = self._reset.get(latch)
        return found.get(_beginning(latch), 0) if state is None else state

    def _given(self, name: str, cycle: int) -> int:
        fixed = self._fixed(name)
        return self._input(_label(name, cycle)) if fixed is None else fixed

    def _fixed(self, name: str) -> int | None:
        return self._constants.get(name)

    def _beginning(self, latch: str) -> int:
        state = self._reset.get(latch)
        return self._input(_beginning(latch)) if state is None else state

    def _input(self, label: str) -> int:
        if label not in self._inputs:
            self._inputs[label] = self.graph.add_input(label)
        return self._inputs[label]


@lru_cache(maxsize=2)  # claims about one processor follow each other, and share most gates
def _run_of(text: str, fixed: tuple[tuple[str, int], ...]) -> UnrolledProcessor:
    return UnrolledProcessor(read_machine(text, TOP), fixed)


def _label(name: str, cycle: int) -> str:
    """Name of an input of the graph."""
    return name if name.split("[")[0] in _SAME else f"{name}@{cycle}"


def _beginning(latch: str) -> str:
    """Name of the graph's input that is the state of a latch in the first cycle."""
    for name in latch.split():
        found = _BIT.fullmatch(name)
        if found and found["name"] in _BEGINNINGS:
            what, lowest = _BEGINNINGS[found["name"]]
            return beginning(f"{what}[{lowest + int(found['bit'])}]")
    return beginning(latch)


def _after_reset(machine: Machine) -> dict[str, int]:
    """State of each latch in the first cycle after a reset, by name, if it is known."""
    graph = Aig()
    states = [graph.add_input(latch.name) for latch in machine.latches]
    nexts = graph.copy(machine, {"reset": TRUE}, states).nexts
    found = {}
    for latch, state in zip(machine.latches, nexts, strict=True):
        begins = _beginning(latch.name)
        is_any = begins != beginning(latch.name) and begins not in _ALIGNED
        if state in (FALSE, TRUE) and not is_any:
            found[latch.name] = state
    return found


def _instructions(system: System) -> tuple[str, ...]:
    return tuple(x for x in INSTRUCTIONS if x in system.instruction_set.instructions)


def instruction_claims(
    system: System, about: Sequence[str] = (), cycles: int = CYCLES
) -> list[InstructionClaim]:
    """Claims about the processor of ``proc_null``; ``about``: mnemonics or checks, empty: all."""
    known = checks(_instructions(system))
    for name in about:
        if name not in known:
            raise UserError(f"instruction={name}: {', '.join(known)} are allowed")
    return [InstructionClaim(system, name, cycles) for name in about or known]


#: Checks that are not about one mnemonic, and what they say.
OTHERS = {
    "illegal": "a word that is no instruction fails and has no effect",
    "registers": "a register that is read has the value that was last written to it, or last read",
    "pc": "an instruction is at the address that the instruction before it names as the next one",
    "order": "instructions are numbered, and each is counted once",
    "fetch": "an instruction is the word that the memory has at the instruction's address",
    "end": "nothing retires after the last instruction; the ports that tell the end stay",
}

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
