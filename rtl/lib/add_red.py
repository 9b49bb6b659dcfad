"""AddRed: one iteration of a Montgomery product (add, then halve), and several at once.

All forms compute ``(S + x*Y + q*N) / 2``, where q is 1 if ``S + x*Y`` is odd, else 0. S and the
result are below 2N.

If the quotient bits q of d AddReds are known, all their additions form one sum, in the rows of a
carry-save tree:

    (S + (x[0]*Y + q[0]*N) + ... + (x[d-1]*Y + q[d-1]*N) * 2**(d-1)) / 2**d

S = ``sum + carry + tail`` in carry-save form; ``tail`` is one bit, the carry out of the d bits that
the division removes.
"""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, update, zext

from rsaxcel.rtl.lib.carry_save import CarrySaveTree


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


class QuotientBits(Component):
    """Quotient bits of the next AddReds, from the low bits of all operands.

    Parameters
    ----------
    rows : int; number of AddReds, 1 or more; also the number of low bits that each operand needs

    Ports
    -----
    sum, carry : in, rows bits each; low bits of S
    tail : in, 1 bit; part of S
    x : in, rows bits; bits of the multiplier operand
    y, n, y_plus_n : in, rows bits each; low bits of Y, N (odd) and Y + N
    q : out, rows bits; quotient bits

    Combinational: a full adder and a multiplexer in series for each AddRed.
    """

    def construct(s, rows):
        Low = mk_bits(rows)
        s.sum = InPort(Low)
        s.carry = InPort(Low)
        s.tail = InPort(1)
        s.x = InPort(Low)
        s.y = InPort(Low)
        s.n = InPort(Low)
        s.y_plus_n = InPort(Low)
        s.q = OutPort(Low)

        s.sums = [Wire(Low) for _ in range(rows)]
        s.carries = [Wire(Low) for _ in range(rows)]
        s.next_sums = [Wire(Low) for _ in range(rows)]
        s.next_carries = [Wire(Low) for _ in range(rows)]
        s.addend = [Wire(Low) for _ in range(rows)]
        s.quotient = [Wire(1) for _ in range(rows)]
        s.sums[0] //= s.sum
        s.carries[0] //= s.carry
        for i in range(rows):
            s.q[i] //= s.quotient[i]
            if i:
                s.sums[i] //= s.next_sums[i - 1]
                s.carries[i] //= s.next_carries[i - 1]

        # The addend makes sum + carry + tail + addend even. So the lowest bit of sum + carry +
        # addend equals the tail, and both bits add up to 0 or 2: the carry into the halved sum
        # equals the tail, which therefore is the same in all iterations of this loop.
        @update
        def comb_quotient_bits():
            for i in range(rows):
                s.quotient[i] @= s.sums[i][0] ^ s.carries[i][0] ^ s.tail ^ (s.x[i] & s.y[0])
                s.addend[i] @= 0
                if s.quotient[i]:
                    s.addend[i] @= s.n
                    if s.x[i]:
                        s.addend[i] @= s.y_plus_n
                elif s.x[i]:
                    s.addend[i] @= s.y
                s.next_sums[i] @= (s.sums[i] ^ s.carries[i] ^ s.addend[i]) >> 1
                s.next_carries[i] @= (s.sums[i] & s.carries[i]) | (
                    s.addend[i] & (s.sums[i] ^ s.carries[i])
                )


class AddRedRows(Component):
    """AddReds with known quotient bits, as rows of one carry-save tree.

    Parameters
    ----------
    nbits : int; width of Y and N in bits
    rows : int; number of AddReds, 1 or more
    first : bool; S is 0; the ports of S are ignored then

    Ports
    -----
    sum, carry, tail : in, nbits + 1 bits, nbits + 1 bits, 1 bit; S, below 2N
    x, q : in, rows bits each; bits of the multiplier operand, quotient bits
    y, n : in, nbits bits each; y below n
    y_plus_n : in, nbits + 1 bits; y + n
    sum_out, carry_out, tail_out : out; S after the AddReds, below 2N

    Combinational: a multiplexer and a carry-save tree of ``rows + 2`` rows.
    """

    def construct(s, nbits, rows, first):
        width = nbits + 1 + rows  # the sum of all rows is below 2N * 2**rows
        Sum = mk_bits(nbits + 1)
        Row = mk_bits(width)
        s.sum = InPort(Sum)
        s.carry = InPort(Sum)
        s.tail = InPort(1)
        s.x = InPort(rows)
        s.q = InPort(rows)
        s.y = InPort(nbits)
        s.n = InPort(nbits)
        s.y_plus_n = InPort(Sum)
        s.sum_out = OutPort(Sum)
        s.carry_out = OutPort(Sum)
        s.tail_out = OutPort(1)

        s.addend = [Wire(Sum) for _ in range(rows)]

        @update
        def comb_addends():
            for i in range(rows):
                s.addend[i] @= 0
                if s.x[i] & s.q[i]:
                    s.addend[i] @= s.y_plus_n
                elif s.x[i]:
                    s.addend[i] @= zext(s.y, Sum)
                elif s.q[i]:
                    s.addend[i] @= zext(s.n, Sum)

        placed = [] if first else [(s.sum, 0), (s.carry, 0)]
        placed += [(s.addend[i], i) for i in range(rows)]
        s.row = [Wire(Row) for _ in placed]
        for row, (value, low) in zip(s.row, placed, strict=True):
            high = low + nbits + 1
            row[low:high] //= value
            row[high:width] //= 0
            if low:
                row[0:low] //= 0
        s.total = [Wire(Row) for _ in range(2)]
        if len(placed) > 2:
            s.tree = CarrySaveTree(width, len(placed), 2)
            last = len(s.tree.carry_in) - 1
            for i, port in enumerate(s.tree.carry_in):
                port //= 0 if first or i != last else s.tail
            for row, port in zip(s.row, s.tree.rows, strict=True):
                port //= row
            for total, port in zip(s.total, s.tree.sums, strict=True):
                total //= port
        else:
            for i, total in enumerate(s.total):
                total //= s.row[i] if i < len(placed) else 0

        # The removed low bits of both rows add up to 0 or to 2**rows. The sum is 0 if and only if
        # the bits of one row are 0.
        @update
        def comb_divide():
            s.sum_out @= s.total[0][rows:width]
            s.carry_out @= s.total[1][rows:width]
            s.tail_out @= s.total[0][0:rows] != 0
