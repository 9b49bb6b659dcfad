"""StrobeExponentiator: any exponentiator, started and ended by strobes instead of handshakes."""

from collections.abc import Callable

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, connect, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import power_request, power_response
from rsaxcel.fl.status import STATUS_NBITS, InputRules
from rsaxcel.plan.modulus_constants import Widths
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
        s.held_reg = Wire(Bits1)  #: the response has not been taken in the cycle of ``ready``

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


class StrobeExponentiator(Component):
    """Executes one exponentiation at a time: a pulse starts it, and another pulse tells its end.

    Parameters
    ----------
    nbits : int; width of base and result in bits
    exponentiator : callable; returns a new component with ``recv`` {b, e, m, wide}, or {b, e, m,
        the constants, wide, missing}, and ``send`` {r, status}
    constants : tuple of (str, int); names of the constants that the host supplies, and their widths
        in bits
    exponent_nbits, modulus_nbits : int; widths of exponent and modulus in bits

    Ports
    -----
    strobe : in, 1 bit; the operands are valid in this cycle; ignored while ``busy``
    b : in, ``nbits``; base
    e : in, ``exponent_nbits``; exponent
    m : in, ``modulus_nbits``; modulus
    constant_NAME, one per constant : in, the constant's width in bits
    busy : out, 1 bit; from the cycle after the strobe to the cycle before ``ready``
    ready : out, 1 bit; 1 for one cycle when the result is new; the result is held from this cycle
        until the next ``ready``
    r : out, ``nbits``; 0 unless the status is ok
    status : out, ``fl.status``

    Latency from ``strobe`` to ``ready``: the latency of the exponentiator and two cycles, in which
    operands and result are registered. Cycles are added if the exponentiator loads operands before
    it accepts a request, or is still clearing itself after its last response. The next strobe may
    come in the cycle of ``ready``. There is no back-pressure: the user must read the result in
    time.

    Source: Li and Chu, section III, module ``modu_expo_128``. Deviations: the status; a strobe
    while ``busy`` is ignored, while the printed module takes the new operands although its
    multipliers continue with the old ones; reset is active high and synchronous.
    """

    def construct(
        s,
        nbits: int,
        exponentiator: Callable[[], Component],
        constants: Widths,
        exponent_nbits: int,
        modulus_nbits: int,
    ):
        s.exponentiator = exponentiator()
        s.strobe = InPort(1)
        s.busy = OutPort(1)
        s.ready = OutPort(1)
        s.r = OutPort(nbits)
        s.status = OutPort(STATUS_NBITS)

        s.starts = Wire(Bits1)
        s.offer_reg = Wire(Bits1)  #: the exponentiator has not accepted the operands yet
        s.busy_reg = Wire(Bits1)
        s.ready_reg = Wire(Bits1)
        s.r_reg = Wire(mk_bits(nbits))
        s.status_reg = Wire(mk_bits(STATUS_NBITS))
        s.busy //= s.busy_reg
        s.ready //= s.ready_reg
        s.r //= s.r_reg
        s.status //= s.status_reg

        operands = [("b", "b", nbits), ("e", "e", exponent_nbits), ("m", "m", modulus_nbits)]
        operands += [(f"constant_{name}", name, width) for name, width in constants]
        for port, name, width in operands:
            operand = HeldOperand(width)
            setattr(s, f"held_{port}", operand)
            setattr(s, port, InPort(width))
            operand.take //= s.starts
            connect(operand.value, getattr(s, port))
            connect(operand.held, getattr(s.exponentiator.recv.msg, name))
        s.exponentiator.recv.msg.wide //= 0
        if constants:
            s.exponentiator.recv.msg.missing //= 0
        s.exponentiator.recv.val //= s.offer_reg
        s.exponentiator.send.rdy //= 1

        @update
        def comb_starts():
            s.starts @= s.strobe & ~s.busy_reg

        @update_ff
        def seq_control():
            if s.reset:
                s.offer_reg <<= 0
                s.busy_reg <<= 0
                s.ready_reg <<= 0
            else:
                s.ready_reg <<= s.exponentiator.send.val
                if s.starts:
                    s.offer_reg <<= 1
                    s.busy_reg <<= 1
                else:
                    if s.exponentiator.recv.rdy:
                        s.offer_reg <<= 0
                    if s.exponentiator.send.val:
                        s.busy_reg <<= 0

        @update_ff
        def seq_result():
            if s.reset:
                s.r_reg <<= 0
                s.status_reg <<= 0
            elif s.exponentiator.send.val:
                s.r_reg <<= s.exponentiator.send.msg.r
                s.status_reg <<= s.exponentiator.send.msg.status

    def line_trace(s):
        return f"{s.strobe}({s.exponentiator.line_trace()}){s.busy}{s.ready}"


class HeldOperand(Component):
    """Register of an operand.

    Parameters
    ----------
    nbits : int; width in bits

    Ports
    -----
    take : in, 1 bit; ``value`` is registered
    value : in, ``nbits``
    held : out, ``nbits``; the registered value, from the next cycle on

    No reset: the value is read only after it has been registered.
    """

    def construct(s, nbits: int):
        s.take = InPort(1)
        s.value = InPort(nbits)
        s.held = OutPort(nbits)
        s.value_reg = Wire(mk_bits(nbits))
        s.held //= s.value_reg

        @update_ff
        def seq_value():
            if s.take:
                s.value_reg <<= s.value
