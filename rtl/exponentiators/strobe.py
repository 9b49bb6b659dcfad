"""StrobeExponentiator: any exponentiator, started and ended by strobes instead of handshakes."""

from collections.abc import Callable

from pymtl3 import (
    Bits1,
    Component,
    InPort,
    OutPort,
    Wire,
    connect,
    mk_bits,
    update,
    update_ff,
    zext,
)
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import power_request, power_response
from rsaxcel.fl.status import STATUS_NBITS, InputRules
from rsaxcel.plan.modulus_constants import Widths
from rsaxcel.plan.recurrence import RECURRENCE, finish_cycles
from rsaxcel.rtl.lib.operand_check import OperandCheck


class StrobeLane(Component):
    """Forms one product at a time: a pulse starts it, and another pulse tells its end.

    Parameters
    ----------
    nbits : int; width of operands, modulus and result in bits
    multiplier : catalog.units.Unit; a bit-serial multiplier with the parameter ``recurrence``

    Ports
    -----
    strobe : in, 1 bit; the operands are valid in this cycle; must be 0 while ``busy``
    x, y, m : in, nbits bits each; operands below m, and m, which is held until ``ready``
    busy : out, 1 bit; from the cycle after the strobe to the cycle before ``ready``
    ready : out, 1 bit; 1 for one cycle, in which ``p`` is the product
    p : out, nbits bits

    Latency from ``strobe`` to ``ready``: the iterations of the multiplier and two cycles, the first
    of which detects the end (and corrects the sign of a signed product).

    Source: Li and Chu, module ``modu_mult_128``; the modulus is not registered a second time.
    """

    def construct(s, nbits, multiplier):
        s.strobe = InPort(1)
        s.x = InPort(nbits)
        s.y = InPort(nbits)
        s.m = InPort(nbits)
        s.busy = OutPort(1)
        s.ready = OutPort(1)
        s.p = OutPort(nbits)

        s.unit = multiplier.build("rtl", nbits)
        s.unit.recv.val //= s.strobe
        s.unit.recv.msg.a //= s.x
        s.unit.recv.msg.b //= s.y
        s.unit.recv.msg.m //= s.m
        s.unit.send.rdy //= s.ready
        s.p //= s.unit.send.msg.r

        @update
        def comb_busy():
            s.busy @= ~s.unit.recv.rdy

        if finish_cycles(dict(multiplier.params)[RECURRENCE.name]):
            s.ready //= s.unit.send.val
        else:
            s.ended_reg = Wire(Bits1)
            s.ready //= s.ended_reg

            @update_ff
            def seq_ended():
                s.ended_reg <<= s.unit.send.val & ~s.ended_reg & ~s.reset

    def line_trace(s):
        return f"{s.strobe}{s.busy}{s.ready}"


