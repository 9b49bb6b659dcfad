"""WordMemory: a bank of words for each residue and for the modulus."""

from typing import Any

from pymtl3 import Component, InPort, OutPort, Wire, connect, mk_bits, update, update_ff, zext
from pymtl3.stdlib.basic_rtl import RegisterFile

from rsaxcel.plan.programs import Program
from rsaxcel.plan.steps import ENTRY, NEXT, ONE
from rsaxcel.rtl.lib.lanes import index_nbits
from rsaxcel.rtl.lib.selects import TableRead
from rsaxcel.rtl.lib.slots import Slots

MODULUS = "m"


class FetchedWord(Component):
    """Registers the word at ``index``, as it is after the write of the same cycle.

    Without the register, a word would be selected among all words of the bank and used in one
    cycle, and the clock period would grow with the number of words.

    Parameters
    ----------
    word_nbits, index_nbits : int; width of a word and of an index in bits

    Ports
    -----
    index : in, index_nbits bits
    read : in, word_nbits bits; word ``index`` of the bank, before the write of this cycle
    write : in, 1 bit; the bank is written
    write_index : in, index_nbits bits
    write_word : in, word_nbits bits
    word : out, word_nbits bits; word ``index`` of the last cycle
    """

    def construct(s, word_nbits, index_nbits):
        Word = mk_bits(word_nbits)
        Index = mk_bits(index_nbits)
        s.index = InPort(Index)
        s.read = InPort(Word)
        s.write = InPort(1)
        s.write_index = InPort(Index)
        s.write_word = InPort(Word)
        s.word = OutPort(Word)

        s.word_reg = Wire(Word)
        s.word //= s.word_reg

        @update_ff
        def seq_word():
            s.word_reg <<= s.read
            if s.write & (s.write_index == s.index):
                s.word_reg <<= s.write_word


