"""AddRed: one iteration of a Montgomery product (add, then halve), in three forms.

All forms compute ``(S + x*Y + q*N) / 2``, where q is 1 if ``S + x*Y`` is odd, else 0. S and the
result are below 2N.
"""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, update, zext


class AddRedSerial(Component):
    """Adds x*Y, then adds N if the sum is odd, then halves (McNay, figure 8a).

    Parameters
    ----------
    nbits : int; width of Y and N in bits

    Ports
    -----
    s_in : in, nbits + 1 bits; below 2N
    x : in, 1 bit; bit of the multiplier operand
    y, n : in, nbits bits each; y below n, n odd
    s_out : out, nbits + 1 bits; below 2N

    Combinational: two adders in series.
    """

    def construct(s, nbits):
        Sum = mk_bits(nbits + 2)
        s.s_in = InPort(nbits + 1)
        s.x = InPort(1)
        s.y = InPort(nbits)
        s.n = InPort(nbits)
        s.s_out = OutPort(nbits + 1)
        s.added = Wire(Sum)
        s.reduced = Wire(Sum)

        @update
        def comb_serial():
            s.added @= zext(s.s_in, Sum)
            if s.x:
                s.added @= zext(s.s_in, Sum) + zext(s.y, Sum)
            s.reduced @= s.added
            if s.added[0]:
                s.reduced @= s.added + zext(s.n, Sum)
            s.s_out @= s.reduced[1 : nbits + 2]


class AddRedSelect(Component):
    """Prepares x*Y and x*Y + N, selects the one that makes the sum even, adds it, and halves.

    Koc's reordering: Y and N are stable long before S, so the path from S has one adder only. The
    lowest bit of the sum, ``s_in[0] ^ (x & y[0])``, selects the addend. x*Y + N is N, or Y + N,
    which the AddReds of a stage share.

    Parameters
    ----------
    nbits : int; width of Y and N in bits

    Ports
    -----
    The ports of ``AddRedSerial``.
    """

    def construct(s, nbits):
        Sum = mk_bits(nbits + 2)
        s.s_in = InPort(nbits + 1)
        s.x = InPort(1)
        s.y = InPort(nbits)
        s.n = InPort(nbits)
        s.s_out = OutPort(nbits + 1)
        s.y_plus_n = Wire(Sum)
        s.addend_even = Wire(Sum)
        s.addend_odd = Wire(Sum)
        s.addend = Wire(Sum)
        s.total = Wire(Sum)

        @update
        def comb_select():
            s.y_plus_n @= zext(s.y, Sum) + zext(s.n, Sum)
            s.addend_even @= 0
            s.addend_odd @= zext(s.n, Sum)
            if s.x:
                s.addend_even @= zext(s.y, Sum)
                s.addend_odd @= s.y_plus_n
            s.addend @= s.addend_even
            if s.s_in[0] ^ (s.x & s.y[0]):
                s.addend @= s.addend_odd
            s.total @= zext(s.s_in, Sum) + s.addend
            s.s_out @= s.total[1 : nbits + 2]


class AddRedOwnSum(Component):
    """As ``AddRedSelect``, with an adder of N to x*Y of its own (McNay, figure 8b as drawn).

    Parameters
    ----------
    nbits : int; width of Y and N in bits

    Ports
    -----
    The ports of ``AddRedSerial``.

    Combinational. x*Y differs between AddReds, so that they share no sum.
    """

    def construct(s, nbits):
        Value = mk_bits(nbits)
        Sum = mk_bits(nbits + 2)
        s.s_in = InPort(nbits + 1)
        s.x = InPort(1)
        s.y = InPort(nbits)
        s.n = InPort(nbits)
        s.s_out = OutPort(nbits + 1)
        s.addend_even = Wire(Value)
        s.addend_odd = Wire(Sum)
        s.addend = Wire(Sum)
        s.total = Wire(Sum)

        @update
        def comb_own_sum():
            s.addend_even @= 0
            if s.x:
                s.addend_even @= s.y
            s.addend_odd @= zext(s.addend_even, Sum) + zext(s.n, Sum)
            s.addend @= zext(s.addend_even, Sum)
            if s.s_in[0] ^ s.addend_even[0]:
                s.addend @= s.addend_odd
            s.total @= zext(s.s_in, Sum) + s.addend
            s.s_out @= s.total[1 : nbits + 2]


#: Each form; keys are values of the design parameter `add_red`.
ADD_REDS = {"serial": AddRedSerial, "select": AddRedSelect, "own_sum": AddRedOwnSum}
