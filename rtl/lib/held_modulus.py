"""Keeps the modulus and its constants for a unit that relies on the requester to do so."""

from pymtl3 import Component, Wire, connect, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL


class HeldModulus(Component):
    """Makes a unit that reads m and its constants until its response usable on its own.

    Parameters
    ----------
    nbits : int
        Width of the modulus in bits.
    unit : fl.units.Unit
        Unit that relies on m being held.
    request_type, response_type : type
        Messages of the unit; the request has fields ``a``, ``b``, ``m`` and its constants.

    Ports
    -----
    recv : a ``request_type``; m may change once the request is accepted
    send : a ``response_type``

    Latency: that of the unit.
    """

    def construct(s, nbits, unit, request_type, response_type):
        s.recv = RecvIfcRTL(request_type)
        s.send = SendIfcRTL(response_type)
        s.unit = unit.build("rtl", nbits)
        connect(s.recv.val, s.unit.recv.val)
        connect(s.recv.rdy, s.unit.recv.rdy)
        connect(s.unit.send, s.send)
        fields = request_type.__bitstruct_fields__
        names = [name for name in fields if name not in ("a", "b")]
        count = len(names)
        s.given = [Wire(fields[name]) for name in names]
        s.held = [Wire(fields[name]) for name in names]
        s.held_reg = [Wire(fields[name]) for name in names]
        for name in fields:
            if name in names:
                connect(getattr(s.recv.msg, name), s.given[names.index(name)])
                connect(s.held[names.index(name)], getattr(s.unit.recv.msg, name))
            else:
                connect(getattr(s.recv.msg, name), getattr(s.unit.recv.msg, name))

        @update
        def comb_held():
            for i in range(count):
                s.held[i] @= s.held_reg[i]
                if s.recv.val & s.recv.rdy:
                    s.held[i] @= s.given[i]

        @update_ff
        def seq_held():
            for i in range(count):
                s.held_reg[i] <<= s.held[i]

    def line_trace(s):
        return s.unit.line_trace()
