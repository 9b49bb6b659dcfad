"""MergedExponentiator: left-to-right exponentiation with one state machine, on few registers."""

from pymtl3 import Bits1, Bits2, Component, Wire, concat, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import power_request, power_response
from rsaxcel.fl.status import InputRules
from rsaxcel.rtl.lib.operand_check import OperandCheck

IDLE, CHECK, RUN, DONE = range(4)


class MergedExponentiator(Component):
    """Executes the schedule ``l2r`` for one request at a time, in registers for b, e, m and a lane.

    The lane keeps the result x, and needs no copy of an operand. ``InterleavedLane`` adds one
    register, for the sum of its product, and ``SsmmLane`` two::

        x = 1
        for each bit of e, the highest 1 first:
            x = x * x mod m  (not for the first 1);  x = b * x mod m if the bit is 1

    Below the exponent's lowest bit stands a 1, which tells the end: no register counts bits.

    Parameters
    ----------
    multiplier : catalog.units.Unit; its circuit's class has the lane as ``merged_lane``
    rules : fl.status.InputRules; input rules, and the width nbits of base, modulus and result
    exponent_nbits : int; width of the exponent in bits

    Ports
    -----
    recv : {b, e, m, wide}
    send : {r, status}; r is 0 unless the status is ok

    Latency: 3 cycles, 1 for each leading zero and 2 for each other bit of e, and the cycles of each
    product in the lane; 2 cycles if the request is refused. The next request is accepted in the
    cycle after the response is taken.
    """

    def construct(s, multiplier, rules: InputRules, exponent_nbits: int):
        nbits = rules.nbits
        Value = mk_bits(nbits)
        s.recv = RecvIfcRTL(power_request(nbits, (), exponent_nbits, nbits))
        s.send = SendIfcRTL(power_response(nbits))
        s.state_reg = Wire(Bits2)
        s.squared_reg = Wire(Bits1)  #: the square of this bit is formed, or is being formed
        s.started_reg = Wire(Bits1)  #: the highest 1 of e has been found
        s.b_reg = Wire(Value)
        s.m_reg = Wire(Value)
        s.e_reg = Wire(mk_bits(exponent_nbits + 1))
        s.wide_reg = Wire(Bits1)
        s.accepted = Wire(Bits1)
        s.refused = Wire(Bits1)
        s.checks = Wire(Bits1)

        # base and modulus stay in their registers, so no register holds the status
        s.operand_check = OperandCheck(rules)
        s.operand_check.base //= s.b_reg
        s.operand_check.modulus //= s.m_reg
        s.operand_check.wide //= s.wide_reg
        s.operand_check.missing //= 0
        s.send.msg.status //= s.operand_check.status

        s.lane = multiplier.classes.rtl.merged_lane(nbits, **dict(multiplier.params))
        s.lane.b //= s.b_reg
        s.lane.m //= s.m_reg
        s.lane.first //= s.checks
        s.lane.zero //= s.refused
        s.lane.squares //= s.squared_reg
        s.send.msg.r //= s.lane.result

        s.steps = Wire(Bits1)
        s.shifts = Wire(Bits1)
        s.is_one = Wire(Bits1)
        s.is_one //= s.e_reg[exponent_nbits]
        s.ends = Wire(Bits1)

        @update
        def comb_streams():
            s.recv.rdy @= s.state_reg == IDLE
            s.send.val @= s.state_reg == DONE
            s.accepted @= s.recv.val & s.recv.rdy
            s.checks @= s.state_reg == CHECK
            s.refused @= s.operand_check.status != 0

        @update
        def comb_step():
            s.ends @= s.e_reg[0:exponent_nbits] == 0
            s.steps @= (s.state_reg == RUN) & s.lane.rests
            s.shifts @= s.steps & (s.squared_reg | ~(s.started_reg | s.is_one))
            s.lane.start @= s.steps & ~s.ends & s.started_reg
            if s.squared_reg:
                s.lane.start @= s.steps & ~s.ends & s.is_one

        @update_ff
        def seq_state():
            if s.reset:
                s.state_reg <<= IDLE
            elif s.accepted:
                s.state_reg <<= CHECK
            elif s.checks:
                s.state_reg <<= RUN
                if s.refused:
                    s.state_reg <<= DONE
            elif s.steps & s.ends:
                s.state_reg <<= DONE
            elif s.send.val & s.send.rdy:
                s.state_reg <<= IDLE

        @update_ff
        def seq_bit():
            if s.checks:
                s.squared_reg <<= 0
                s.started_reg <<= 0
            elif s.steps:
                s.squared_reg <<= ~s.squared_reg & (s.started_reg | s.is_one)
                s.started_reg <<= s.started_reg | s.is_one

        @update_ff
        def seq_operands():
            if s.accepted:
                s.b_reg <<= s.recv.msg.b
                s.m_reg <<= s.recv.msg.m
                s.wide_reg <<= s.recv.msg.wide

        @update_ff
        def seq_exponent():
            if s.accepted:
                s.e_reg <<= concat(s.recv.msg.e, Bits1(1))
            elif s.shifts:
                s.e_reg <<= s.e_reg << 1

    def line_trace(s):
        return f"{s.recv}({int(s.state_reg)}:{s.lane.line_trace()}){s.send}"
