"""Proofs about the processor's instructions, and planted faults, which are refuted."""

import pytest

from rsaxcel.lab.proofs.claim import TOP
from rsaxcel.lab.proofs.instructions import (
    OTHERS,
    InstructionClaim,
    UnrolledProcessor,
    checked,
    instruction_claims,
)
from rsaxcel.lab.proofs.instructions.meanings import MEANINGS
from rsaxcel.lab.proofs.reading import read_machine
from rsaxcel.lab.proofs.signals import write_vcd
from rsaxcel.lab.proofs.solver import ProofVerdict, satisfied
from rsaxcel.proc.isa import INSTRUCTIONS
from rsaxcel.proc.systems import find_system
from tests.shared.vcd import VCDVCD

pytestmark = [pytest.mark.xdist_group("instruction-proofs"), pytest.mark.timeout(3600)]
slow = pytest.mark.slow
SECONDS = 600
SYSTEM = find_system("proc_null")


def test_every_instruction_has_a_meaning():
    assert list(MEANINGS) == list(INSTRUCTIONS)
    assert [x.part for x in instruction_claims(SYSTEM)] == [*INSTRUCTIONS, *OTHERS]
    small = instruction_claims(find_system("proc_null", proc_isa="tinyrv2"))
    assert {"add", "lw", "illegal"} <= {x.part for x in small}
    assert not {"lb", "div", "mulhu", "fence"} & {x.part for x in small}


@slow
@pytest.mark.parametrize("about", [pytest.param(x, id=x) for x in (*INSTRUCTIONS, *OTHERS)])
def test_proofs(about):
    proof = InstructionClaim(SYSTEM, about, cycles=8).prove(SECONDS)
    assert (proof.verdict, proof.counterexample) == (ProofVerdict.PROVEN, None)


def _behind(connection, bits):
    """Flip bits of an answer between the processor's port and the stage that takes it."""
    return f"{connection};", f"{connection} ^ 64'd{bits};"


#: Faults: the check that finds it, the text in the Verilog, the text in its place, and the number
#: of cycles after a reset in which it shows.
FAULTS = {
    "slt-without-sign": ("slt", "less = op1[5'd31];", "less = op2[5'd31];", 6),
    "old-before-young": (
        "registers",
        "if ( in_x[1'd0] ) begin",
        "if ( in_x[1'd0] & ~in_m[1'd0] ) begin",
        9,
    ),
    "no-stall-for-a-load": ("registers", "( x_late & decoder__control.reads2 )", "1'b0", 8),
    "bypass-from-x0": ("registers", "( inst_reg[11:7] != 5'd0 )", "1'b1", 8),
    "drop-lost": ("fetch", "drop_reg <= 1'd1;", "drop_reg <= 1'd0;", 10),
    "next-pc": ("pc", "next_pc = pc_reg + 32'd4;", "next_pc = pc_reg + 32'd8;", 7),
    "sign-of-a-byte": ("lb", "{ 24 { dmem__msg.data[7] } }", "{ 24 { dmem__msg.data[15] } }", 7),
    "length-of-a-halfword": ("sh", "msg_reg.inst[5'd12] } + 2'd1;", "msg_reg.inst[5'd12] };", 7),
    "operand-of-a-product": ("mulhu", "a_reg <= issue.op1;", "a_reg <= issue.op2;", 7),
    "counter": ("csrr", "cycleh_reg <= cycleh_reg + 32'd1;", "cycleh_reg <= cycleh_reg;", 7),
    "illegal-word": ("illegal", "illegal = ~legal;", "illegal = 1'd0;", 6),
    "jump-to-itself": ("jal", "to_itself = msg_reg.target == msg_reg.pc;", "to_itself = 1'd0;", 6),
    "after-the-end": ("end", "ended_reg <= 1'd1;", "ended_reg <= 1'd0;", 8),
    "loaded-word": ("lw", *_behind("memory__dmem__msg = dmem__resp__msg", 8), 7),
    "loaded-byte": ("lbu", *_behind("memory__dmem__msg = dmem__resp__msg", 8), 7),
    "failed-load": ("lw", *_behind("memory__dmem__msg = dmem__resp__msg", 1 << 34), 7),
    "fetched-word": ("fetch", *_behind("fetch__imem__resp__msg = imem__resp__msg", 8), 7),
    "accelerator": ("csrr", *_behind("memory__xcel__msg = xcel__resp__msg", 8), 7),
    "manager": ("csrr", *_behind("memory__mngr2proc__msg = mngr2proc__msg", 8), 7),
    "message-lost": ("addi", "mngr2proc__rdy = valid_reg & msg_reg", "mngr2proc__rdy = msg_reg", 7),
    "message-given-twice": (
        "addi",
        "proc2mngr__val = valid_reg & msg_reg",
        "proc2mngr__val = msg_reg",
        7,
    ),
    "order": ("order", "order_reg <= order_reg + 64'd1;", "order_reg <= order_reg;", 7),
}


@slow
@pytest.mark.parametrize(
    ("about", "old", "new", "cycles"), [pytest.param(*FAULTS[x], id=x) for x in FAULTS]
)
def test_a_planted_fault_is_refuted(about, old, new, cycles, tmp_path):
    """The counterexample names the instruction, and has a waveform."""
    text = InstructionClaim(SYSTEM, about).module.text
    assert old in text
    proof = InstructionClaim(SYSTEM, about, cycles, text.replace(old, new)).prove(SECONDS)
    assert proof.verdict is ProofVerdict.REFUTED
    example = proof.counterexample
    assert "rd_wdata = " in example.text
    write_vcd(tmp_path / "wrong.vcd", example)
    waves = VCDVCD(str(tmp_path / "wrong.vcd"))
    assert any(name.startswith("checked.rvfi_insn") for name in waves.signals)


@slow
def test_no_claim_about_an_instruction_is_empty():
    """Each instruction can retire: the claim that it is always wrong is refuted."""
    text = checked(InstructionClaim(SYSTEM, "add").module, tuple(INSTRUCTIONS))
    inverted = text.replace("&& !(right_reads", "&& (right_reads")
    assert inverted.count("&& (right_reads") == len(INSTRUCTIONS)
    run = UnrolledProcessor(read_machine(inverted, TOP), [("from_memory", 0)])
    for name in INSTRUCTIONS:
        assert isinstance(satisfied(run.graph, run.wrong(name, 6)), dict), name
