"""What a foreign core is for a shell: mistakes are told in one line each."""

from dataclasses import replace

import pytest

from rsaxcel.plan.protocols import (
    MOST,
    Axi4Lite,
    Data,
    Piece,
    Port,
    Pulse,
    Read,
    Repeat,
    Reset,
    Stream,
    Streams,
    Wait,
    Write,
    Xcel,
)
from tests.shared.own_cores import core_of, in_beats, inputs, outputs, with_pointers

CORES = {x: core_of(x, 8) for x in ("streams", "start_done", "words", "axi4_lite", "xcel")}
START, WORDS = CORES["start_done"].protocol, CORES["words"].protocol


def _changed(name, **changes):
    """Core of a protocol with other fields of the protocol."""
    core = CORES[name]
    return replace(core, protocol=replace(core.protocol, **changes))


def _with_steps(*steps):
    return _changed("words", steps=(*steps, Read(4)))


BAD = {
    "port 'a b': a name in Verilog is allowed": lambda: Port("a b", 1, True),
    "port a: nbits=0; 1 to 262144 are allowed": lambda: Port("a", 0, True),
    "reset: cycles=0; 1 to 65536 are allowed": lambda: Reset("r", cycles=0),
    "port a: at least one operand is allowed": lambda: Data("a", ()),
    "stream of v: at least one port with data is allowed": lambda: Stream("v", "", ()),
    "stream of v: order='up'; least significant first or most significant first are allowed": (
        lambda: Stream("v", "", (Data("a", (Piece("b", 1),)),), "up")
    ),
    "streams: at least one stream of operands is allowed": (
        lambda: Streams((), CORES["streams"].protocol.result)
    ),
    "start_done: one of done, busy and ready is needed": lambda: replace(START, done=""),
    "start_done: at least one port with operands is allowed": lambda: replace(START, operands=()),
    "settles=0; 1 to 65536 are allowed": lambda: replace(START, settles=0),
    "write 0x1: an operand or a constant is allowed, not both": lambda: Write(1, "b", 3),
    "write 0x1: order='up'; ": lambda: Write(1, "b", order="up"),
    "read 0x1: order='up'; ": lambda: Read(1, order="up"),
    "zeros=-1; 0 to 4096 are allowed": lambda: Read(1, zeros=-1),
    "mask=0x0: at least one bit is allowed": lambda: Wait(0, mask=0),
    "after=-1; 0 to 65536 are allowed": lambda: Wait(0, after=-1),
    "repeat: count=0; 1 to 4096 are allowed": lambda: Repeat(0, (Read(1),)),
    "repeat: at least one step is allowed": lambda: Repeat(2, ()),
    "word_nbits=0: at least 1 is allowed": lambda: replace(WORDS, word_nbits=0),
    "2 steps read the result; 1 is allowed": lambda: _with_steps(Read(4)),
    "0 steps read the result; 1 is allowed": lambda: _changed("words", steps=(Write(1, "b"),)),
    "read_cycles=-1; 0 to 65536 are allowed": lambda: replace(WORDS, read_cycles=-1),
    "axi4_lite: a port for awaddr is needed": lambda: Axi4Lite((Read(4),), 32, ()),
    "axi4_lite: signal 'wlast' is unknown; allowed: awaddr, ": (
        lambda: _changed("axi4_lite", ports=(*CORES["axi4_lite"].protocol.ports, ("wlast", "x")))
    ),
    "xcel: ports for req_msg, req_val, req_rdy, ": lambda: Xcel((Read(4),), 32, ()),
    "xcel: words of 32 bits are allowed": lambda: _changed("xcel", word_nbits=16),
    "'2x': a name in Verilog is allowed": lambda: replace(CORES["words"], module="2x"),
    "nbits=0: at least 1 is allowed": lambda: replace(CORES["words"], nbits=0),
    "port clk: there are two of this name": (
        lambda: replace(CORES["words"], ports=CORES["words"].ports + outputs(clk=1))
    ),
    "port 'go' is unknown; allowed: clk, reset, ": lambda: _changed("start_done", start="go"),
    "port done: an input is allowed": lambda: _changed("start_done", start="done", done="start"),
    "port base: 1 bits are needed, not 8": lambda: _changed("start_done", start="base"),
    "port select: it has one use, not several": lambda: _with_steps(Pulse(port="select")),
    "operand b: 7 bits of the core; 8 or more are needed": (
        lambda: replace(
            CORES["start_done"],
            protocol=replace(START, operands=(Data("base", (Piece("b", 7),)), *START.operands[1:])),
            ports=tuple(
                replace(x, nbits=7) if x.name == "base" else x for x in CORES["start_done"].ports
            ),
        )
    ),
    "operand r: 7 bits of the core; 8 or more are needed": (
        lambda: replace(
            CORES["start_done"],
            protocol=replace(START, result=Data("result", (Piece("r", 7),))),
            ports=tuple(
                replace(x, nbits=7) if x.name == "result" else x for x in CORES["start_done"].ports
            ),
        )
    ),
    "input port more: it has no use; hold it at a value": (
        lambda: replace(CORES["words"], ports=CORES["words"].ports + inputs(more=1))
    ),
    "port more: it is held at a value that does not fit; 1 bits are allowed": (
        lambda: replace(
            CORES["words"], ports=CORES["words"].ports + inputs(more=1), held=(("more", 2),)
        )
    ),
    "port a: nbits=1048576; 1 to 262144 are allowed": lambda: Port("a", 1 << 20, True),
    "reset: cycles=1000000000; 1 to 65536 are allowed": lambda: Reset("r", cycles=10**9),
    "repeat: count=1000000000; 1 to 4096 are allowed": lambda: Repeat(10**9, (Pulse(0),)),
    "write: address does not fit; 3 bits are allowed": lambda: _with_steps(Write(8, "b")),
    "write: value does not fit; 32 bits are allowed": (
        lambda: _with_steps(Repeat(2, (Write(1, value=1, increment=(1 << 32) - 1),)))
    ),
    "pulse: address does not fit; 3 bits are allowed": lambda: _with_steps(Pulse(1 << 70)),
    "wait: mask does not fit; 32 bits are allowed": lambda: _with_steps(Wait(0, 1 << 32)),
    "repeat: count=2; 1 is allowed, the words of address 0x1": (
        lambda: _with_steps(Repeat(2, (Write(1, "b"),)))
    ),
    "operand 'q' is unknown; allowed: b, e, m": lambda: _with_steps(Write(1, "q")),
    "operand 'e' is unknown; allowed: a, b, m": lambda: replace(CORES["words"], is_product=True),
    "stream of key_valid: all ports with the same number of beats allowed": (
        lambda: replace(
            in_beats(8, True),
            ports=tuple(
                replace(x, nbits=8) if x.name == "exponent_beat" else x
                for x in in_beats(8, True).ports
            ),
        )
    ),
}


@pytest.mark.parametrize("told", BAD)
def test_a_mistake_is_told(told):
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        BAD[told]()
    assert str(caught.value).startswith(told)
    assert "\n" not in str(caught.value)


def test_what_a_core_tells():
    core = with_pointers()
    steps = core.protocol.steps
    assert [core.words(x) for x in (steps[1], steps[2], steps[-1])] == [2, 3, 2]
    assert core.operands == ("b", "e", "m")
    assert replace(CORES["words"], constants=(("k", 70),)).operands == ("b", "e", "m", "k")
    assert replace(CORES["words"], constants=(("k", 70),)).words(Write(0, "k", zeros=1)) == 4
    streams = in_beats(8, True)
    assert [streams.beats(x) for x in streams.protocol.operands] == [3, 3]
    assert streams.protocol.operands[0].order == MOST


def test_the_most_cycles_are_known_if_all_waits_tell_them():
    told = [Wait(0, most_cycles=5), Wait(0, most_cycles=7)]
    assert _with_steps(*told).most_cycles == 12
    assert _with_steps(*told, Wait(0)).most_cycles == 0
    assert _with_steps().most_cycles == CORES["streams"].most_cycles == 0
