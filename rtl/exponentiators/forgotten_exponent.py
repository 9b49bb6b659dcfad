"""Exponent register that is erased by shifting it out (``ExponentScan``)."""

from typing import Any

from pymtl3 import Bits1, InPort, Wire, update, update_ff

from rsaxcel.plan.scan import Scan


def add_forgetting(s: Any, scan: Scan, given_nbits: int) -> None:
    """Add an exponent register that can load only if ``vacant`` is 1, and shift only if it is 0.

    With ``given_nbits``, digits of that width are shifted in before the scan.

    The register is shifted one cycle after a digit ends. So the critical path, which tells that a
    digit ends, does not drive all bits of the register. ``next_exponent`` is valid one cycle later.
    A register that counts is decremented if a digit begins then (``enters``), and shifted if none
    does: so it is erased in as many cycles as it has bits, not in as many as its value says.
    """
    s.vacant = InPort(1)
    s.shifts_reg = Wire(Bits1)
    s.shifted = Wire(s.exponent_reg._dsl.Type)
    nbits, by = scan.register_nbits, scan.digit_nbits
    kept, free = slice(by, nbits), slice(0, by)
    if not scan.from_top:
        kept, free = slice(0, nbits - by), slice(nbits - by, nbits)
    s.erased = Wire(s.exponent_reg._dsl.Type)
    s.erased[free] //= 0
    if nbits > by:
        s.erased[kept] //= s.exponent_reg[by - kept.start : nbits - kept.start]
    if scan.counts:
        s.enters_reg = Wire(Bits1)

        @update
        def comb_counted():
            s.shifted @= s.erased
            if s.enters_reg:
                s.shifted @= s.exponent_reg - 1

        @update_ff
        def seq_enters():
            s.enters_reg <<= s.enters

    else:
        s.shifted //= s.erased

    if given_nbits:
        low = scan.exponent_nbits - given_nbits  # place of the digit that comes in
        s.gives = InPort(1)
        s.given = InPort(given_nbits)
        s.filled = Wire(s.exponent_reg._dsl.Type)
        s.filled[low : low + given_nbits] //= s.given
        if low:
            s.filled[0:low] //= s.exponent_reg[given_nbits : low + given_nbits]
        if nbits > low + given_nbits:
            s.filled[low + given_nbits : nbits] //= 0

        @update_ff
        def seq_exponent_given():
            s.shifts_reg <<= s.advance & s.shift
            if s.vacant:
                if s.load:
                    s.exponent_reg <<= s.first
            elif s.shifts_reg:
                s.exponent_reg <<= s.shifted
            elif s.gives:
                s.exponent_reg <<= s.filled

    else:

        @update_ff
        def seq_exponent_forgotten():
            s.shifts_reg <<= s.advance & s.shift
            if s.vacant:
                if s.load:
                    s.exponent_reg <<= s.first
            elif s.shifts_reg:
                s.exponent_reg <<= s.shifted
