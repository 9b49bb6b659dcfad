"""Barrett: the circuit."""

from pymtl3 import Component, Wire, mk_bits, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import product_request, product_response
from rsaxcel.rtl.lib.serial_control import SerialControl


class Barrett(Component):
    """``a * b mod m`` in three steps: product, quotient by the reciprocal, rest.

    Parameters
    ----------
    nbits : int
        Width of operands, modulus and result in bits.

    Ports
    -----
    recv : {a, b, m, mu}; a and b below m; m at least 2; mu of 2 * nbits bits, floor(2**(2 *
        nbits) / m); m and mu are held until the response is taken
    send : {r}

    Latency: 4 cycles, one for each step and one to register the operands; one product at a time,
    the next is accepted as the response is taken.
    """

    def construct(s, nbits):
        s.recv = RecvIfcRTL(product_request(nbits, (("mu", 2 * nbits),)))
        s.send = SendIfcRTL(product_response(nbits))

        s.control = SerialControl(3, finish_cycles=0)
        s.control.recv_val //= s.recv.val
        s.control.recv_rdy //= s.recv.rdy
        s.control.send_val //= s.send.val
        s.control.send_rdy //= s.send.rdy

        Value = mk_bits(nbits)
        Rest = mk_bits(nbits + 1)
        Product = mk_bits(2 * nbits)
        Wide = mk_bits(4 * nbits)
        s.a_reg = Wire(Value)
        s.b_reg = Wire(Value)
        s.x_reg = Wire(Product)
        s.q_reg = Wire(Value)
        s.r_reg = Wire(Value)
        s.scaled = Wire(Wide)
        s.modulus = Wire(Rest)
        s.rest = Wire(Rest)
        s.reduced = Wire(Rest)

        @update
        def comb_quotient():
            s.scaled @= zext(s.x_reg, Wide) * zext(s.recv.msg.mu, Wide)

        # The rest is below 2m: the bits above can be left out of both products.
        @update
        def comb_rest():
            s.modulus @= zext(s.recv.msg.m, Rest)
            s.rest @= s.x_reg[0 : nbits + 1] - zext(s.q_reg, Rest) * s.modulus
            s.reduced @= s.rest
            if s.rest >= s.modulus:
                s.reduced @= s.rest - s.modulus

        @update_ff
        def seq_steps():
            if s.control.load:
                s.a_reg <<= s.recv.msg.a
                s.b_reg <<= s.recv.msg.b
            elif s.control.step:
                s.x_reg <<= zext(s.a_reg, Product) * zext(s.b_reg, Product)
                s.q_reg <<= s.scaled[2 * nbits : 3 * nbits]
                s.r_reg <<= s.reduced[0:nbits]

        s.send.msg.r //= s.r_reg

    def line_trace(s):
        return f"{s.recv}(){s.send}"
