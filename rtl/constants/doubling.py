"""Doubling: computes R**2 mod m by doublings, with a short adder."""

from pymtl3 import Bits1, Component, Wire, clog2, concat, mk_bits, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import constant_request, constant_response
from rsaxcel.plan.modulus_constants import ModulusConstant
from rsaxcel.rtl.lib.adjust import connect_low
from rsaxcel.rtl.lib.serial_control import SerialControl


class Doubling(Component):
    """Computes ``2**(2*nbits) mod m``: doubles R - m (R = 2**nbits) modulo m, nbits times.

    The number that is doubled is called c, and is in -m .. m - 1 as in ``ShiftSub``. Its words are
    shifted out of a register at the bottom, and return doubled and corrected at the top.

    Parameters
    ----------
    nbits : int; width of the modulus in bits; R = 2**nbits
    constant : plan.modulus_constants.ModulusConstant; R**2 mod m
    resolve_cycles : int; number of words of c, and of cycles for each doubling; the adder has
        ``ceil((nbits + 1) / resolve_cycles)`` bits

    Ports
    -----
    recv : {m}; odd, at least 3, held until the response is taken
    send : {value}; constant.nbits bits

    Latency: ``(nbits + 1) * resolve_cycles + 1`` cycles for a modulus of nbits bits. For a shorter
    modulus, c begins with 1 instead of R - m and is doubled nbits times more. One modulus at a
    time.
    """

    def construct(s, nbits, constant: ModulusConstant, resolve_cycles):
        s.recv = RecvIfcRTL(constant_request(nbits))
        s.send = SendIfcRTL(constant_response(constant))

        words = resolve_cycles
        word_nbits = -(-(nbits + 1) // words)
        residue_nbits = word_nbits * words
        Residue = mk_bits(residue_nbits)
        Word = mk_bits(word_nbits)
        Sum = mk_bits(word_nbits + 1)
        Index = mk_bits(clog2(max(words, 2)))
        Count = mk_bits(clog2(2 * nbits + 1))
        last_word = words - 1
        top, word_top = residue_nbits - 1, word_nbits - 1
        full, twice = nbits, 2 * nbits
        one = Bits1(1)

        s.c_reg = Wire(Residue)
        s.left_reg = Wire(Count)  #: doublings that remain, including the current one
        s.word_reg = Wire(Index)
        s.negative_reg = Wire(Bits1)  #: sign of c before this doubling
        s.carry_reg = Wire(Bits1)
        s.msb_reg = Wire(Bits1)  #: highest bit of the last word; doubling moves it to the next word

        s.control = SerialControl(0, words)
        s.control.recv_val //= s.recv.val
        s.control.recv_rdy //= s.recv.rdy
        s.control.send_val //= s.send.val
        s.control.send_rdy //= s.send.rdy
        s.control.none //= 0

        s.modulus = Wire(Residue)
        s.modulus_words = [Wire(Word) for _ in range(words)]
        for i in range(words):
            s.modulus_words[i] //= s.modulus[i * word_nbits : (i + 1) * word_nbits]

        s.first = Wire(Bits1)
        s.negative = Wire(Bits1)
        s.term = Wire(Word)
        s.correction = Wire(Word)
        s.sum = Wire(Sum)
        s.moved = Wire(Residue)

        @update
        def comb_word():
            s.modulus @= zext(s.recv.msg.m, Residue)
            s.first @= s.word_reg == 0
            s.control.last @= (s.left_reg == 1) & (s.word_reg == last_word)
            s.negative @= s.negative_reg
            if s.first:
                s.negative @= s.c_reg[top]

        @update
        def comb_terms():
            s.correction @= 0
            if s.negative:
                s.correction @= s.modulus_words[s.word_reg]
            elif s.control.step:
                s.correction @= ~s.modulus_words[s.word_reg]
            s.term @= s.c_reg[0:word_nbits]
            if s.control.step:
                s.term @= concat(s.c_reg[0:word_top], s.msb_reg)
                if s.first:
                    # 2c - m is 2c + ~m + 1, and the lowest bit of 2c is free for this 1
                    s.term @= concat(s.c_reg[0:word_top], ~s.negative)

        @update
        def comb_sum():
            s.sum @= zext(s.term, Sum) + zext(s.correction, Sum) + zext(s.carry_reg, Sum)

        if words == 1:
            s.moved //= s.sum[0:word_nbits]
        else:

            @update
            def comb_move():
                s.moved @= concat(s.sum[0:word_nbits], s.c_reg[word_nbits:residue_nbits])

        @update_ff
        def seq_residue():
            if s.control.load:
                s.c_reg <<= 1
                s.left_reg <<= twice
                if s.recv.msg.m[nbits - 1]:
                    # R - m is ~m + 1; ~m is even, so the + 1 only sets the lowest bit
                    s.c_reg <<= zext(concat(~s.recv.msg.m[1:nbits], one), Residue)
                    s.left_reg <<= full
                s.word_reg <<= 0
                s.carry_reg <<= 0
            elif s.control.step | s.control.finish:
                s.c_reg <<= s.moved
                s.word_reg <<= s.word_reg + 1
                s.negative_reg <<= s.negative
                s.msb_reg <<= s.c_reg[word_top]
                s.carry_reg <<= s.sum[word_nbits]
                if s.word_reg == last_word:
                    s.word_reg <<= 0
                    s.carry_reg <<= 0
                    s.left_reg <<= s.left_reg - 1

        connect_low(s.send.msg.value, s.c_reg[0:nbits])

    def line_trace(s):
        return f"{s.recv}(){s.send}"
