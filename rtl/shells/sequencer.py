"""StepSequencer: runs the steps of an operation on a core with addresses."""

from dataclasses import dataclass, replace

from pymtl3 import (
    Component,
    InPort,
    OutPort,
    Wire,
    clog2,
    connect,
    mk_bits,
    trunc,
    update,
    update_ff,
)

from rsaxcel.plan.protocols import MOST, Core, Pulse, Read, Repeat, Steps, Wait, Write
from rsaxcel.rtl.lib.adjust import connect_low
from rsaxcel.rtl.lib.lanes import index_nbits
from rsaxcel.rtl.lib.selects import WordSelect
from rsaxcel.rtl.shells.pins import pin
from rsaxcel.rtl.shells.values import Collector, add_pins

_WRITE, _READ, _POLL, _PULSE, _AWAIT = range(5)
PAUSE = 3  #: cycles before an access of a host that waits


@dataclass(frozen=True)
class _Entry:
    """A step in the table of the sequencer."""

    kind: int
    step: Write | Pulse | Wait | Read
    words: int  #: words of its number; 1 if it has none
    turns: int = 1  #: words that the step transfers itself
    rounds: int = 1  #: rounds of the repeat that ends with this step
    first: int = 0  #: number of the first step of this repeat

    @property
    def port(self) -> str:
        """Port that is pulsed or awaited; "": there is none."""
        return self.step.port if isinstance(self.step, Pulse | Wait) else ""


def entries_of(core: Core) -> tuple[_Entry, ...]:
    """Return the steps of a core's protocol; each has its place as its number."""
    assert isinstance(core.protocol, Steps)
    found: list[_Entry] = []
    for step in core.protocol.steps:
        first = len(found)
        for each in step.steps if isinstance(step, Repeat) else (step,):
            entry = _entry(core, each)
            if not isinstance(step, Repeat):
                entry = replace(entry, turns=entry.words)
            found.append(entry)
        if isinstance(step, Repeat):
            found[-1] = replace(found[-1], rounds=step.count, first=first)
    return tuple(found)


def _entry(core: Core, step) -> _Entry:
    if isinstance(step, Read) or (isinstance(step, Write) and step.field):
        kind = _READ if isinstance(step, Read) else _WRITE
        return _Entry(kind, step, core.words(step))
    if isinstance(step, Pulse):
        return _Entry(_PULSE if step.port else _WRITE, step, 1)
    if isinstance(step, Wait):
        return _Entry(_AWAIT if step.port else _POLL, step, 1)
    return _Entry(_WRITE, step, 1)


def _value(step) -> int:
    """Constant that is written or awaited."""
    if isinstance(step, Wait):
        return step.value & (1 if step.port else step.mask)
    return getattr(step, "value", 0)


def _pause(core: Core, entry: _Entry) -> int:
    """Cycles that are waited before a step, or before each of its words."""
    waits = core.host_waits and entry.kind in (_WRITE, _READ)
    return PAUSE if waits else getattr(entry.step, "after", 0)


def _source(step, fields: list[str]) -> int:
    """Return the number of the operand that is written; 0: a constant."""
    written = isinstance(step, Write) and step.field
    return fields.index(step.field) + 1 if written else 0


class Table(Component):
    """Constants by a number; 0 beyond the last one.

    Parameters
    ----------
    nbits : int; width of the constants in bits
    values : tuple of int

    Ports
    -----
    index : in, index_nbits(len(values)) bits
    value : out, nbits bits

    Combinational.
    """

    def construct(s, nbits, values):
        Index = mk_bits(index_nbits(len(values)))
        s.index = InPort(Index)
        s.value = OutPort(nbits)
        count = 1 << Index.nbits
        s.values = [Wire(mk_bits(nbits)) for _ in range(count)]
        for i, value in enumerate((*values, *[0] * (count - len(values)))):
            connect(s.values[i], value % (1 << nbits))

        @update
        def comb_value():
            s.value @= s.values[s.index]


