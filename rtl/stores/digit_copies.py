"""Copies of the machines of a ``DigitStore``, with which they are compared in every cycle."""

from collections.abc import Sequence
from typing import Any

from pymtl3 import Bits1, InPort, OutPort, Wire, update, update_ff

from rsaxcel.plan.programs import Program
from rsaxcel.rtl.stores.digit_bank import DigitBank
from rsaxcel.rtl.stores.ports import ports_ahead


def add_store_copies(s: Any, program: Program, banks: Sequence[DigitBank]) -> None:
    """Compare the machines of the lanes, and registers of the store, with their copies.

    The registers depend on inputs alone, so their copies are inverted: equal ones would be merged.
    Ports: ``copy_*`` from and for the sequencer's copy. ``wavers``: it is not sure whether the
    request is refused; valid unless ``blank``. ``differed``: another machine or register differed
    in the last cycle; valid unless the store was cleared then.
    """
    lanes = len(banks)
    s.copy_offers = [InPort(1) for _ in range(lanes)]
    s.copy_chosen = [InPort(s.chosen[0]._dsl.Type) for _ in range(lanes)]
    s.copy_index = InPort(s.index._dsl.Type)
    s.copy_other_index = InPort(s.index._dsl.Type)
    s.copy_half = InPort(1)
    s.copy_turn_ends = InPort(1)
    for name in ports_ahead(program):
        setattr(s, f"copy_{name}", InPort(getattr(s, name)._dsl.Type))
    s.copy_accepts = [OutPort(1) for _ in range(lanes)]
    s.copy_answers = [OutPort(1) for _ in range(lanes)]
    s.wavers = OutPort(1)
    s.differed = OutPort(1)
    s.lane_differed = [Wire(Bits1) for _ in range(lanes)]
    s.copy_offered = [Wire(Bits1) for _ in range(lanes)]
    s.copy_accepted = [Wire(Bits1) for _ in range(lanes)]
    for lane, bank in enumerate(banks):
        s.lane_differed[lane] //= bank.differed
        bank.copy_offer //= s.copy_offered[lane]
        bank.copy_chosen //= s.copy_chosen[lane]
        if program.check:
            bank.copy_advances //= s.copy_advances
            bank.copy_half //= s.copy_to_half
            bank.copy_index //= s.copy_to_other_index if lane else s.copy_to_index
        else:
            bank.copy_half //= s.copy_half
            bank.copy_index //= s.copy_other_index if lane else s.copy_index
        s.copy_accepted[lane] //= bank.copy_accept
        s.copy_answers[lane] //= bank.copy_answer
    s.unprepared_reg = Wire(Bits1)
    s.unrefused_reg = Wire(Bits1)
    s.equal_reg = Wire(Bits1)  # ``prepare_reg`` and its inverted copy were equal

    @update
    def comb_copy_offers():
        for lane in range(lanes):
            s.copy_offered[lane] @= s.copy_offers[lane] & s.unprepared_reg
            s.copy_accepts[lane] @= s.copy_accepted[lane] & s.unprepared_reg

    @update
    def comb_wavers():
        s.wavers @= s.refused_reg == s.unrefused_reg

    @update
    def comb_differed():
        s.differed @= s.equal_reg
        for lane in range(lanes):
            if s.lane_differed[lane]:
                s.differed @= 1

    @update_ff
    def seq_inverted():
        s.equal_reg <<= s.prepare_reg == s.unprepared_reg
        s.unprepared_reg <<= ~((s.loads | s.copy_turn_ends) & ~s.reset)
        if s.loads:
            s.unrefused_reg <<= 1
        elif s.refuse:
            s.unrefused_reg <<= 0
