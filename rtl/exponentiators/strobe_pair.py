"""StrobePair: right-to-left exponentiation by two multipliers, all started by strobes."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, mk_bits, update, update_ff, zext

from rsaxcel.fl.status import STATUS_NBITS, InputRules
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
