"""Blinding of exponents: lanes form the exponents digit by digit (``plan.measures.Blinding``).

Blinding of the message changes no part: products alone blind it.
"""

from typing import Any

from pymtl3 import InPort, OutPort

from rsaxcel.plan.programs import Program
from rsaxcel.rtl.exponentiators.halves import OtherHalf
from rsaxcel.rtl.exponentiators.look_ahead import LookAheadSequencer
from rsaxcel.rtl.exponentiators.program_executor import ProgramExecutor
from rsaxcel.rtl.lib.adjust import connect_named
from rsaxcel.rtl.parts import CircuitMeasure, part_of
from rsaxcel.rtl.stores.digit_bank import DigitBank
from rsaxcel.rtl.stores.digits import DigitStore


class BlindedExecutor(ProgramExecutor):
    """``ProgramExecutor`` whose sequencer gets the exponents from the lanes."""

    def make_sequencer(s, program: Program, kind: type, digit_nbits: int, *more: type) -> Any:
        return part_of(program, kind, *more)(program, digit_nbits)

    def connect_exponents(s, sequencer: "BlindedSequencer", program: Program) -> None:
        sequencer.exponent_in //= 0
        sequencer.other_exponent //= 0
        for lane in range(program.lanes):
            sequencer.gives[lane] //= s.store.gives_exponent[lane]
            sequencer.given[lane] //= s.store.exponent_digit[lane]


class BlindedSequencer(LookAheadSequencer):
    """``LookAheadSequencer`` for exponents that the lanes form in the first step.

    More ports
    ----------
    gives, given : in, 1 and given_nbits bits, per lane: ``given`` is the next digit of the
        exponent, the lowest one first
    """

    def add_exponents(s, lanes: int, given_nbits: int) -> None:
        s.gives = [InPort(1) for _ in range(lanes)]
        s.given = [InPort(given_nbits) for _ in range(lanes)]
        s.scan.gives //= s.gives[0]
        s.scan.given //= s.given[0]
        if lanes > 1:
            s.other_half.gives //= s.gives[1]
            s.other_half.given //= s.given[1]


class BlindedOtherHalf(OtherHalf):
    """``OtherHalf`` with the ports ``gives`` and ``given`` of ``ExponentScan``."""

    def add_scan(s, program: Program, given_nbits: int) -> None:
        super().add_scan(program, given_nbits)
        s.gives = InPort(1)
        s.given = InPort(given_nbits)
        connect_named(s.scan, s, "gives", "given")


class BlindedStore(DigitStore):
    """``DigitStore`` that outputs the blinded exponents.

    More ports
    ----------
    gives_exponent : out, 1 bit each; per lane: ``exponent_digit`` is the next digit of the
        exponent, the lowest one first
    exponent_digit : out, digit_nbits bits each; per lane
    """

    def construct(s, nbits, program: Program, multiplier, rules, request_type):
        digit_nbits = DigitStore.digit_nbits(nbits, program, multiplier)
        s.gives_exponent = [OutPort(1) for _ in range(program.lanes)]
        s.exponent_digit = [OutPort(digit_nbits) for _ in range(program.lanes)]
        super().construct(nbits, program, multiplier, rules, request_type)

    def connect_results(s, bank: "BlindedBank", lane: int) -> None:
        super().connect_results(bank, lane)
        s.gives_exponent[lane] //= bank.gives_order
        s.exponent_digit[lane] //= bank.digit


class BlindedBank(DigitBank):
    """``DigitBank`` whose lane forms an exponent.

    More ports
    ----------
    gives_order : out, 1 bit; ``digit`` is a digit of the exponent
    """

    def make_lane(s, program: Program, nbits: int, kind: type, params: dict[str, Any]) -> Any:
        order_digits = -(-program.scan.exponent_nbits // s.digit._dsl.Type.nbits)
        return super().make_lane(program, nbits, kind, {**params, "order_digits": order_digits})

    def connect_whole(s, wholes: bool) -> None:
        s.gives_order = OutPort(1)
        s.gives_order //= s.lane.gives_order
        s.lane.less //= s.choice.less
        super().connect_whole(True)


BLINDING = CircuitMeasure(
    "blinding",
    lambda program: program.forms_exponents,
    {
        ProgramExecutor: BlindedExecutor,
        LookAheadSequencer: BlindedSequencer,
        OtherHalf: BlindedOtherHalf,
        DigitStore: BlindedStore,
        DigitBank: BlindedBank,
    },
)
