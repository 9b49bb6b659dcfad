"""Holds the modulus for a unit that relies on its requester to do so."""

from pymtl3 import Component, Wire, connect, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL


class HeldModulus(Component):
    """Makes a unit that reads m until its response usable on its own.

    Parameters
    ----------
    nbits : int
        Width of the modulus in bits.
    unit : fl.units.Unit
        Unit that relies on m being held.
    request_type, response_type : type
        Messages of the unit; the request has a field ``m``.

    Ports and latency are those of the unit, but m may change once the request is accepted.
    """

    def construct(s, nbits, unit, request_type, response_type):
        s.recv = RecvIfcRTL(request_type)
        s.send = SendIfcRTL(response_type)
        s.unit = unit.build("rtl", nbits)
        s.modulus = Wire(mk_bits(nbits))
        s.modulus_reg = Wire(mk_bits(nbits))
        connect(s.recv.val, s.unit.recv.val)
        connect(s.recv.rdy, s.unit.recv.rdy)
        connect(s.unit.send, s.send)
        for name in request_type.__bitstruct_fields__:
            source = s.modulus if name == "m" else getattr(s.recv.msg, name)
            connect(source, getattr(s.unit.recv.msg, name))

        @update
        def comb_modulus():
            s.modulus @= s.modulus_reg
            if s.recv.val & s.recv.rdy:
                s.modulus @= s.recv.msg.m

        @update_ff
        def seq_modulus():
            s.modulus_reg <<= s.modulus

    def line_trace(s):
        return s.unit.line_trace()
