"""Direct: forms a product, then its remainder by a constant modulus, both combinational."""

from pymtl3 import Component, Wire, mk_bits, trunc, update, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import constant_product_messages


class Direct(Component):
    """Computes ``a * b mod modulus`` by the operators ``*`` and ``%`` of Verilog.

    Parameters
    ----------
    nbits : int; width of ``m`` in a request in bits; ``m`` is not read
    modulus : str; the constant modulus, in hexadecimal

    Ports
    -----
    recv : {a, b, m}; a and b below the modulus, as wide as the largest residue
    send : {r}; as wide as the largest residue

    Combinational: a product is answered in the cycle in which it is accepted.

    Source: Vassoler 2023, equations 24 to 26.
    """

    def construct(s, nbits, modulus):
        request_type, response_type, operand_nbits = constant_product_messages(nbits, modulus)
        s.recv = RecvIfcRTL(request_type)
        s.send = SendIfcRTL(response_type)
        Residue = mk_bits(operand_nbits)
        Full = mk_bits(2 * operand_nbits)
        s.product = Wire(Full)
        s.remainder = Wire(Full)
        divisor = Full(int(modulus, 16))

        @update
        def comb_product():
            s.product @= zext(s.recv.msg.a, Full) * zext(s.recv.msg.b, Full)
            s.remainder @= s.product % divisor
            s.send.msg.r @= trunc(s.remainder, Residue)

        s.send.val //= s.recv.val
        s.recv.rdy //= s.send.rdy

    def line_trace(s):
        return f"{s.recv}(){s.send}"
