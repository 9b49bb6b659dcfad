"""CompressorTree: a product or a square modulo a constant, by one tree of compressors."""

from pymtl3 import Component
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import constant_product_messages
from rsaxcel.plan.compressors import plan_product, plan_square, tree_columns
from rsaxcel.rtl.lib.compressors import ModularProduct, ModularSquare


class CompressorTree(Component):
    """Computes ``a * b mod modulus``; carries propagate in the last adders only.

    A multiplier, with streams; its banks of cells are ``rtl.lib.compressors``.

    Parameters
    ----------
    nbits : int; width of ``m`` in a request in bits; ``m`` is not read
    modulus : str; the constant modulus, in hexadecimal
    tree, reweighted : str; see ``plan.compressors.plan_product``
    columns : str; number of columns of the tree. ``"own"``: the exponent of the power of two that
        is nearest to the modulus. ``"best"``: chosen by ``plan_product``
    squares : str; not read: the circuit of a lane depends on it by ``only_squares``
    only_squares : bool; a and b are always equal; the circuit then is a squarer, and does not read
        b

    Ports
    -----
    recv : {a, b, m}; a and b below the modulus, as wide as the largest residue
    send : {r}; as wide as the largest residue

    Combinational: a product is answered in the cycle in which it is accepted.

    Source: Vassoler 2023, section 2.2.1.
    """

    def construct(s, nbits, modulus, tree, reweighted, columns, squares, only_squares=False):
        request_type, response_type, _ = constant_product_messages(nbits, modulus)
        s.recv = RecvIfcRTL(request_type)
        s.send = SendIfcRTL(response_type)
        constant = int(modulus, 16)
        count = tree_columns(constant, columns)
        if only_squares:
            s.product = ModularSquare(plan_square(constant, tree, reweighted, count))
        else:
            s.product = ModularProduct(plan_product(constant, tree, reweighted, count))
            s.product.b //= s.recv.msg.b
        s.product.a //= s.recv.msg.a
        s.product.r //= s.send.msg.r
        s.send.val //= s.recv.val
        s.recv.rdy //= s.send.rdy

    def line_trace(s):
        return f"{s.recv}(){s.send}"
