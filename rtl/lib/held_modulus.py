"""HeldModulus: holds modulus and constants for a unit that reads them until its response."""

from pymtl3 import Component, Wire, connect, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL


class HeldModulus(Component):
    """Wraps a unit that needs a stable modulus and constants, so that it can be used alone.

    Parameters
    ----------
    nbits : int; width of the modulus in bits
    unit : catalog.units.Unit; unit that reads m and its constants until its response
    request_type, response_type : type; messages of the unit; the request has fields ``a``, ``b``,
        ``m`` and the constants

    Ports
    -----
    recv : a ``request_type``; m may change after the request is accepted
    send : a ``response_type``

    Latency: the latency of the unit.
    """

    def construct(s, nbits, unit, request_type, response_type):
        s.recv = RecvIfcRTL(request_type)
        s.send = SendIfcRTL(response_type)
        s.unit = unit.build("rtl", nbits)
        connect(s.recv.val, s.unit.recv.val)
        connect(s.recv.rdy, s.unit.recv.rdy)
        connect(s.unit.send, s.send)
        # The whole request is registered, although the unit reads only m and the constants: PyMTL3
        # cannot translate a list of wires of different widths, one for each constant.
        s.held = Wire(request_type)
        s.held_reg = Wire(request_type)
        for name in request_type.__bitstruct_fields__:
            source = s.recv.msg if name in ("a", "b") else s.held
            connect(getattr(source, name), getattr(s.unit.recv.msg, name))

        @update
        def comb_held():
            s.held @= s.held_reg
            if s.recv.val & s.recv.rdy:
                s.held @= s.recv.msg

        @update_ff
        def seq_held():
            s.held_reg <<= s.held

    def line_trace(s):
        return s.unit.line_trace()
