"""Many modular operators behind one stream, so that they are compiled as one circuit."""

from pymtl3 import Component, InPort, OutPort, Wire, connect, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import message
from rsaxcel.plan.compressors import plan_product, plan_residue, plan_square
from rsaxcel.plan.compressors.weights import operand_nbits
from rsaxcel.rtl.lib.compressors import ModularProduct, ModularResidue, ModularSquare

OPERATORS = {"product": ModularProduct, "square": ModularSquare, "residue": ModularResidue}
OPERATIONS = tuple(OPERATORS)


def moduli_of_the_tables(nbits):
    """Moduli of the forms in the document's tables 3 and 5, at a width."""
    forms = [2**nbits + sign * k for k in (0, 1, 3, 5, 21, 85) for sign in (1, -1)]
    return [*dict.fromkeys(forms), (2**nbits - 1) // 3]


def expected(operation, a, b, modulus, nbits):
    """Expected result by Python's integers; ``a`` and ``b`` may be arrays of them."""
    if operation == "residue":
        return (a * 2**nbits + b) % modulus
    return a * (b if operation == "product" else a) % modulus


def plan_of(operation, modulus, nbits, *choices):
    """Plan of an operator; the operand of a residue is a and b joined, ``2 * nbits`` bits."""
    if operation == "residue":
        return plan_residue(modulus, 2 * nbits, *choices)
    return (plan_product if operation == "product" else plan_square)(modulus, *choices)


class SideBySide(Component):
    """Several operators on the lower bits of a and b; residues of (a, b) joined as one number.

    Parameters
    ----------
    plans : tuple of Plan
        Plans of the operators.

    Ports
    -----
    a, b : in, as wide as the widest operands
    results : out, as wide as a and b; zero-extended

    Combinational.
    """

    def construct(s, plans):
        nbits = max(operand_nbits(plan.modulus) for plan in plans)
        s.a, s.b = InPort(nbits), InPort(nbits)
        s.joined = Wire(2 * nbits)
        s.joined[0:nbits] //= s.b
        s.joined[nbits : 2 * nbits] //= s.a
        s.results = [OutPort(nbits) for _ in plans]
        for index, plan in enumerate(plans):
            part = OPERATORS[plan.operation](plan)
            setattr(s, f"part_{index}", part)
            s.results[index][0 : plan.result_nbits] //= part.r
            if plan.result_nbits < nbits:
                s.results[index][plan.result_nbits : nbits] //= 0
            if plan.operation == "residue":
                part.x //= s.joined
            else:
                part.a //= s.a[0 : plan.nbits]
            if plan.operation == "product":
                part.b //= s.b[0 : plan.nbits]


class Operators(Component):
    """Operators as a unit: request {a, b}, response with a field ``r_<modulus>`` per modulus.

    A result is ``a * b``, ``a * a`` or, of (a, b) joined as one number, the residue. Operands have
    the width of the largest modulus. If an operand is not below a modulus, that product is not
    defined.

    Parameters
    ----------
    operation : str
        ``"product"``, ``"square"`` or ``"residue"``.
    moduli : tuple of int
        Constant moduli of the operators.
    choices : tuple
        Further arguments of the planning function: ``tree`` and ``reweighted``.

    Latency: 1 cycle; a request per cycle.
    """

    def construct(s, operation, moduli, choices=()):
        nbits = max(map(operand_nbits, moduli))
        plans = tuple(plan_of(operation, m, nbits, *choices) for m in moduli)
        fields = tuple((f"r_{m}", operand_nbits(m)) for m in moduli)
        request = message(f"OperatorsReq{nbits}", (("a", nbits), ("b", nbits)))
        s.recv = RecvIfcRTL(request)
        s.send = SendIfcRTL(message(f"OperatorsResp{nbits}", fields))
        s.full_reg = Wire(1)
        s.msg_reg = Wire(request)
        s.send.val //= s.full_reg

        @update
        def comb_ports():
            s.recv.rdy @= ~s.full_reg | s.send.rdy

        @update_ff
        def seq_stage():
            if s.reset:
                s.full_reg <<= 0
            elif s.recv.rdy:
                s.full_reg <<= s.recv.val
                s.msg_reg <<= s.recv.msg

        s.operators = SideBySide(plans)
        s.operators.a //= s.msg_reg.a
        s.operators.b //= s.msg_reg.b
        for index, m in enumerate(moduli):
            connect(getattr(s.send.msg, f"r_{m}"), s.operators.results[index][0 : operand_nbits(m)])
