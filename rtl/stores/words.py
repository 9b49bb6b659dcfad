"""WordStore: residues in a memory of words that the multiplier itself addresses.

The multiplier of such a store is an *engine*: one component for all lanes of a program, so that
lanes may share what they have in common (both products of a right-to-left step have the same
``b``). It is built as ``Engine(nbits, lanes, slot_nbits, **params)``; its contract in ``fl`` (a
``fl.multipliers.contract.WordMultiplier``) says how many bits a word has (``word_nbits``), how many
words an operand (``words``), and which constants of the modulus the engine needs (``constants``,
steady inputs of the engine by name).

Ports of the engine, a ``WordLane`` in the list ``lanes`` for each lane, seen from the engine:

offered : in, 1 bit; a product is offered
accepts : out, 1 bit; the product is taken in a cycle in which this and ``offered`` are 1
slot : in, slot_nbits bits; token of the product offered; steady only in the cycle in which it is
    accepted
answers : out, 1 bit; for one cycle: the words of the result can be read *as far as they are
    needed*: word j from the (j + 1)-th cycle after this one, at the latest. The next product is
    offered in the next cycle, at the earliest.
read_slot : out, slot_nbits bits; the product whose operands are read (the token)
a_index, b_index, m_index : out, index_nbits(words) bits each; which word of its a, its b and of the
    modulus
a_word, b_word, m_word : in, word_nbits bits each; those words *in the same cycle* (the memory reads
    combinationally, as flip-flops and an FPGA's distributed memory do; an engine that wants a fetch
    stage registers them)
write : out, 1 bit; a word of a result is written; it can be read from the next cycle on. Words may
    be written before ``answers``, in that cycle and after it: word j no later than j cycles after
    it.
write_slot : out, slot_nbits bits; the product that the word is a result of (the token)
write_index : out, index_nbits(words) bits; which word it is
write_word : out, word_nbits bits; the word

An index is below ``words`` at all times. The token has ``slot_nbits`` bits and means nothing to the
engine; 0 reads zeros. (It is the slot, one-hot, and above it, where the program has a table, the
index of the entry.)

Operands enter by the loader before the request is accepted, one word of each in a cycle; after the
last step the unloader reads the result's words in order, subtracts the modulus where it is not
below it (``words`` cycles to find that out, as many to hand the words on) and gives it to the
response. Memory of a lane's own, such as that for 2B + N, is the engine's own matter.
"""

from pymtl3 import Bits1, Component, Wire, connect, mk_bits, update, update_ff

from plan.programs import Program
from rtl.lib.slots import Slots
from rtl.lib.word_select import WordSelect
from rtl.stores.loader import WordLoader
from rtl.stores.memory import MODULUS, WordMemory, loaded_names
from rtl.stores.ports import add_store_ports
from rtl.stores.unloader import WordUnloader


class WordStore(Component):
    """A memory, an engine on it, a loader and an unloader.

    Parameters
    ----------
    nbits : int
        Width of the modulus in bits.
    program : plan.programs.Program
        Residues, steps and lanes; the only executor of its plan, which gives ``r``.
    multiplier : catalog.units.Unit
        The engine.
    rules : fl.status.InputRules or None
        Input rules; None where nothing is to be judged.
    request_type : type
        Request of the executor.

    Ports
    -----
    Those of every store (``rtl.stores.ports``). A request is loaded while it is offered, a word of
    every operand in a cycle, compared in the cycle after, and accepted when its status is known;
    ``modulus`` is 0.
    """

    looks_ahead = False
    """Whether the lanes leave time for a sequencer that looks ahead."""

    is_cleared = False
    """Whether all registers are cleared behind a request."""

    def construct(s, nbits, program: Program, multiplier, rules, request_type):
        if program.supplied or program.sends != ("r",):
            raise ValueError(f"program {program.name}: residues in words come in and go out once")
        add_store_ports(s, nbits, program, request_type)
        contract = multiplier.build("fl", nbits)
        word_nbits, words = contract.word_nbits, contract.words
        slots = Slots(program)
        s.modulus //= 0

        # The request is offered until the cycle after the last comparison, which accepts it.
        s.loaded_reg = Wire(Bits1)
        s.takes //= s.loaded_reg
        s.loader = WordLoader(word_nbits, words, rules)
        s.loader.loaded //= s.loaded
        for flag in ("wide", "missing"):
            known = flag in request_type.__bitstruct_fields__
            connect(getattr(s.loader, flag), getattr(s.request, flag) if known else 0)
        if rules:
            s.loader.status //= s.status
        else:
            s.status //= s.request.status

        s.loads = Wire(Bits1)
        s.loader.go //= s.loads

        @update
        def comb_loads():
            s.loads @= s.idle & s.offered

        @update_ff
        def seq_loaded():
            s.loaded_reg <<= s.loaded & ~s.reset

        s.memory = WordMemory(program, word_nbits, words)
        s.memory.load //= s.loads
        s.memory.load_index //= s.loader.index
        names = loaded_names(program)
        fields = request_type.__bitstruct_fields__
        # Operands may be wider than the modulus.
        widest = max(fields[name].nbits for name in names)
        s.selects = [WordSelect(widest, word_nbits, words) for _ in names]
        for name, select, word in zip(names, s.selects, s.memory.load_words, strict=True):
            width = fields[name].nbits
            connect(select.value[0:width], getattr(s.request, name))
            if width < widest:
                select.value[width:widest] //= 0
            select.index //= s.loader.index
            select.word //= word
        s.loader.modulus //= s.selects[names.index(MODULUS)].word
        if "b" in names:
            s.loader.base //= s.selects[names.index("b")].word
        else:
            s.loader.base //= 0

        token_nbits = slots.per_lane + (program.scan.index_nbits if program.table else 0)
        s.engine = multiplier.build("rtl", nbits, slots.lanes, token_nbits)
        for lane, ports in enumerate(s.engine.lanes):
            ports.offered //= s.offers[lane]
            ports.slot[0 : slots.per_lane] //= s.chosen[lane]
            if program.table:
                ports.slot[slots.per_lane : token_nbits] //= s.index
            ports.accepts //= s.accepts[lane]
            ports.answers //= s.answers[lane]
            for port in _MEMORY_PORTS:
                connect(getattr(ports, port), getattr(s.memory, port)[lane])

        # Constants of the modulus are steady from the accepting cycle on.
        s.held_reg = [Wire(mk_bits(constant.nbits)) for constant in program.held]
        s.held_next = [Wire(mk_bits(constant.nbits)) for constant in program.held]
        nheld = len(s.held_reg)
        for constant, held, new in zip(program.held, s.held_reg, s.held_next, strict=True):
            connect(held, getattr(s.engine, constant.name))
            connect(new, getattr(s.request, constant.name))
        if nheld:

            @update_ff
            def seq_held():
                for i in range(nheld):
                    if s.loaded:
                        s.held_reg[i] <<= s.held_next[i]

        s.unloader = WordUnloader(nbits, word_nbits, words)
        s.unloader.start //= s.finish
        s.unloader.clear //= s.refuse
        s.unloader.index //= s.memory.unload_index
        s.unloader.value //= s.memory.unload_value
        s.unloader.modulus //= s.memory.unload_modulus
        s.unloader.ready //= s.ready
        s.unloader.result //= s.results[0]


_MEMORY_PORTS = (
    *("read_slot", "a_index", "b_index", "m_index", "a_word", "b_word", "m_word"),
    *("write", "write_slot", "write_index", "write_word"),
)
