"""PortMemory: all numbers in one memory with two ports, and operands that are constants."""

from typing import Any

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, clog2, connect, mk_bits, update, zext

from rsaxcel.plan.dual_port import dual_port
from rsaxcel.plan.programs import Program
from rsaxcel.plan.steps import ONE
from rsaxcel.rtl.lib.adjust import connect_named
from rsaxcel.rtl.lib.lanes import index_nbits
from rsaxcel.rtl.lib.port_ram import PortRam
from rsaxcel.rtl.lib.slots import Slots
from rsaxcel.rtl.stores.memory import MODULUS, loaded_names


class PortMemory(Component):
    """A memory with two ports for the numbers that change, one with one port for a constant.

    The numbers of the first memory lie one behind the other: the residue that lane 0 writes, the
    residue that lane 1 writes, the modulus, and 2B + N. Port 0 only reads, port 1 reads or writes.
    No two accesses of a port fall into one cycle (``rtl.multipliers.digit_serial``)::

        cycle              port 0                        port 1
        ----------------   ---------------------------   ---------------------------------------
        loading            reads the modulus             writes the modulus or the base
        doubling pass      reads the modulus             writes lane 0's last result, or reads
                                                         operand ``a`` of a lane
        joining pass                                     writes 2B + N
        first iteration    (reads nothing that counts)   writes lane 1's last result
        other iterations   reads a number for lane 0     reads a number for lane 1
        unloading          reads the modulus

    Parameters
    ----------
    program : plan.programs.Program; residues and steps; see ``plan.dual_port``
    word_nbits, words : int; width of a word in bits, words of a number

    Ports
    -----
    loads, load_index, unload_index, unload_value, unload_modulus : as in ``WordMemory``
        (``rtl.stores.memory``); the value that is unloaded is lane 0's last result
    load_word : in, word_nbits bits; the word that is loaded

    Ports of ``DigitSerialOnPorts``, with opposite directions: ``index``, ``reads_index``,
    ``doubles``, ``early``, ``pending``, ``sum_write``, ``sum_index``, ``sum_word``, and for each
    lane ``token``, ``a_word``, ``reads_b``, ``reads_sum``, ``word``, ``kept``, ``stores``.
    """

    def construct(s, program: Program, word_nbits, words):
        uses, slots = dual_port(program), Slots(program)
        lanes = slots.lanes
        Word, Index = mk_bits(word_nbits), mk_bits(index_nbits(words))
        Token = mk_bits(slots.per_lane)
        given = loaded_names(program)
        s.loads = [InPort(1) for _ in given]
        s.load_index = InPort(Index)
        s.load_word = InPort(Word)
        s.unload_index = InPort(Index)
        s.unload_value = OutPort(Word)
        s.unload_modulus = OutPort(Word)
        s.index = InPort(Index)
        s.reads_index = OutPort(Index)
        s.doubles = InPort(1)
        s.early = InPort(1)
        s.pending = InPort(lanes)
        s.sum_write = InPort(1)
        s.sum_index = InPort(Index)
        s.sum_word = InPort(Word)
        s.token = [InPort(Token) for _ in range(lanes)]
        s.a_word = [OutPort(Word) for _ in range(lanes)]
        s.reads_b = [InPort(1) for _ in range(lanes)]
        s.reads_sum = [InPort(1) for _ in range(lanes)]
        s.word = [OutPort(Word) for _ in range(lanes)]
        s.kept = [InPort(Word) for _ in range(lanes)]
        s.stores = [InPort(1) for _ in range(lanes)]
        s.reads_index //= s.unload_index
        s.unload_value //= s.kept[0]

        #: Products whose operands are 1, and products whose operand is the constant.
        s.one_a = Wire(Token)
        s.one_a //= slots.lane_mask(0, "a", ONE)
        s.one_b = [Wire(Token) for _ in range(lanes)]
        s.constant_b = [Wire(Token) for _ in range(lanes)]
        for lane in range(lanes):
            s.one_b[lane] //= slots.lane_mask(lane, "b", ONE)
            s.constant_b[lane] //= slots.lane_mask(lane, "b", uses.constant)
        s.one = Wire(Word)
        s.a_is_one = Wire(Bits1)
        s.b_is_one = Wire(Bits1)
        s.b_is_constant = Wire(Bits1)

        @update
        def comb_operands():
            s.one @= zext(s.index == 0, Word)
            s.a_is_one @= (s.token[0] & s.one_a) != 0
            s.b_is_one @= 0
            s.b_is_constant @= 0
            for lane in range(lanes):
                if (s.token[lane] & s.one_b[lane]) != 0:
                    s.b_is_one @= 1
                if (s.token[lane] & s.constant_b[lane]) != 0:
                    s.b_is_constant @= 1

        # The constant's memory has one port: an index of its own while the constant is loaded.
        constant = given.index(uses.constant)
        s.ram1 = PortRam(word_nbits, words, 1)
        s.ram1.write //= s.loads[constant]
        s.ram1.word //= s.load_word

        # The other memory. ``number`` is where a number begins.
        own, base, modulus = (x * words for x in range(3))
        total = 3 * words
        s.ram0 = PortRam(word_nbits, 4 * words, 2)
        Place = mk_bits(clog2(4 * words))
        s.number = [Wire(Place) for _ in range(lanes)]
        s.place_index = [Wire(Index) for _ in range(lanes)]
        s.loads_base = Wire(Bits1)
        s.loads_modulus = Wire(Bits1)
        s.loads_base //= s.loads[given.index(uses.own[1])]
        s.loads_modulus //= s.loads[given.index(MODULUS)]

        @update
        def comb_numbers():
            s.ram1.address[0] @= s.index
            if s.loads[constant]:
                s.ram1.address[0] @= s.load_index
            for lane in range(lanes):
                s.place_index[lane] @= s.index
                s.number[lane] @= modulus
                if s.reads_b[lane]:
                    s.number[lane] @= base
                elif s.reads_sum[lane]:
                    s.number[lane] @= total
            if s.loads_base | s.loads_modulus:
                s.place_index[1] @= s.load_index
                if s.loads_base:
                    s.number[1] @= base
            elif s.sum_write:
                s.place_index[1] @= s.sum_index
                s.number[1] @= total
            elif s.stores[1]:
                s.number[1] @= base
            elif s.doubles:
                s.number[1] @= own
                if ~s.pending[0] & ~s.pending[1]:
                    s.number[1] @= base

        @update
        def comb_places():
            for lane in range(lanes):
                s.ram0.address[lane] @= s.number[lane] + zext(s.place_index[lane], Place)

        @update
        def comb_writes():
            s.ram0.write @= s.loads_base | s.loads_modulus | s.sum_write | s.stores[0] | s.stores[1]
            s.ram0.word @= s.load_word
            if s.sum_write:
                s.ram0.word @= s.sum_word
            elif s.stores[0]:
                s.ram0.word @= s.kept[0]
            elif s.stores[1]:
                s.ram0.word @= s.kept[1]

        #: The last result of a lane is read where it is until it is stored.
        s.b_word = Wire(Word)
        #: operand b is 1 or the constant, which the first memory does not hold
        s.apart = Wire(Bits1)

        @update
        def comb_b_word():
            s.apart @= s.early | s.b_is_one | s.b_is_constant
            s.b_word @= s.kept[1]
            if s.b_is_one:
                s.b_word @= s.one
            elif s.b_is_constant:
                s.b_word @= s.ram1.read[0]

        @update
        def comb_words():
            for lane in range(lanes):
                s.word[lane] @= s.ram0.read[lane]
                if s.reads_b[lane] & s.apart:
                    s.word[lane] @= s.b_word
                s.a_word[lane] @= s.ram0.read[1]
                if s.pending[lane]:
                    s.a_word[lane] @= s.kept[lane]
            if s.a_is_one:
                s.a_word[0] @= s.one

        s.unload_modulus //= s.ram0.read[0]


_OF_LANES = ("token", "a_word", "reads_b", "reads_sum", "word", "kept", "stores")
_OF_ALL = (
    "index",
    "reads_index",
    "doubles",
    "early",
    "pending",
    "sum_write",
    "sum_index",
    "sum_word",
)


def add_engine_on_ports(
    s: Any, nbits: int, program: Program, multiplier: Any, sequencer: Any
) -> None:
    """Build the multiplier of both lanes; connect it to ``memory`` and to a sequencer."""
    circuit = multiplier.classes.rtl.on_ports
    s.engine = circuit(nbits, Slots(program).per_lane, **dict(multiplier.params))
    connect_named(s.engine, s.memory, *_OF_ALL)
    for i, lane in enumerate(s.engine.lanes):
        connect(lane.offered, sequencer.offers[i])
        connect(lane.slot, sequencer.chosen[i])
        connect(lane.accepts, sequencer.accepts[i])
        connect(lane.answers, sequencer.answers[i])
        for name in _OF_LANES:
            connect(getattr(lane, name), getattr(s.memory, name)[i])
