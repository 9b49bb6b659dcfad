"""Ports of the lanes of ``rtl.exponentiators.merged``, each in its multiplier's file."""

from typing import Any

from pymtl3 import InPort, OutPort


def add_merged_lane_ports(s: Any, nbits: int) -> None:
    """Add the ports of a lane that keeps the result of its products, and multiplies it.

    b, m : in, nbits bits each; base and modulus, which stay as they are
    first : in, 1 bit; the result becomes 1, or 0 if ``zero``; only while ``rests``
    zero : in, 1 bit
    start : in, 1 bit; a product begins; only while ``rests``
    squares : in, 1 bit; from the cycle after ``start`` on, the product is a square, else one with
        b; in the cycle of ``start``, its complement
    rests : out, 1 bit; no product is being formed
    result : out, nbits bits; from the second cycle of ``rests`` on
    """
    s.b = InPort(nbits)
    s.m = InPort(nbits)
    for name in ("first", "zero", "start", "squares"):
        setattr(s, name, InPort(1))
    s.rests = OutPort(1)
    s.result = OutPort(nbits)