class StrobePair(Component):
    """Executes one exponentiation at a time, as Li and Chu's module ``modu_expo_128`` does.

    An exponent bit takes five cycles besides the iterations of its products. The square starts one
    cycle after the product; the last square is started, too, and not waited for::

        cycle of the bit   0          1          2          ...   k + 3      k + 4      (next bit)
        state              MULTIPLY   SQUARE     SQUARE           SQUARE     SQUARE     MULTIPLY
        strobe_r           0          1          0                0          0          0
        strobe_b           0          0          1                0          0          0
        ready_r, ready_b                                          1, 0       0, 1

    Parameters
    ----------
    multiplier : catalog.units.Unit; multiplier of both lanes, see ``StrobeLane``; k is the number
        of its iterations
    rules : fl.status.InputRules; input rules, and the width nbits of base, modulus and result
    exponent_nbits : int; width of the exponent in bits

    Ports
    -----
    strobe : in, 1 bit; the operands are valid in this cycle; ignored while ``busy``
    b, m : in, nbits bits each; base and modulus
    e : in, exponent_nbits bits; exponent
    wide : in, 1 bit; an operand did not fit its port
    busy : out, 1 bit; from the cycle after the strobe to the cycle before ``ready``
    ready : out, 1 bit; 1 for one cycle when the result is new; the result is held until the next
        strobe
    r : out, nbits bits; 0 unless the status is ok
    status : out, ``fl.status``

    Latency from ``strobe`` to ``ready``: one cycle more than ``cl.exponentiator.STROBE`` tells,
    which counts the cycles of ``busy``. A request that is refused, or whose exponent is 0, is
    answered in the cycle after the strobe.

    Source: Li and Chu, algorithm 6 and module ``modu_expo_128``. Deviations: input rules, which are
    checked in the cycle of the strobe, and the status; exponent 0; a strobe while ``busy`` is
    ignored; reset is active high and synchronous.
    """

    def construct(s, multiplier, rules: InputRules, exponent_nbits):
        nbits = rules.nbits
        Value = mk_bits(nbits)
        Exponent = mk_bits(exponent_nbits)
        MULTIPLY, SQUARE = Bits1(0), Bits1(1)
        s.strobe = InPort(1)
        s.b = InPort(Value)
        s.e = InPort(Exponent)
        s.m = InPort(Value)
        s.wide = InPort(1)
        s.busy = OutPort(1)
        s.ready = OutPort(1)
        s.r = OutPort(Value)
        s.status = OutPort(STATUS_NBITS)

        s.state_reg = Wire(Bits1)
        s.strobe_r_reg = Wire(Bits1)
        s.strobe_b_reg = Wire(Bits1)
        s.busy_reg = Wire(Bits1)
        s.ready_reg = Wire(Bits1)
        s.b_reg = Wire(Value)
        s.e_reg = Wire(Exponent)
        s.m_reg = Wire(Value)
        s.r_reg = Wire(Value)
        s.status_reg = Wire(mk_bits(STATUS_NBITS))
        s.busy //= s.busy_reg
        s.ready //= s.ready_reg
        s.r //= s.r_reg
        s.status //= s.status_reg

        s.check = OperandCheck(rules)
        s.check.base //= s.b
        s.check.modulus //= s.m
        s.check.wide //= s.wide
        s.check.missing //= 0

        s.multiply = StrobeLane(nbits, multiplier)
        s.multiply.strobe //= s.strobe_r_reg
        s.multiply.x //= s.r_reg
        s.square = StrobeLane(nbits, multiplier)
        s.square.strobe //= s.strobe_b_reg
        s.square.x //= s.b_reg
        for lane in (s.multiply, s.square):
            lane.y //= s.b_reg
            lane.m //= s.m_reg

        s.starts = Wire(Bits1)
        s.refused = Wire(Bits1)
        s.ends = Wire(Bits1)

        @update
        def comb_start():
            s.starts @= s.strobe & ~s.busy_reg
            s.refused @= s.check.status != 0

        @update
        def comb_end():
            s.ends @= (s.e_reg == 1) & s.multiply.ready

        @update_ff
        def seq_control():
            if s.reset:
                s.state_reg <<= MULTIPLY
                s.strobe_r_reg <<= 0
                s.strobe_b_reg <<= 0
                s.busy_reg <<= 0
                s.ready_reg <<= 0
            else:
                s.ready_reg <<= 0
                s.strobe_r_reg <<= 0
                s.strobe_b_reg <<= 0
                if s.starts:
                    s.state_reg <<= MULTIPLY
                    s.busy_reg <<= ~s.refused & (s.e != 0)
                    s.ready_reg <<= s.refused | (s.e == 0)
                elif s.busy_reg:
                    if s.ends:
                        s.busy_reg <<= 0
                        s.ready_reg <<= 1
                    elif s.state_reg == MULTIPLY:
                        s.strobe_r_reg <<= s.e_reg[0]
                        s.state_reg <<= SQUARE
                    elif s.square.ready:
                        s.state_reg <<= MULTIPLY
                    else:
                        s.strobe_b_reg <<= ~s.square.busy & ~s.strobe_b_reg

        @update_ff
        def seq_operands():
            if s.reset:
                s.r_reg <<= 0
                s.status_reg <<= 0
            elif s.starts:
                s.b_reg <<= s.b
                s.e_reg <<= s.e
                s.m_reg <<= s.m
                s.r_reg <<= zext(~s.refused, Value)
                s.status_reg <<= s.check.status
            elif s.busy_reg:
                if s.multiply.ready:
                    s.r_reg <<= s.multiply.p
                if s.square.ready:
                    s.b_reg <<= s.square.p
                    s.e_reg <<= s.e_reg >> 1

    def line_trace(s):
        state = "S" if s.state_reg else "M"
        lanes = f"{s.multiply.line_trace()},{s.square.line_trace()}"
        return f"{s.strobe}({state}:{lanes}){s.busy}{s.ready}"


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
