"""Claims about the processor's instructions, checked when they retire (``proc.rvfi``)."""

from rsaxcel.lab.proofs.instructions.claim import CYCLES, InstructionClaim, instruction_claims

__all__ = ["CYCLES", "InstructionClaim", "instruction_claims"]
