"""Selects the product of a step to offer to a lane, and the product to which a result belongs.

A *slot* is the number of a product, and its bit in a mask (``rtl.lib.slots``). A lane forms the
products of a step in the order of slots. *Pending* products are not accepted yet, *awaited* ones
have no result yet. Four components have the same ports.
"""

from typing import Any

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, mk_bits, update, update_ff


def add_lane_slot_ports(s: Any, count: int) -> None:
    """Declare the ports of a component that serves one lane.

    Ports
    -----
    pending, awaited : in, count bits each; products of the current step that the lane has not
        accepted; products of the current step that have no result
    upcoming : in, count bits; products of the next step, which begins after ``advance``
    advance : in, 1 bit; the next step begins in the next cycle
    accepts, answers : in, 1 bit each; the lane accepts the offered product; the lane has a result
    offers : out, 1 bit; a product is offered
    chosen : out, count bits; slot (one-hot) of the product that is offered, or will be in the next
        step (``SingleLaneSlotAhead``)
    accepted, answered : out, count bits each; slot (one-hot) of the product that is accepted, and
        of the product whose result comes; 0: none
    """
    Mask = mk_bits(count)
    s.pending = InPort(Mask)
    s.awaited = InPort(Mask)
    s.upcoming = InPort(Mask)
    for name in ("advance", "accepts", "answers"):
        setattr(s, name, InPort(1))
    s.offers = OutPort(1)
    s.chosen = OutPort(Mask)
    s.accepted = OutPort(Mask)
    s.answered = OutPort(Mask)


class LaneSlots(Component):
    """Offers the lowest pending slot; combinational.

    Ports
    -----
    The ports of ``add_lane_slot_ports``; ``upcoming`` and ``advance`` are not read.
    """

    def construct(s, count: int):
        add_lane_slot_ports(s, count)

        @update
        def comb_offer():
            s.offers @= s.pending != 0
            # x & -x has the lowest 1 of x alone: the carry of the negation ends there.
            s.chosen @= s.pending & (~s.pending + 1)

        @update
        def comb_taken():
            s.accepted @= 0
            if s.accepts:
                s.accepted @= s.chosen
            s.answered @= 0
            if s.answers:
                s.answered @= s.awaited & (~s.awaited + 1)


class SingleLaneSlot(Component):
    """Offers the only pending slot; combinational.

    Ports
    -----
    The ports of ``add_lane_slot_ports``; ``upcoming`` and ``advance`` are not read.
    """

    def construct(s, count: int):
        add_lane_slot_ports(s, count)
        s.chosen //= s.pending

        @update
        def comb_offer():
            s.offers @= s.pending != 0

        @update
        def comb_taken():
            s.accepted @= 0
            if s.accepts:
                s.accepted @= s.pending
            s.answered @= 0
            if s.answers:
                s.answered @= s.awaited


class SingleLaneSlotAhead(Component):
    """Offers the only slot of a step, and names the slot of the next step.

    With many slots, ``SingleLaneSlot`` would offer a product late in the cycle, and the store would
    decode it later still. Here the store decodes ``chosen`` in the cycle of ``advance``, and holds
    what it decoded.

    Ports
    -----
    The ports of ``add_lane_slot_ports``; ``upcoming`` is steady from the cycle before ``advance``
    on, and 0 if no step follows. ``chosen`` is the slot of the next step. And:

    upcomes : out, 1 bit; with ``advance``: the next step has a product
    """

    def construct(s, count: int):
        add_lane_slot_ports(s, count)
        s.upcomes = OutPort(1)
        s.upcoming_reg = Wire(Bits1)
        s.upcomes //= s.upcoming_reg
        s.offers_reg = Wire(Bits1)
        s.offers //= s.offers_reg
        s.chosen //= s.upcoming

        @update
        def comb_taken():
            s.accepted @= 0
            if s.accepts & s.offers_reg:
                s.accepted @= s.pending
            s.answered @= 0
            if s.answers:
                s.answered @= s.awaited

        @update_ff
        def seq_offers():
            s.upcoming_reg <<= s.upcoming != 0
            s.offers_reg <<= s.offers_reg & ~s.accepts & ~s.reset
            if s.advance:
                s.offers_reg <<= s.upcoming_reg & ~s.reset


class LaneSlotsAhead(Component):
    """Offers the slot that was the lowest pending one in the cycle before.

    For lanes that do not accept products in consecutive cycles: in the cycle after an acceptance,
    nothing is offered, because the registered choice still names the accepted product.

    Ports
    -----
    The ports of ``add_lane_slot_ports``; ``upcoming`` is steady from the cycle before ``advance``
    on.
    """

    def construct(s, count: int):
        add_lane_slot_ports(s, count)
        Mask = mk_bits(count)
        s.first_upcoming_reg = Wire(Mask)
        s.chosen_reg = Wire(Mask)
        s.chosen //= s.chosen_reg

        @update
        def comb_offer():
            s.offers @= (s.chosen_reg & s.pending) != 0

        @update
        def comb_taken():
            s.accepted @= 0
            if s.accepts:
                s.accepted @= s.chosen_reg & s.pending
            s.answered @= 0
            if s.answers:
                s.answered @= s.awaited & (~s.awaited + 1)

        @update_ff
        def seq_chosen():
            s.first_upcoming_reg <<= s.upcoming & (~s.upcoming + 1)
            s.chosen_reg <<= s.pending & (~s.pending + 1)
            if s.advance:
                s.chosen_reg <<= s.first_upcoming_reg


class LaneEnd(Component):
    """Tells whether no result of a lane is outstanding after this cycle.

    Parameters
    ----------
    count : int; number of slots of the lane
    single : bool; the lane forms at most one product per step

    Ports
    -----
    awaited : in, count bits; products of the current step that have no result
    answers : in, 1 bit; the lane has a result
    over : out, 1 bit; no result is outstanding; depends on registers and ``answers``; valid from
        the second cycle of a step on, if the lane does not answer in consecutive cycles
    """

    def construct(s, count: int, single: bool):
        s.awaited = InPort(count)
        s.answers = InPort(1)
        s.over = OutPort(1)
        s.none_reg = Wire(Bits1)
        s.one = Wire(Bits1)

        @update
        def comb_over():
            s.over @= s.none_reg | (s.one & s.answers)

        @update_ff
        def seq_none():
            s.none_reg <<= s.awaited == 0

        if single:
            s.one //= 1
        else:
            s.one_reg = Wire(Bits1)
            s.one //= s.one_reg

            @update_ff
            def seq_one():
                s.one_reg <<= (s.awaited & (s.awaited - 1)) == 0
