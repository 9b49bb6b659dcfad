"""DigitBank: a lane that keeps its last result, with the registers of all other residues."""

from typing import Any

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, connect, mk_bits, update, update_ff

from rsaxcel.plan.programs import Program
from rsaxcel.rtl.lib.adjust import connect_low, connect_named
from rsaxcel.rtl.parts import part_of
from rsaxcel.rtl.stores.digit_choice import DigitChoice
from rsaxcel.rtl.stores.digit_reader import DigitReader
from rsaxcel.rtl.stores.lane_sources import LaneSources
from rsaxcel.rtl.stores.product_in_flight import ProductInFlight


class LaneResidues(Component):
    """Registers of residues, which start with a value of the request or 1, and take results.

    Residues whose lifetimes do not overlap share a register (``plan.kept_results``).

    Parameters
    ----------
    residue_nbits : int; width of a residue in bits
    sources : rtl.stores.lane_sources.LaneSources; registers and what they hold
    widths : tuple of int; width of each port ``given`` in bits

    Ports
    -----
    idle : in, 1 bit; there is no request
    load : in, 1 bit; in a cycle with ``idle``, each register that has an initial value takes it: a
        value of the request, or 1
    given : list of in, one port for each of ``widths``, with that many bits; the values that the
        request loads (``LaneSources.given``)
    blank : in, 1 bit; registers that take no results become zeros
    kept : in, 1 bit; ``result`` is a new result
    result : in, residue_nbits bits; last result of the lane
    written : in, a bit per register; register (one-hot) that takes the result; 0: none
    clears : in, 1 bit; in a cycle with ``kept``, ``result`` is written to every register that takes
        results, not only to the one in ``written``. This clears them, because ``result`` is 0 then
    loaded : in, a bit per register; register (one-hot) that ``operand`` reads
    operand : out, residue_nbits bits; 0 if ``loaded`` is 0
    residues : out, residue_nbits bits each; contents of the registers

    A register has its new value from the next cycle on. ``operand`` is combinational.
    """

    def construct(s, residue_nbits: int, sources: LaneSources, widths):
        count = sources.registers
        Residue, Registers = mk_bits(residue_nbits), mk_bits(count)
        s.idle = InPort(1)
        s.load = InPort(1)
        s.given = [InPort(width) for width in widths]
        s.blank = InPort(1)
        s.kept = InPort(1)
        s.result = InPort(Residue)
        s.written = InPort(Registers)
        s.clears = InPort(1)
        s.loaded = InPort(Registers)
        s.operand = OutPort(Residue)
        s.residues = [OutPort(Residue) for _ in range(count)]

        s.residue_reg = [Wire(Residue) for _ in range(count)]
        s.first = [Wire(Residue) for _ in range(count)]
        s.has_first = [Wire(Bits1) for _ in range(count)]
        s.takes_results = [Wire(Bits1) for _ in range(count)]
        s.loadable = [Wire(Residue) for _ in range(count)]
        ports = {
            sources.kept.register(each.name, each.half): (port, each.nbits or port._dsl.Type.nbits)
            for each, port in zip(sources.given, s.given, strict=True)
        }
        for i in range(count):
            s.residues[i] //= s.residue_reg[i]
            s.has_first[i] //= int(i in ports or i in sources.ones)
            s.takes_results[i] //= int(i in sources.written)
            if i in ports:
                s.connect_first(i, *ports[i], i in sources.written)
            else:
                s.first[i] //= int(i in sources.ones)
            connect(s.loadable[i], s.residue_reg[i] if i in sources.loaded else 0)

        @update_ff
        def seq_residues():
            for i in range(count):
                if s.blank & ~s.takes_results[i]:
                    s.residue_reg[i] <<= 0
                # `idle` comes from a register, `load` from deep logic
                elif s.idle & s.has_first[i]:
                    if s.load:
                        s.residue_reg[i] <<= s.first[i]
                elif s.kept & s.takes_results[i]:
                    if s.clears | s.written[i]:
                        s.residue_reg[i] <<= s.result

        @update
        def comb_operand():
            s.operand @= 0
            for i in range(count):
                if s.loaded[i]:
                    s.operand @= s.operand | s.loadable[i]

    def connect_first(s, i: int, port: Any, nbits: int, is_written: bool) -> None:
        """Connect the initial value of a register, whose lowest ``nbits`` bits ``port`` has."""
        connect_low(s.first[i], port)


