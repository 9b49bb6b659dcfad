"""Reads the assembly of rsaxcel's own programs: linked code, the same for every machine.

The syntax is that of GNU's assembler, as far as ``tools/programs.py`` writes it. ``.org`` gives an
address in the memory, not a distance from the start of a section.
"""

import re
from collections.abc import Mapping

from rsaxcel.proc.elf import Image, Label, Symbol
from rsaxcel.proc.encoding import encode
from rsaxcel.proc.isa import CSRS, INSTRUCTIONS, MEMORY_NBYTES, REGISTER_NAMES, RESET_VECTOR

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_LINE = re.compile(r"(?:(\S+):)?\s*(\S*)\s*(.*?)\s*")
_NBYTES = {".byte": 1, ".word": 4}
_UPPER = 12  # bits below the immediate of lui and auipc


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
        Label(y, x in functions, x in globals_, x, sizes.get(x, 0) if x in functions else 0)
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
        names = ("rd", "imm", "rs1")  # as in a load: jalr ra, 4(t0)
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
                operands[name] = (operands[name] << _UPPER ^ 1 << 31) - (1 << 31)  # signed
    return encode(mnemonic, **operands)
