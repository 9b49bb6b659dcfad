"""RegisterStore: residues in registers, and the multipliers that read and write them."""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, update, update_ff

from fl.steps import ONE, Program
from rtl.exponentiators.slots import Slots


class RegisterStore(Component):
    """A register per residue, a multiplier per lane, operands and results by slot.

    Parameters
    ----------
    nbits : int
        Width of modulus and residues in bits.
    program : fl.steps.Program
        Residues, steps and lanes.
    multiplier : fl.units.Unit
        Multiplier of every lane.

    Ports
    -----
    modulus : nbits bits, steady while products run
    load, values : per residue, a value is registered
    residues : the registers
    offers, chosen, accepts, answers, answered : as ``Sequencer``, seen from the other side
    """

    def construct(s, nbits, program: Program, multiplier):
        slots = Slots(program)
        lanes, per_lane = slots.lanes, slots.per_lane
        nresidues = len(program.residues)
        Value = mk_bits(nbits)
        LaneMask = mk_bits(per_lane)

        s.modulus = InPort(Value)
        s.load = [InPort(1) for _ in range(nresidues)]
        s.values = [InPort(Value) for _ in range(nresidues)]
        s.residues = [OutPort(Value) for _ in range(nresidues)]
        s.offers = [InPort(1) for _ in range(lanes)]
        s.chosen = [InPort(LaneMask) for _ in range(lanes)]
        s.accepts = [OutPort(1) for _ in range(lanes)]
        s.answers = [OutPort(1) for _ in range(lanes)]
        s.answered = [InPort(LaneMask) for _ in range(lanes)]

        s.residue_reg = [Wire(Value) for _ in range(nresidues)]
        for i in range(nresidues):
            s.residues[i] //= s.residue_reg[i]

        s.lanes = [multiplier.build("rtl", nbits) for _ in range(lanes)]
        s.a = [Wire(Value) for _ in range(lanes)]
        s.b = [Wire(Value) for _ in range(lanes)]
        s.r = [Wire(Value) for _ in range(lanes)]
        for lane, unit in enumerate(s.lanes):
            unit.recv.msg.a //= s.a[lane]
            unit.recv.msg.b //= s.b[lane]
            unit.recv.msg.m //= s.modulus
            unit.recv.val //= s.offers[lane]
            unit.recv.rdy //= s.accepts[lane]
            unit.send.msg.r //= s.r[lane]
            unit.send.val //= s.answers[lane]
            unit.send.rdy //= 1  # the register of an outstanding result is always free

        s.slot_a = [[Wire(Value) for _ in range(per_lane)] for _ in range(lanes)]
        s.slot_b = [[Wire(Value) for _ in range(per_lane)] for _ in range(lanes)]
        for lane in range(lanes):
            for j in range(per_lane):
                product = slots.product(lane, j)
                for wire, name in (
                    (s.slot_a[lane][j], product.a if product else ONE),
                    (s.slot_b[lane][j], product.b if product else ONE),
                ):
                    if name == ONE:
                        wire //= 1
                    else:
                        wire //= s.residue_reg[program.residues.index(name)]
        # While a lane is offered nothing its operands rest, so that they do not toggle.
        s.rest = [Wire(LaneMask) for _ in range(lanes)]
        for lane in range(lanes):
            s.rest[lane] //= 1 << slots.last_index(lane)
        s.selected = [Wire(LaneMask) for _ in range(lanes)]

        @update
        def comb_operands():
            for lane in range(lanes):
                s.selected[lane] @= s.rest[lane]
                if s.offers[lane]:
                    s.selected[lane] @= s.chosen[lane]
                s.a[lane] @= s.slot_a[lane][0]
                s.b[lane] @= s.slot_b[lane][0]
                for j in range(per_lane):
                    if s.selected[lane][j]:
                        s.a[lane] @= s.slot_a[lane][j]
                        s.b[lane] @= s.slot_b[lane][j]

        s.writers = [[Wire(LaneMask) for _ in range(lanes)] for _ in range(nresidues)]
        for i, name in enumerate(program.residues):
            for lane in range(lanes):
                s.writers[i][lane] //= slots.writers_mask(lane, name)

        @update_ff
        def seq_residues():
            for i in range(nresidues):
                for lane in range(lanes):
                    if (s.answered[lane] & s.writers[i][lane]) != 0:
                        s.residue_reg[i] <<= s.r[lane]
                if s.load[i]:
                    s.residue_reg[i] <<= s.values[i]
