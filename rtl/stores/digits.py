"""DigitStore: residues in registers, read digit by digit by a lane that keeps its last result."""

from collections.abc import Mapping

from pymtl3 import Bits1, Component, Wire, connect, mk_bits, update, update_ff

from fl.kept_results import KEPT, KeptResults
from fl.steps import ENTRY, FACTOR, NEXT, ONE, Program
from rtl.lib.adjust import connect_low
from rtl.lib.slots import Slots
from rtl.stores.judge import add_judge
from rtl.stores.ports import add_store_ports


class DigitStore(Component):
    """A lane, and registers for what is not its last result.

    Residues whose lives do not overlap share a register (``fl.kept_results``). One of the lane's
    operands is its last result, or is loaded as a whole; digits of the other one come from a
    register, or from the last result while that is not in its register yet.

    Parameters
    ----------
    nbits : int
        Width of modulus and base in bits.
    program : fl.steps.Program
        Residues and steps, of one lane; the only machine of its plan, which gives ``r``.
    multiplier : fl.units.Unit
        The lane (``rtl.lib.digit_lane``).
    rules : fl.status.InputRules or None
        Input rules; None where the request carries a status.
    request_type : type
        Request of the machine.

    Ports
    -----
    Those of every store (``rtl.stores.ports``). A request is accepted at once and judged on the
    registers, in the next cycle, from which on the lane prepares for its modulus.
    """

    ahead = True
    """Whether the sequencer finds the next step ahead."""

    def construct(s, nbits, program: Program, multiplier, rules, request_type):
        if program.supplied or program.held or program.sends != ("r",):
            raise ValueError(f"program {program.name}: constants come with the request, r goes out")
        add_store_ports(s, nbits, program, request_type)
        golden = multiplier.build("fl", nbits)
        slots, kept = Slots(program), KeptResults(program)
        per_lane, count = slots.per_lane, kept.count
        Residue = mk_bits(golden.residue_nbits)
        Digit = mk_bits(golden.digit_nbits)
        Registers = mk_bits(count)
        # Sources of digits: the registers, then the last result and the constants.
        last, one, factor = count, count + 1, count + 2
        Sources = mk_bits(count + 3)
        last_result = 1 << last

        s.residue_reg = [Wire(Residue) for _ in range(count)]
        base = s.residue_reg[kept.registers["b"]] if rules else None
        s.modulus_reg = Wire(s.modulus._dsl.Type)
        s.modulus //= s.modulus_reg
        add_judge(s, rules, base)

        s.lane = multiplier.build("rtl", nbits)
        s.lane.m //= s.modulus_reg
        s.lane.offered //= s.offers[0]
        s.lane.accepts //= s.accepts[0]
        s.lane.answers //= s.answers[0]
        s.lane.reduce //= s.finish
        s.prepare_reg = Wire(Bits1)
        s.lane.prepare //= s.prepare_reg

        # What the product that is offered reads and writes, by its slot.
        entries = program.entries
        s.is_entry = [Wire(Bits1) for _ in range(count)]
        s.is_next = [Wire(Bits1) for _ in range(count)]
        Index = mk_bits(program.scan.index_nbits)
        s.entry_index = [Wire(Index) for _ in range(count)]
        s.has_entry = [Wire(Bits1) for _ in range(count)]
        s.filled_index = [Wire(Index) for _ in range(count)]
        s.is_filled = [Wire(Bits1) for _ in range(count)]
        filled = {entries[i + 1]: i for i in program.table.filled} if program.table else {}
        for i in range(count):
            here = [x for x, register in kept.registers.items() if register == i]
            indices = [index for index, name in entries.items() if name in here]
            befores = [filled[name] for name in here if name in filled]
            s.entry_index[i] //= indices[0] if indices else 0
            s.has_entry[i] //= len(indices)
            s.filled_index[i] //= befores[0] if befores else 0
            s.is_filled[i] //= len(befores)

        @update
        def comb_entries():
            for i in range(count):
                s.is_entry[i] @= s.has_entry[i] & (s.index == s.entry_index[i])
                s.is_next[i] @= s.is_filled[i] & (s.index == s.filled_index[i])

        s.reads = [Wire(Sources) for _ in range(per_lane)]
        s.reads_entry = [Wire(Bits1) for _ in range(per_lane)]
        s.loads = [Wire(Registers) for _ in range(per_lane)]
        s.loads_entry = [Wire(Bits1) for _ in range(per_lane)]
        s.writes = [Wire(Registers) for _ in range(per_lane)]
        s.writes_next = [Wire(Bits1) for _ in range(per_lane)]
        fixed = {KEPT: 1 << last, ONE: 1 << one, FACTOR: 1 << factor}
        fixed |= {name: 1 << register for name, register in kept.registers.items()}
        for j in range(per_lane):
            product = slots.product(0, j)
            digits, loaded = kept.fetches[product] if product else ("", "")
            written = product.dst if product else ""
            s.reads[j] //= fixed.get(digits, 0)
            s.reads_entry[j] //= int(digits == ENTRY)
            s.loads[j] //= fixed.get(loaded, 0)
            s.loads_entry[j] //= int(loaded == ENTRY)
            s.writes[j] //= fixed.get(written, 0)
            s.writes_next[j] //= int(written == NEXT)

        s.entry = Wire(Registers)
        s.next_entry = Wire(Registers)
        for i in range(count):
            s.entry[i] //= s.is_entry[i]
            s.next_entry[i] //= s.is_next[i]
        s.entry_source = Wire(Sources)
        connect_low(s.entry_source, s.entry)
        s.source = Wire(Sources)
        s.loaded_from = Wire(Registers)
        s.written = Wire(Registers)

        @update
        def comb_product():
            s.source @= 0
            s.loaded_from @= 0
            s.written @= 0
            for j in range(per_lane):
                if s.chosen[0][j]:
                    s.source @= s.reads[j]
                    if s.reads_entry[j]:
                        s.source @= s.entry_source
                    s.loaded_from @= s.loads[j]
                    if s.loads_entry[j]:
                        s.loaded_from @= s.entry
                    s.written @= s.writes[j]
                    if s.writes_next[j]:
                        s.written @= s.next_entry

        # The product under way, and the result that has not come yet.
        s.source_reg = Wire(Sources)
        s.load_reg = Wire(Registers)
        s.write_reg = Wire(Registers)
        s.result_reg = Wire(Registers)
        s.outstanding_reg = Wire(Bits1)
        s.forwards = Wire(Bits1)
        s.lane_loads = Wire(Bits1)
        s.lane.loads //= s.lane_loads

        @update
        def comb_forwards():
            s.lane_loads @= s.loaded_from != 0
            s.forwards @= s.outstanding_reg & ((s.source[0:count] & s.result_reg) != 0)
            if s.lane_loads:
                s.forwards @= 0

        @update_ff
        def seq_product():
            if s.offers[0] & s.accepts[0]:
                s.source_reg <<= s.source
                if s.forwards:
                    s.source_reg <<= last_result
                s.load_reg <<= s.loaded_from
                s.write_reg <<= s.written
            if s.answers[0]:
                s.result_reg <<= s.write_reg

        @update_ff
        def seq_outstanding():
            s.prepare_reg <<= s.loaded & ~s.reset
            if s.reset | s.loaded | s.lane.kept:
                s.outstanding_reg <<= 0
            elif s.answers[0]:
                s.outstanding_reg <<= 1

        # Registers hold what the request brings, or results.
        s.first = [Wire(Residue) for _ in range(count)]
        s.holds_first = [Wire(Bits1) for _ in range(count)]
        for i in range(count):
            here = [x for x, register in kept.registers.items() if register == i]
            received = [x for x in here if x in program.receives]
            s.holds_first[i] //= int(bool(received) or any(x in program.ones for x in here))
            if received:
                connect_low(s.first[i], getattr(s.request, received[0]))
            else:
                s.first[i] //= int(any(x in program.ones for x in here))

        @update_ff
        def seq_registers():
            for i in range(count):
                if s.loaded & s.holds_first[i]:
                    s.residue_reg[i] <<= s.first[i]
                elif s.outstanding_reg & s.lane.kept & s.result_reg[i]:
                    s.residue_reg[i] <<= s.lane.b

        are_fetched = _registers(kept, entries, "digits")
        are_loaded = _registers(kept, entries, "loads")
        s.fetched = [Wire(Residue) for _ in range(count + 1)]
        s.loadable = [Wire(Residue) for _ in range(count)]
        for i in range(count):
            connect(s.fetched[i], s.residue_reg[i] if i in are_fetched else 0)
            connect(s.loadable[i], s.residue_reg[i] if i in are_loaded else 0)
        s.fetched[last] //= s.lane.b
        s.operand = Wire(Residue)
        s.b_first = Wire(Residue)
        s.lane.b_first //= s.b_first
        sources = count + 1

        @update
        def comb_operand():
            s.operand @= 0
            for i in range(sources):
                if s.source_reg[i]:
                    s.operand @= s.operand | s.fetched[i]

        @update
        def comb_first():
            s.b_first @= 0
            for i in range(count):
                if s.load_reg[i]:
                    s.b_first @= s.b_first | s.loadable[i]

        # The digit that is selected; the last one is extended by its sign.
        ndigits, k = golden.digits, golden.digit_nbits
        final = golden.final_digits
        s.digits = [Wire(Digit) for _ in range(ndigits)]
        sign = s.operand[golden.residue_nbits - 1]
        for i in range(ndigits):
            low = i * k
            high = min(low + k, golden.residue_nbits)
            if high > low:
                s.digits[i][0 : high - low] //= s.operand[low:high]
            for bit in range(max(high - low, 0), k):
                s.digits[i][bit] //= sign

        @update
        def comb_digit():
            s.lane.a_digit @= 0
            for i in range(ndigits):
                if s.lane.select[i]:
                    s.lane.a_digit @= s.lane.a_digit | s.digits[i]
            if (s.source_reg[one] & s.lane.select[0]) | (
                s.source_reg[factor] & s.lane.select[final]
            ):
                s.lane.a_digit @= 1

        # The result is there when its reduction has ended.
        s.waits_reg = Wire(Bits1)
        s.refused_reg = Wire(Bits1)

        @update
        def comb_ready():
            s.ready @= ~s.waits_reg
            s.results[0] @= s.lane.b[0:nbits]
            if s.refused_reg:
                s.results[0] @= 0

        @update_ff
        def seq_ready():
            if s.reset:
                s.waits_reg <<= 0
            elif s.finish:
                s.waits_reg <<= 1
            elif s.lane.kept:
                s.waits_reg <<= 0
            if s.loaded:
                s.refused_reg <<= 0
            elif s.refuse:
                s.refused_reg <<= 1


def _registers(kept: KeptResults, entries: Mapping[int, str], role: str) -> set[int]:
    """Give the registers that products read as digits, or load."""
    named = {getattr(fetch, role) for fetch in kept.fetches.values()}
    if ENTRY in named:
        named |= set(entries.values())
    return {kept.registers[name] for name in named if name in kept.registers}