class StepSequencer(Component):
    """Makes one access after another, as the steps of the core's protocol say.

    ======  ==========================================  ==========================================
    kind    in a step of the kind                       the step's next word, or the next step
    ======  ==========================================  ==========================================
    write   writes a word of an operand or a constant   when the access is done
    read    reads a word of the result                  when the word comes
    poll    reads a word                                when its bits under the mask are awaited
    pulse   a port is 1                                 after 1 cycle, when all accesses have ended
    await   reads nothing                               when the port has the value, and all
                                                        accesses have ended
    ======  ==========================================  ==========================================

    After the last step of a repeat comes its first one, until all rounds are run.

    Parameters
    ----------
    core : plan.protocols.Core; its protocol has steps
    request_type : type; fields are the operands
    address_nbits : int; width of an address in bits

    Ports
    -----
    start : in, 1 bit; from the next cycle on, the steps are run
    request : in, a ``request_type``; unchanged while they are run
    ended : out, 1 bit; the last step ends in this cycle
    result : out, nbits bits; from the cycle after ``ended`` on
    val : out, 1 bit; an access is made, and stays until it is done
    write : out, 1 bit; the access is a write
    address, data : out; of the access
    done : in, 1 bit; the access is done: written, or read with ``word``
    word : in; the read word
    drained : in, 1 bit; all earlier accesses have ended in the core
    pin_NAME : ports that are pulsed and awaited, in the other direction

    Latency: a cycle for each access that is done at once. A poll that fails is repeated at once.
    """

    def construct(s, core: Core, request_type, address_nbits):
        protocol = core.protocol
        assert isinstance(protocol, Steps)
        word_nbits = protocol.word_nbits
        entries = entries_of(core)
        steps = [x.step for x in entries]
        most = max(max(x.words, x.rounds) for x in entries)
        At, Index = mk_bits(index_nbits(len(entries))), mk_bits(index_nbits(most))
        Address, Word = mk_bits(address_nbits), mk_bits(word_nbits)
        pauses = [_pause(core, x) for x in entries]
        longest = max(pauses)
        Pause = mk_bits(clog2(longest + 2))
        s.start = InPort(1)
        s.request = InPort(request_type)
        s.ended = OutPort(1)
        s.result = OutPort(core.nbits)
        s.val = OutPort(1)
        s.write = OutPort(1)
        s.address = OutPort(Address)
        s.data = OutPort(Word)
        s.done = InPort(1)
        s.word = InPort(Word)
        s.drained = InPort(1)

        s.runs_reg = Wire(1)
        s.at_reg = Wire(At)  #: number of the step
        s.turn_reg = Wire(Index)  #: word of the step
        s.round_reg = Wire(Index)  #: round of the repeat
        s.pause_reg = Wire(Pause)  #: cycles waited in this step, at most those to be waited first
        s.number = Wire(Index)  #: words that were transferred before this one
        s.index = Wire(Index)  #: place of the word in its number, 0 for the least significant one

        def table(name: str, nbits: int, values) -> Wire:
            part = Table(nbits, tuple(values))
            setattr(s, f"{name}_table", part)
            setattr(s, name, wire := Wire(mk_bits(nbits)))
            connect(part.index, s.at_reg)
            connect(part.value, wire)
            return wire

        table("kind", 3, (x.kind for x in entries))
        table("last_turn", Index.nbits, (x.turns - 1 for x in entries))
        table("last_round", Index.nbits, (x.rounds - 1 for x in entries))
        table("first_step", At.nbits, (x.first for x in entries))
        table("base", address_nbits, (getattr(x, "address", 0) for x in steps))
        table("top", Index.nbits, (x.words - 1 for x in entries))
        table("from_top", 1, (getattr(x, "order", "") == MOST for x in steps))
        table("value", word_nbits, map(_value, steps))
        table("mask", word_nbits, (getattr(x, "mask", 0) for x in steps))
        table("after", Pause.nbits, pauses)
        last = len(entries) - 1

        @update
        def comb_number():
            s.number @= s.turn_reg | s.round_reg  # one of them is 0
            s.index @= s.number
            if s.from_top:
                s.index @= s.top - s.number

        table("stride", address_nbits, (getattr(x, "stride", 0) for x in steps))
        table("increment", word_nbits, (getattr(x, "increment", 0) for x in steps))
        s.address_number = Wire(Address)
        s.data_number = Wire(Word)
        connect_low(s.address_number, s.number)
        connect_low(s.data_number, s.number)

        fields = sorted({x.field for x in steps if isinstance(x, Write) and x.field})
        table("source", clog2(len(fields) + 1), (_source(x, fields) for x in steps))
        count = len(fields)
        s.words = [Wire(Word) for _ in fields]
        for i, name in enumerate(fields):
            select = WordSelect(core.width(name), word_nbits, most)
            setattr(s, f"select_{i}", select)
            connect(select.value, getattr(s.request, name))
            connect(select.index, s.index)
            connect(select.word, s.words[i])

        @update
        def comb_access():
            s.val @= s.runs_reg & s.ripe & (s.kind <= _POLL)
            s.write @= s.kind == _WRITE
            s.address @= s.base + s.stride * s.address_number
            s.data @= s.value + s.increment * s.data_number
            for i in range(count):
                if s.source == i + 1:
                    s.data @= s.words[i]

        s.ripe = Wire(1)
        s.pulses = Wire(1)
        s.goes_on = Wire(1)
        awaited = sorted({x.port for x in entries if x.kind == _AWAIT})
        pulsed = sorted({x.port for x in entries if x.kind == _PULSE})
        add_pins(s, core, (*awaited, *pulsed))
        s.pulse_pins = [Wire(1) for _ in pulsed]
        s.pulsed = [Wire(1) for _ in pulsed]
        for i, port in enumerate(pulsed):
            connect(s.pulse_pins[i], getattr(s, pin(port)))
            chosen = (x.kind == _PULSE and x.port == port for x in entries)
            connect(s.pulsed[i], table(f"pulsed_{i}", 1, chosen))
        pulsed_count = len(pulsed)
        if pulsed:

            @update
            def comb_pulses():
                for i in range(pulsed_count):
                    s.pulse_pins[i] @= s.pulses & s.pulsed[i]

        s.awaited = [Wire(1) for _ in range(1 << At.nbits)]  #: the port of each step
        for i, wire in enumerate(s.awaited):
            waits = i <= last and entries[i].kind == _AWAIT
            connect(wire, getattr(s, pin(entries[i].port)) if waits else 0)

        @update
        def comb_goes_on():
            s.ripe @= s.pause_reg == s.after
            s.pulses @= s.runs_reg & s.drained & (s.kind == _PULSE)
            s.goes_on @= s.val & s.done
            if s.kind == _POLL:
                s.goes_on @= s.val & s.done & (((s.word ^ s.value) & s.mask) == 0)
            elif s.kind == _PULSE:
                s.goes_on @= s.pulses
            elif s.kind == _AWAIT:
                s.goes_on @= s.runs_reg & s.ripe & s.drained & (s.awaited[s.at_reg] == s.value[0])
            s.ended @= (
                s.goes_on
                & (s.at_reg == last)
                & (s.turn_reg == s.last_turn)
                & (s.round_reg == s.last_round)
            )

        reads = next(x for x in entries if x.kind == _READ)
        s.collector = Collector(core.nbits, word_nbits, reads.words)
        connect(s.collector.word, s.word)
        connect(s.collector.value, s.result)
        Collected = mk_bits(index_nbits(reads.words))

        @update
        def comb_collect():
            s.collector.comes @= s.goes_on & (s.kind == _READ)
            s.collector.index @= trunc(s.index, Collected)

        @update_ff
        def seq_step():
            if s.reset:
                s.runs_reg <<= 0
            elif s.start:
                s.runs_reg <<= 1
                s.at_reg <<= 0
                s.turn_reg <<= 0
                s.round_reg <<= 0
            elif s.ended:
                s.runs_reg <<= 0
            elif s.goes_on:
                if s.turn_reg != s.last_turn:
                    s.turn_reg <<= s.turn_reg + 1
                else:
                    s.turn_reg <<= 0
                    s.at_reg <<= s.at_reg + 1
                    if s.last_round != 0:
                        if s.round_reg != s.last_round:
                            s.round_reg <<= s.round_reg + 1
                            s.at_reg <<= s.first_step
                        else:
                            s.round_reg <<= 0

        @update_ff
        def seq_pause():
            if s.start | s.goes_on:
                s.pause_reg <<= 0
            elif s.drained & (s.pause_reg != s.after):
                s.pause_reg <<= s.pause_reg + 1
