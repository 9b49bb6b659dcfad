"""MontMulCsa: bit-serial Montgomery multiplication without carry propagation in the loop."""

from pymtl3 import Bits1, Component, Wire, concat, mk_bits, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import product_request, product_response
from rsaxcel.rtl.lib.carry_save import CarrySave
from rsaxcel.rtl.lib.serial_control import SerialControl


class MontMulCsa(Component):
    """Computes ``a * b / 2**nbits mod m`` with a running sum in carry-save form.

    After the last bit, m is subtracted in carry-save form, and the carries are propagated word by
    word. Then m is added again if the sign is negative, and the carries are propagated once more.
    Words leave the registers at the bottom and return at the top, so one short adder suffices.

    Parameters
    ----------
    nbits : int; width of operands, modulus and result in bits
    resolve_cycles : int; cycles of each propagation; the adder has ``ceil((nbits + 2) /
        resolve_cycles)`` bits

    Ports
    -----
    recv : {a, b, m}; a and b below m, m odd and held until the response is taken
    send : {r}

    Latency: ``nbits + 2 * resolve_cycles + 3`` cycles; one product at a time, the next is accepted
    in the cycle in which the response is taken.

    Source: Li and Chu, section II.B, which only names the technique; otherwise algorithm 3.
    """

    def construct(s, nbits, resolve_cycles):
        s.recv = RecvIfcRTL(product_request(nbits))
        s.send = SendIfcRTL(product_response(nbits))

        word_nbits = -(-(nbits + 2) // resolve_cycles)
        sum_nbits = word_nbits * resolve_cycles
        Value = mk_bits(nbits)
        Number = mk_bits(sum_nbits)
        Word = mk_bits(word_nbits + 1)
        s.sum_reg = Wire(Number)  #: neither sum_reg nor carry_reg is halved yet
        s.carry_reg = Wire(Number)
        s.a_reg = Wire(Value)
        s.b_reg = Wire(Value)
        s.ripple_reg = Wire(Bits1)  #: carry between two words

        readd = resolve_cycles + 1
        s.control = SerialControl(nbits, 2 * resolve_cycles + 2)
        s.control.recv_val //= s.recv.val
        s.control.recv_rdy //= s.recv.rdy
        s.control.send_val //= s.send.val
        s.control.send_rdy //= s.send.rdy

        s.subtracts = Wire(Bits1)
        s.readds = Wire(Bits1)
        s.compresses = Wire(Bits1)

        @update
        def comb_phase():
            s.subtracts @= s.control.finish & (s.control.index == 0)
            s.readds @= s.control.finish & (s.control.index == readd)
            s.compresses @= s.control.step | s.subtracts | s.readds

        s.multiples = CarrySave(sum_nbits)
        s.reduction = CarrySave(sum_nbits)
        s.reduction.x //= s.multiples.sum
        s.reduction.y //= s.multiples.carry
        s.reduction.carry_in //= s.subtracts
        s.multiples.carry_in //= 0

        @update
        def comb_multiples():
            s.multiples.x @= s.sum_reg >> 1
            if s.readds:
                s.multiples.x @= s.sum_reg
            s.multiples.y @= s.carry_reg >> 1
            s.multiples.z @= 0
            if s.b_reg[0]:
                s.multiples.z @= zext(s.a_reg, Number)

        @update
        def comb_reduction():
            s.reduction.z @= 0
            if s.subtracts:
                s.reduction.z @= ~zext(s.recv.msg.m, Number)
            elif s.readds:
                if s.sum_reg[sum_nbits - 1]:
                    s.reduction.z @= zext(s.recv.msg.m, Number)
            elif s.multiples.sum[0]:
                s.reduction.z @= zext(s.recv.msg.m, Number)

        s.word = Wire(Word)
        s.resolved = Wire(Number)

        @update
        def comb_resolve():
            s.word @= (
                zext(s.sum_reg[0:word_nbits], Word)
                + zext(s.carry_reg[0:word_nbits], Word)
                + zext(s.ripple_reg, Word)
            )

        if resolve_cycles == 1:
            s.resolved //= s.word[0:word_nbits]
        else:

            @update
            def comb_rotate():
                s.resolved @= concat(s.word[0:word_nbits], s.sum_reg[word_nbits:sum_nbits])

        @update_ff
        def seq_operands():
            s.ripple_reg <<= 0
            if s.control.load:
                s.sum_reg <<= 0
                s.carry_reg <<= 0
                s.a_reg <<= s.recv.msg.a
                s.b_reg <<= s.recv.msg.b
            elif s.compresses:
                s.sum_reg <<= s.reduction.sum
                s.carry_reg <<= s.reduction.carry
                s.b_reg <<= s.b_reg >> 1
            elif s.control.finish:
                s.sum_reg <<= s.resolved
                s.carry_reg <<= s.carry_reg >> word_nbits
                s.ripple_reg <<= s.word[word_nbits]

        s.send.msg.r //= s.sum_reg[0:nbits]

    def line_trace(s):
        return f"{s.recv}(){s.send}"
