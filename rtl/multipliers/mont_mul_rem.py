"""MontMulRem: Montgomery multiplication, unrolled over all bits and pipelined."""

from collections.abc import Sequence

from pymtl3 import Bits1, Component, Wire, concat, mk_bits, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.contract import REGISTERED
from rsaxcel.fl.messages import product_request, product_response
from rsaxcel.fl.multipliers import CARRY_SAVE
from rsaxcel.rtl.lib.add_red import ADD_REDS, AddRedRows, QuotientBits
from rsaxcel.rtl.lib.adjust import connect_low
from rsaxcel.rtl.lib.bit_serial import SubtractOnce


class MontMulRem(Component):
    """Computes ``a * b / 2**nbits mod m`` by ``nbits`` AddReds in an elastic pipeline.

    An AddRed is one iteration of a Montgomery product: add, then halve (``rtl.lib.add_red``).

    Parameters
    ----------
    nbits : int; width of operands, modulus and result in bits
    stages : int; pipeline stages, 1 to ``nbits``; the AddReds are spread evenly over the stages
    add_red : str; form of the AddReds: ``"serial"`` (figure 8a), ``"own_sum"`` (figure 8b) or
        ``"select"`` (figure 8b, with a sum that the AddReds of a stage share), connected in series;
        or ``"carry_save"``, in which they are rows of one sum (``rtl.lib.add_red``)
    operands : str; ``"pipelined"``: each stage has registers for its operands. ``"registered"``:
        all stages read one set of registers, which change only with the next product

    Ports
    -----
    recv : {a, b, m}; ``a`` and ``b`` below m, m odd; ``a`` is scanned bit by bit
    send : {r}

    Latency: ``stages`` cycles. With ``"pipelined"``, a new product is accepted every cycle; under
    back-pressure each stage holds its product until the next stage is free; empty stages fill up.
    With ``"registered"``, the next product is accepted in the cycle after the response is taken.

    In series, each AddRed selects its addend again whenever a bit of the preceding sum changes: at
    32 bits, the nets of ``mont_r2l`` toggle 3.6 times as often as without glitches. As rows of one
    sum, the AddReds of a stage add addends that are selected by registers. After the last stage,
    the carries of the sum are propagated in the same cycle as the final subtraction.

    Source: McNay, algorithm 4, figure 9; his published circuit has ``"registered"`` operands. The
    final subtraction follows the last register, or, with registered operands in series, the last
    AddRed. The form ``"carry_save"`` is in no document.
    """

    def construct(s, nbits, stages, add_red, operands):
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

        #: Inputs of stage i: the request, or the registers of the preceding stage.
        s.a = [Wire(Value) for _ in range(stages)]
        s.b = [Wire(Value) for _ in range(stages)]
        s.m = [Wire(Value) for _ in range(stages)]
        s.val = [Wire(Bits1) for _ in range(stages)]
        s.sum_out = [Wire(Sum) for _ in range(stages)]
        s.a[0] //= s.recv.msg.a
        s.b[0] //= s.recv.msg.b
        s.m[0] //= s.recv.msg.m
        one_set = operands == REGISTERED
        if not one_set:
            s.val[0] //= s.recv.val
        # With one set of registers, all stages read the first ones; synthesis removes the others.
        held = [0 if one_set else i for i in range(stages)]
        for i in range(1, stages):
            s.a[i] //= s.a_reg[held[i - 1]]
            s.b[i] //= s.b_reg[held[i - 1]]
            s.m[i] //= s.m_reg[held[i - 1]]
            s.val[i] //= s.val_reg[i - 1]

        if add_red == CARRY_SAVE:
            add_rows(s, nbits, stages, held)
        elif one_set:
            add_registered_chains(s, nbits, stages, add_red)
        else:
            add_chains(s, nbits, stages, add_red)

        end = stages - 1

        s.downstream = [Wire(Bits1) for _ in range(stages)]
        s.downstream[end] //= s.send.rdy
        for i in range(end):
            s.downstream[i] //= s.enable[i + 1]

        @update
        def comb_enable():
            for i in range(stages):
                s.enable[i] @= ~s.val_reg[i] | s.downstream[i]

        if one_set:
            add_one_at_a_time(s, stages)
        else:
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

        if add_red == CARRY_SAVE:
            add_resolution(s, nbits, held[end])
        elif not one_set:
            add_subtraction(s, nbits, end)

    def line_trace(s):
        return f"{s.recv}(){s.send}"


