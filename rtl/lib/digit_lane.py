"""What a lane that keeps its last result and a store of digits say to each other."""

from pymtl3 import Component, InPort, OutPort

from fl.multipliers.contract import DigitMultiplier

LANE_INPUTS = ("prepare", "m", "offered", "loads", "b_first", "a_digit", "reduce")
"""Inputs of a lane besides constants of the modulus."""


def add_lane_ports(
    s: Component, golden: DigitMultiplier, doubles: bool = False, whole_digits: int = 0
) -> None:
    """Declare the ports of a lane, seen from the lane.

    Parameters
    ----------
    s : Component
        The lane.
    golden : fl.multipliers.contract.DigitMultiplier
        Its contract.
    doubles : bool
        Whether it forms products of twice the digits, divided by R twice.
    whole_digits : int
        Digits of the result of a product of a and m as an integer, with a number added; 0: it forms
        none.

    Ports
    -----
    prepare : in, 1 bit; ``m`` is new with this cycle, and whatever was going on is given up; when
        ``b`` is complete, nothing in the lane depends on it, and ``b`` is 0 where m is
    m : in, nbits bits; steady from ``prepare`` to the next one
    offered : in, 1 bit; a product is offered
    loads : in, 1 bit; its b is not the last result, but ``b_first``
    accepts : out, 1 bit; it is taken in a cycle in which this and ``offered`` are 1
    b_first : in, residue_nbits bits; steady until the product's first iteration
    select : out, golden.digits bits; which digit of a is fetched (one-hot), or none
    a_digit : in, digit_nbits bits; that digit *in the same cycle*; 0 for none. From the cycle in
        which the last product was kept on, and for the digits that its last iterations left
        before, this may be one of ``b``.
    answers : out, 1 bit; for one cycle: in the next one, a product may be accepted whose b, whose a
        or both are this one's result
    reduce : in, 1 bit; with ``answers``: the result is brought below m, and divided by
        ``golden.final_factor``; the lane prepares again before the next product modulo m
    b : out, residue_nbits bits; the last result, signed
    kept : out, 1 bit; for one cycle: it is complete, and was not reported before; the next product
        may be under way
    reduced : out, 1 bit; with ``kept``: it is a reduced one

    With ``doubles``:

    doubles, follows : in, 1 bit each; with ``offered``: the product has twice the digits; those
        that come second belong to the same number, otherwise to one of its own
    second : out, 1 bit; the digits that are fetched are these

    With ``whole_digits``:

    whole : in, 1 bit; with ``offered`` and ``loads``: the product is one of a and m as an integer,
        to which ``b_first`` is added; ``b`` is of no use then
    gives : out, 1 bit; a digit of it is there, the lowest one first
    digit : out, digit_nbits bits; that digit
    """
    s.prepare = InPort(1)
    s.m = InPort(golden.nbits)
    s.offered = InPort(1)
    s.loads = InPort(1)
    s.accepts = OutPort(1)
    s.b_first = InPort(golden.residue_nbits)
    s.select = OutPort(golden.digits)
    s.a_digit = InPort(golden.digit_nbits)
    s.answers = OutPort(1)
    s.reduce = InPort(1)
    s.b = OutPort(golden.residue_nbits)
    s.kept = OutPort(1)
    s.reduced = OutPort(1)
    if doubles:
        s.doubles = InPort(1)
        s.follows = InPort(1)
        s.second = OutPort(1)
    if whole_digits:
        s.whole = InPort(1)
        s.gives = OutPort(1)
        s.digit = OutPort(golden.digit_nbits)
