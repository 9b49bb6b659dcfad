"""DigitStore: residues that one or two lanes read digit by digit."""

from collections.abc import Sequence
from typing import Any

from pymtl3 import (
    Bits1,
    Component,
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
from rsaxcel.rtl.lib.adjust import connect_low
from rsaxcel.rtl.stores.confirmation import Confirmation
from rsaxcel.rtl.stores.digit_bank import DigitBank
from rsaxcel.rtl.stores.digit_copies import add_store_copies
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
    multiplier : catalog.units.Unit; the lane (``rtl.lib.digit_lane``)
    rules : fl.status.InputRules or None; input rules; None: the request carries a status

    Ports
    -----
    The ports of every store (``rtl.stores.ports``). Only for a program that blinds exponents:

    gives_exponent : out, 1 bit each; per lane: ``exponent_digit`` is the next digit of the
        exponent, the lowest one first
    exponent_digit : out, digit_nbits bits each; per lane

    If states are doubled, there are more ports (``add_store_copies``).

    A request is accepted at once. In the next
    cycle, the input rules are checked on the registers, and the lanes begin to prepare for the
    moduli. The store is cleared (``rtl.exponentiators.clearing``).
    """

    # The lanes leave time for a sequencer that computes the next step in advance.
    looks_ahead = True

    is_cleared = True  # the executor is cleared after each request

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
        lanes, split = program.lanes, program.split
        if program.blinds_exponents:
            digit_nbits = DigitStore.digit_nbits(nbits, program, multiplier)
            s.gives_exponent = [OutPort(1) for _ in range(lanes)]
            s.exponent_digit = [OutPort(digit_nbits) for _ in range(lanes)]
        bank_nbits = split.nbits if split else nbits
        message_nbits = 2 * split.nbits if split else 0

        sources = [LaneSources(program, lane) for lane in range(lanes)]
        fields = [[given_by(s.request, each) for each in x.given] for x in sources]
        s.prepare_reg = Wire(Bits1)
        s.offered_to_lane = [Wire(Bits1) for _ in range(lanes)]
        s.lane_accepts = [Wire(Bits1) for _ in range(lanes)]
        banks = []  # no attribute, because PyMTL3 wants equal ports in a list of components
        for lane in range(lanes):
            widest = max((nbits for _, nbits in fields[lane]), default=0)
            widths = (widest,) * len(fields[lane])  # PyMTL3 wants equal ports in a list
            bank = DigitBank(bank_nbits, program, lane, multiplier, widths, message_nbits)
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
            bank.blank //= s.blank
            bank.clears //= s.clears
            bank.chosen //= s.chosen[lane]
            if program.check:
                bank.advances //= s.advances
                bank.half //= s.to_half
                bank.index //= s.to_other_index if lane else s.to_index
            else:
                bank.index //= s.other_index if split and lane else s.index
            s.answers[lane] //= bank.answer
            if program.blinds_exponents:
                s.gives_exponent[lane] //= bank.gives_order
                s.exponent_digit[lane] //= bank.digit
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
            s.cleared @= s.accepts[0]  # the other lane takes as long

        @update_ff
        def seq_prepare():
            s.prepare_reg <<= (s.loads | s.begins_turn) & ~s.reset

        s.modulus_reg = Wire(s.request.m._dsl.Type)
        connect_low(s.modulus, s.modulus_reg)
        if not program.check:
            s.ready //= 1
        s.refused_reg = Wire(Bits1)

        @update_ff
        def seq_refused():
            if s.loads:
                s.refused_reg <<= 0
            elif s.refuse:
                s.refused_reg <<= 1

        if split:
            add_request_check(s, rules, None, late=program.check is not None)
            add_halves(s, nbits, split, banks, program.check is not None)
        else:
            add_request_check(s, rules, s.bank0.base)
            s.bank0.modulus //= s.modulus_reg
            s.bank0.half //= 0
            s.bank0.message //= 0

            @update
            def comb_result():
                s.results[0] @= s.bank0.result
                if s.refused_reg:
                    s.results[0] @= 0

        if program.doubled:
            add_store_copies(s, program, banks)


def given_by(request: Any, each: Given) -> tuple[Any, int]:
    """Give the bits of a request that hold a residue, and their number."""
    field = getattr(request, each.field)
    if each.nbits:
        return field[each.low : each.low + each.nbits], each.nbits
    return field, field._dsl.Type.nbits


def add_halves(
    s: DigitStore, nbits: int, split: Halves, banks: Sequence[DigitBank], checks: bool
) -> None:
    """For two halves: connect each bank to its modulus, and to the register of message and result.

    If the design ``checks`` its result, banks also read the result, and the message from a copy.
    """
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
        if not checks:
            bank.half //= s.half
            bank.message //= s.message_reg[0:k]
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
    again = int(turns)
    if checks:
        add_result_check(s, banks)
    else:

        @update
        def comb_entering():
            s.moves @= s.gives | s.bank0.takes | s.clears
            s.entering @= 0
            if s.gives:
                s.entering @= s.given
            elif s.half & again & ~s.clears:
                s.entering @= s.message_reg[0:k]

    @update_ff
    def seq_message():
        if s.idle:  # a register, unlike `loaded`, whose logic is too deep to select for all bits
            if s.loaded:
                s.message_reg <<= s.first_message
        elif s.moves:
            s.message_reg <<= concat(s.entering, s.message_reg[k : digits * k])

    s.result = Wire(mk_bits(nbits))
    s.result //= s.message_reg[0:nbits]

    if checks:

        @update
        def comb_confirmed_result():
            s.results[0] @= 0
            if s.confirmed:
                s.results[0] @= s.result

    else:

        @update
        def comb_result_of_halves():
            s.results[0] @= s.result
            if s.refused_reg:  # the register still holds the message
                s.results[0] @= 0


def add_result_check(s: Any, banks: Sequence[DigitBank]) -> None:
    """For a check of the result: keep message and result while they are read, and judge the check.

    Digits that are read are shifted in again at the high end, also in the copy of the message.
    """
    lanes, half_nbits = len(banks), banks[0].result._dsl.Type.nbits
    Message, k = s.message_reg._dsl.Type, s.given._dsl.Type.nbits
    nbits = Message.nbits
    s.reference_reg = Wire(Message)
    s.refers = Wire(Bits1)
    s.refers //= s.bank0.refers
    s.read_digit = Wire(s.given._dsl.Type)
    for bank in banks:
        bank.message //= s.read_digit

    @update
    def comb_entering_again():
        s.moves @= s.gives | (s.bank0.takes & ~s.refers) | s.clears
        s.entering @= s.message_reg[0:k]
        if s.gives:
            s.entering @= s.given
        elif s.clears:
            s.entering @= 0

    s.reference_moves = Wire(Bits1)
    s.reference_entering = Wire(s.given._dsl.Type)

    @update
    def comb_reference():
        s.reference_moves @= (s.bank0.takes & s.refers) | s.clears
        s.reference_entering @= s.reference_reg[0:k]
        if s.clears:
            s.reference_entering @= 0
        s.read_digit @= s.message_reg[0:k]
        if s.refers:
            s.read_digit @= s.reference_reg[0:k]

    @update_ff
    def seq_reference():
        if s.idle:
            if s.loaded:
                s.reference_reg <<= s.first_message
        elif s.reference_moves:
            s.reference_reg <<= concat(s.reference_entering, s.reference_reg[k:nbits])

    s.confirmation = Confirmation(half_nbits, lanes)
    s.confirmation.load //= s.loads
    s.confirmation.half //= s.half
    for lane, bank in enumerate(banks):
        s.confirmation.compares[lane] //= bank.compares
        s.confirmation.value[lane] //= bank.result
        s.confirmation.broken[lane] //= bank.broken

    @update
    def comb_confirmed():
        s.confirmed @= s.confirmation.confirmed & ~s.refused_reg
        s.ready @= ~s.confirmation.busy
