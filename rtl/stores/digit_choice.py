"""DigitChoice: sources and destination of the product that a lane forms."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, connect, mk_bits, update, update_ff

from rsaxcel.plan.kept_results import KEPT, OperandSources
from rsaxcel.plan.steps import ENTRY, NEXT, ORDER, Kind
from rsaxcel.rtl.lib.adjust import connect_low
from rsaxcel.rtl.stores.lane_sources import LaneSources


class DigitChoice(Component):
    """Decodes the chosen product to one-hot masks of its sources and of its destination.

    A lane reads one operand of a product digit by digit; the other one is loaded as a whole, if it
    is not there already as the lane's last result. A source is a place where the lane reads an
    operand: a register, its own last result, a constant, the message, or a residue of the other
    lane (``LaneSources``). If the product reads or writes a table entry, ``index`` selects the
    entry.

    Parameters
    ----------
    sources : rtl.stores.lane_sources.LaneSources; registers and other sources of the lane, and its
        products

    Ports
    -----
    half : in, 1 bit; half that forms the product, if the lane executes both
    chosen : in, Slots.per_lane bits; slot (one-hot) of the product (``rtl.lib.slots``)
    index : in, program.scan.index_nbits bits; table index
    source : out, a bit per source; source (one-hot) of the operand that is read digit by digit
    tail : out, a bit per source; source (one-hot) of the operand's upper digits (second digits), if
        the operand has twice the digits of a residue
    loaded : out, a bit per register; register (one-hot) of the operand that is loaded; 0: none
    written : out, a bit per register; register (one-hot) of the result
    loads : out, 1 bit; an operand is loaded
    reduced : out, 1 bit; the result is reduced
    doubles : out, 1 bit; there are second digits
    whole : out, 1 bit; the product is formed without a reduction (``plan.steps.Kind.WHOLE``)
    less : out, 1 bit; operand b of the product is the modulus minus 1; such a product forms an
        exponent
    compared : out, 1 bit; only if results are compared with 1: that of the product is

    Combinational.
    """

    def construct(s, sources: LaneSources):
        program, kept = sources.program, sources.kept
        per_lane, count = len(sources.products), sources.registers
        Registers, Sources = mk_bits(count), mk_bits(sources.count)
        Index = mk_bits(program.scan.index_nbits)
        s.half = InPort(1)
        s.chosen = InPort(per_lane)
        s.index = InPort(Index)
        s.source = OutPort(Sources)
        s.tail = OutPort(Sources)
        s.loaded = OutPort(Registers)
        s.written = OutPort(Registers)
        for name in ("loads", "reduced", "doubles", "whole", "less"):
            setattr(s, name, OutPort(1))

        # For each register: ``entry_index`` is the index of the table entry in this register;
        # ``filled_index`` is the value of ``index`` at which the step that fills the table writes
        # this entry: ``entry_index`` - 1. An entry has the same index in both halves.
        entries = program.entries
        filled = {entries[i + 1]: i for i in program.table.filled} if program.table else {}
        s.entry_index = [Wire(Index) for _ in range(count)]
        s.has_entry = [Wire(Bits1) for _ in range(count)]
        s.filled_index = [Wire(Index) for _ in range(count)]
        s.is_filled = [Wire(Bits1) for _ in range(count)]
        for i in range(count):
            here = [x for (x, half), register in kept.registers.items() if register == i]
            indices = [index for index, name in entries.items() if name in here]
            befores = [filled[name] for name in here if name in filled]
            s.entry_index[i] //= indices[0] if indices else 0
            s.has_entry[i] //= int(bool(indices))
            s.filled_index[i] //= befores[0] if befores else 0
            s.is_filled[i] //= int(bool(befores))
        s.entry = Wire(Registers)
        s.next_entry = Wire(Registers)
        s.entry_source = Wire(Sources)
        table = program.table
        if table and table.itself and kept.keeps_itself:
            last, index_of_itself = sources.number(KEPT), max(table.entries)
            s.itself = Wire(Bits1)
            s.entry_source[0:count] //= s.entry
            s.entry_source[last] //= s.itself
            for other in {*range(count, sources.count)} - {last}:
                s.entry_source[other] //= 0

            @update
            def comb_itself():
                s.itself @= s.index == index_of_itself

        else:
            connect_low(s.entry_source, s.entry)

        @update
        def comb_entries():
            for i in range(count):
                s.entry[i] @= s.has_entry[i] & (s.index == s.entry_index[i])
                s.next_entry[i] @= s.is_filled[i] & (s.index == s.filled_index[i])

        # The masks of a product depend on the half: if a lane executes both halves, a constant of
        # the modulus has one register for half 0 and another one for half 1.
        nhalves = len(kept.halves)
        for h in range(2):
            setattr(s, f"reads{h}", [Wire(Sources) for _ in range(per_lane)])
            setattr(s, f"tails{h}", [Wire(Sources) for _ in range(per_lane)])
            setattr(s, f"takes{h}", [Wire(Registers) for _ in range(per_lane)])
            setattr(s, f"writes{h}", [Wire(Registers) for _ in range(per_lane)])
        flags = ("reads_entry", "loads_entry", "loads_any", "writes_next")
        for name in (*flags, "is_reduced", "is_double", "is_whole", "is_less"):
            setattr(s, name, [Wire(Bits1) for _ in range(per_lane)])
        for j, product in enumerate(sources.products):
            digits, loads, tail = kept.fetches[product] if product else OperandSources("")
            kind = product.kind if product else Kind.MODULAR
            double = kind is Kind.DOUBLE
            for h in range(2):
                half = kept.halves[0] if nhalves == 1 else h
                connect(getattr(s, f"reads{h}")[j], sources.mask(digits, half))
                connect(
                    getattr(s, f"tails{h}")[j], sources.mask(tail or digits, half) if double else 0
                )
                connect(getattr(s, f"takes{h}")[j], sources.mask(loads, half))
                connect(
                    getattr(s, f"writes{h}")[j], sources.mask(product.dst, half) if product else 0
                )
            s.reads_entry[j] //= int(digits == ENTRY)
            s.loads_entry[j] //= int(loads == ENTRY)
            s.loads_any[j] //= int(loads != "")
            s.writes_next[j] //= int(product is not None and product.dst == NEXT)
            s.is_reduced[j] //= int(product is not None and product.reduced)
            s.is_double[j] //= int(double)
            s.is_whole[j] //= int(kind is Kind.WHOLE)
            s.is_less[j] //= int(product is not None and product.b == ORDER)

        @update
        def comb_choice():
            s.source @= 0
            s.tail @= 0
            s.loaded @= 0
            s.written @= 0
            for j in range(per_lane):
                if s.chosen[j]:
                    s.source @= s.reads0[j]
                    s.tail @= s.tails0[j]
                    s.loaded @= s.takes0[j]
                    s.written @= s.writes0[j]
                    if s.half:
                        s.source @= s.reads1[j]
                        s.tail @= s.tails1[j]
                        s.loaded @= s.takes1[j]
                        s.written @= s.writes1[j]
                    if s.reads_entry[j]:
                        s.source @= s.entry_source
                    if s.loads_entry[j]:
                        s.loaded @= s.entry
                    if s.writes_next[j]:
                        s.written @= s.next_entry

        compared = sum(1 << j for j, p in enumerate(sources.products) if p and p.compared)
        if compared:
            s.compared = OutPort(1)
            s.compared_slots = Wire(mk_bits(per_lane))
            s.compared_slots //= compared

            @update
            def comb_compared():
                s.compared @= (s.chosen & s.compared_slots) != 0

        @update
        def comb_flags():
            s.loads @= 0
            s.reduced @= 0
            s.doubles @= 0
            s.whole @= 0
            s.less @= 0
            for j in range(per_lane):
                if s.chosen[j]:
                    s.loads @= s.loads_any[j]
                    s.reduced @= s.is_reduced[j]
                    s.doubles @= s.is_double[j]
                    s.whole @= s.is_whole[j]
                    s.less @= s.is_less[j]


class DigitChoiceAhead(Component):
    """``DigitChoice`` for the product of the next step, in registers from when this step begins.

    For a program with many products, any of which takes longer to decode.

    Parameters
    ----------
    sources : rtl.stores.lane_sources.LaneSources; registers and other sources of the lane, and its
        products

    Ports
    -----
    The ports of ``DigitChoice``; outputs are registers. And:

    advances : in, 1 bit; ``half``, ``chosen`` and ``index`` are of the step that begins in the next
        cycle
    clears : in, 1 bit; no step runs: the registers take what ``chosen`` names, so that nothing
        remains of a step that was aborted
    unwritten : out, a bit per register; ``written``, inverted, from registers of its own: if one of
        them is wrong, it does not equal the inverse of the other
    """

    def construct(s, sources: LaneSources):
        s.decoder = DigitChoice(sources)
        s.advances = InPort(1)
        s.clears = InPort(1)
        for name in ("half", "chosen", "index"):
            port = getattr(s.decoder, name)
            setattr(s, name, InPort(port._dsl.Type))
            connect(getattr(s, name), port)
        held = ("source", "tail", "loaded", "written", "loads", "reduced", "doubles")
        for name in (*held, "whole", "less", "compared"):
            Value = getattr(s.decoder, name)._dsl.Type
            setattr(s, name, OutPort(Value))
            setattr(s, f"{name}_reg", Wire(Value))
            connect(getattr(s, name), getattr(s, f"{name}_reg"))
        s.unwritten = OutPort(s.written._dsl.Type)
        s.unwritten_reg = Wire(s.written._dsl.Type)
        s.unwritten //= s.unwritten_reg

        @update_ff
        def seq_choice():
            if s.advances | s.clears:
                s.source_reg <<= s.decoder.source
                s.tail_reg <<= s.decoder.tail
                s.loaded_reg <<= s.decoder.loaded
                s.written_reg <<= s.decoder.written
                s.unwritten_reg <<= ~s.decoder.written
                s.loads_reg <<= s.decoder.loads
                s.reduced_reg <<= s.decoder.reduced
                s.doubles_reg <<= s.decoder.doubles
                s.whole_reg <<= s.decoder.whole
                s.less_reg <<= s.decoder.less
                s.compared_reg <<= s.decoder.compared
