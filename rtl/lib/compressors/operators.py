"""Product, square and residue modulo a constant, each as one combinational circuit."""

from pymtl3 import Component, InPort, OutPort

from rsaxcel.rtl.lib.compressors.modular_adder import ModularAdder
from rsaxcel.rtl.lib.compressors.tree import CompressorTree


class _Operator(Component):
    """Base class of the operators: adds a compressor tree, and a modular adder for its two rows."""

    def add_tree(s, plan, operation):
        if plan.operation != operation:
            raise ValueError(f"{type(s).__name__}: plan of a {plan.operation}, not a {operation}")
        s.r = OutPort(plan.result_nbits)
        s.tree = CompressorTree(plan)
        s.adder = ModularAdder(plan.modular_sum)
        s.adder.a //= s.tree.rows[0]
        s.adder.b //= s.tree.rows[1]
        s.r //= s.adder.r


class ModularProduct(_Operator):
    """Multiplier ``r = a * b mod m`` for operands below the constant m.

    Parameters
    ----------
    plan : Plan; made by ``plan.compressors.plan_product``

    Ports
    -----
    a, b : in, plan.nbits bits each; below plan.modulus
    r : out, plan.result_nbits bits; below plan.modulus

    Combinational. Source: Vassoler, section 2.2.1.
    """

    def construct(s, plan):
        s.add_tree(plan, "product")
        s.a = InPort(plan.nbits)
        s.b = InPort(plan.nbits)
        s.tree.x //= s.a
        s.tree.y //= s.b


class ModularSquare(_Operator):
    """Squarer ``r = a * a mod m`` for an operand below the constant m.

    Parameters
    ----------
    plan : Plan; made by ``plan.compressors.plan_square``

    Ports
    -----
    a : in, plan.nbits bits; below plan.modulus
    r : out, plan.result_nbits bits; below plan.modulus

    Combinational.
    """

    def construct(s, plan):
        s.add_tree(plan, "square")
        s.a = InPort(plan.nbits)
        s.tree.x //= s.a
        s.tree.y //= s.a


class ModularResidue(_Operator):
    """Reducer ``r = x mod m`` for any operand and the constant m.

    Parameters
    ----------
    plan : Plan; made by ``plan.compressors.plan_residue``

    Ports
    -----
    x : in, plan.nbits bits
    r : out, plan.result_nbits bits; below plan.modulus

    Combinational.
    """

    def construct(s, plan):
        s.add_tree(plan, "residue")
        s.x = InPort(plan.nbits)
        s.tree.x //= s.x
