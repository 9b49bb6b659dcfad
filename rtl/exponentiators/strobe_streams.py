"""StrobeStreams: an exponentiator with strobes, behind the stream interface of exponentiators."""

from pymtl3 import Bits1, Component, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import power_request, power_response
from rsaxcel.fl.status import InputRules
from rsaxcel.rtl.exponentiators.strobe_pair import StrobePair


class StrobeStreams(Component):
    """A ``StrobePair`` whose strobe is an accepted request, and whose ``ready`` offers a response.

    Parameters
    ----------
    multiplier, rules, exponent_nbits : as in ``StrobePair``

    Ports
    -----
    recv : {b, e, m, wide}
    send : {r, status}; r is 0 unless the status is ok

    Latency: from ``strobe`` to ``ready``. One request at a time; the next is accepted in the cycle
    after the response is taken.
    """

    def construct(s, multiplier, rules: InputRules, exponent_nbits):
        nbits = rules.nbits
        s.recv = RecvIfcRTL(power_request(nbits, (), exponent_nbits, nbits))
        s.send = SendIfcRTL(power_response(nbits))
        s.pair = StrobePair(multiplier, rules, exponent_nbits)
        s.pair.b //= s.recv.msg.b
        s.pair.e //= s.recv.msg.e
        s.pair.m //= s.recv.msg.m
        s.pair.wide //= s.recv.msg.wide
        s.send.msg.r //= s.pair.r
        s.send.msg.status //= s.pair.status
        s.held_reg = Wire(Bits1)  # the response has not been taken in the cycle of ``ready``

        @update
        def comb_streams():
            s.send.val @= s.pair.ready | s.held_reg
            s.recv.rdy @= ~s.pair.busy & ~s.pair.ready & ~s.held_reg
            s.pair.strobe @= s.recv.val & s.recv.rdy

        @update_ff
        def seq_held():
            s.held_reg <<= s.send.val & ~s.send.rdy & ~s.reset

    def line_trace(s):
        return f"{s.recv}({s.pair.line_trace()}){s.send}"
