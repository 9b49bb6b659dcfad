"""DigitStore: residues that one or two lanes read digit by digit."""

from collections.abc import Sequence
from typing import Any

from pymtl3 import (
    Bits1,
    Component,
    InPort,
    OutPort,
    Wire,
    concat,
    connect,
    mk_bits,
    update,
    update_ff,
)

from rsaxcel.plan.halves import Halves
from rsaxcel.plan.kept_results import shift_cycles
from rsaxcel.plan.programs import Given, Program
from rsaxcel.rtl.lib.adjust import connect_low, connect_named
from rsaxcel.rtl.parts import part_of
from rsaxcel.rtl.stores.digit_bank import DigitBank
from rsaxcel.rtl.stores.lane_sources import LaneSources
from rsaxcel.rtl.stores.ports import add_store_ports
from rsaxcel.rtl.stores.request_check import add_request_check


class DigitStore(Component):
    """Holds a bank of residues for each lane, the modulus, and with two halves the message.

    The message is the base at its full width, which both halves read. The message's register is
    shifted digit by digit: both lanes read the digits at the same time, or the only lane reads them
    twice. The digits of the result are shifted into the same register.

    Parameters
    ----------
    nbits : int; width of base and result in bits, and of the modulus if there are no halves
    program : plan.programs.Program; residues and steps; the only program of its plan, with the
        result ``r``
    multiplier : catalog.units.Unit; the lane (``rtl.lib.lanes``)
    rules : fl.status.InputRules or None; input rules; None: the request carries a status

    Ports
    -----
    The ports of every store (``rtl.stores.ports``). For clearing:

    blank : in, 1 bit; a modulus of zeros is loaded instead of a request
    clears : in, 1 bit; from the cycle after ``blank``: the store replaces its contents by zeros
    cleared : out, 1 bit; all contents are zeros, except those of shift registers

    A request is accepted at once. In the next cycle, the input rules are checked on the registers,
    and the lanes begin to prepare for the moduli. The store is cleared (``add_clearing`` in
    ``rtl.exponentiators.program_executor``).
    """

    #: The lanes leave time for a sequencer that computes the next step in advance.
    looks_ahead = True

    is_cleared = True  #: the executor is cleared after each request

    ports_ahead: tuple[str, ...] = ()  #: ports of sequencer and store for the next step

    @staticmethod
    def shift_cycles(nbits: int, program: Program, multiplier: Any) -> int:
        """Cycles that it takes to shift exponents and message out of their registers."""
        return shift_cycles(program, DigitStore.digit_nbits(nbits, program, multiplier))

    @staticmethod
    def digit_nbits(nbits: int, program: Program, multiplier: Any) -> int:
        """Width in bits of a digit of an operand."""
        lane_nbits = program.split.nbits if program.split else nbits
        return int(multiplier.build("fl", lane_nbits).digit_nbits)

    def construct(s, nbits, program: Program, multiplier, rules, request_type):
        if program.computed_constants or program.multiplier_constants or program.sends != ("r",):
            raise ValueError(
                f"program {program.name}: must have r as its only result, and get its constants "
                "with the request"
            )
        add_store_ports(s, nbits, program, request_type)
        s.blank = InPort(1)
        s.clears = InPort(1)
        s.cleared = OutPort(1)
        lanes, split = program.lanes, program.split
        bank_nbits = split.nbits if split else nbits
        message_nbits = 2 * split.nbits if split else 0

        sources = [LaneSources(program, lane) for lane in range(lanes)]
        fields = [[given_by(s.request, each) for each in x.given] for x in sources]
        s.prepare_reg = Wire(Bits1)
        s.offered_to_lane = [Wire(Bits1) for _ in range(lanes)]
        s.lane_accepts = [Wire(Bits1) for _ in range(lanes)]
        # not an attribute, because PyMTL3 wants components in a list to have equal ports
        banks = []
        for lane in range(lanes):
            widest = max((nbits for _, nbits in fields[lane]), default=0)
            widths = (widest,) * len(fields[lane])  # PyMTL3 wants equal ports in a list
            bank_type = part_of(program, DigitBank)
            bank = bank_type(bank_nbits, program, lane, multiplier, widths, message_nbits)
            setattr(s, f"bank{lane}", bank)
            banks.append(bank)
            bank.prepare //= s.prepare_reg
            bank.offer //= s.offered_to_lane[lane]
            bank.accept //= s.lane_accepts[lane]
        for lane, bank in enumerate(banks):
            for port, (field, _) in zip(bank.given, fields[lane], strict=True):
                connect_low(port, field)
            bank.idle //= s.idle
            bank.load //= s.loaded
            connect_named(bank, s, "blank", "clears")
            bank.chosen //= s.chosen[lane]
            s.connect_step(bank, lane)
            s.connect_results(bank, lane)
            for number, port in enumerate(bank.from_other):
                connect(port, banks[1 - lane].for_other[number])

        s.begins_turn = Wire(Bits1)
        s.begins_turn //= s.turn_ends if split else 0

        @update
        def comb_offers():
            for lane in range(lanes):
                s.offered_to_lane[lane] @= s.offers[lane] & ~s.prepare_reg
                s.accepts[lane] @= s.lane_accepts[lane] & ~s.prepare_reg

        @update
        def comb_cleared():
            s.cleared @= s.accepts[0]  # both lanes take the same time

        @update_ff
        def seq_prepare():
            s.prepare_reg <<= (s.loads | s.begins_turn) & ~s.reset

        s.modulus_reg = Wire(s.request.m._dsl.Type)
        connect_low(s.modulus, s.modulus_reg)
        s.refused_reg = Wire(Bits1)

        @update_ff
        def seq_refused():
            if s.loads:
                s.refused_reg <<= 0
            elif s.refuse:
                s.refused_reg <<= 1

        if split:
            add_request_check(s, rules, None)
            add_halves(s, nbits, split, banks)
        else:
            add_request_check(s, rules, s.bank0.base)
            s.bank0.modulus //= s.modulus_reg
            s.bank0.message //= 0
            s.ready //= 1

            @update
            def comb_result():
                s.results[0] @= s.bank0.result
                if s.refused_reg:
                    s.results[0] @= 0

    def connect_step(s, bank: DigitBank, lane: int, copy: str = "") -> None:
        """Connect a bank, or its copy, to what the sequencer says about the current step."""
        connect(getattr(bank, f"{copy}half"), getattr(s, f"{copy}half", 0))
        name = "other_index" if lane else "index"
        connect(getattr(bank, f"{copy}index"), getattr(s, f"{copy}{name}"))

    def connect_results(s, bank: DigitBank, lane: int) -> None:
        s.answers[lane] //= bank.answer

    def add_reading(s, banks: Sequence[DigitBank]) -> None:
        """For two halves: let banks read the message, and shift its register."""
        k, again = s.given._dsl.Type.nbits, int(len(banks) == 1)
        for bank in banks:
            bank.message //= s.message_reg[0:k]
        s.ready //= 1

        @update
        def comb_entering():
            s.moves @= s.gives | s.bank0.takes | s.clears
            s.entering @= 0
            if s.gives:
                s.entering @= s.given
            elif s.half & again & ~s.clears:
                s.entering @= s.message_reg[0:k]

    def add_result(s) -> None:
        @update
        def comb_result_of_halves():
            s.results[0] @= s.result
            if s.refused_reg:  # the register has not replaced the message by the result
                s.results[0] @= 0


