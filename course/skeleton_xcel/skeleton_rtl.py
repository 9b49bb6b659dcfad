"""Skeleton: the circuit, registers around an exponentiator."""

from pymtl3 import Bits1, Bits32, Component, Wire, concat, mk_bits, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import MinionIfcRTL

from rsaxcel.course.skeleton_power.skeleton_rtl import Skeleton
from rsaxcel.fl.xcel import XcelReqMsg, XcelRespMsg

# TODO: registers and protocol of your accelerator, as in skeleton_fl.py.
GO, BASE, EXPONENT, MODULUS, RESULT = range(5)


class SkeletonXcel(Component):
    """Registers of 32 bits in front of an exponentiator.

    Parameters
    ----------
    nbits : int
        Width of operands and result in bits.

    Ports
    -----
    xcel : minion; req {type_, addr, data}, resp {type_, data}; type_ 1 is a write

    Latency: 1 cycle; a request per cycle while responses are taken.
    """

    def construct(s, nbits):
        s.xcel = MinionIfcRTL(XcelReqMsg, XcelRespMsg)
        s.power = Skeleton(nbits)

        Value = mk_bits(nbits)
        Wide = mk_bits(nbits + 32)
        s.accepts = Wire(Bits1)
        s.writes = Wire(Bits1)
        s.starts = Wire(Bits1)
        s.full_reg = Wire(Bits1)
        s.type_reg = Wire(Bits1)
        s.data_reg = Wire(Bits32)
        s.busy_reg = Wire(Bits1)
        s.b_reg = Wire(Value)
        s.e_reg = Wire(Value)
        s.m_reg = Wire(Value)
        s.r_reg = Wire(Value)
        s.words = Wire(Wide)
        s.b_wide = Wire(Wide)
        s.e_wide = Wire(Wide)
        s.m_wide = Wire(Wide)

        @update
        def comb_handshake():
            s.xcel.req.rdy @= ~s.full_reg | s.xcel.resp.rdy
            s.accepts @= s.xcel.req.val & (~s.full_reg | s.xcel.resp.rdy)
            s.writes @= s.accepts & s.xcel.req.msg.type_
            s.starts @= s.writes & (s.xcel.req.msg.addr == GO) & s.xcel.req.msg.data[0]

        s.xcel.resp.val //= s.full_reg
        s.xcel.resp.msg.type_ //= s.type_reg
        s.xcel.resp.msg.data //= s.data_reg

        @update
        def comb_power():
            s.power.recv.val @= s.starts & ~s.busy_reg
            s.power.recv.msg.b @= s.b_reg
            s.power.recv.msg.e @= s.e_reg
            s.power.recv.msg.m @= s.m_reg
            s.power.send.rdy @= 1
            s.words @= zext(s.r_reg, Wide)

        # An operand with its next word behind it.
        @update
        def comb_operands():
            s.b_wide @= concat(s.b_reg, s.xcel.req.msg.data)
            s.e_wide @= concat(s.e_reg, s.xcel.req.msg.data)
            s.m_wide @= concat(s.m_reg, s.xcel.req.msg.data)

        @update_ff
        def seq_response():
            if s.reset:
                s.full_reg <<= 0
            elif s.accepts:
                s.full_reg <<= 1
                s.type_reg <<= s.xcel.req.msg.type_
                s.data_reg <<= 0
                if ~s.xcel.req.msg.type_ & (s.xcel.req.msg.addr == GO):
                    s.data_reg <<= zext(~s.busy_reg, 32)
                if ~s.xcel.req.msg.type_ & (s.xcel.req.msg.addr == RESULT):
                    s.data_reg <<= s.words[0:32]
            elif s.xcel.resp.rdy:
                s.full_reg <<= 0

        @update_ff
        def seq_operands():
            if s.reset | s.starts:
                s.b_reg <<= 0
                s.e_reg <<= 0
                s.m_reg <<= 0
            elif s.writes & (s.xcel.req.msg.addr == BASE):
                s.b_reg <<= s.b_wide[0:nbits]
            elif s.writes & (s.xcel.req.msg.addr == EXPONENT):
                s.e_reg <<= s.e_wide[0:nbits]
            elif s.writes & (s.xcel.req.msg.addr == MODULUS):
                s.m_reg <<= s.m_wide[0:nbits]

        @update_ff
        def seq_result():
            if s.reset:
                s.busy_reg <<= 0
            elif s.starts:
                s.busy_reg <<= 1
            elif s.power.send.val:
                s.busy_reg <<= 0
            if s.power.send.val:
                s.r_reg <<= s.power.send.msg.r
            elif s.accepts & ~s.writes & (s.xcel.req.msg.addr == RESULT):
                s.r_reg <<= s.words[32 : nbits + 32]

    def line_trace(s):
        return f"{s.xcel.req}(){s.xcel.resp}"
