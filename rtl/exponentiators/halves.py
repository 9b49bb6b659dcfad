"""Parts of a sequencer for two halves (CRT): a scan of the second exponent, or turns.

Two lanes execute both halves at once. One lane executes the steps of half 1, then those of half 0:
the steps of one half are a *turn*.
"""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, clog2, mk_bits, update, update_ff

from rsaxcel.plan.programs import Program
from rsaxcel.rtl.exponentiators.exponent_scan import ExponentScan
from rsaxcel.rtl.exponentiators.next_step import StepTable
from rsaxcel.rtl.lib.adjust import connect_named


class OtherHalf(Component):
    """Scans the exponent of half 1 in parallel with half 0, for the table index of the second lane.

    The same steps run for both halves, so that only the table index differs. The index of half 1
    passes through as many registers as the index of half 0.

    Parameters
    ----------
    program : plan.programs.Program; program with two halves and two lanes
    given_nbits : int; see ``ExponentScan``

    Ports
    -----
    load, vacant, exponent, advance, shift, enters : in; see ``ExponentScan``
    next_step : in, clog2(steps + 1) bits; number of the step that follows
    next_index : in, program.scan.index_nbits bits; table index of half 0 for that step
    index : out, program.scan.index_nbits bits; table index of half 1 for the current step
    """

    scan_type: type = ExponentScan

    def construct(s, program: Program, given_nbits=0):
        table = StepTable(program)
        Index = mk_bits(program.scan.index_nbits)
        s.load = InPort(1)
        s.vacant = InPort(1)
        s.exponent = InPort(program.scan.exponent_nbits)
        for name in ("advance", "shift", "enters"):
            setattr(s, name, InPort(1))
        s.next_step = InPort(clog2(table.end + 1))
        s.next_index = InPort(Index)
        s.index = OutPort(Index)
        s.add_scan(program, given_nbits)
        connect_named(s.scan, s, "load", "vacant", "exponent", "advance", "shift", "enters")
        s.planned_index_reg = Wire(Index)
        s.to_index_reg = Wire(Index)
        s.index_reg = Wire(Index)
        s.index //= s.index_reg

        s.add_index(table)

    def add_scan(s, program: Program, given_nbits: int) -> None:
        s.scan = s.scan_type(program.scan, True, given_nbits=given_nbits)

    def add_index(s, table: StepTable) -> None:
        loop_first = table.loop_first

        @update_ff
        def seq_index():
            s.planned_index_reg <<= s.next_index
            if s.next_step >= loop_first:
                s.planned_index_reg <<= s.scan.index
            s.to_index_reg <<= s.planned_index_reg
            if s.advance:
                s.index_reg <<= s.to_index_reg


class Turns(Component):
    """Makes one lane execute the turn of half 1, the turn of half 0, then the steps of ``join``.

    The steps of ``join`` combine the results of both halves (``plan.programs``).

    ::

        cycle           n: end of first turn             n + 1               n + 2
        --------------  -------------------------------  ------------------  ------------------
        ``turn_ends``   1
        ``first_turn``  1                                0                   0
        current step    last step of the turn            0                   0
        scan            exponent of half 1, shifted out  exponent of half 0  exponent of half 0
                                                         is loaded

    During the first turn, the exponent of half 0 waits in a register.

    Parameters
    ----------
    program : plan.programs.Program; program with two halves and one lane

    Ports
    -----
    load : in, 1 bit; exponents are registered, and the first turn begins
    vacant, clears : in, 1 bit each; see ``LookAheadSequencer``
    exponents : in, program.scan.exponent_nbits bits each; exponents of half 0 and of half 1
    running, step : in; whether there is a current step, and its number
    over : in, 1 bit; this is the last cycle of the current step
    wraps : in, 1 bit; the step that follows is the first one of a later turn (``NextStep``)
    first_turn : out, 1 bit; the current turn is that of half 1
    turn_ends : out, 1 bit; this is the last cycle before a later turn
    half : out, 1 bit; half to which the offered product belongs: the half of the turn, or the half
        given by the step of ``join``
    slots : out, a bit per product (``rtl.lib.slots``); 1 if the product is for the same half as the
        step that follows, or belongs to ``join``
    scan_load, scan_vacant, scan_exponent : out; ``load``, ``vacant`` and ``exponent`` of the scan
    """

    def construct(s, program: Program):
        table = StepTable(program)
        slots = table.slots
        join_first = table.turn_last + 1
        join_halves = [step[0].half for step in program.join]
        njoin = len(join_halves)
        Exponent, Mask = mk_bits(program.scan.exponent_nbits), mk_bits(slots.count)
        for name in ("load", "vacant", "clears"):
            setattr(s, name, InPort(1))
        s.exponents = [InPort(Exponent) for _ in range(2)]
        s.running = InPort(1)
        s.step = InPort(clog2(table.end + 1))
        s.over = InPort(1)
        s.wraps = InPort(1)
        for name in ("first_turn", "turn_ends", "half"):
            setattr(s, name, OutPort(1))
        s.slots = OutPort(Mask)
        s.scan_load = OutPort(1)
        s.scan_vacant = OutPort(1)
        s.scan_exponent = OutPort(Exponent)

        s.first_turn_reg = Wire(Bits1)
        s.planned_wraps_reg = Wire(Bits1)
        s.to_wraps_reg = Wire(Bits1)
        s.reload_reg = Wire(Bits1)
        s.waiting_reg = Wire(Exponent)  #: exponent of half 0
        s.first_turn //= s.first_turn_reg
        s.join_half = [Wire(Bits1) for _ in range(njoin)]
        for i in range(njoin):
            s.join_half[i] //= join_halves[i]
        s.slots_of_half = [Wire(Mask) for _ in range(2)]
        for half in range(2):
            s.slots_of_half[half] //= slots.turn_mask(half)

        @update
        def comb_turn_ends():
            s.turn_ends @= s.over & s.to_wraps_reg

        @update
        def comb_scan():
            s.scan_load @= s.load | s.reload_reg
            s.scan_vacant @= s.vacant | s.reload_reg
            s.scan_exponent @= s.exponents[1]
            if s.reload_reg:
                s.scan_exponent @= s.waiting_reg

        @update
        def comb_slots():
            s.slots @= s.slots_of_half[0]
            if s.first_turn_reg & ~s.wraps:
                s.slots @= s.slots_of_half[1]

        @update
        def comb_half():
            s.half @= s.first_turn_reg
            for i in range(njoin):
                if s.running & (s.step == join_first + i):
                    s.half @= s.join_half[i]

        s.add_turns(table)

    def add_turns(s, table: StepTable) -> None:
        @update_ff
        def seq_turns():
            s.planned_wraps_reg <<= s.wraps
            s.to_wraps_reg <<= s.planned_wraps_reg
            s.reload_reg <<= s.turn_ends & ~s.reset
            if s.clears:
                s.waiting_reg <<= 0
            elif s.load:
                s.waiting_reg <<= s.exponents[0]
                s.first_turn_reg <<= 1
            elif s.turn_ends:
                s.first_turn_reg <<= 0
