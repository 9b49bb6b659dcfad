"""MontMac: Montgomery multiplication by three products of the whole width on one multiplier."""

from pymtl3 import Bits2, Component, Wire, mk_bits, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import product_request, product_response

ACCEPT, QUOTIENT, ANSWER = range(3)


class MontMac(Component):
    """Computes ``a * b / R mod m`` with R = ``2**(nbits + 2)`` by a multiplier with an addend.

    Each product takes a cycle::

        ACCEPT    t = a * b            once a request is valid
        QUOTIENT  q = t * m' mod R
        ANSWER    r = (t + q * m) / R  until the response is taken

    Parameters
    ----------
    nbits : int; width of the modulus in bits

    Ports
    -----
    recv : {a, b, m, m_prime}; ``a`` and ``b`` of nbits + 1 bits, below 2m; m odd; ``m_prime`` of
        nbits + 2 bits, ``-m**-1 mod R``; m and ``m_prime`` are held until the response is taken
    send : {r}; nbits + 1 bits, below 2m

    Latency: 2 cycles; one product at a time, the next is accepted in the cycle after the response
    is taken.

    Source: Montgomery, "Modular multiplication without trial division", 1985.
    """

    def construct(s, nbits):
        width = nbits + 1
        r_nbits = nbits + 2
        widths = (("a", width), ("b", width), ("m_prime", r_nbits))
        s.recv = RecvIfcRTL(product_request(nbits, widths))
        s.send = SendIfcRTL(product_response(width))

        Factor = mk_bits(r_nbits)
        Full = mk_bits(2 * r_nbits)
        s.state_reg = Wire(Bits2)
        s.t_reg = Wire(Full)
        s.q_reg = Wire(Factor)
        s.x = Wire(Factor)
        s.y = Wire(Factor)
        s.addend = Wire(Full)
        s.total = Wire(Full)

        @update
        def comb_streams():
            s.recv.rdy @= s.state_reg == ACCEPT
            s.send.val @= s.state_reg == ANSWER

        @update
        def comb_factors():
            s.x @= zext(s.recv.msg.a, Factor)
            s.y @= zext(s.recv.msg.b, Factor)
            s.addend @= 0
            if s.state_reg == QUOTIENT:
                s.x @= s.t_reg[0:r_nbits]
                s.y @= s.recv.msg.m_prime
            elif s.state_reg == ANSWER:
                s.x @= s.q_reg
                s.y @= zext(s.recv.msg.m, Factor)
                s.addend @= s.t_reg

        @update
        def comb_total():
            s.total @= zext(s.x, Full) * zext(s.y, Full) + s.addend

        @update_ff
        def seq_products():
            if s.recv.val & s.recv.rdy:
                s.t_reg <<= s.total
            if s.state_reg == QUOTIENT:
                s.q_reg <<= s.total[0:r_nbits]

        @update_ff
        def seq_state():
            if s.reset:
                s.state_reg <<= ACCEPT
            elif s.state_reg == ACCEPT:
                s.state_reg <<= ACCEPT
                if s.recv.val:
                    s.state_reg <<= QUOTIENT
            elif s.state_reg == QUOTIENT:
                s.state_reg <<= ANSWER
            elif s.send.rdy:
                s.state_reg <<= ACCEPT

        s.send.msg.r //= s.total[r_nbits : r_nbits + width]

    def line_trace(s):
        return f"{s.recv}(){s.send}"