def given_by(request: Any, each: Given) -> tuple[Any, int]:
    """Return the bits of a request that hold a residue, and their number."""
    field = getattr(request, each.field)
    if each.nbits:
        return field[each.low : each.low + each.nbits], each.nbits
    return field, field._dsl.Type.nbits


def add_halves(s: DigitStore, nbits: int, split: Halves, banks: Sequence[DigitBank]) -> None:
    """Connect the bank of each half to its modulus, and to the register of message and result."""
    half_nbits, padded_nbits = split.nbits, split.padded_nbits
    k = banks[0].message._dsl.Type.nbits
    digits = -(-2 * half_nbits // k)
    Message, Digit = mk_bits(digits * k), mk_bits(k)
    s.moduli = [Wire(mk_bits(half_nbits)) for _ in range(2)]
    for half in range(2):
        low = half * padded_nbits
        s.moduli[half] //= s.modulus_reg[low : low + half_nbits]
    turns = len(banks) == 1
    if turns:
        s.turn_modulus = Wire(mk_bits(half_nbits))
        banks[0].modulus //= s.turn_modulus

        @update
        def comb_modulus():
            s.turn_modulus @= s.moduli[0]
            if s.half:
                s.turn_modulus @= s.moduli[1]

    # The message is shifted out at the low end. If one lane executes both halves, one after the
    # other (in turns), digits that are read for half 1 are shifted in again at the high end, since
    # half 0 reads them, too.
    s.message_reg = Wire(Message)
    for lane, bank in enumerate(banks):
        if not turns:
            bank.modulus //= s.moduli[lane]

    s.first_message = Wire(Message)
    connect_low(s.first_message, s.request.b)
    s.entering = Wire(Digit)
    s.gives = Wire(Bits1)
    s.moves = Wire(Bits1)
    s.given = Wire(Digit)
    s.gives //= banks[-1].gives
    s.given //= banks[-1].digit
    s.add_reading(banks)

    @update_ff
    def seq_message():
        if s.idle:  # a register, unlike `loaded`, whose logic is too deep to select for all bits
            if s.loaded:
                s.message_reg <<= s.first_message
        elif s.moves:
            s.message_reg <<= concat(s.entering, s.message_reg[k : digits * k])

    s.result = Wire(mk_bits(nbits))
    s.result //= s.message_reg[0:nbits]

    s.add_result()
