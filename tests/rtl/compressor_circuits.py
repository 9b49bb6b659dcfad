"""Many modular operators side by side behind one stream, to be compiled once."""

from pymtl3 import Component, Wire, concat, connect, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from fl.compressors import plan_product, plan_residue, plan_square
from fl.compressors.weights import operand_nbits
from fl.messages import message
from rtl.lib.compressors import ModularProduct, ModularResidue, ModularSquare

OPERATIONS = ("product", "square", "residue")


def moduli_of_the_tables(nbits):
    """Those of the document's tables 3 and 5 at a width."""
    forms = [2**nbits + sign * k for k in (0, 1, 3, 5, 21, 85) for sign in (1, -1)]
    return [*dict.fromkeys(forms), (2**nbits - 1) // 3]


def expected(operation, a, b, modulus, nbits):
    """What Python's integers give; ``a`` and ``b`` may be arrays of them."""
    if operation == "residue":
        return (a * 2**nbits + b) % modulus
    return a * (b if operation == "product" else a) % modulus


class Operators(Component):
    """Request {a, b}; the answer has the results modulo all constants, each as ``r_<modulus>``.

    They are ``a * b``, ``a * a`` or, of (a, b) as one number, the residue. Operands are as wide as
    those of the largest modulus. Those that are not below a modulus have no product there.

    Parameters
    ----------
    operation : str
        ``"product"``, ``"square"`` or ``"residue"``.
    moduli : tuple of int
        What to compute modulo.
    choices : tuple
        Further arguments of the function that plans: tree, and when bits are re-weighted.

    Latency: 1 cycle; a request per cycle.
    """

    def construct(s, operation, moduli, choices=()):
        nbits = max(map(operand_nbits, moduli))
        fields = tuple((f"r_{m}", operand_nbits(m)) for m in moduli)
        request = message(f"OperatorsReq{nbits}", (("a", nbits), ("b", nbits)))
        s.recv = RecvIfcRTL(request)
        s.send = SendIfcRTL(message(f"OperatorsResp{nbits}", fields))
        s.full_reg = Wire(1)
        s.msg_reg = Wire(request)
        s.joined = Wire(2 * nbits)
        s.send.val //= s.full_reg

        @update
        def comb_ports():
            s.recv.rdy @= ~s.full_reg | s.send.rdy
            s.joined @= concat(s.msg_reg.a, s.msg_reg.b)

        @update_ff
        def seq_stage():
            if s.reset:
                s.full_reg <<= 0
            elif s.recv.rdy:
                s.full_reg <<= s.recv.val
                s.msg_reg <<= s.recv.msg

        for m in moduli:
            width = operand_nbits(m)
            if operation == "product":
                part = ModularProduct(plan_product(m, *choices))
            elif operation == "square":
                part = ModularSquare(plan_square(m, *choices))
            else:
                part = ModularResidue(plan_residue(m, 2 * nbits, *choices))
            setattr(s, f"part_{m}", part)
            connect(getattr(s.send.msg, f"r_{m}"), part.r)
            if operation == "residue":
                part.x //= s.joined
                continue
            part.a //= s.msg_reg.a[0:width]
            if operation == "product":
                part.b //= s.msg_reg.b[0:width]