def add_chains(s: MontMulRem, nbits: int, stages: int, add_red: str) -> None:
    """Put the AddReds of a stage in front of its registers, in series."""
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


def add_registered_chains(s: MontMulRem, nbits: int, stages: int, add_red: str) -> None:
    """Put the AddReds of a stage behind its registers, in series; subtract after the last one."""
    s.add_reds = [ADD_REDS[add_red](nbits) for _ in range(nbits)]
    s.sum_out[0] //= 0
    sums = s.sum_reg[0]
    for k, unit in enumerate(s.add_reds):
        unit.s_in //= sums
        unit.x //= s.a_reg[0][k]
        unit.y //= s.b_reg[0]
        unit.n //= s.m_reg[0]
        sums, stage = unit.s_out, (k + 1) * stages // nbits
        if stage < stages and stage != k * stages // nbits:
            s.sum_out[stage] //= sums
            sums = s.sum_reg[stage]
    s.subtraction = SubtractOnce(nbits)
    s.subtraction.x //= sums
    s.subtraction.m //= s.m_reg[0]
    s.subtraction.r //= s.send.msg.r


def add_one_at_a_time(s: MontMulRem, stages: int) -> None:
    """Accept a product only if no stage has one."""
    s.idle = Wire(Bits1)

    @update
    def comb_idle():
        s.idle @= 1
        for i in range(stages):
            if s.val_reg[i]:
                s.idle @= 0
        s.val[0] @= s.recv.val & s.idle
        s.recv.rdy @= s.idle


