"""Operands and results at the ports of cores: joined, held, and cut into words."""

from collections.abc import Iterable
from typing import Any

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

from rsaxcel.plan.protocols import MOST, Core, Data
from rsaxcel.rtl.lib.adjust import connect_low
from rsaxcel.rtl.lib.lanes import index_nbits
from rsaxcel.rtl.lib.selects import WordSelect
from rsaxcel.rtl.shells.pins import pin


def add_pins(s: Component, core: Core, names: Iterable[str]) -> None:
    """Add ports to an adapter that face the named ports of its core: outputs face inputs."""
    for name in names:
        if name:
            port = core.port(name)
            setattr(s, pin(name), (OutPort if port.is_input else InPort)(port.nbits))


def connect_pieces(value: Any, message: Any, data: Data) -> None:
    """Connect fields of a message to their places in the value of a port."""
    high = data.nbits
    for piece in data.pieces:
        connect_low(value[high - piece.nbits : high], getattr(message, piece.field))
        high -= piece.nbits


class HeldRequest(Component):
    """Register of a request.

    Ports
    -----
    load : in, 1 bit
    given : in, a ``request_type``
    held : out, a ``request_type``; that of the last cycle with ``load``
    """

    def construct(s, request_type):
        s.load = InPort(1)
        s.given = InPort(request_type)
        s.held = OutPort(request_type)
        s.held_reg = Wire(request_type)
        connect(s.held, s.held_reg)

        @update_ff
        def seq_held():
            if s.load:
                s.held_reg <<= s.given


class BeatSender(Component):
    """Sends the values of a stream once, beat by beat.

    Parameters
    ----------
    widths : tuple of (int, int); for each port its width, and that of the value, in bits
    order : str; of the beats (``plan.protocols.ORDERS``)

    Ports
    -----
    rewind : in, 1 bit; from the next cycle on, the values are sent
    value_0, ... : in; a value for each port, unchanged while it is sent
    val, rdy : out, in, 1 bit each; of the stream
    last : out, 1 bit; the beat is the last one
    beat_0, ... : out; a beat for each port

    Latency: a beat per cycle, from the cycle after ``rewind`` on.
    """

    def construct(s, widths, order):
        beats = max(-(-value // width) for width, value in widths)
        Count = mk_bits(clog2(beats + 1))
        Index = mk_bits(index_nbits(beats))
        s.rewind = InPort(1)
        s.val = OutPort(1)
        s.rdy = InPort(1)
        s.last = OutPort(1)
        s.count_reg = Wire(Count)  #: beats that are sent; after a reset and at the end all of them
        s.index = Wire(Index)
        from_top = int(order == MOST)
        for i, (width, nbits) in enumerate(widths):
            value, beat = InPort(nbits), OutPort(width)
            select = WordSelect(nbits, width, beats)
            for name, part in (("value", value), ("beat", beat), ("select", select)):
                setattr(s, f"{name}_{i}", part)
            connect(select.value, value)
            connect(select.index, s.index)
            connect(select.word, beat)

        @update
        def comb_beat():
            s.val @= s.count_reg != beats
            s.last @= s.count_reg == beats - 1
            if from_top:
                s.index @= trunc(Count(beats - 1) - s.count_reg, Index)
            else:
                s.index @= trunc(s.count_reg, Index)

        @update_ff
        def seq_count():
            if s.reset:
                s.count_reg <<= beats
            elif s.rewind:
                s.count_reg <<= 0
            elif s.val & s.rdy:
                s.count_reg <<= s.count_reg + 1


class Collector(Component):
    """Collects the words of a result.

    Parameters
    ----------
    nbits, word_nbits : int; width in bits of the result, and of a word
    words : int; words that come; those beyond the width are dropped

    Ports
    -----
    comes : in, 1 bit; a word comes
    index : in; which word it is, 0 for the least significant one
    word : in, word_nbits bits
    value : out, nbits bits; the result, from the cycle after its last word on
    """

    def construct(s, nbits, word_nbits, words):
        kept = min(words, -(-nbits // word_nbits))
        s.comes = InPort(1)
        s.index = InPort(index_nbits(words))
        s.word = InPort(word_nbits)
        s.value = OutPort(nbits)
        s.word_regs = [Wire(mk_bits(word_nbits)) for _ in range(kept)]
        for i in range(kept):
            low = i * word_nbits
            width = min(word_nbits, nbits - low)
            connect(s.value[low : low + width], s.word_regs[i][0:width])
        if kept * word_nbits < nbits:
            connect(s.value[kept * word_nbits : nbits], 0)

        @update_ff
        def seq_words():
            for i in range(kept):
                if s.comes & (s.index == i):
                    s.word_regs[i] <<= s.word
