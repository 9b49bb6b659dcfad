"""WordStore: residues in a memory of words, which the multiplier addresses.

One multiplier serves all lanes, so that they can share circuits (both products of a right-to-left
step have the same ``b``): ``Multiplier(nbits, lanes, slot_nbits, **params)``. Its contract, a
``fl.contract.WordMultiplier``, has ``word_nbits``, ``words`` and ``constants`` (stable
inputs by name).

A *token* stands for a product: its slot (one-hot, ``rtl.lib.slots``) and above it, if the program
has a table, the table index. The multiplier outputs it with each access, and does not decode it.
Token 0 reads zeros.

Ports of the multiplier, for each lane a ``WordLane`` in the list ``lanes``:

offered : in, 1 bit; a product is offered
accepts : out, 1 bit; the product is accepted in a cycle in which ``offered`` is 1, too
slot : in, slot_nbits bits; token; valid only in the cycle in which the product is accepted
answers : out, 1 bit; for one cycle: the result can be read *in order*: word j from the (j + 1)-th
    cycle after this one, at the latest. The next product is offered in the next cycle, at the
    earliest.
read_slot : out, slot_nbits bits; token of the product whose operands are read
a_index, b_index, m_index : out, index_nbits(words) bits each; always below ``words``
a_word, b_word, m_word : in, word_nbits bits each; these words *in the same cycle* (the memory reads
    combinationally, as flip-flops and an FPGA's distributed memory do), or, for a multiplier that
    ``fetches_ahead``, *in the next cycle*, from registers; ``read_slot`` is always the token of the
    cycle in which the words come
write : out, 1 bit; a word of a result is written; it comes from the next cycle on. Words may
    be written before, with and after ``answers``: word j no later than j cycles after it.
write_slot, write_index, write_word : out; token, index and word

The loader writes the operands before the request is accepted, one word of each per cycle. The
unloader reads the result in order, subtracts the modulus unless the result is below it (``words``
cycles to compare, ``words`` to copy). Other memory, such as that for 2B + N in ``DigitSerial``, is
part of the multiplier.
"""

from typing import Any

from pymtl3 import (
    Bits1,
    Component,
    InPort,
    OutPort,
    Wire,
    connect,
    mk_bits,
    update,
    update_ff,
    zext,
)

from rsaxcel.fl.status import STATUS_NBITS, InputRules
from rsaxcel.plan.programs import Program
from rsaxcel.rtl.lib.adjust import connect_named
from rsaxcel.rtl.lib.lanes import index_nbits
from rsaxcel.rtl.lib.selects import WordSelect
from rsaxcel.rtl.lib.slots import Slots
from rsaxcel.rtl.stores.memory import MODULUS, WordMemory, loaded_names
from rsaxcel.rtl.stores.ports import add_store_ports
from rsaxcel.rtl.stores.request_check import WordCheck


