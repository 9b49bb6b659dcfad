"""Proofs about the processor's instructions, and planted faults, which are refuted."""

import pytest

from rsaxcel.lab.proofs.claim import TOP
from rsaxcel.lab.proofs.instructions import (
    MEANINGS,
    OTHERS,
    InstructionClaim,
    UnrolledProcessor,
    checked,
    instruction_claims,
)
from rsaxcel.lab.proofs.reading import read_machine
from rsaxcel.lab.proofs.signals import write_vcd
from rsaxcel.lab.proofs.solver import ProofVerdict, satisfied
from rsaxcel.proc.isa import INSTRUCTIONS
from rsaxcel.proc.systems import find_system
from tests.shared.planted import planted
from tests.shared.tables import each_row
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


@slow
@each_row(__file__, "faults", "about", "old", "new", "cycles")
def test_a_planted_fault_is_refuted(about, old, new, cycles, tmp_path):
    """The counterexample names the instruction, and has a waveform."""
    text = planted(InstructionClaim(SYSTEM, about).module.text, (old, new))
    proof = InstructionClaim(SYSTEM, about, cycles, text).prove(SECONDS)
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
