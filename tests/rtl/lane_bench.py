"""A MontOrup lane between two streams, to simulate millions of products."""

from pymtl3 import Bits3, Component, Wire, concat, mk_bits, mk_bitstruct, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.multipliers.mont_orup import MontOrup as Golden
from rsaxcel.rtl.multipliers.mont_orup.mont_orup import MontOrup

PRODUCT, REDUCED, DOUBLE, WHOLE, PREPARE = range(5)
"""Kinds of requests: product of residues, the same with final reduction, product of double length,
product as an integer, and preparation for a modulus."""

_IDLE, _PREPARE, _WAIT, _OFFER, _RUN, _SEND = range(6)


class LaneBench(Component):
    """Runs requests on a MontOrup lane, one at a time.

    Parameters
    ----------
    nbits, digit_nbits, pipeline
        Parameters of the lane, which supports all kinds of products.

    Ports
    -----
    recv : {kind, m, a, b}; a has twice the digits of an operand, b is a residue
    send : {r}; the residue, or the product as an integer of ``2 * nbits`` bits
    """

    def construct(s, nbits, digit_nbits, pipeline):
        golden = Golden(nbits, digit_nbits, pipeline)
        k, digits, residue_nbits = digit_nbits, golden.digits, golden.residue_nbits
        whole_digits = -(-2 * nbits // k)
        given = whole_digits * k
        high = max(0, residue_nbits - given)
        Operand, Residue = mk_bits(2 * digits * k), mk_bits(residue_nbits)
        Whole, Digit = mk_bits(given), mk_bits(k)
        name = f"{nbits}_{k}_{pipeline}"
        fields = {"kind": Bits3, "m": mk_bits(nbits), "a": Operand, "b": Residue}
        s.recv = RecvIfcRTL(mk_bitstruct(f"LaneReq_{name}", fields))
        s.send = SendIfcRTL(mk_bitstruct(f"LaneResp_{name}", {"r": Residue}))
        assert high > 0
        s.lane = MontOrup(nbits, k, pipeline, doubles=True, whole_digits=whole_digits)
        s.state_reg = Wire(Bits3)
        s.kind_reg = Wire(Bits3)
        s.m_reg = Wire(nbits)
        s.a_reg = Wire(Operand)
        s.b_reg = Wire(Residue)
        s.result_reg = Wire(Residue)
        s.given_reg = Wire(Whole)
        s.lane.m //= s.m_reg
        s.lane.b_first //= s.b_reg
        s.lane.loads //= 1
        s.lane.follows //= 1  # the digits belong to one number

        s.low = [Wire(Digit) for _ in range(digits)]
        s.high = [Wire(Digit) for _ in range(digits)]
        for i in range(digits):
            s.low[i] //= s.a_reg[k * i : k * (i + 1)]
            s.high[i] //= s.a_reg[k * (digits + i) : k * (digits + i + 1)]

        @update
        def comb_digit():
            s.lane.a_digit @= 0
            for i in range(digits):
                if s.lane.select[i] & s.lane.second:
                    s.lane.a_digit @= s.high[i]
                elif s.lane.select[i]:
                    s.lane.a_digit @= s.low[i]

        @update
        def comb_lane():
            s.lane.prepare @= s.state_reg == _PREPARE
            s.lane.offered @= s.state_reg == _OFFER
            s.lane.doubles @= s.kind_reg == DOUBLE
            s.lane.whole @= s.kind_reg == WHOLE
            s.lane.reduce @= s.lane.answers & (s.kind_reg == REDUCED)

        @update
        def comb_streams():
            s.recv.rdy @= s.state_reg == _IDLE
            s.send.val @= s.state_reg == _SEND
            s.send.msg.r @= s.result_reg
            if s.kind_reg == WHOLE:
                s.send.msg.r @= zext(s.given_reg, Residue)

        @update_ff
        def seq_state():
            if s.reset:
                s.state_reg <<= _IDLE
            elif s.recv.val & s.recv.rdy:
                s.state_reg <<= _OFFER
                if s.recv.msg.kind == PREPARE:
                    s.state_reg <<= _PREPARE
            elif s.state_reg == _PREPARE:
                s.state_reg <<= _WAIT
            elif (s.state_reg == _WAIT) & s.lane.kept:
                s.state_reg <<= _SEND
            elif (s.state_reg == _OFFER) & s.lane.accepts:
                s.state_reg <<= _WAIT
            elif s.send.val & s.send.rdy:
                s.state_reg <<= _IDLE

        @update_ff
        def seq_operands():
            if s.recv.val & s.recv.rdy:
                s.kind_reg <<= s.recv.msg.kind
                s.a_reg <<= s.recv.msg.a
                s.b_reg <<= s.recv.msg.b
                if s.recv.msg.kind == PREPARE:
                    s.m_reg <<= s.recv.msg.m
            if s.lane.kept:
                s.result_reg <<= s.lane.b
            if s.lane.gives:
                s.given_reg <<= concat(s.lane.digit, s.given_reg[k:given])