class WordUnloader(Component):
    """Subtracts the modulus from a result, unless the result is below the modulus, word by word.

    It reads the result twice: first to subtract the modulus, then to copy the result if it is below
    the modulus. A word is subtracted or copied in the cycle after it is read.

    Parameters
    ----------
    nbits : int; width of the reduced result in bits
    word_nbits, words : int; width of a word in bits, words of an operand

    Ports
    -----
    start : in, 1 bit; the subtraction begins in the next cycle
    clear : in, 1 bit; sets the result to 0, valid in the next cycle
    index : out, index_nbits(words) bits; index of the word to read
    value, modulus : in, word_nbits bits each; word ``index`` of the result and of the modulus
    ready : out, 1 bit; the result is valid, until the next start
    result : out, nbits bits; the reduced result

    Latency: ``2 * words + 1`` cycles.
    """

    def construct(s, nbits, word_nbits, words):
        Word = mk_bits(word_nbits)
        Wider = mk_bits(word_nbits + 1)
        Index = mk_bits(index_nbits(words))
        last = words - 1
        s.start = InPort(1)
        s.clear = InPort(1)
        s.index = OutPort(Index)
        s.value = InPort(Word)
        s.modulus = InPort(Word)
        s.ready = OutPort(1)
        s.result = OutPort(nbits)

        s.comparing_reg = Wire(Bits1)
        s.moving_reg = Wire(Bits1)
        s.index_reg = Wire(Index)
        s.result_reg = [Wire(Word) for _ in range(words)]
        s.index //= s.index_reg
        for i in range(words):
            low = i * word_nbits
            width = min(word_nbits, nbits - low)
            if width > 0:
                s.result[low : low + width] //= s.result_reg[i][0:width]

        s.value_reg = Wire(Word)
        s.modulus_reg = Wire(Word)
        s.subtracts_reg = Wire(Bits1)
        s.copies_reg = Wire(Bits1)
        s.position_reg = Wire(Index)
        s.difference_reg = Wire(Word)
        s.subtracted_reg = Wire(Bits1)
        s.subtracted_position_reg = Wire(Index)
        s.borrow_reg = Wire(Bits1)
        s.keep_reg = Wire(Bits1)  #: the result is below the modulus
        s.difference = Wire(Wider)
        s.ends = Wire(Bits1)

        @update
        def comb_difference():
            s.difference @= (
                zext(s.value_reg, Wider) - zext(s.modulus_reg, Wider) - zext(s.borrow_reg, Wider)
            )
            s.ends @= s.index_reg == last
            s.ready @= ~s.comparing_reg & ~s.moving_reg

        @update_ff
        def seq_phase():
            if s.reset:
                s.comparing_reg <<= 0
                s.moving_reg <<= 0
            elif s.start:
                s.comparing_reg <<= 1
            elif s.comparing_reg & s.ends:
                s.comparing_reg <<= 0
                s.moving_reg <<= 1
            elif s.ends:
                s.moving_reg <<= 0
            if s.reset | s.ends | s.ready:
                s.index_reg <<= 0
            else:
                s.index_reg <<= s.index_reg + 1

        @update_ff
        def seq_difference():
            s.subtracts_reg <<= s.comparing_reg & ~s.reset
            s.copies_reg <<= s.moving_reg & ~s.ends
            s.position_reg <<= s.index_reg
            if ~s.ready:
                s.value_reg <<= s.value
                s.modulus_reg <<= s.modulus
            s.borrow_reg <<= s.subtracts_reg & s.difference[word_nbits]
            if s.subtracts_reg:
                s.keep_reg <<= s.difference[word_nbits]
            s.difference_reg <<= s.difference[0:word_nbits]
            s.subtracted_reg <<= s.subtracts_reg
            s.subtracted_position_reg <<= s.position_reg

        # The last word is subtracted in the first cycle of moving. Its borrow tells whether the
        # result is kept, and so what is written to it, in this same cycle. All other differences
        # are written a cycle after they are formed, because a carry that drives all words would
        # limit the clock.
        s.write = Wire(Bits1)
        s.write_position = Wire(Index)
        s.write_word = Wire(Word)
        s.write_last = Wire(Bits1)
        s.last_word = Wire(Word)

        @update
        def comb_write():
            s.write @= s.subtracted_reg
            s.write_position @= s.subtracted_position_reg
            s.write_word @= s.difference_reg
            if s.copies_reg:
                s.write @= s.keep_reg
                s.write_position @= s.position_reg
                s.write_word @= s.value_reg
            s.write_last @= s.subtracts_reg & s.moving_reg
            s.last_word @= s.difference[0:word_nbits]
            if s.difference[word_nbits]:
                s.last_word @= s.value_reg

        @update_ff
        def seq_result():
            for i in range(words):
                if s.clear:
                    s.result_reg[i] <<= 0
                elif i == last:
                    if s.write_last:
                        s.result_reg[i] <<= s.last_word
                elif s.write & (s.write_position == i):
                    s.result_reg[i] <<= s.write_word


class WordLoader(Component):
    """Counts words while a request is offered, and compares base and modulus word by word.

    Parameters
    ----------
    word_nbits, words : int; width of a word in bits, words of an operand
    rules : fl.status.InputRules or None; input rules; None: nothing is checked

    Ports
    -----
    go : in, 1 bit; a request is offered, and no other request is running
    base, modulus : in, word_nbits bits each; word ``index`` of base and modulus
    wide, missing : in, 1 bit each; flags of the request
    index : out, index_nbits(words) bits; index of the word that is loaded
    loading : out, 1 bit; a word is loaded
    loaded : out, 1 bit; 1 in the cycle after the last word
    status : out, STATUS_NBITS bits; from the cycle after ``loaded`` until the next request is
        offered

    One word is loaded per cycle. A word is compared in the cycle after it is loaded
    (``rtl.stores.request_check``); therefore ``loaded`` comes a cycle after the last word.
    """

    def construct(s, word_nbits, words, rules: InputRules | None):
        Word = mk_bits(word_nbits)
        Index = mk_bits(index_nbits(words))
        last = words - 1
        s.go = InPort(1)
        s.base = InPort(Word)
        s.modulus = InPort(Word)
        s.wide = InPort(1)
        s.missing = InPort(1)
        s.index = OutPort(Index)
        s.loading = OutPort(1)
        s.loaded = OutPort(1)
        s.status = OutPort(STATUS_NBITS)

        s.index_reg = Wire(Index)
        s.checking_reg = Wire(Bits1)
        s.index //= s.index_reg

        @update
        def comb_loading():
            s.loading @= s.go & ~s.checking_reg
            s.loaded @= s.go & s.checking_reg

        @update_ff
        def seq_index():
            s.checking_reg <<= s.loading & (s.index_reg == last) & ~s.reset
            if s.reset | ~s.loading | (s.index_reg == last):
                s.index_reg <<= 0
            else:
                s.index_reg <<= s.index_reg + 1

        if rules:
            s.check = WordCheck(word_nbits, rules)
            s.check.comes //= s.loading
            connect_named(s.check, s, "base", "modulus", "wide", "missing", "status")

            @update
            def comb_first():
                s.check.first @= s.index_reg == 0

        else:
            s.status //= 0


