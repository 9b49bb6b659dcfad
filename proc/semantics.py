"""Results of the processor's instructions as Python expressions.

``proc.iss`` and ``ProcFL`` evaluate them. Registers hold unsigned integers below 2**32. An
expression has the operands ``{a}`` (rs1) and ``{b}`` (rs2 or the immediate), and an unsigned 32-bit
value.
"""

from collections.abc import Callable

MASK = 0xFFFFFFFF
_SIGN = 0x80000000


def _signed(operand: str) -> str:
    return f"(({{{operand}}} ^ {_SIGN}) - {_SIGN})"


def divide(a: int, b: int) -> int:
    """Signed quotient of registers, rounded towards zero; -1 for a zero divisor.

    -2**31 / -1 is -2**31.
    """
    if b == 0:
        return MASK
    a, b = (a ^ _SIGN) - _SIGN, (b ^ _SIGN) - _SIGN
    quotient = abs(a) // abs(b)
    return (quotient if (a < 0) == (b < 0) else -quotient) & MASK


def remainder(a: int, b: int) -> int:
    """Signed remainder of registers, with the dividend's sign; by zero, the dividend."""
    if b == 0:
        return a
    a, b = (a ^ _SIGN) - _SIGN, (b ^ _SIGN) - _SIGN
    rest = abs(a) % abs(b)
    return (rest if a >= 0 else -rest) & MASK


FUNCTIONS: dict[str, Callable] = {"divide": divide, "remainder": remainder}

_ARITHMETIC = {
    "add": f"{{a}} + {{b}} & {MASK}",
    "sub": f"{{a}} - {{b}} & {MASK}",
    "and": "{a} & {b}",
    "or": "{a} | {b}",
    "xor": "{a} ^ {b}",
    "sll": f"{{a}} << ({{b}} & 31) & {MASK}",
    "srl": "{a} >> ({b} & 31)",
    "sra": f"{_signed('a')} >> ({{b}} & 31) & {MASK}",
    "slt": f"1 if {{a}} ^ {_SIGN} < {{b}} ^ {_SIGN} else 0",
    "sltu": "1 if {a} < {b} else 0",
    "mul": f"{{a}} * {{b}} & {MASK}",
    "mulh": f"{_signed('a')} * {_signed('b')} >> 32 & {MASK}",
    "mulhsu": f"{_signed('a')} * {{b}} >> 32 & {MASK}",
    "mulhu": "{a} * {b} >> 32",
    "divu": f"{{a}} // {{b}} if {{b}} else {MASK}",
    "remu": "{a} % {b} if {b} else {a}",
    "div": "divide({a}, {b})",
    "rem": "remainder({a}, {b})",
}

#: Expression of each mnemonic. An instruction with an immediate, such as addi, has the same
#: expression as the instruction with registers, add.
EXPRESSIONS: dict[str, str] = {
    **_ARITHMETIC,
    **{
        f"{name}i": _ARITHMETIC[name]
        for name in ("add", "and", "or", "xor", "sll", "srl", "sra", "slt")
    },
    "sltiu": _ARITHMETIC["sltu"],
}

#: Condition of each branch, by mnemonic.
CONDITIONS: dict[str, str] = {
    "beq": "{a} == {b}",
    "bne": "{a} != {b}",
    "blt": f"{{a}} ^ {_SIGN} < {{b}} ^ {_SIGN}",
    "bge": f"{{a}} ^ {_SIGN} >= {{b}} ^ {_SIGN}",
    "bltu": "{a} < {b}",
    "bgeu": "{a} >= {b}",
}

#: For each load instruction: width in bytes, and whether the loaded value is sign-extended.
LOADS: dict[str, tuple[int, bool]] = {
    "lb": (1, True),
    "lh": (2, True),
    "lw": (4, False),
    "lbu": (1, False),
    "lhu": (2, False),
}
STORES: dict[str, int] = {"sb": 1, "sh": 2, "sw": 4}


def function(expression: str) -> Callable[[int, int], int]:
    return eval(f"lambda a, b: {expression.format(a='a', b='b')}", dict(FUNCTIONS))


def sign_extend(value: int, nbytes: int) -> int:
    sign = 1 << (8 * nbytes - 1)
    return (value ^ sign) - sign & MASK
