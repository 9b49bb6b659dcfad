"""Test programs of the loads and stores."""

import struct

from tests.proc.cases.case import DATA, Case, Code, unsigned

#: The result shows the sign and position of each byte.
_BYTES = bytes.fromhex("80 7f ff 01 fe 00 c3 9a 12 f4 56 78 ff ff 00 80")
_LOAD_FORMATS = {"lb": "<b", "lbu": "<B", "lh": "<h", "lhu": "<H", "lw": "<i"}
_STORES = {"sb": 1, "sh": 2, "sw": 4}


def _load_case(name: str, form: str) -> Case:
    code = Code().load_constant(1, DATA + 8)
    messages = []
    for offset in range(0, len(_BYTES), struct.calcsize(form)):
        code.add(name, rd=2, rs1=1, imm=offset - 8).nops(offset % 3).send(2)
        messages.append(unsigned(struct.unpack_from(form, _BYTES, offset)[0]))
    return Case(name, code.end(), tuple(messages), data=_BYTES)


def _store_case(name: str, nbytes: int) -> Case:
    """Each store changes only its own bytes; the words around it are read back."""
    code = Code().load_constant(1, DATA + 8)
    expected, messages = bytearray(_BYTES), []
    for position, offset in enumerate(range(0, len(_BYTES), nbytes)):
        value = 0xA1B2C3D4 + 0x01010101 * position
        code.load_constant(2, value).nops(position % 3).add(name, rs1=1, rs2=2, imm=offset - 8)
        expected[offset : offset + nbytes] = value.to_bytes(4, "little")[:nbytes]
        for word in range(max(0, offset // 4 - 1), min(4, offset // 4 + 2)):
            code.add("lw", rd=3, rs1=1, imm=4 * word - 8).send(3)
            messages.append(int.from_bytes(expected[4 * word : 4 * word + 4], "little"))
    return Case(name, code.end(), tuple(messages), data=_BYTES)


def _chain_case() -> Case:
    """Use a loaded address at once to load and to store, and a loaded value at once."""
    pointers = struct.pack("<4I", DATA + 12, DATA + 4, DATA + 8, 1234)
    code = Code().load_constant(1, DATA)
    code.add("lw", rd=2, rs1=1, imm=0).add("lw", rd=3, rs1=2, imm=0).send(3)
    code.add("lw", rd=4, rs1=1, imm=4).add("sw", rs1=4, rs2=3, imm=0)
    code.add("lw", rd=5, rs1=1, imm=4).add("sw", rs1=1, rs2=5, imm=8)
    code.add("lw", rd=6, rs1=1, imm=8).add("add", rd=6, rs1=6, rs2=6).send(6)
    code.add("lw", rd=7, rs1=1, imm=8).add("bne", rs1=7, rs2=3, imm=8).send_constant(9)
    return Case("load-use", code.end(), (1234, 2468, 9), data=pointers)


def memory_cases() -> list[Case]:
    """Cases of every load and every store."""
    cases = [_load_case(name, form) for name, form in _LOAD_FORMATS.items()]
    cases += [_store_case(name, nbytes) for name, nbytes in _STORES.items()]
    return [*cases, _chain_case()]
