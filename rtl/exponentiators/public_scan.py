"""PublicScan: register that scans the public exponent, from the top."""

from pymtl3 import Component, InPort, OutPort, Wire, clog2, mk_bits, update, update_ff


class PublicScan(Component):
    """Scans the bits of a public exponent once in each turn of a check (``plan.steps.Check``).

    The register rotates, so that it has the exponent again when a turn ends.

    Parameters
    ----------
    nbits : int; number of bits that are scanned: those above the lowest bit of the exponent

    Ports
    -----
    load : in, 1 bit; the exponent is registered at the end of this cycle
    clears : in, 1 bit; the registers become 0
    exponent : in, nbits bits
    shift : in, 1 bit; the current bit ends
    advance : in, 1 bit; the effect of ``shift`` is registered at the end of this cycle
    ended : out, 1 bit; no bit is left; depends combinationally on ``shift``
    set : out, 1 bit; the bit that begins or goes on is 1; depends combinationally on ``shift``
    """

    def construct(s, nbits: int):
        Exponent, Count = mk_bits(nbits), mk_bits(clog2(nbits + 1))
        s.load = InPort(1)
        s.clears = InPort(1)
        s.exponent = InPort(Exponent)
        s.shift = InPort(1)
        s.advance = InPort(1)
        s.ended = OutPort(1)
        s.set = OutPort(1)
        s.exponent_reg = Wire(Exponent)
        s.rotated = Wire(Exponent)
        s.count_reg = Wire(Count)  # bits left, the current one included
        s.rotated[0] //= s.exponent_reg[nbits - 1]
        if nbits > 1:
            s.rotated[1:nbits] //= s.exponent_reg[0 : nbits - 1]

        @update
        def comb_scan():
            s.ended @= s.shift & (s.count_reg == 1)
            s.set @= s.exponent_reg[nbits - 1]
            if s.shift:
                s.set @= s.rotated[nbits - 1]

        @update_ff
        def seq_scan():
            if s.clears:
                s.exponent_reg <<= 0
                s.count_reg <<= 0
            elif s.load:
                s.exponent_reg <<= s.exponent
                s.count_reg <<= nbits
            elif s.advance & s.shift:
                s.exponent_reg <<= s.rotated
                s.count_reg <<= s.count_reg - 1
                if s.ended:
                    s.count_reg <<= nbits
