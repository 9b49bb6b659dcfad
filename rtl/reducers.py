"""Reducers: the circuits of the final reduction below the modulus, also behind streams."""

from collections.abc import Mapping
from typing import Any

from pymtl3 import (
    Bits1,
    Bits8,
    Component,
    InPort,
    OutPort,
    Wire,
    connect,
    mk_bits,
    update,
    update_ff,
)
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import product_request, product_response
from rsaxcel.plan.compressors import plan_residue
from rsaxcel.rtl.lib.adjust import connect_low
from rsaxcel.rtl.lib.compressors import ModularResidue


class Subtraction(Component):
    """Subtracts ``2**index * m`` from x unless x is below this multiple.

    Parameters
    ----------
    nbits : int; width of the modulus in bits
    excess_nbits : int; k: x is below ``2**k * m`` before the first step

    Ports
    -----
    x : in, nbits + excess_nbits bits
    m : in, nbits bits
    index : in, 8 bits; k - 1 in the first step, one less in each following step
    r : out, nbits + excess_nbits bits; below m after k steps

    Combinational.
    """

    def construct(s, nbits, excess_nbits):
        Wide = mk_bits(nbits + excess_nbits)
        s.x = InPort(Wide)
        s.m = InPort(nbits)
        s.index = InPort(8)
        s.r = OutPort(Wide)
        s.multiples = [Wire(Wide) for _ in range(excess_nbits)]
        for k, multiple in enumerate(s.multiples):
            if k:
                multiple[0:k] //= 0
            multiple[k : nbits + k] //= s.m
            multiple[nbits + k : nbits + excess_nbits] //= 0
        s.multiple = Wire(Wide)

        @update
        def comb_multiple():
            s.multiple @= s.multiples[0]
            for k in range(excess_nbits):
                if s.index == k:
                    s.multiple @= s.multiples[k]

        @update
        def comb_difference():
            s.r @= s.x
            if s.x >= s.multiple:
                s.r @= s.x - s.multiple


class Remainder(Component):
    """Computes ``x mod modulus``.

    Parameters
    ----------
    nbits : int; width of the modulus in bits
    excess_nbits : int; width of x beyond ``nbits``, in bits
    modulus : str; the constant modulus, in hexadecimal

    Ports
    -----
    x : in, nbits + excess_nbits bits
    m : in, nbits bits; not read
    index : in, 8 bits; not read
    r : out, nbits + excess_nbits bits; below the modulus

    Combinational.

    Source: Vassoler 2023, section 5.1, equation 29.
    """

    def construct(s, nbits, excess_nbits, modulus):
        Wide = mk_bits(nbits + excess_nbits)
        s.x = InPort(Wide)
        s.m = InPort(nbits)
        s.index = InPort(8)
        s.r = OutPort(Wide)
        divisor = Wide(int(modulus, 16))

        @update
        def comb_remainder():
            s.r @= s.x % divisor


class CompressorTree(Component):
    """Computes ``x mod modulus``; its banks of cells are ``rtl.lib.compressors``.

    No multiplier: ``rtl.multipliers.compressor_tree`` is one.

    Parameters
    ----------
    nbits : int; width of the modulus in bits
    excess_nbits : int; width of x beyond ``nbits``, in bits
    modulus : str; the constant modulus, in hexadecimal

    Ports
    -----
    x : in, nbits + excess_nbits bits
    m : in, nbits bits; not read
    index : in, 8 bits; not read
    r : out, nbits + excess_nbits bits; below the modulus

    Combinational.

    Source: Vassoler 2023, section 4.2.1, figures 17 and 38.
    """

    def construct(s, nbits, excess_nbits, modulus):
        width = nbits + excess_nbits
        s.x = InPort(width)
        s.m = InPort(nbits)
        s.index = InPort(8)
        s.r = OutPort(width)
        s.residue = ModularResidue(plan_residue(int(modulus, 16), width))
        s.residue.x //= s.x
        connect_low(s.r, s.residue.r)


