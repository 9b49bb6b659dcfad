"""Encoder: instruction words from mnemonics and operands."""

from rsaxcel.proc.isa import INSTRUCTIONS, immediate


def encode(name: str, **operands: int) -> int:
    """Return the instruction word of a mnemonic and its operands; inverse of ``proc.isa.decode``.

    ``ValueError`` if an operand is missing, unknown or does not fit its field.
    """
    entry = INSTRUCTIONS[name]
    if set(operands) != set(entry.operands):
        raise ValueError(f"{name} takes {', '.join(entry.operands)}, not {', '.join(operands)}")
    word = entry.match
    for field, shift, limit in (("rd", 7, 32), ("rs1", 15, 32), ("rs2", 20, 32), ("csr", 20, 4096)):
        value = operands.get(field, 0)
        if not 0 <= value < limit:
            raise ValueError(f"{name}: {field}={value} is not in 0 .. {limit - 1}")
        word |= value << shift
    imm = operands.get("imm", 0)
    word |= _immediate_field(imm, entry.format)
    if immediate(word, entry.format) != imm:
        raise ValueError(f"{name}: immediate {imm} does not fit")
    return word


def _immediate_field(imm: int, form: str) -> int:
    """Bits of the instruction word that hold an immediate; excess bits are cut off."""
    if form in ("I", "load"):
        return (imm & 0xFFF) << 20
    if form == "shift":
        return (imm & 31) << 20
    if form == "csrwi":
        return (imm & 31) << 15
    if form == "S":
        return (imm >> 5 & 127) << 25 | (imm & 31) << 7
    if form == "B":
        return (
            (imm >> 12 & 1) << 31 | (imm >> 5 & 63) << 25 | (imm & 30) << 7 | (imm >> 11 & 1) << 7
        )
    if form == "U":
        return imm & 0xFFFFF000
    if form == "J":
        low = (imm & 0x7FE) << 20 | (imm >> 11 & 1) << 20
        return (imm >> 20 & 1) << 31 | low | imm & 0xFF000
    return 0
