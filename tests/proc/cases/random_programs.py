"""Random programs, whose messages show the final registers and memory.

They end after a bounded number of instructions and never fault. Their messages do not depend on
time, so they are the same at every level and with any stalls.
"""

import random
from collections.abc import Collection

from rsaxcel.proc.isa import CSRS, INSTRUCTIONS
from tests.proc.cases.case import DATA, Case, Code

_DATA_NBYTES = 128
#: registers with a purpose; all other registers hold random values
_BASE, _COUNTER, _TARGET = (2, 3, 4)
_FREE = (0, 1, *range(5, 16), 31)
_USED = (*_FREE[1:], _BASE, _COUNTER, _TARGET)
_INPUTS = 8

_BY_UNIT: dict[str, list[str]] = {}
for _name, _entry in INSTRUCTIONS.items():
    _BY_UNIT.setdefault(_entry.unit, []).append(_name)
_ACCESS_NBYTES = {"b": 1, "h": 2, "w": 4}
#: Kinds of pieces with their weights.
_KINDS = {
    "alu": 12,
    "mul": 3,
    "div": 1,
    "load": 4,
    "store": 4,
    "branch": 3,
    "loop": 1,
    "jal": 1,
    "jalr": 1,
    "csr": 2,
}


class _Generator:
    """Appends random pieces to a program.

    Parameters
    ----------
    draw : random.Random
        Source of all choices.
    allowed : collection of str
        Instructions that may be chosen.
    """

    def __init__(self, draw: random.Random, allowed: Collection[str]) -> None:
        self.draw = draw
        self.allowed = allowed
        self.code = Code()
        self.inputs_read = 0

    def register(self) -> int:
        """Choose a register to read or write; there are few, so that dependences are frequent."""
        return self.draw.choice(_FREE)

    def constant(self) -> int:
        """Choose 32 bits; short numbers are as frequent as long ones, negative ones as positive."""
        value = self.draw.getrandbits(self.draw.randint(0, 32))
        return -value & 0xFFFFFFFF if self.draw.random() < 0.5 else value

    def simple(self, unit: str) -> None:
        """Append an instruction that is no branch, jump or access."""
        name = self.draw.choice([name for name in _BY_UNIT[unit] if name in self.allowed])
        entry = INSTRUCTIONS[name]
        operands = {operand: self.register() for operand in entry.operands if operand != "imm"}
        if unit in ("load", "store"):
            nbytes = _ACCESS_NBYTES[name[1]]
            operands["rs1"] = _BASE
            operands["imm"] = self.draw.randrange(0, _DATA_NBYTES, nbytes) - _DATA_NBYTES // 2
        elif entry.format == "U":
            operands["imm"] = self.draw.randrange(-(1 << 19), 1 << 19) << 12
        elif entry.format == "shift":
            operands["imm"] = self.draw.randrange(32)
        elif entry.format == "I":
            operands["imm"] = self.draw.randrange(-2048, 2048)
        self.code.add(name, **operands)

    def alu_or_access(self) -> None:
        """Append an instruction that does not jump."""
        self.simple(self.draw.choice(("alu", "alu", "mul", "load", "store")))

    def branch(self) -> None:
        """Branch forward, over up to three instructions."""
        skipped = self.draw.randrange(4)
        name = self.draw.choice(_BY_UNIT["branch"])
        self.code.add(name, rs1=self.register(), rs2=self.register(), imm=4 * skipped + 4)
        for _ in range(skipped):
            self.alu_or_access()

    def loop(self) -> None:
        """Repeat up to six instructions up to three times."""
        self.code.add("addi", rd=_COUNTER, rs1=0, imm=self.draw.randint(1, 3))
        start = self.code.pc
        for _ in range(self.draw.randint(0, 6)):
            self.alu_or_access()
        self.code.add("addi", rd=_COUNTER, rs1=_COUNTER, imm=-1)
        self.code.add("bne", rs1=_COUNTER, rs2=0, imm=start - self.code.pc)

    def jal(self) -> None:
        """Jump forward, over up to three instructions."""
        skipped = self.draw.randrange(4)
        self.code.add("jal", rd=self.register(), imm=4 * skipped + 4)
        for _ in range(skipped):
            self.alu_or_access()

    def jalr(self) -> None:
        """Jump forward to a computed address; the odd address is made even."""
        skipped, odd = self.draw.randrange(4), self.draw.randrange(2)
        self.code.add("auipc", rd=_TARGET, imm=0)
        gap = self.draw.randrange(3)
        for _ in range(gap):
            self.alu_or_access()
        link = self.draw.choice((_TARGET, self.register()))
        self.code.add("jalr", rd=link, rs1=_TARGET, imm=4 * (gap + skipped + 2) + odd)
        for _ in range(skipped):
            self.alu_or_access()

    def csr(self) -> None:
        """Access a control register whose value does not depend on time."""
        kind = self.draw.choice(("send", "instret", "receive", "other", "xcel", "stats", "fence"))
        if kind == "send":
            self.code.send(self.register())
        elif kind == "stats":
            self.code.add("csrw", csr=CSRS["stats_en"].address, rs1=self.register())
        elif kind == "fence":
            name = self.draw.choice(("fence", "fence.i"))
            if name in self.allowed:
                self.code.add(name)
        elif kind == "xcel":
            # Both accesses are safe: writes append words, reads give constants.
            register = CSRS[f"xcel{self.draw.randint(1, 3)}"].address
            if self.draw.random() < 0.5:
                self.code.add("csrw", csr=register, rs1=self.register())
            else:
                self.code.add("csrr", csr=register, rd=self.register())
        elif kind != "receive":
            name = "instret" if kind == "instret" else self.draw.choice(("coreid", "numcores"))
            self.code.add("csrr", rd=self.register(), csr=CSRS[name].address)
        elif self.inputs_read < _INPUTS:
            self.inputs_read += 1
            self.code.add("csrr", rd=self.register(), csr=CSRS["mngr2proc"].address)

    def dump(self) -> None:
        """Send all registers that the program uses, and the data."""
        for register in _USED:
            self.code.send(register)
        for offset in range(0, _DATA_NBYTES, 4):
            self.code.add("lw", rd=1, rs1=_BASE, imm=offset - _DATA_NBYTES // 2).send(1)


def random_program(
    draw: random.Random, pieces: int = 40, allowed: Collection[str] = INSTRUCTIONS
) -> Case:
    """Make a program; its case has no expected messages.

    Parameters
    ----------
    draw : random.Random
        Source of all choices, such as ``random.Random(seed)``.
    pieces : int
        Number of instructions or short pieces like loops.
    allowed : collection of str
        Instructions that may be in the program. Others must not be needed for branches and jumps.
    """
    generator = _Generator(draw, allowed)
    code = generator.code
    # A reset does not change the processor's registers.
    for register in _USED:
        code.load_constant(register, generator.constant())
    code.load_constant(_BASE, DATA + _DATA_NBYTES // 2)
    weights = {
        kind: weight
        for kind, weight in _KINDS.items()
        if any(name in allowed for name in _BY_UNIT.get(kind, allowed))
    }
    kinds = draw.choices(list(weights), list(weights.values()), k=pieces)
    for kind in kinds:
        if kind in _BY_UNIT and kind not in ("branch", "csr"):
            generator.simple(kind)
        else:
            getattr(generator, kind)()
    generator.dump()
    inputs = tuple(generator.constant() for _ in range(_INPUTS))
    data = draw.randbytes(_DATA_NBYTES)
    return Case("random", code.end(), inputs=inputs, data=data)
