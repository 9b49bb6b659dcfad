"""MontMulRem: Montgomery multiplication, unrolled over all bits and pipelined."""

from pymtl3 import Bits1, Component, Wire, mk_bits, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from fl.messages import product_request, product_response
from rtl.lib.add_red import ADD_REDS


class MontMulRem(Component):
    """``a * b / 2**nbits mod m`` by ``nbits`` AddReds in an elastic pipeline.

    Parameters
    ----------
    nbits : int
        Width of operands, modulus and result in bits.
    stages : int
        Pipeline stages, 1 to ``nbits``; stage i holds its even share of the AddReds.
    add_red : str
        Form of the AddReds: ``"select"`` (figure 8b) or ``"serial"`` (figure 8a).

    Ports
    -----
    recv : {a, b, m}; a and b below m, m odd; a is the operand scanned bit by bit
    send : {r}

    Latency: ``stages`` cycles; a new product is accepted every cycle. Under back-pressure each
    stage holds its product until the next one is free; empty stages fill up.

    Source: McNay, algorithm 4, figure 9. The final subtraction follows the last register.
    """

    def construct(s, nbits, stages, add_red):
        s.recv = RecvIfcRTL(product_request(nbits))
        s.send = SendIfcRTL(product_response(nbits))

        Value = mk_bits(nbits)
        Sum = mk_bits(nbits + 1)
        s.a_reg = [Wire(Value) for _ in range(stages)]
        s.b_reg = [Wire(Value) for _ in range(stages)]
        s.m_reg = [Wire(Value) for _ in range(stages)]
        s.sum_reg = [Wire(Sum) for _ in range(stages)]
        s.val_reg = [Wire(Bits1) for _ in range(stages)]
        s.enable = [Wire(Bits1) for _ in range(stages)]

        # What stage i works on: the request, or the registers of the stage before.
        s.a = [Wire(Value) for _ in range(stages)]
        s.b = [Wire(Value) for _ in range(stages)]
        s.m = [Wire(Value) for _ in range(stages)]
        s.val = [Wire(Bits1) for _ in range(stages)]
        s.sum_out = [Wire(Sum) for _ in range(stages)]
        s.a[0] //= s.recv.msg.a
        s.b[0] //= s.recv.msg.b
        s.m[0] //= s.recv.msg.m
        s.val[0] //= s.recv.val
        for i in range(1, stages):
            s.a[i] //= s.a_reg[i - 1]
            s.b[i] //= s.b_reg[i - 1]
            s.m[i] //= s.m_reg[i - 1]
            s.val[i] //= s.val_reg[i - 1]

        s.add_reds = [ADD_REDS[add_red](nbits) for _ in range(nbits)]
        for k, unit in enumerate(s.add_reds):
            stage = k * stages // nbits
            first = k == 0 or stage != (k - 1) * stages // nbits
            if k == 0:
                unit.s_in //= 0
            elif first:
                unit.s_in //= s.sum_reg[stage - 1]
            else:
                unit.s_in //= s.add_reds[k - 1].s_out
            unit.x //= s.a[stage][k]
            unit.y //= s.b[stage]
            unit.n //= s.m[stage]
            if k == nbits - 1 or stage != (k + 1) * stages // nbits:
                s.sum_out[stage] //= unit.s_out

        end = stages - 1

        s.downstream = [Wire(Bits1) for _ in range(stages)]
        s.downstream[end] //= s.send.rdy
        for i in range(end):
            s.downstream[i] //= s.enable[i + 1]

        @update
        def comb_enable():
            for i in range(stages):
                s.enable[i] @= ~s.val_reg[i] | s.downstream[i]

        s.recv.rdy //= s.enable[0]
        s.send.val //= s.val_reg[end]

        @update_ff
        def seq_pipeline():
            for i in range(stages):
                if s.reset:
                    s.val_reg[i] <<= 0
                elif s.enable[i]:
                    s.val_reg[i] <<= s.val[i]
                if s.enable[i] & s.val[i]:
                    s.a_reg[i] <<= s.a[i]
                    s.b_reg[i] <<= s.b[i]
                    s.m_reg[i] <<= s.m[i]
                    s.sum_reg[i] <<= s.sum_out[i]

        s.modulus = Wire(Sum)
        s.difference = Wire(Sum)

        @update
        def comb_subtract():
            s.modulus @= zext(s.m_reg[end], Sum)
            s.difference @= s.sum_reg[end] - s.modulus
            s.send.msg.r @= s.sum_reg[end][0:nbits]
            if s.sum_reg[end] >= s.modulus:
                s.send.msg.r @= s.difference[0:nbits]

    def line_trace(s):
        return f"{s.recv}(){s.send}"
