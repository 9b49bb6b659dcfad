"""Ports of a lane: of one that reads words, and of one that keeps its last result."""

from pymtl3 import Component, InPort, Interface, OutPort, clog2, mk_bits

from rsaxcel.fl.contract import DigitMultiplier


def index_nbits(words: int) -> int:
    """Width in bits of an index that selects one of ``words`` words, at least 1."""
    return max(1, clog2(words))


class WordLane(Interface):
    """Ports of a word-serial multiplier for one lane, seen from the multiplier.

    Parameters
    ----------
    word_nbits : int; width of a word in bits
    words : int; words of an operand
    slot_nbits : int; width in bits of a token. A token stands for a product: it is the product's
        number (slot, one-hot) with a table index, if any; the multiplier does not decode it

    Ports
    -----
    See ``rtl.stores.words`` for directions and widths.
    """

    def construct(s, word_nbits: int, words: int, slot_nbits: int):
        Word = mk_bits(word_nbits)
        Index = mk_bits(index_nbits(words))
        Slot = mk_bits(slot_nbits)
        s.offered = InPort(1)
        s.slot = InPort(Slot)
        s.accepts = OutPort(1)
        s.answers = OutPort(1)
        s.read_slot = OutPort(Slot)
        s.a_index = OutPort(Index)
        s.b_index = OutPort(Index)
        s.m_index = OutPort(Index)
        s.a_word = InPort(Word)
        s.b_word = InPort(Word)
        s.m_word = InPort(Word)
        s.write = OutPort(1)
        s.write_slot = OutPort(Slot)
        s.write_index = OutPort(Index)
        s.write_word = OutPort(Word)


#: Inputs of every lane that keeps its last result; a lane can have inputs for constants of the
#: modulus in addition.
LANE_INPUTS = ("prepare", "m", "offered", "loads", "b_first", "a_digit", "reduce")

#: Inputs and outputs that a lane has for the copy of its control, too.
COPIED_IN = ("offered", "reduce", "loads", "doubles", "whole", "less")
COPIED_OUT = ("accepts", "answers", "kept", "reduced")


def add_kept_lane_ports(
    s: Component,
    golden: DigitMultiplier,
    doubles: bool = False,
    whole_digits: int = 0,
    order_digits: int = 0,
    copied: bool = False,
) -> None:
    """Declare the ports of a lane that keeps its last result, seen from the lane.

    Parameters
    ----------
    golden : fl.contract.DigitMultiplier
    doubles : bool; operand ``a`` can have twice the digits of a residue; the product is divided by
        R**2
    whole_digits, order_digits : int; digits of ``a * m + b_first`` and of ``a * (m - 1) +
        b_first``, formed without a reduction; 0: the lane cannot form it
    copied : bool; the lane has a copy of its control, with which it is compared

    Ports
    -----
    prepare : in, 1 bit; ``m`` is new in this cycle. The lane aborts its product and prepares for
        ``m``. The preparation ends with ``kept``; then no state of the lane depends on earlier
        operands, and ``b`` is 0 if ``m`` is 0
    m : in, nbits bits; stable from ``prepare`` to the next ``prepare``
    offered : in, 1 bit; a product is offered
    loads : in, 1 bit; operand b of the product is ``b_first``, not the last result
    accepts : out, 1 bit; the product is accepted in a cycle in which ``offered`` is 1, too
    b_first : in, residue_nbits bits; stable until the product's first iteration
    select : out, golden.digits bits; one-hot index of the digit of operand ``a`` that is
        fetched; 0: none
    shifts : out, 1 bit; in the next cycle, the digit after the one that is fetched is fetched, if
        there is one
    a_digit : in, digit_nbits bits; the digit *in the same cycle*; 0 if none is fetched. If operand
        a is the last result, the store may take its digits from ``b`` after ``kept``. The store
        may take the low digits, which the last iterations produce, earlier.
    answers : out, 1 bit; 1 for one cycle, once per product: from the next cycle on, the lane
        accepts products, also with the result of this product as operand a, b or both
    reduce : in, 1 bit; with ``answers``: the result is brought below m, and divided by
        ``golden.final_factor``; the lane is prepared again before the next product modulo m
    b : out, residue_nbits bits; the last result, signed
    kept : out, 1 bit; 1 for one cycle, once per result: ``b`` is complete; the next product may be
        running
    reduced : out, 1 bit; with ``kept``: ``b`` is a reduced result

    With ``doubles``:

    doubles : in, 1 bit; with ``offered``: operand a has first and second digits, each as many as a
        residue has
    follows : in, 1 bit; until the second digits are fetched: they and the first ones are one
        number; 0: they are two numbers
    second : out, 1 bit; a second digit is fetched

    With ``whole_digits`` or ``order_digits``:

    whole : in, 1 bit; with ``offered`` and ``loads``: the lane forms ``a * m + b_first``; ``b`` is
        undefined then
    gives : out, 1 bit; ``digit`` is one of ``a * m + b_first``, the lowest one first
    digit : out, digit_nbits bits

    With ``order_digits``:

    less : in, 1 bit; with ``whole``: the lane forms ``a * (m - 1) + b_first``
    gives_order : out, 1 bit; ``digit`` is one of ``a * (m - 1) + b_first``

    With ``copied``: ``copy_`` before a name is that input or output of the copy; ``differed``
    (out): an output of the control differed from that of the copy in the last cycle.
    """
    s.prepare = InPort(1)
    s.m = InPort(golden.nbits)
    s.offered = InPort(1)
    s.loads = InPort(1)
    s.accepts = OutPort(1)
    s.b_first = InPort(golden.residue_nbits)
    s.select = OutPort(golden.digits)
    s.shifts = OutPort(1)
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
    if order_digits:
        s.less = InPort(1)
        s.gives_order = OutPort(1)
    if whole_digits or order_digits:
        s.whole = InPort(1)
        s.gives = OutPort(1)
        s.digit = OutPort(golden.digit_nbits)
    if copied:
        for name in COPIED_IN:
            setattr(s, f"copy_{name}", InPort(1))
        for name in COPIED_OUT:
            setattr(s, f"copy_{name}", OutPort(1))
        s.copy_follows = InPort(1)
        s.copy_select = OutPort(golden.digits)
        s.copy_second = OutPort(1)
        s.differed = OutPort(1)
