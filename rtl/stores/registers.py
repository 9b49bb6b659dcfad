"""RegisterStore: residues in registers, with the multipliers that read and write them."""

from pymtl3 import Bits1, Bits8, Component, Wire, connect, mk_bits, update, update_ff, zext

from rsaxcel.plan.programs import Program
from rsaxcel.plan.steps import ENTRY, NEXT, ONE
from rsaxcel.rtl.lib.adjust import connect_low
from rsaxcel.rtl.lib.selects import TableRead
from rsaxcel.rtl.lib.slots import Slots
from rsaxcel.rtl.reducers import CIRCUITS
from rsaxcel.rtl.stores.ports import add_store_ports
from rsaxcel.rtl.stores.request_check import add_request_check


class RegisterStore(Component):
    """A register for each residue and a multiplier for each lane.

    The slot of a product (its number, ``rtl.lib.slots``) selects the operands of the multiplier and
    the register that takes the result.

    Parameters
    ----------
    nbits : int; width of modulus and residues in bits
    rules : fl.status.InputRules or None; input rules; None: the request carries a status

    Ports
    -----
    The ports of every store (``rtl.stores.ports``). A request is accepted at once; the registers
    are checked in the next cycle. If the program has a reduction, it follows the last step and
    takes ``reduction.steps`` cycles.
    """

    #: The lanes leave time for a sequencer that computes the next step in advance.
    looks_ahead = False

    is_cleared = False  #: the executor is cleared after each request

    def construct(s, nbits, program: Program, multiplier, rules, request_type):
        add_store_ports(s, nbits, program, request_type)
        slots = Slots(program)
        lanes, per_lane = slots.lanes, slots.per_lane
        nresidues = len(program.residues)
        product_nbits = program.product_nbits(nbits)
        contract = multiplier.build("fl", product_nbits)
        operand_nbits = contract.operand_nbits
        Residue = mk_bits(max(nbits, operand_nbits))
        Operand = mk_bits(operand_nbits)
        LaneMask = mk_bits(per_lane)

        s.modulus_reg = Wire(mk_bits(nbits))
        s.modulus //= s.modulus_reg
        s.residue_reg = [Wire(Residue) for _ in range(nresidues)]
        held = [constant.name for constant in program.multiplier_constants]
        s.held_reg = [Wire(mk_bits(constant.nbits)) for constant in program.multiplier_constants]
        for name, port in zip(program.sends, s.results, strict=True):
            if name in program.residues:
                connect_low(port, s.residue_reg[program.residues.index(name)])
            elif name == "m":
                connect_low(port, s.modulus_reg)
            elif name in held:
                connect_low(port, s.held_reg[held.index(name)])
            else:
                port //= 0

        add_request_check(s, rules, s.residue_reg[program.residues.index("b")] if rules else None)

        # Modulus of the products: a multiple of the modulus if there is a cofactor.
        product_modulus = s.modulus_reg
        if program.cofactor > 1:
            Multiple = mk_bits(product_nbits)
            cofactor = Multiple(program.cofactor)
            s.multiple_reg = Wire(Multiple)
            product_modulus = s.multiple_reg

            @update_ff
            def seq_multiple():
                if s.loaded:
                    s.multiple_reg <<= zext(s.request.m, Multiple) * cofactor

        computed = [constant.name for constant in program.computed_constants]
        s.first = [Wire(Residue) for _ in range(nresidues)]
        s.constant = [Wire(Residue) for _ in range(nresidues)]
        s.is_constant = [Wire(Bits1) for _ in range(nresidues)]
        for i, name in enumerate(program.residues):
            s.is_constant[i] //= int(name in computed)
            if name in computed:
                connect_low(s.constant[i], s.constants[computed.index(name)])
            else:
                s.constant[i] //= 0
            if name in program.receives:
                connect_low(s.first[i], getattr(s.request, name))
            else:
                s.first[i] //= int(name in program.ones)

        nheld = len(held)
        s.held_first = [Wire(mk_bits(constant.nbits)) for constant in program.multiplier_constants]
        s.held_loads = [Wire(Bits1) for _ in held]
        for i, name in enumerate(held):
            by_unit = name in computed
            source = s.constants[computed.index(name)] if by_unit else getattr(s.request, name)
            connect_low(s.held_first[i], source)
            connect(s.held_loads[i], s.supply if by_unit else s.loaded)
        if nheld:

            @update_ff
            def seq_held():
                for i in range(nheld):
                    if s.held_loads[i]:
                        s.held_reg[i] <<= s.held_first[i]

        kinds = [contract.lane_params(slots.only_squares(lane)) for lane in range(lanes)]
        s.lanes = [multiplier.build("rtl", product_nbits, **kind) for kind in kinds]
        s.a = [Wire(Operand) for _ in range(lanes)]
        s.b = [Wire(Operand) for _ in range(lanes)]
        s.r = [Wire(Residue) for _ in range(lanes)]
        for lane, unit in enumerate(s.lanes):
            connect_low(unit.recv.msg.a, s.a[lane])
            connect_low(unit.recv.msg.b, s.b[lane])
            unit.recv.msg.m //= product_modulus
            for name, register in zip(held, s.held_reg, strict=True):
                connect(getattr(unit.recv.msg, name), register)
            unit.recv.val //= s.offers[lane]
            unit.recv.rdy //= s.accepts[lane]
            connect_low(s.r[lane], unit.send.msg.r)
            unit.send.val //= s.answers[lane]
            unit.send.rdy //= 1  # the register of an outstanding result is always free

        if program.table:
            table = program.table
            first = min(table.entries)
            last = max(table.entries)
            s.table_read = TableRead(Residue.nbits, first, last, program.scan.index_nbits)
            s.table_read.index //= s.index
            for name, port in zip(table.entries.values(), s.table_read.entries, strict=True):
                port //= s.residue_reg[program.residues.index(name)]
        s.slot_a = [[Wire(Operand) for _ in range(per_lane)] for _ in range(lanes)]
        s.slot_b = [[Wire(Operand) for _ in range(per_lane)] for _ in range(lanes)]
        for lane in range(lanes):
            for j in range(per_lane):
                product = slots.product(lane, j)
                for wire, name in (
                    (s.slot_a[lane][j], product.a if product else ONE),
                    (s.slot_b[lane][j], product.b if product else ONE),
                ):
                    if name == ONE:
                        wire //= 1
                    elif name == ENTRY:
                        connect_low(wire, s.table_read.value)
                    else:
                        connect_low(wire, s.residue_reg[program.residues.index(name)])
        # A lane without an offer selects the operands of its last slot, so that they do not toggle.
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
        s.writes = [[Wire(Bits1) for _ in range(lanes)] for _ in range(nresidues)]
        if program.fill and program.table:
            # The step that fills the table writes the entry after the one at the table index.
            filled = {program.entries[i + 1]: i for i in program.table.filled}
            Index = mk_bits(program.scan.index_nbits)
            s.fillers = [Wire(LaneMask) for _ in range(lanes)]
            for lane in range(lanes):
                s.fillers[lane] //= slots.writers_mask(lane, NEXT)
            s.is_filled = [Wire(Bits1) for _ in range(nresidues)]
            s.predecessor = [Wire(Index) for _ in range(nresidues)]
            for i, name in enumerate(program.residues):
                s.is_filled[i] //= int(name in filled)
                s.predecessor[i] //= filled.get(name, 0)

            @update
            def comb_writes_and_fills():
                for i in range(nresidues):
                    for lane in range(lanes):
                        s.writes[i][lane] @= (s.answered[lane] & s.writers[i][lane]) != 0
                        if s.is_filled[i] & (s.index == s.predecessor[i]):
                            if (s.answered[lane] & s.fillers[lane]) != 0:
                                s.writes[i][lane] @= 1

        else:

            @update
            def comb_writes():
                for i in range(nresidues):
                    for lane in range(lanes):
                        s.writes[i][lane] @= (s.answered[lane] & s.writers[i][lane]) != 0

        if program.reduction:
            s.reduces = [Wire(Bits1) for _ in range(nresidues)]
            s.reduced = Wire(Residue)
            add_reduction(s, nbits, program)

            @update_ff
            def seq_reduced_residues():
                for i in range(nresidues):
                    for lane in range(lanes):
                        if s.writes[i][lane]:
                            s.residue_reg[i] <<= s.r[lane]
                    if s.reduces[i]:
                        s.residue_reg[i] <<= s.reduced
                    if s.loaded:
                        s.residue_reg[i] <<= s.first[i]
                    elif s.refuse:
                        s.residue_reg[i] <<= 0
                    elif s.supply & s.is_constant[i]:
                        s.residue_reg[i] <<= s.constant[i]

        else:
            s.ready //= 1

            # This block and the one for stores with a reduction are separate on purpose: a common
            # block, with signals that are 0 if there is no reduction, gives other netlists (for one
            # design: 13 % larger, 11 % faster).
            @update_ff
            def seq_residues():
                for i in range(nresidues):
                    for lane in range(lanes):
                        if s.writes[i][lane]:
                            s.residue_reg[i] <<= s.r[lane]
                    if s.loaded:
                        s.residue_reg[i] <<= s.first[i]
                    elif s.refuse:
                        s.residue_reg[i] <<= 0
                    elif s.supply & s.is_constant[i]:
                        s.residue_reg[i] <<= s.constant[i]


def add_reduction(s: RegisterStore, nbits: int, program: Program) -> None:
    """Bring the result below the modulus after the last step, in the register of the result."""
    reduction = program.reduction
    assert reduction is not None
    result = program.residues.index("r")
    last = reduction.steps - 1
    s.reducing_reg = Wire(Bits1)
    s.index_reg = Wire(Bits8)
    s.reduction = CIRCUITS[reduction.kind](nbits, reduction.excess_nbits, **dict(reduction.params))
    connect_low(s.reduction.x, s.residue_reg[result])
    s.reduction.m //= s.modulus_reg
    s.reduction.index //= s.index_reg
    connect_low(s.reduced, s.reduction.r)
    for i, port in enumerate(s.reduces):
        port //= s.reducing_reg if i == result else 0

    @update
    def comb_ready():
        s.ready @= ~s.reducing_reg

    @update_ff
    def seq_reduction():
        if s.reset:
            s.reducing_reg <<= 0
        elif s.finish:
            s.reducing_reg <<= 1
            s.index_reg <<= last
        elif s.reducing_reg:
            s.reducing_reg <<= s.index_reg != 0
            s.index_reg <<= s.index_reg - 1
