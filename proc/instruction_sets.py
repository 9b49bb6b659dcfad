"""Instruction sets of the processor: RV32IM, and TinyRV2 with the instructions that McNay adds.

TinyRV2, of the course processor from which McNay's is made, has no division, only the low half of a
product, and whole-word accesses. McNay adds ``divu`` with ``remu``, ``mulhu`` and ``lbu``; here
each addition can be chosen alone, to measure its area.

Source: McNay 2023, sections 2.3 and 2.4; TinyRV2 by published labs of his course. Deviations:
``csrwi`` and ``ecall`` are added to TinyRV2: every program here starts and ends the measured region
with them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from rsaxcel.proc.isa import INSTRUCTIONS, Decoded, decode
from rsaxcel.proc.semantics import LOADS

PARAMETER = "proc_isa"  #: parameter of a system: its processor's instruction set

_TINYRV2 = (
    "add",
    "sub",
    "mul",
    "and",
    "or",
    "xor",
    "slt",
    "sltu",
    "sra",
    "srl",
    "sll",
    "addi",
    "andi",
    "ori",
    "xori",
    "slti",
    "sltiu",
    "srai",
    "srli",
    "slli",
    "lui",
    "auipc",
    "lw",
    "sw",
    "jal",
    "jalr",
    "beq",
    "bne",
    "blt",
    "bge",
    "bltu",
    "bgeu",
    "csrr",
    "csrw",
    "csrwi",
    "ecall",
)
ADDITIONS = {"divu": ("divu", "remu"), "mulhu": ("mulhu",), "lbu": ("lbu",)}


@dataclass(frozen=True)
class InstructionSet:
    """Instructions that a processor executes; any other word is an illegal instruction."""

    name: str  #: value of the parameter `proc_isa`
    instructions: frozenset[str]

    def __repr__(self) -> str:
        """Return the name: comments in Verilog have this text, which must always be the same."""
        return f"InstructionSet({self.name!r})"

    def decode(self, word: int) -> Decoded | None:
        """Decode a word; None if it is illegal in this set."""
        decoded = decode(word)
        return decoded if decoded and decoded.name in self.instructions else None

    def lacks(self, words: Iterable[int]) -> list[str]:
        """Return the mnemonics of those ``words`` that are not in this set, each once."""
        found = dict.fromkeys(x.name for x in map(decode, words) if x)
        return [name for name in found if name not in self.instructions]

    @property
    def divides(self) -> bool:
        return any(INSTRUCTIONS[name].unit == "div" for name in self.instructions)

    @property
    def is_signed(self) -> bool:
        return not self.instructions.isdisjoint(("mulh", "mulhsu", "div", "rem"))

    @property
    def has_high_product(self) -> bool:
        return not self.instructions.isdisjoint(("mulh", "mulhsu", "mulhu"))

    @property
    def narrow_loads(self) -> tuple[str, ...]:
        """Loads of less than a word, in the order of their names."""
        narrow = {name for name, (nbytes, _) in LOADS.items() if nbytes < 4}
        return tuple(sorted(self.instructions & narrow))


RV32IM = InstructionSet("rv32im", frozenset(INSTRUCTIONS))  #: default: all instructions of proc.isa


def _extended(*additions: str) -> InstructionSet:
    added = [name for addition in additions for name in ADDITIONS[addition]]
    return InstructionSet("_".join(("tinyrv2", *additions)), frozenset((*_TINYRV2, *added)))


TINYRV2 = _extended()
MCNAY = _extended(*ADDITIONS)  #: tinyRV2 with all of McNay's additions

INSTRUCTION_SETS = {
    found.name: found
    for found in (
        RV32IM,
        *(_extended(*x) for n in range(len(ADDITIONS) + 1) for x in combinations(ADDITIONS, n)),
    )
}


def sets_with(instructions: Iterable[str]) -> str:
    """Return the sets that have all of these instructions, for messages; the smallest first."""
    wanted = set(instructions)
    found = [x for x in INSTRUCTION_SETS.values() if wanted <= x.instructions]
    names = [x.name for x in sorted(found, key=lambda x: len(x.instructions))]
    return f"{PARAMETER}={', '.join(names)} allowed"