class WordStore(Component):
    """A memory, a word multiplier that works on it, a loader and an unloader.

    Parameters
    ----------
    nbits : int; width of the modulus in bits
    program : plan.programs.Program; residues, steps and lanes; the only program of its plan, with
        the result ``r``
    rules : fl.status.InputRules or None; input rules; None: nothing is checked

    Ports
    -----
    The ports of every store (``rtl.stores.ports``). A request is loaded while it is offered, one
    word of each operand per cycle. The last word is compared in the cycle after it is loaded, and
    the request is accepted when its status is known. The port ``modulus`` is 0.
    """

    #: The lanes leave time for a sequencer that computes the next step in advance.
    looks_ahead = False

    is_cleared = False  #: the executor is cleared after each request

    def construct(s, nbits, program: Program, multiplier, rules, request_type):
        if program.computed_constants or program.sends != ("r",):
            raise ValueError(
                f"program {program.name}: must have r as its only result, and no computed constants"
            )
        add_store_ports(s, nbits, program, request_type)
        contract = multiplier.build("fl", nbits)
        word_nbits, words = contract.word_nbits, contract.words
        s.modulus //= 0

        #: The request is accepted in the cycle after its last comparison.
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

        ahead = contract.fetches_ahead
        s.memory = WordMemory(program, word_nbits, words, contract.one_index, ahead)
        s.memory.load_index //= s.loader.index
        names = loaded_names(program)
        fields = request_type.__bitstruct_fields__
        # Operands can be wider than the modulus.
        widest = max(fields[name].nbits for name in names)
        s.selects = [WordSelect(widest, word_nbits, words) for _ in names]
        for name, select, load, word in zip(
            names, s.selects, s.memory.loads, s.memory.load_words, strict=True
        ):
            load //= s.loads
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

        add_engine(s, nbits, program, multiplier, s)

        #: Constants of the modulus are stable from the cycle in which the request is accepted.
        s.held_reg = [Wire(mk_bits(constant.nbits)) for constant in program.multiplier_constants]
        s.held_next = [Wire(mk_bits(constant.nbits)) for constant in program.multiplier_constants]
        nheld = len(s.held_reg)
        for constant, held, new in zip(
            program.multiplier_constants, s.held_reg, s.held_next, strict=True
        ):
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


def add_engine(s: Any, nbits: int, program: Program, multiplier: Any, sequencer: Any) -> None:
    """Build the word multiplier of all lanes; connect it to ``memory`` and to a sequencer."""
    slots = Slots(program)
    token_nbits = slots.per_lane + (program.scan.index_nbits if program.table else 0)
    s.engine = multiplier.build("rtl", nbits, slots.lanes, token_nbits)
    for lane, ports in enumerate(s.engine.lanes):
        connect(ports.offered, sequencer.offers[lane])
        connect(ports.slot[0 : slots.per_lane], sequencer.chosen[lane])
        if program.table:
            connect(ports.slot[slots.per_lane : token_nbits], sequencer.index)
        connect(ports.accepts, sequencer.accepts[lane])
        connect(ports.answers, sequencer.answers[lane])
        for port in _MEMORY_PORTS:
            connect(getattr(ports, port), getattr(s.memory, port)[lane])


_MEMORY_PORTS = (
    "read_slot",
    "a_index",
    "b_index",
    "m_index",
    "a_word",
    "b_word",
    "m_word",
    "write",
    "write_slot",
    "write_index",
    "write_word",
)