class DigitBank(Component):
    """A lane with its residues, made of five parts.

    =============  ===============================  ===========================================
    part           component                        what it holds or gives
    =============  ===============================  ===========================================
    ``choice``     ``DigitChoice``                  sources, destination of the offered product
    ``in_flight``  ``ProductInFlight``              sources, destination of the current product
    ``residues``   ``LaneResidues``                 registers; the operand that is loaded whole
    ``reader``     ``DigitReader``                  digits of the other operand
    ``lane``       a lane (``rtl.lib.lanes``)  the products
    =============  ===============================  ===========================================

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
    offer, chosen, accept, answer, index : ports of a lane; see ``rtl.stores.ports``
    message : in, digit_nbits bits; the lowest digit of the message that has not been taken
    takes : out, 1 bit; ``message`` is taken
    from_other : in, residue_nbits bits each; residues of the other lane that this lane reads
    for_other : out, residue_nbits bits each; residues of this lane that the other lane reads
    gives, digit : out, 1 and digit_nbits bits; while ``gives`` is 1, ``digit`` is a digit of the
        result that combines both halves
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
        for name in ("prepare", "idle", "load", "blank", "clears"):
            setattr(s, name, InPort(1))
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

        more = {"doubles": doubles, "whole_digits": message_digits if wholes else 0}
        of_lane = dict(multiplier.params) | (more if program.split else {})
        s.lane = s.make_lane(program, nbits, multiplier.classes.rtl, of_lane)
        s.lane.m //= s.modulus
        s.lane.prepare //= s.prepare
        s.lane.offered //= s.offer
        s.accept //= s.lane.accepts
        s.result //= s.lane.b[0:nbits]

        s.add_choice(sources, "choice")
        s.lane.loads //= s.choice.loads

        s.in_flight = part_of(program, ProductInFlight)(sources)

        @update
        def comb_begins():
            s.in_flight.begins @= s.offer & s.accept

        for name in s.in_flight.inputs:
            connect(getattr(s.in_flight, f"next_{name}"), getattr(s.choice, name))
        connect_named(s.in_flight, s.lane, "answers", "kept", "reduced")
        connect_named(s.in_flight, s, "load", "prepare", "clears")
        s.lane.reduce //= s.in_flight.reduces
        s.answer //= s.in_flight.done

        s.residues = part_of(program, LaneResidues)(residue_nbits, sources, widths)
        for port, value in zip(s.residues.given, s.given, strict=True):
            port //= value
        connect_named(s.residues, s, "idle", "load", "blank", "clears")
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

        s.reader = part_of(program, DigitReader)(golden, sources, message_digits)
        s.reader.source //= s.in_flight.source
        connect_named(s.reader, s.lane, "select", "shifts")
        s.reader.last //= s.lane.b
        s.reader.message //= s.message
        for port, value in zip(s.reader.residues, s.residues.residues, strict=True):
            port //= value
        for port, value in zip(s.reader.others, s.from_other, strict=True):
            port //= value
        s.lane.a_digit //= s.reader.digit
        s.takes //= s.reader.takes

        s.add_measures(sources)
        if doubles:
            s.lane.doubles //= s.choice.doubles
            s.connect_second(s.in_flight)
            s.reader.second //= s.lane.second
        else:
            s.in_flight.last_digit //= 0
            s.in_flight.second //= 0
            s.reader.second //= 0
        s.connect_whole(wholes)

    def add_choice(s, sources: LaneSources, name: str, copy: str = "") -> None:
        choice = part_of(sources.program, DigitChoice)(sources)
        setattr(s, name, choice)
        for port in ("half", "chosen", "index"):
            connect(getattr(choice, port), getattr(s, f"{copy}{port}"))

    def make_lane(s, program: Program, nbits: int, kind: type, params: dict[str, Any]) -> Any:
        return part_of(program, kind)(nbits, **params)

    def connect_whole(s, wholes: bool) -> None:
        """Connect the products without a reduction (``Kind.WHOLE``), if the lane forms any."""
        if wholes:
            s.lane.whole //= s.choice.whole
            connect_named(s, s.lane, "gives", "digit")
        else:
            s.gives //= 0
            s.digit //= 0

    def connect_second(s, in_flight: Any, copy: str = "") -> None:
        """Connect the second digits of operand a between the lane and the product in flight."""
        last = s.lane.select._dsl.Type.nbits - 1
        in_flight.last_digit //= getattr(s.lane, f"{copy}select")[last]
        connect(in_flight.second, getattr(s.lane, f"{copy}second"))
        connect(getattr(s.lane, f"{copy}follows"), in_flight.follows)

    def add_measures(s, sources: LaneSources) -> None:
        """Add the circuits of measures outside the parts."""

    def line_trace(s):
        return s.lane.line_trace()
