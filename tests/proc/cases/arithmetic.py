"""Test programs of the arithmetic instructions, with corner and random operands."""

import random
from fractions import Fraction
from itertools import product
from math import trunc

from rsaxcel.proc.isa import INSTRUCTIONS, RESET_VECTOR
from tests.proc.cases.case import Case, Code, unsigned

_MIN, _MAX = -(1 << 31), (1 << 31) - 1
_CORNERS = (0, 1, -1, 2, _MAX, _MIN, _MIN + 1, 31, 0x1234_5678)
_IMMEDIATES = (0, 1, -1, 2047, -2048, 0x555)
_RANDOM_ROWS = 24

REGISTER_FORMS = tuple(
    name
    for name, entry in INSTRUCTIONS.items()
    if entry.unit in ("alu", "mul", "div") and entry.reads_rs2
)
IMMEDIATE_FORMS = tuple(
    name for name, entry in INSTRUCTIONS.items() if entry.unit == "alu" and entry.format == "I"
)
SHIFT_FORMS = tuple(name for name, entry in INSTRUCTIONS.items() if entry.format == "shift")

#: Results written down from the specification, by hand: a, b, result; all signed.
_SPECIFIED = {
    "add": [(_MAX, 1, _MIN), (-1, 1, 0), (-5, 3, -2)],
    "sub": [(_MIN, 1, _MAX), (0, 1, -1), (3, -5, 8)],
    "sll": [(1, 31, _MIN), (1, 32, 1), (3, 33, 6)],
    "srl": [(-1, 31, 1), (_MIN, 4, 0x0800_0000), (-1, 32, -1)],
    "sra": [(-1, 31, -1), (_MIN, 4, -0x0800_0000), (-7, 1, -4)],
    "slt": [(-1, 0, 1), (0, -1, 0), (_MIN, _MAX, 1), (5, 5, 0)],
    "sltu": [(-1, 0, 0), (0, -1, 1), (_MIN, _MAX, 0), (5, 5, 0)],
    "and": [(0x0FF0, 0x00FF, 0x00F0)],
    "or": [(0x0FF0, 0x00FF, 0x0FFF)],
    "xor": [(0x0FF0, 0x00FF, 0x0F0F), (-1, -1, 0)],
    "mul": [(_MIN, -1, _MIN), (-1, -1, 1), (0x10000, 0x10000, 0)],
    "mulh": [(-1, -1, 0), (_MIN, _MIN, 0x4000_0000), (_MIN, 2, -1), (0x10000, 0x10000, 1)],
    "mulhsu": [(-1, -1, -1), (_MIN, -1, _MIN), (1, -1, 0), (-1, 1, -1)],
    "mulhu": [(-1, -1, -2), (_MIN, 2, 1), (0x10000, 0x10000, 1)],
    "div": [(-7, 2, -3), (7, -2, -3), (5, 0, -1), (-5, 0, -1), (_MIN, -1, _MIN), (0, 0, -1)],
    "divu": [(-1, 2, _MAX), (5, 0, -1), (1, -1, 0), (_MIN, -1, 0), (0, 0, -1)],
    "rem": [(-7, 2, -1), (7, -2, 1), (5, 0, 5), (-5, 0, -5), (_MIN, -1, 0), (0, 0, 0)],
    "remu": [(-1, 10, 5), (5, 0, 5), (1, -1, 1), (_MIN, -1, _MIN), (0, 0, 0)],
}


def expected(name: str, a: int, b: int) -> int:
    """Compute an instruction on two 32-bit numbers, by exact arithmetic on integers.

    Parameters
    ----------
    name : str
        Mnemonic; for an immediate form, the mnemonic of its form with two registers.
    a, b : int
        Operands, signed or unsigned.
    """
    ua, ub = a % 2**32, b % 2**32
    sa, sb = ((x + 2**31) % 2**32 - 2**31 for x in (a, b))
    if name in ("div", "divu", "rem", "remu"):
        x, y = (sa, sb) if name in ("div", "rem") else (ua, ub)
        quotient = trunc(Fraction(x, y)) if y else -1
        return (quotient if name.startswith("div") else x - quotient * y if y else x) % 2**32
    high = {"mulh": sa * sb, "mulhsu": sa * ub, "mulhu": ua * ub}
    if name in high:
        return high[name] // 2**32 % 2**32
    return {
        "add": ua + ub,
        "sub": ua - ub,
        "and": ua & ub,
        "or": ua | ub,
        "xor": ua ^ ub,
        "sll": ua * 2 ** (ub % 32),
        "srl": ua // 2 ** (ub % 32),
        "sra": sa // 2 ** (ub % 32),
        "slt": sa < sb,
        "sltu": ua < ub,
        "mul": ua * ub,
    }[name] % 2**32


