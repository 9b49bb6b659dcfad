"""Meaning of each instruction, as Verilog formulas written by hand from the RISC-V manual.

``i`` is the instruction word, ``pc`` its address, ``next`` is pc + 4, ``a`` and ``b`` are rs1 and
rs2, ``imm_i`` to ``imm_j`` immediates, and ``data`` the answer at the port of the data memory.
Products and divisions are the alternative operations of the RISC-V Formal Interface, as in
``proc.rvfi``, but written by hand here, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rsaxcel.proc.isa import CSRS, INSTRUCTIONS, XCEL_BASE, XCEL_REGISTERS, Cause


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