#: Circuit by kind of plan.programs.Reduction.
CIRCUITS: Mapping[str, type[Component]] = {
    "subtraction": Subtraction,
    "compressor_tree": CompressorTree,
    "remainder": Remainder,
}


def add_reduction(s: Any, nbits: int, excess_nbits: int, reduction: Component) -> None:
    """Add the streams and the reduction; the response is the reduction's result.

    ``recv`` {a, b, m}: a is below ``2**excess_nbits * m``, b has one bit and is not read; ``send``
    {r}: below m.
    """
    width = nbits + excess_nbits
    s.recv = RecvIfcRTL(product_request(nbits, (("a", width), ("b", 1))))
    s.send = SendIfcRTL(product_response(nbits))
    s.reduction = reduction
    connect(s.send.msg.r, s.reduction.r[0:nbits])


class _ConstantReducer(Component):
    """Computes ``a mod modulus`` by the combinational reduction that a subclass names.

    Parameters
    ----------
    nbits, excess_nbits : int; width of the modulus in bits, and of a beyond it
    modulus : str; the constant modulus, in hexadecimal

    Ports: see ``add_reduction``. Combinational.
    """

    circuit: type[Component]

    def construct(s, nbits, excess_nbits, modulus):
        reduction = type(s).circuit(nbits, excess_nbits, modulus)
        add_reduction(s, nbits, excess_nbits, reduction)
        s.reduction.x //= s.recv.msg.a
        s.reduction.m //= s.recv.msg.m
        s.reduction.index //= 0
        s.send.val //= s.recv.val
        s.recv.rdy //= s.send.rdy

    def line_trace(s):
        return f"{s.recv}(){s.send}"


class CompressorTreeReducer(_ConstantReducer):
    """Computes ``a mod modulus`` by a tree of compressors."""

    circuit = CompressorTree


class RemainderReducer(_ConstantReducer):
    """Computes ``a mod modulus`` by the operator ``%`` of Verilog."""

    circuit = Remainder


class SubtractionReducer(Component):
    """Computes ``a mod m``: subtracts ever smaller multiples of the modulus, one a cycle.

    Parameters
    ----------
    nbits, excess_nbits : int; width of the modulus in bits, and of a beyond it

    Ports: see ``add_reduction``.
    Latency: ``excess_nbits + 1`` cycles; one reduction at a time.
    """

    def construct(s, nbits, excess_nbits):
        add_reduction(s, nbits, excess_nbits, Subtraction(nbits, excess_nbits))
        s.x_reg = Wire(mk_bits(nbits + excess_nbits))
        s.m_reg = Wire(mk_bits(nbits))
        s.left_reg = Wire(Bits8)
        s.full_reg = Wire(Bits1)
        s.reduction.m //= s.m_reg

        @update
        def comb_reduction():
            # After the last subtraction x is below m: a further subtraction changes nothing.
            s.reduction.x @= s.x_reg
            s.reduction.index @= 0
            if s.left_reg != 0:
                s.reduction.index @= s.left_reg - 1

        @update
        def comb_handshake():
            s.recv.rdy @= ~s.full_reg
            s.send.val @= s.full_reg & (s.left_reg == 0)

        @update_ff
        def seq_subtraction():
            if s.reset:
                s.full_reg <<= 0
            elif ~s.full_reg:
                s.full_reg <<= s.recv.val
                s.x_reg <<= s.recv.msg.a
                s.m_reg <<= s.recv.msg.m
                s.left_reg <<= excess_nbits
            elif s.left_reg != 0:
                s.x_reg <<= s.reduction.r
                s.left_reg <<= s.left_reg - 1
            elif s.send.rdy:
                s.full_reg <<= 0

    def line_trace(s):
        return f"{s.recv}({int(s.left_reg)}){s.send}"