class WordMemory(Component):
    """A memory with a bank of words for each residue and for the modulus.

    A bank has one write port, and the read ports that the program needs: one, if all words that
    are read in a cycle have the same index. In a cycle, only the loader or one lane writes to a
    bank, because no two products of a step have the same destination.

    Parameters
    ----------
    word_nbits, words : int; width of a word in bits, words of a bank
    one_index : bool; all words that are read in a cycle have the same index
        (``fl.contract.WordMultiplier.one_index``)
    fetches_ahead : bool; lanes give the index of a word in the cycle before they read the word
        (``WordMultiplier.fetches_ahead``). Each read port of a lane then has a register

    Ports
    -----
    loads : in, 1 bit each; word ``load_index`` of each value of ``loaded_names`` is written;
        residues that start as 1 are written with the modulus
    load_index : in, index_nbits(words) bits
    load_words : in, word_nbits bits each; words of the residues of ``loaded_names`` and, last, of
        the modulus
    unload_index : in, index_nbits(words) bits; index of the word of ``r`` and of the modulus to
        read; with ``one_index``, 0 while lanes read
    unload_value, unload_modulus : out, word_nbits bits each; words of ``r`` and of the modulus

    Ports of ``WordLane``, with opposite directions, per lane:

    read_slot, write_slot : in, Slots.per_lane bits each; slot (one-hot, ``rtl.lib.slots``) of the
        product whose operands are read or whose result is written; above it, if the program has a
        table, program.scan.index_nbits bits with the table index
    a_index, b_index, m_index, write_index : in, index_nbits(words) bits each
    a_word, b_word, m_word : out, word_nbits bits each; chosen by ``read_slot`` of this cycle, and
        by the index of this cycle or, with ``fetches_ahead``, of the last cycle
    write : in, 1 bit each
    write_word : in, word_nbits bits each
    """

    def construct(s, program: Program, word_nbits, words, one_index, fetches_ahead):
        slots = Slots(program)
        lanes, per_lane = slots.lanes, slots.per_lane
        names = (*program.residues, MODULUS)
        nbanks = len(names)
        Word = mk_bits(word_nbits)
        Index = mk_bits(index_nbits(words))
        Slot = mk_bits(per_lane)
        token_nbits = per_lane + (program.scan.index_nbits if program.table else 0)
        Token = mk_bits(token_nbits)

        given = loaded_names(program)
        s.loads = [InPort(1) for _ in given]
        s.load_index = InPort(Index)
        s.load_words = [InPort(Word) for _ in given]
        s.read_slot = [InPort(Token) for _ in range(lanes)]
        s.a_index = [InPort(Index) for _ in range(lanes)]
        s.b_index = [InPort(Index) for _ in range(lanes)]
        s.m_index = [InPort(Index) for _ in range(lanes)]
        s.a_word = [OutPort(Word) for _ in range(lanes)]
        s.b_word = [OutPort(Word) for _ in range(lanes)]
        s.m_word = [OutPort(Word) for _ in range(lanes)]
        s.write = [InPort(1) for _ in range(lanes)]
        s.write_slot = [InPort(Token) for _ in range(lanes)]
        s.write_index = [InPort(Index) for _ in range(lanes)]
        s.write_word = [InPort(Word) for _ in range(lanes)]
        s.unload_index = InPort(Index)
        s.unload_value = OutPort(Word)
        s.unload_modulus = OutPort(Word)

        # Collected first, because a bank is made with as many ports as it has readers.
        readers: dict[str, list[Any]] = {name: [] for name in names}
        for lane in range(lanes):
            readers[MODULUS].append((s.m_index[lane], s.m_word[lane]))

        s.slot_a = [[Wire(Word) for _ in range(per_lane)] for _ in range(lanes)]
        s.slot_b = [[Wire(Word) for _ in range(per_lane)] for _ in range(lanes)]
        s.one_a = [Wire(Word) for _ in range(lanes)]
        s.one_b = [Wire(Word) for _ in range(lanes)]
        #: Whether the words read are words 0.
        s.a_first = [Wire(1) for _ in range(lanes)]
        s.b_first = [Wire(1) for _ in range(lanes)]
        for lane in range(lanes):
            for role, index, one, wires in (
                ("a", s.a_index[lane], s.one_a[lane], s.slot_a[lane]),
                ("b", s.b_index[lane], s.one_b[lane], s.slot_b[lane]),
            ):
                read: dict[str, Any] = {}
                for j, wire in enumerate(wires):
                    product = slots.product(lane, j)
                    name = getattr(product, role) if product else None
                    if name is None:
                        wire //= 0
                    elif name == ONE:
                        wire //= one
                    elif name in read:
                        wire //= read[name]
                    elif name == ENTRY and program.table:
                        table = TableRead(
                            Word.nbits,
                            min(program.entries),
                            max(program.entries),
                            program.scan.index_nbits,
                        )
                        setattr(s, f"table_{role}_{lane}", table)
                        table.index //= s.read_slot[lane][per_lane:token_nbits]
                        wire //= table.value
                        read[name] = wire
                        for entry, port in zip(
                            program.entries.values(), table.entries, strict=True
                        ):
                            readers[entry].append((index, port))
                    else:
                        read[name] = wire
                        readers[name].append((index, wire))

        @update
        def comb_reads():
            for lane in range(lanes):
                s.one_a[lane] @= zext(s.a_first[lane], Word)
                s.one_b[lane] @= zext(s.b_first[lane], Word)
                s.a_word[lane] @= 0
                s.b_word[lane] @= 0
                for j in range(per_lane):
                    if s.read_slot[lane][j]:
                        s.a_word[lane] @= s.slot_a[lane][j]
                        s.b_word[lane] @= s.slot_b[lane][j]

        if fetches_ahead:

            @update_ff
            def seq_first():
                for lane in range(lanes):
                    s.a_first[lane] <<= s.a_index[lane] == 0
                    s.b_first[lane] <<= s.b_index[lane] == 0

        else:

            @update
            def comb_first():
                for lane in range(lanes):
                    s.a_first[lane] @= s.a_index[lane] == 0
                    s.b_first[lane] @= s.b_index[lane] == 0

        s.bank_load = [Wire(1) for _ in range(nbanks)]
        s.first = [Wire(Word) for _ in range(nbanks)]
        s.one_loaded = Wire(Word)
        s.writers = [[Wire(Slot) for _ in range(lanes)] for _ in range(nbanks)]
        s.bank_write = [Wire(1) for _ in range(nbanks)]
        s.bank_index = [Wire(Index) for _ in range(nbanks)]
        s.bank_word = [Wire(Word) for _ in range(nbanks)]
        for i, name in enumerate(names):
            if name in given:
                s.bank_load[i] //= s.loads[given.index(name)]
                s.first[i] //= s.load_words[given.index(name)]
            elif name in program.ones:
                s.bank_load[i] //= s.loads[given.index(MODULUS)]
                s.first[i] //= s.one_loaded
            else:
                s.bank_load[i] //= 0
                s.first[i] //= 0
            for lane in range(lanes):
                s.writers[i][lane] //= slots.writers_mask(lane, name)

        s.takes = [[Wire(1) for _ in range(lanes)] for _ in range(nbanks)]
        if program.fill and program.table:
            # The step that fills the table writes the entry after the one at the table index, which
            # is in the upper bits of ``write_slot``.
            filled = {program.entries[i + 1]: i for i in program.table.filled}
            s.fillers = [Wire(Slot) for _ in range(lanes)]
            for lane in range(lanes):
                s.fillers[lane] //= slots.writers_mask(lane, NEXT)
            s.is_filled = [Wire(1) for _ in range(nbanks)]
            s.predecessor = [Wire(mk_bits(program.scan.index_nbits)) for _ in range(nbanks)]
            for i, name in enumerate(names):
                s.is_filled[i] //= int(name in filled)
                s.predecessor[i] //= filled.get(name, 0)

            @update
            def comb_takes_and_fills():
                for i in range(nbanks):
                    for lane in range(lanes):
                        s.takes[i][lane] @= (
                            s.write_slot[lane][0:per_lane] & s.writers[i][lane]
                        ) != 0
                        if s.is_filled[i] & (
                            s.write_slot[lane][per_lane:token_nbits] == s.predecessor[i]
                        ):
                            if (s.write_slot[lane][0:per_lane] & s.fillers[lane]) != 0:
                                s.takes[i][lane] @= 1

        else:

            @update
            def comb_takes():
                for i in range(nbanks):
                    for lane in range(lanes):
                        s.takes[i][lane] @= (
                            s.write_slot[lane][0:per_lane] & s.writers[i][lane]
                        ) != 0

        @update
        def comb_writes():
            s.one_loaded @= zext(s.load_index == 0, Word)
            for i in range(nbanks):
                s.bank_write[i] @= s.bank_load[i]
                s.bank_index[i] @= s.load_index
                s.bank_word[i] @= s.first[i]
                for lane in range(lanes):
                    if s.write[lane] & s.takes[i][lane]:
                        s.bank_write[i] @= 1
                        s.bank_index[i] @= s.write_index[lane]
                        s.bank_word[i] @= s.write_word[lane]

        if one_index:
            s.read_index = Wire(Index)

            @update
            def comb_read_index():
                s.read_index @= s.unload_index
                for lane in range(lanes):
                    s.read_index @= s.read_index | s.a_index[lane]

        unloaded = {"r": s.unload_value, MODULUS: s.unload_modulus}
        for i, name in enumerate(names):
            ports = readers[name]
            if fetches_ahead:
                ports = [
                    (x, add_fetch(s, f"fetched_{name}_{k}", i, x, word))
                    for k, (x, word) in enumerate(ports)
                ]
            # A bank that nothing reads gets a read port with an open output; synthesis removes it.
            if name in unloaded or not ports:
                ports = [(s.unload_index, unloaded.get(name)), *ports]
            indices = [s.read_index] if one_index else [index for index, _ in ports]
            bank = RegisterFile(Word, words, rd_ports=len(indices))
            setattr(s, f"bank_{name}", bank)
            connect(bank.wen[0], s.bank_write[i])
            connect(bank.waddr[0], s.bank_index[i])
            connect(bank.wdata[0], s.bank_word[i])
            for k, index in enumerate(indices):
                connect(bank.raddr[k], index)
            for k, (_, word) in enumerate(ports):
                if word is not None:
                    connect(bank.rdata[0 if one_index else k], word)


def add_fetch(s: Any, name: str, bank: int, index: Any, word: Any) -> Any:
    """Add a fetch register that drives ``word``; return its input, which the bank drives."""
    fetched = FetchedWord(word._dsl.Type.nbits, index._dsl.Type.nbits)
    setattr(s, name, fetched)
    connect(fetched.index, index)
    connect(fetched.write, s.bank_write[bank])
    connect(fetched.write_index, s.bank_index[bank])
    connect(fetched.write_word, s.bank_word[bank])
    connect(fetched.word, word)
    return fetched.read


def loaded_names(program: Program) -> tuple[str, ...]:
    """Values that a request loads into the memory: residues that the request gives, and modulus."""
    return (*(name for name in program.residues if name in program.receives), MODULUS)
