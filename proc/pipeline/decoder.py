"""Decoder: gives the control signals and the immediate operand for an instruction word."""

from dataclasses import astuple, fields

from pymtl3 import (
    Bits1,
    Bits32,
    Component,
    InPort,
    OutPort,
    Wire,
    concat,
    connect,
    mk_bits,
    sext,
    update,
    zext,
)

from rsaxcel.fl.messages import message
from rsaxcel.proc.instruction_sets import RV32IM
from rsaxcel.proc.isa import XLEN
from rsaxcel.proc.pipeline.control import CONTROL_NBITS, Control, Imm, patterns

CONTROL_FIELDS = tuple((field.name, CONTROL_NBITS.get(field.name, 1)) for field in fields(Control))
ControlSignals = message("ControlSignals", CONTROL_FIELDS)  #: fields of Control as a PyMTL3 message

# PyMTL3 accepts plain integers in update blocks, but no members of an IntEnum.
IMM_I, IMM_S, IMM_B, IMM_U, IMM_J, IMM_Z, IMM_FOUR = (
    int(place) for place in (Imm.I, Imm.S, Imm.B, Imm.U, Imm.J, Imm.Z, Imm.FOUR)
)


class Decoder(Component):
    """Compares an instruction word with the patterns of ``proc.pipeline.control``.

    Parameters
    ----------
    instruction_set : InstructionSet; instructions of the processor; any other word is illegal

    Ports
    -----
    inst : in, 32 bits; instruction word
    control : out, ``ControlSignals``; all 0 for an illegal instruction
    imm : out, 32 bits; immediate operand, sign-extended; zero-extended for csrwi
    illegal : out, 1 bit; the word fits no pattern

    Combinational.
    """

    def construct(s, instruction_set=RV32IM):
        rows = patterns(instruction_set)
        count = len(rows)
        Packed = mk_bits(ControlSignals.nbits)
        s.inst = InPort(XLEN)
        s.control = OutPort(ControlSignals)
        s.imm = OutPort(XLEN)
        s.illegal = OutPort(1)

        s.mask = [Wire(Bits32) for _ in range(count)]
        s.match = [Wire(Bits32) for _ in range(count)]
        s.row = [Wire(Packed) for _ in range(count)]
        s.hits = [Wire(Bits1) for _ in range(count)]
        s.legal = Wire(Bits1)
        s.joined = Wire(Packed)
        for i, pattern in enumerate(rows):
            s.mask[i] //= Bits32(pattern.mask)
            s.match[i] //= Bits32(pattern.match)
            s.row[i] //= Packed(_pack(pattern.control))

        @update
        def comb_hits():
            for i in range(count):
                s.hits[i] @= (s.inst & s.mask[i]) == s.match[i]

        # A row has the control signals of a pattern. At most one row matches the instruction word,
        # so the rows are joined by OR: a tree of gates. A choice by priority would be a chain.
        @update
        def comb_control():
            s.joined @= 0
            s.legal @= 0
            for i in range(count):
                if s.hits[i]:
                    s.joined @= s.joined | s.row[i]
                    s.legal @= 1

        lsb = ControlSignals.nbits
        for name, nbits in CONTROL_FIELDS:
            lsb -= nbits
            field = getattr(s.control, name)
            connect(field, s.joined[lsb : lsb + nbits] if nbits > 1 else s.joined[lsb])

        @update
        def comb_imm():
            s.illegal @= ~s.legal
            if s.control.imm == IMM_I:
                s.imm @= sext(s.inst[20:32], Bits32)
            elif s.control.imm == IMM_S:
                s.imm @= sext(concat(s.inst[25:32], s.inst[7:12]), Bits32)
            elif s.control.imm == IMM_B:
                s.imm @= sext(
                    concat(s.inst[31], s.inst[7], s.inst[25:31], s.inst[8:12], Bits1(0)), Bits32
                )
            elif s.control.imm == IMM_U:
                s.imm @= s.inst & 0xFFFFF000
            elif s.control.imm == IMM_J:
                s.imm @= sext(
                    concat(s.inst[31], s.inst[12:20], s.inst[20], s.inst[21:31], Bits1(0)), Bits32
                )
            elif s.control.imm == IMM_Z:
                s.imm @= zext(s.inst[15:20], Bits32)
            elif s.control.imm == IMM_FOUR:
                s.imm @= 4
            else:
                s.imm @= 0


def _pack(control: Control) -> int:
    """Pack control signals into one number, the first field in the highest bits."""
    packed = 0
    for value, (_, nbits) in zip(astuple(control), CONTROL_FIELDS, strict=True):
        packed = packed << nbits | int(value)
    return packed