def add_rows(s: MontMulRem, nbits: int, stages: int, held: Sequence[int]) -> None:
    """Put the AddReds of a stage behind its registers, as rows of one sum.

    Stage i reads its operands from the registers ``held[i]``.

    The registers also hold quotient bits, computed in front of them, and operand b plus modulus (Y
    + N in ``rtl.lib.add_red``).
    """
    Sum = mk_bits(nbits + 1)
    Wide = mk_bits(nbits + 2)
    end = stages - 1
    firsts = [-(-i * nbits // stages) for i in range(stages + 1)]
    counts = [firsts[i + 1] - firsts[i] for i in range(stages)]
    Quotient = mk_bits(max(counts))

    s.y_plus_n = [Wire(Sum) for _ in range(stages)]
    s.carry_out = [Wire(Sum) for _ in range(stages)]
    s.tail_out = [Wire(Bits1) for _ in range(stages)]
    s.q_out = [Wire(Quotient) for _ in range(stages)]
    s.y_plus_n_reg = [Wire(Sum) for _ in range(stages)]
    s.carry_reg = [Wire(Sum) for _ in range(stages)]
    s.tail_reg = [Wire(Bits1) for _ in range(stages)]
    s.q_reg = [Wire(Quotient) for _ in range(stages)]
    s.sum = Wire(Wide)  #: sum, carry and tail: output of the last stage
    s.carry = Wire(Wide)
    s.tail = Wire(Bits1)

    s.first_y_plus_n = Wire(Sum)
    s.y_plus_n[0] //= s.first_y_plus_n
    s.sum_out[0] //= 0
    s.carry_out[0] //= 0
    s.tail_out[0] //= 0
    for i in range(1, stages):
        s.y_plus_n[i] //= s.y_plus_n_reg[held[i - 1]]

    @update
    def comb_y_plus_n():
        s.first_y_plus_n @= zext(s.b[0], Sum) + zext(s.m[0], Sum)

    for i, count in enumerate(counts):
        own = slice(firsts[i], firsts[i + 1])
        bits = QuotientBits(count)
        rows = AddRedRows(nbits, count, i == 0)
        # Numbered attributes instead of lists: PyMTL3 wants equal components in a list, and stages
        # can have different numbers of AddReds.
        setattr(s, f"quotient_bits_{i}", bits)
        setattr(s, f"rows_{i}", rows)
        bits.sum //= s.sum_out[i][0:count]
        bits.carry //= s.carry_out[i][0:count]
        bits.tail //= s.tail_out[i]
        bits.x //= s.a[i][own]
        bits.y //= s.b[i][0:count]
        bits.n //= s.m[i][0:count]
        bits.y_plus_n //= s.y_plus_n[i][0:count]
        connect_low(s.q_out[i], bits.q)
        rows.sum //= s.sum_reg[i]
        rows.carry //= s.carry_reg[i]
        rows.tail //= s.tail_reg[i]
        rows.x //= s.a_reg[held[i]][own]
        rows.q //= s.q_reg[i][0:count]
        rows.y //= s.b_reg[held[i]]
        rows.n //= s.m_reg[held[i]]
        rows.y_plus_n //= s.y_plus_n_reg[held[i]]
        if i < end:
            s.sum_out[i + 1] //= rows.sum_out
            s.carry_out[i + 1] //= rows.carry_out
            s.tail_out[i + 1] //= rows.tail_out
        else:
            connect_low(s.sum, rows.sum_out)
            connect_low(s.carry, rows.carry_out)
            s.tail //= rows.tail_out

    @update_ff
    def seq_rows():
        for i in range(stages):
            if s.enable[i] & s.val[i]:
                s.y_plus_n_reg[i] <<= s.y_plus_n[i]
                s.carry_reg[i] <<= s.carry_out[i]
                s.tail_reg[i] <<= s.tail_out[i]
                s.q_reg[i] <<= s.q_out[i]


def add_subtraction(s: MontMulRem, nbits: int, end: int) -> None:
    """Subtract the modulus from the sum in the last registers, unless the sum is below it."""
    Sum = mk_bits(nbits + 1)
    s.modulus = Wire(Sum)
    s.difference = Wire(Sum)

    @update
    def comb_subtract():
        s.modulus @= zext(s.m_reg[end], Sum)
        s.difference @= s.sum_reg[end] - s.modulus
        s.send.msg.r @= s.sum_reg[end][0:nbits]
        if s.sum_reg[end] >= s.modulus:
            s.send.msg.r @= s.difference[0:nbits]


def add_resolution(s: MontMulRem, nbits: int, end: int) -> None:
    """Propagate the carries of the last sum S, and subtract the modulus N unless S is below N.

    N is in the registers ``end``. S is ``sum + carry + tail``. Two parallel adders form S, and S -
    N = ``sum + carry + ~N + tail + 1``. Each adder has an additional lowest bit, which produces its
    carry in: the tail in the adder of S, the 1 in the adder of S - N.
    """
    Wide = mk_bits(nbits + 2)
    Resolved = mk_bits(nbits + 3)
    top = nbits + 1
    sign = nbits + 2
    s.inverted = Wire(Wide)
    s.majority = Wire(Wide)
    s.total = Wire(Resolved)
    s.difference = Wire(Resolved)

    @update
    def comb_resolve():
        s.inverted @= ~zext(s.m_reg[end], Wide)
        s.majority @= (s.sum & s.carry) | (s.inverted & (s.sum ^ s.carry))
        s.total @= concat(s.sum, Bits1(1)) + concat(s.carry, s.tail)
        s.difference @= concat(s.sum ^ s.carry ^ s.inverted, Bits1(1)) + concat(
            s.majority[0:top], s.tail, Bits1(1)
        )
        s.send.msg.r @= s.difference[1:top]
        if s.difference[sign]:
            s.send.msg.r @= s.total[1:top]
