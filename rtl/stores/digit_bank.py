"""DigitBank: a lane that keeps its last result, with the registers of all other residues."""

from typing import Any

from pymtl3 import Component, InPort, OutPort, connect, update

from rsaxcel.plan.programs import Program
from rsaxcel.rtl.lib.agreement import add_agreement
from rsaxcel.rtl.lib.digit_lane import COPIED_IN, COPIED_OUT
from rsaxcel.rtl.stores.digit_choice import DigitChoice, DigitChoiceAhead
from rsaxcel.rtl.stores.digit_reader import DigitReader, HeldDigitReader
from rsaxcel.rtl.stores.lane_residues import LaneResidues
from rsaxcel.rtl.stores.lane_sources import LaneSources
from rsaxcel.rtl.stores.product_in_flight import ProductInFlight


class DigitBank(Component):
    """A lane with its residues, made of five parts.

    =============  ===============================  ===========================================
    part           component                        what it holds or gives
    =============  ===============================  ===========================================
    ``choice``     ``DigitChoice``                  sources, destination of the offered product
    ``in_flight``  ``ProductInFlight``              sources, destination of the current product
    ``residues``   ``LaneResidues``                 registers; the operand that is loaded whole
    ``reader``     ``DigitReader``                  digits of the other operand
    ``lane``       a lane (``rtl.lib.digit_lane``)  the products
    =============  ===============================  ===========================================

    If the program checks its result, ``choice`` is a ``DigitChoiceAhead``, and ``reader`` is a
    ``HeldDigitReader``.

    Parameters
    ----------
    nbits : int; width of the lane's moduli in bits
    widths : tuple of int; width of each port ``given`` in bits
    message_nbits : int; width in bits of the message (the base at its full width, before it is
        reduced for a half), which comes digit by digit; 0: there is no message

    Ports
    -----
    modulus : in, nbits bits; the modulus, or the modulus of the half that the lane executes; new in
        the cycle of ``prepare``
    prepare : in, 1 bit; the lane prepares for a new modulus
    idle, load, blank, given : in; see ``LaneResidues``
    clears : in, 1 bit; with ``prepare``, for a modulus of zeros: all registers become zeros
    half : in, 1 bit; half to which the product ``chosen`` belongs, if the lane executes both halves
    advances : in, 1 bit; only with a check: ``chosen`` (see ``rtl.stores.ports``), ``half`` and
        ``index`` are of the next step, which begins in the next cycle
    offer, chosen, accept, answer, index : ports of a lane; see ``rtl.stores.ports``
    message : in, digit_nbits bits; the lowest digit of the message that has not been taken
    takes : out, 1 bit; ``message`` is taken
    from_other : in, residue_nbits bits each; residues of the other lane that this lane reads
    for_other : out, residue_nbits bits each; residues of this lane that the other lane reads
    gives, digit : out, 1 and digit_nbits bits; while ``gives`` is 1, ``digit`` is a digit of the
        result that combines both halves
    gives_order : out, 1 bit; only with blinded exponents: ``digit`` is a digit of the exponent
    refers : out, 1 bit; only with a check of the result: ``message`` has to be a digit of the copy
        of the message
    compares : out, 1 bit; only with a check: ``result`` has to be compared with 1 in this cycle
    broken : out, 1 bit; only with a check: a register is at fault (``ProductInFlight``, lane)
    differed : out, 1 bit; only if states are doubled: the lane, or ``in_flight``, differed from its
        copy in the last cycle; there are more ports then (``add_bank_copies``)
    base : out, nbits bits; the residue b, if the request gives it
    result : out, nbits bits; the reduced result
    """

    def construct(s, nbits, program: Program, lane, multiplier, widths, message_nbits=0):
        sources = LaneSources(program, lane)
        golden = multiplier.build("fl", nbits)
        k, residue_nbits = golden.digit_nbits, golden.residue_nbits
        message_digits = -(-message_nbits // k)
        doubles, wholes = sources.doubles, sources.wholes

        s.modulus = InPort(nbits)
        s.prepare = InPort(1)
        s.idle = InPort(1)
        s.load = InPort(1)
        s.blank = InPort(1)
        s.clears = InPort(1)
        s.given = [InPort(width) for width in widths]
        s.half = InPort(1)
        s.offer = InPort(1)
        s.chosen = InPort(len(sources.products))
        s.accept = OutPort(1)
        s.answer = OutPort(1)
        s.index = InPort(program.scan.index_nbits)
        s.message = InPort(k)
        s.takes = OutPort(1)
        s.gives = OutPort(1)
        s.digit = OutPort(k)
        s.result = OutPort(nbits)
        s.base = OutPort(nbits)
        s.from_other = [InPort(residue_nbits) for _ in sources.from_other_lane]
        s.for_other = [OutPort(residue_nbits) for _ in sources.for_other_lane]

        blinds = sources.blinds
        more = {"doubles": doubles, "whole_digits": message_digits if wholes else 0}
        if blinds:
            more["order_digits"] = program.scan.exponent_nbits // k
        if program.check or program.doubled:
            lane_type = multiplier.classes.rtl
            lane_type = lane_type.with_held if program.check else lane_type
            lane_type = lane_type.with_copy if program.doubled else lane_type
            s.lane = lane_type(nbits, **dict(multiplier.params), **more)
        else:
            s.lane = multiplier.build("rtl", nbits, **(more if program.split else {}))
        s.lane.m //= s.modulus
        s.lane.prepare //= s.prepare
        s.lane.offered //= s.offer
        s.accept //= s.lane.accepts
        s.result //= s.lane.b[0:nbits]

        if program.check:
            s.advances = InPort(1)
            s.choice = DigitChoiceAhead(sources)
            s.choice.advances //= s.advances
            s.choice.clears //= s.clears
        else:
            s.choice = DigitChoice(sources)
        s.choice.half //= s.half
        s.choice.chosen //= s.chosen
        s.choice.index //= s.index
        s.lane.loads //= s.choice.loads

        s.in_flight = ProductInFlight(sources)

        @update
        def comb_begins():
            s.in_flight.begins @= s.offer & s.accept

        for name in ("source", "tail", "loaded", "written", "loads", "reduced"):
            connect(getattr(s.in_flight, f"next_{name}"), getattr(s.choice, name))
        for name in ("answers", "kept", "reduced"):
            connect(getattr(s.in_flight, name), getattr(s.lane, name))
        s.in_flight.load //= s.load
        s.in_flight.prepare //= s.prepare
        s.in_flight.clears //= s.clears
        s.lane.reduce //= s.in_flight.reduces
        s.answer //= s.in_flight.done

        s.residues = LaneResidues(residue_nbits, sources, widths)
        for port, value in zip(s.residues.given, s.given, strict=True):
            port //= value
        s.residues.idle //= s.idle
        s.residues.load //= s.load
        s.residues.blank //= s.blank
        s.residues.clears //= s.clears
        s.residues.kept //= s.lane.kept
        s.residues.result //= s.lane.b
        s.residues.written //= s.in_flight.unkept
        s.residues.loaded //= s.in_flight.loaded
        s.lane.b_first //= s.residues.operand
        for name, port in zip(sources.for_other_lane, s.for_other, strict=True):
            port //= s.residues.residues[sources.kept.registers[name, lane]]
        if "b" in program.receives and not program.split:
            base = sources.kept.register("b", 0)
            assert base is not None
            s.base //= s.residues.residues[base][0:nbits]
        else:
            s.base //= 0

        reader = HeldDigitReader if program.check else DigitReader
        s.reader = reader(golden, sources, message_digits)
        s.reader.source //= s.in_flight.source
        if program.check:
            s.reader.shifts //= s.lane.shifts
        else:
            s.reader.tail //= s.in_flight.tail
        s.reader.select //= s.lane.select
        s.reader.last //= s.lane.b
        s.reader.message //= s.message
        for port, value in zip(s.reader.residues, s.residues.residues, strict=True):
            port //= value
        for port, value in zip(s.reader.others, s.from_other, strict=True):
            port //= value
        s.lane.a_digit //= s.reader.digit
        s.takes //= s.reader.takes

        if program.check:
            s.refers = OutPort(1)
            s.compares = OutPort(1)
            s.broken = OutPort(1)
            s.refers //= s.reader.refers
            s.in_flight.next_compared //= s.choice.compared
            s.in_flight.next_unwritten //= s.choice.unwritten
            s.compares //= s.in_flight.compares
            s.in_flight.last_digit //= s.lane.select[golden.digits - 1]
            s.in_flight.second //= s.lane.second
            s.lane.follows //= s.in_flight.follows

            @update
            def comb_broken():
                s.broken @= s.in_flight.broken | s.lane.broken

        if program.doubled:
            add_bank_copies(s, sources)

        if doubles:
            s.lane.doubles //= s.choice.doubles
            if not program.check:
                s.lane.follows //= s.choice.follows
            s.reader.second //= s.lane.second
        else:
            s.reader.second //= 0
        if blinds:
            s.gives_order = OutPort(1)
            s.gives_order //= s.lane.gives_order
            s.lane.less //= s.choice.less
        if wholes or blinds:
            s.lane.whole //= s.choice.whole
            s.gives //= s.lane.gives
            s.digit //= s.lane.digit
        else:
            s.gives //= 0
            s.digit //= 0

    def line_trace(s):
        return s.lane.line_trace()


def add_bank_copies(s: Any, sources: LaneSources) -> None:
    """Add copies of ``choice`` and ``in_flight``, and compare the latter.

    The copies are connected to each other and to the copies of the lane's control and of the
    sequencer: a wrong signal between two machines is a difference, too. No register of a copy has
    the same inputs as that of the machine: such registers would be merged. Ports: ``copy_*`` as
    without ``copy_``; ``differed``.
    """
    s.copy_offer = InPort(1)
    s.copy_chosen = InPort(len(sources.products))
    s.copy_index = InPort(s.index._dsl.Type)
    s.copy_half = InPort(1)
    s.copy_accept = OutPort(1)
    s.copy_answer = OutPort(1)
    s.differed = OutPort(1)
    if sources.program.check:
        s.copy_advances = InPort(1)
        s.choice_copy = DigitChoiceAhead(sources)
        s.choice_copy.advances //= s.copy_advances
        s.choice_copy.clears //= s.clears
    else:
        s.choice_copy = DigitChoice(sources)
    s.choice_copy.half //= s.copy_half
    s.choice_copy.chosen //= s.copy_chosen
    s.choice_copy.index //= s.copy_index
    s.in_flight_copy = ProductInFlight(sources)
    s.copy_accept //= s.lane.copy_accepts
    s.copy_answer //= s.in_flight_copy.done
    s.lane.copy_offered //= s.copy_offer
    s.lane.copy_reduce //= s.in_flight_copy.reduces
    for name in COPIED_IN[2:]:
        if name != "follows" or not sources.program.check:
            connect(getattr(s.lane, f"copy_{name}"), getattr(s.choice_copy, name))

    @update
    def comb_copy_begins():
        s.in_flight_copy.begins @= s.copy_offer & s.copy_accept

    inputs = ["source", "tail", "loaded", "written", "loads", "reduced"]
    outputs = ["source", "tail", "loaded", "reduces", "unkept", "done"]
    if sources.program.check:
        inputs += ["compared", "unwritten"]
        outputs.append("compares")
        s.in_flight_copy.last_digit //= s.lane.copy_select[s.lane.select._dsl.Type.nbits - 1]
        s.in_flight_copy.second //= s.lane.copy_second
        s.lane.copy_follows //= s.in_flight_copy.follows

    for name in inputs:
        connect(getattr(s.in_flight_copy, f"next_{name}"), getattr(s.choice_copy, name))
    for name in COPIED_OUT[1:]:
        connect(getattr(s.in_flight_copy, name), getattr(s.lane, f"copy_{name}"))
    s.in_flight_copy.load //= s.load
    s.in_flight_copy.prepare //= s.prepare
    s.in_flight_copy.clears //= s.clears
    machine, copy = (
        [getattr(part, name) for name in outputs] for part in (s.in_flight, s.in_flight_copy)
    )
    add_agreement(s, "agreement", machine, copy)

    @update
    def comb_differed():
        s.differed @= s.agreement.differed | s.lane.differed
