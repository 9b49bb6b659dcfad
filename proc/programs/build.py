"""Builds rsaxcel's own programs from their assembly, which is kept in the folder ``assembly``.

One compiler has made the assembly (``make programs``): cycles are the same on every machine, and no
compiler for RISC-V is needed.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from rsaxcel.circuit import ModulusConstant
from rsaxcel.proc.elf import CodeLabel, Image, Symbol
from rsaxcel.proc.isa import CSRS, INSTRUCTIONS, MEMORY_NBYTES, REGISTER_NAMES, RESET_VECTOR, encode
from rsaxcel.proc.programs.formulas import DriverFormulas, table_of

# The syntax is that of GNU's assembler, as far as ``tools/programs.py`` writes it. ``.org`` gives
# an address in the memory, not a distance from the start of a section.

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_LINE = re.compile(r"(?:(\S+):)?\s*(\S*)\s*(.*?)\s*")
_NBYTES = {".byte": 1, ".word": 4}
_UPPER = 12  #: bits below the immediate of lui and auipc


def assemble(text: str, name: str) -> Image:
    """Assemble a program, with the addresses of all code and data, into a memory."""
    memory = bytearray(MEMORY_NBYTES)
    addresses: dict[str, int] = {}
    instructions: list[tuple[int, str, str]] = []
    globals_, functions, sizes = set(), set(), dict[str, int]()
    compiler, address, in_code, code = "", 0, False, set[str]()
    for line in _COMMENT.sub("", text).splitlines():
        label, word, rest = _LINE.fullmatch(line).groups("")  # type: ignore[union-attr]
        if label:
            addresses[label] = address
            if in_code:
                code.add(label)
        match word:
            case "":
                pass
            case ".text" | ".data" | ".bss":
                in_code = word == ".text"
            case ".org":
                address = int(rest, 0)
            case ".zero":
                address += int(rest, 0)
            case ".byte" | ".word":
                data = [int(x, 0).to_bytes(_NBYTES[word], "little") for x in rest.split(",")]
                memory[address : (address := address + _NBYTES[word] * len(data))] = b"".join(data)
            case ".ident":
                compiler = rest.strip('"')
            case ".globl":
                globals_.add(rest)
            case ".type":
                functions.add(rest.split(",")[0])
            case ".size":
                known, _, nbytes = rest.partition(", ")
                sizes[known] = int(nbytes, 0)
            case _:
                instructions.append((address, word, rest))
                address += 4
    for place, mnemonic, operands in instructions:
        word = _encoded(mnemonic, operands, place, addresses)
        memory[place : place + 4] = word.to_bytes(4, "little")
    named = {x: y for x, y in addresses.items() if not x.startswith(".L")}
    labels = (
        CodeLabel(y, x in functions, x in globals_, x, sizes.get(x, 0) if x in functions else 0)
        for x, y in named.items()
        if x in code
    )
    symbols = {x: Symbol(y, sizes.get(x, 0)) for x, y in named.items() if x in globals_}
    places = tuple(place for place, *_ in instructions)
    return Image(name, memory, RESET_VECTOR, symbols, sorted(labels), compiler, places)


def _encoded(mnemonic: str, text: str, address: int, addresses: Mapping[str, int]) -> int:
    """Encode an instruction; labels stand for their addresses."""
    form, names = INSTRUCTIONS[mnemonic].format, INSTRUCTIONS[mnemonic].operands
    if mnemonic == "jalr":
        names = ("rd", "imm", "rs1")  # operands as in a load: jalr ra, 4(t0)
    operands = {}
    for name, token in zip(names, re.findall(r"[^\s,()]+", text), strict=True):
        if name == "csr":
            operands[name] = CSRS[token].address
        elif name != "imm":
            operands[name] = REGISTER_NAMES.index(token)
        elif form in ("B", "J"):
            operands[name] = addresses[token] - address
        else:
            operands[name] = int(token, 0)
            if form == "U":
                # the immediate is signed
                operands[name] = (operands[name] << _UPPER ^ 1 << 31) - (1 << 31)
    return encode(mnemonic, **operands)


#: Common sources of the programs as McNay's document has them.
_PRINTED = ("crt0.S", "start_printed.S", "main_printed.c", "print.c", "one_word.c")

SOURCES: dict[str, tuple[str, ...]] = {
    "naive": ("crt0.S", "main.c", "naive.c", "words.c"),
    "montgomery": ("crt0.S", "main.c", "montgomery.c", "words.c"),
    "crt": ("crt0.S", "main.c", "crt.c", "digits.c", "digit_products.S", "words.c"),
    "naive_printed": (*_PRINTED, "naive_printed.c"),
    "montgomery_printed": (*_PRINTED, "montgomery_printed.c", "mont_multiplier.c"),
    "xcel_printed": (*_PRINTED, "xcel_printed.c"),
    "dummy_printed": (*_PRINTED, "dummy_printed.c"),
    "xcel": ("crt0.S", "main.c", "xcel.c"),
    "xcel_loaded": ("crt0.S", "main_loaded.c", "xcel_loaded.c"),
    "axi": ("crt0.S", "main.c", "axi.c"),
    "axi_interrupt": ("crt0.S", "main.c", "axi_interrupt.c"),
    "axi_loaded": ("crt0.S", "main_loaded.c", "axi_loaded.c"),
    "axi_interrupt_loaded": ("crt0.S", "main_loaded.c", "axi_interrupt_loaded.c"),
    "dummy": ("crt0.S", "main.c", "dummy.c"),
    "selfcheck": ("crt0.S", "selfcheck.c"),
}

BY_PRIMES = ("crt",)  #: programs modulo the primes p and q; operands: base, p, q, dp and dq

HALVES, CALLS = "_halves", "_calls"
#: Code that computes constants of the modulus: of one number, or of two halves.
CONSTANTS = "constants", "half_constants"

_ON_BUS = tuple(name for name in SOURCES if name.startswith("axi"))
_DRIVERS = ("xcel", "xcel_loaded", *_ON_BUS)

#: Sources of each file of assembly.
KEPT: dict[str, tuple[str, ...]] = {
    **SOURCES,
    # Drivers for an accelerator whose modulus consists of two halves (MODULUS_IS_TWO).
    **{name + HALVES: SOURCES[name] for name in _ON_BUS},
    # Drivers with several calls in a row, for energies.
    **{
        name + CALLS: ("crt0.S", "main_calls.c", SOURCES[name][-1])
        for name in ("dummy", *(x for x in _DRIVERS if x.endswith("_loaded")))
    },
    **{name: ("prepare.c", f"{name}.c", "words.c") for name in CONSTANTS},
}

FOLDER = Path(__file__).parent
ASSEMBLY = FOLDER / "assembly"


def build(name: str, constants: Sequence[ModulusConstant] = ()) -> Image:
    """Build one of the programs in ``SOURCES``; a driver gets code that computes ``constants``.

    ``constants`` have the accelerator's order. ``ValueError`` for an unknown program, or a constant
    that no driver can compute.
    """
    if name not in SOURCES:
        raise ValueError(f"no program {name!r}; there are {', '.join(SOURCES)}")
    if not constants or name not in _DRIVERS:
        return _kept(name)
    table, on_bus = table_of(constants), name in _ON_BUS
    driver = _kept(name + HALVES if table.halves and on_bus else name)
    return _joined(driver, _kept(CONSTANTS[table.halves is not None]), table, on_bus)


def build_calls(name: str, calls: int) -> Image:
    """Build ``dummy``, or a driver that loads the key, with ``calls`` further calls."""
    image = _kept(name + CALLS)
    image.write("calls", calls.to_bytes(4, "little"))
    return image


def _joined(driver: Image, code: Image, table: DriverFormulas, on_bus: bool) -> Image:
    """Join a driver with the code that computes its constants, and with the table for the code.

    The driver's function ``prepare``, which does nothing, becomes a jump to the code's function.
    Nothing else changes, and no part of the change is measured.
    """
    start, end = code.code[0], code.symbols["formulas"].address
    driver.memory[start:end] = code.memory[start:end]
    place, words = (driver.symbols[x].address for x in ("constants", "constant_words"))
    data = table.data(end, place, words, on_bus)
    driver.memory[end : end + len(data)] = data
    (prepare,) = (x.address for x in driver.labels if x.name == "prepare")
    jump = encode("jal", rd=0, imm=code.symbols["prepare"].address - prepare)
    driver.memory[prepare : prepare + 4] = jump.to_bytes(4, "little")
    labels, symbols = sorted(driver.labels + code.labels), code.symbols | driver.symbols
    return replace(driver, symbols=symbols, labels=labels, code=driver.code + code.code)


def _kept(name: str) -> Image:
    image = _assembled(ASSEMBLY / f"{name}.S")
    return replace(image, memory=bytearray(image.memory))


@cache
def _assembled(path: Path) -> Image:
    return assemble(path.read_text(), path.stem)