def register_form(name: str, rows: list[tuple[int, int, int]], suffix: str = "") -> Case:
    """Program that computes rows of (a, b, result) and sends the results."""
    code = Code()
    for position, (a, b, _) in enumerate(rows):
        # Every distance from the loads of the operands to their use, and either operand last.
        first, second = ((1, a), (2, b)) if position & 1 else ((2, b), (1, a))
        code.load_constant(*first).load_constant(*second).nops(position // 2 % 4)
        code.add(name, rd=3, rs1=1, rs2=2).nops(position // 8 % 3).send(3)
    return Case(name + suffix, code.end(), tuple(unsigned(row[2]) for row in rows))


def immediate_form(name: str, rows: list[tuple[int, int, int]], suffix: str = "") -> Case:
    """Program that computes rows of (a, immediate, result) and sends the results."""
    code = Code()
    for position, (a, imm, _) in enumerate(rows):
        code.load_constant(1, a).nops(position % 4)
        code.add(name, rd=3, rs1=1, imm=imm).nops(position // 4 % 3).send(3)
    return Case(name + suffix, code.end(), tuple(unsigned(row[2]) for row in rows))


def _draw(draw: random.Random) -> int:
    """Draw up to 32 bits; short numbers are as frequent as long ones."""
    value = draw.getrandbits(draw.randint(0, 32))
    return unsigned(-value) if draw.random() < 0.3 else value


def _register_cases(name: str) -> list[Case]:
    draw = random.Random(name)
    pairs = list(product(_CORNERS, repeat=2))
    pairs += [(_draw(draw), _draw(draw)) for _ in range(_RANDOM_ROWS)]
    rows = [(a, b, expected(name, a, b)) for a, b in pairs]
    return [
        register_form(name, _SPECIFIED[name], "-specified"),
        register_form(name, rows, "-corners-random"),
    ]


def _immediate_cases(name: str) -> Case:
    draw = random.Random(name)
    meaning = {"sltiu": "sltu"}.get(name, name.removesuffix("i"))
    if name in SHIFT_FORMS:
        pairs = list(product(_CORNERS, (0, 1, 15, 31)))
        pairs += [(_draw(draw), draw.randrange(32)) for _ in range(_RANDOM_ROWS)]
    else:
        pairs = list(product(_CORNERS, _IMMEDIATES))
        pairs += [(_draw(draw), draw.randrange(-2048, 2048)) for _ in range(_RANDOM_ROWS)]
    return immediate_form(name, [(a, imm, expected(meaning, a, imm)) for a, imm in pairs])


def _upper_cases() -> list[Case]:
    lui, auipc = Code(), Code()
    sums = []
    values = (0, 1 << 12, -(1 << 12), _MIN, 0x7FFF_F000, 0x1234_5000)
    for value in values:
        lui.add("lui", rd=1, imm=value).send(1)
        sums.append(unsigned(RESET_VECTOR + 4 * len(auipc.words) + value))
        auipc.add("auipc", rd=1, imm=value).send(1)
    return [
        Case("lui", lui.end(), tuple(unsigned(value) for value in values)),
        Case("auipc", auipc.end(), tuple(sums)),
    ]


def _x0_case() -> Case:
    """Writes to x0 change nothing, and no result for x0 is forwarded."""
    code = Code().load_constant(1, 77)
    writers = [
        ("add", {"rs1": 1, "rs2": 1}),
        ("addi", {"rs1": 1, "imm": 5}),
        ("lui", {"imm": 4096}),
        ("mul", {"rs1": 1, "rs2": 1}),
        ("div", {"rs1": 1, "rs2": 0}),
        ("lw", {"rs1": 0, "imm": 0x200}),
        ("jal", {"imm": 4}),
    ]
    for name, operands in writers:
        code.add(name, rd=0, **operands).add("add", rd=2, rs1=0, rs2=0).send(2).send(0)
    return Case("x0", code.end(), (0, 0) * len(writers))


def arithmetic_cases() -> list[Case]:
    """Cases of every arithmetic instruction."""
    cases = [case for name in REGISTER_FORMS for case in _register_cases(name)]
    cases += [_immediate_cases(name) for name in (*IMMEDIATE_FORMS, *SHIFT_FORMS)]
    return [*cases, *_upper_cases(), _x0_case()]
