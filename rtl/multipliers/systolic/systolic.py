"""Systolic: a multiplier with a row of processing elements for each lane."""

from pymtl3 import Component, InPort, connect

from rsaxcel.fl.multipliers.systolic import Systolic as Golden
from rsaxcel.rtl.lib.word_lane import WordLane
from rsaxcel.rtl.multipliers.systolic.lane import SystolicLane


class Systolic(Component):
    """Computes ``a * b / R mod m``, R = 2**(k * words); operands and results are below 2m.

    Parameters
    ----------
    nbits : int; width of the modulus in bits
    lanes : int; number of lanes; each forms one product at a time
    slot_nbits : int; width in bits of a token: the number by which the store names a product
        (``rtl.stores.words``), and which the multiplier does not decode
    radix_nbits : int; k: width of a word in bits
    final_subtraction : str; ``"on"``: m is subtracted from a result that is not below m, so that
        operands and results are below m instead of 2m

    Ports
    -----
    lanes : one ``WordLane`` per lane
    m_prime : in, radix_nbits bits; -m**-1 mod 2**k, stable while products run

    Latency: ``3 * words + 1`` cycles from a product to its ``answers``, and ``words`` more with the
    final subtraction; the words of the result follow, one per cycle. One product per lane at a
    time; the next is accepted in the cycle after ``answers``.

    Source: Morales-Romero et al., algorithms 1 to 4, figures 1 to 5.
    """

    def construct(s, nbits, lanes, slot_nbits, radix_nbits, final_subtraction):
        golden = Golden(nbits, radix_nbits, final_subtraction)
        s.lanes = [WordLane(radix_nbits, golden.words, slot_nbits) for _ in range(lanes)]
        s.m_prime = InPort(radix_nbits)
        s.rows = [
            SystolicLane(radix_nbits, golden.words, slot_nbits, golden.subtracts)
            for _ in range(lanes)
        ]
        for lane, row in zip(s.lanes, s.rows, strict=True):
            connect(lane, row.lane)
            connect(s.m_prime, row.m_prime)
