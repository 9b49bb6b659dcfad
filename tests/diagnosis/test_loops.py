"""Combinational loops are found bit by bit: what looks like a loop, but is none, is legal."""

from time import process_time

import pytest
from pymtl3 import (
    Component,
    InPort,
    OutPort,
    Wire,
    concat,
    mk_bits,
    mk_bitstruct,
    update,
    update_ff,
    zext,
)
from pymtl3.stdlib.basic_rtl import Crossbar, RegisterFile, RoundRobinArbiterEn
from pymtl3.stdlib.stream import BypassQueueRTL, PipeQueueRTL

from rsaxcel import catalog
from rsaxcel.diagnosis.check import check_circuit, check_loops
from rsaxcel.diagnosis.constructs import blocks_of
from rsaxcel.diagnosis.dataflow import Execution
from rsaxcel.diagnosis.error import DesignError
from rsaxcel.proc.systems import System, find_system

Bits8 = mk_bits(8)
Pair = mk_bitstruct("Pair", {"high": mk_bits(4), "low": mk_bits(4)})


class Ripple(Component):
    """Carries from bit to bit; one block has the sums, the other the carries."""

    def construct(s, nbits=8, wraps=False):
        s.a, s.b = InPort(mk_bits(nbits)), InPort(mk_bits(nbits))
        s.carries = Wire(mk_bits(nbits))
        s.sums = OutPort(mk_bits(nbits))

        @update
        def comb_sums():
            for i in range(nbits):
                s.sums[i] @= s.a[i] ^ s.b[i] ^ s.carries[i]

        @update
        def comb_carries():
            s.carries[0] @= s.sums[nbits - 1] if wraps else 0
            for i in range(1, nbits):
                s.carries[i] @= (s.a[i - 1] & s.b[i - 1]) | (s.sums[i - 1] & s.a[i - 1])


class Chain(Component):
    """Elements of a list, each from the one before."""

    def construct(s, wraps=False):
        s.a = InPort(Bits8)
        s.x = [Wire(Bits8) for _ in range(4)]
        s.y = [Wire(Bits8) for _ in range(4)]

        @update
        def comb_x():
            s.x[0] @= s.a
            for i in range(1, 4):
                s.x[i] @= s.y[i - 1]

        @update
        def comb_y():
            s.y[0] @= s.x[3] if wraps else s.x[0]
            for i in range(1, 4):
                s.y[i] @= s.x[i]


class Halves(Component):
    """The upper half of a signal from its lower half, through another block."""

    def construct(s, low=0):
        s.a = InPort(mk_bits(4))
        s.x = Wire(Bits8)
        s.y = Wire(mk_bits(4))
        s.x[4:8] //= s.y

        @update
        def comb_x():
            s.x[0:4] @= s.a

        @update
        def comb_y():
            s.y @= ~s.x[low : low + 4]


class Fields(Component):
    """One field of a message from the other one, through a part."""

    def construct(s, back=False):
        s.a = InPort(mk_bits(4))
        s.message = Wire(Pair)
        s.part = Copy()
        s.part.i //= s.message

        @update
        def comb_low():
            s.message.low @= s.a

        @update
        def comb_high():
            s.message.high @= s.part.o.high if back else s.part.o.low


class Copy(Component):
    """Copies a message as a whole."""

    def construct(s):
        s.i = InPort(Pair)
        s.o = OutPort(Pair)

        @update
        def comb_o():
            s.o @= s.i


class Shifted(Component):
    """A signal shifted by one bit, and added: each bit depends on lower bits only."""

    def construct(s, by=1):
        s.a = InPort(Bits8)
        s.x, s.y = Wire(Bits8), Wire(Bits8)
        s.x //= lambda: s.y + s.a

        @update
        def comb_y():
            s.y @= s.x << by


class Masked(Component):
    """Bits that are masked, or cut off and extended, before they come back."""

    def construct(s, mask=0x0F):
        s.a = InPort(Bits8)
        s.x, s.y = Wire(Bits8), Wire(Bits8)

        @update
        def comb_x():
            s.x @= zext(s.y[4:8], 8) | (s.a & 0xF)

        @update
        def comb_y():
            s.y @= concat(s.x[0:4], s.a[0:4]) & mask


class Elastic(Component):
    """A stage with back-pressure: a combinational path for each direction, none back."""

    def construct(s, waits=False):
        s.recv_val, s.recv_rdy = InPort(1), OutPort(1)
        s.send_val, s.send_rdy = OutPort(1), InPort(1)
        s.full_reg = Wire(1)

        @update
        def comb_handshakes():
            s.send_val @= s.full_reg
            s.recv_rdy @= ~s.full_reg | s.send_rdy
            if waits:
                s.recv_rdy @= s.recv_val & s.send_rdy

        @update_ff
        def seq_full():
            s.full_reg <<= s.recv_val & s.recv_rdy


class Stages(Component):
    """Stages one behind the other; a block joins their handshakes."""

    def construct(s, waits=False):
        s.val, s.rdy = InPort(1), OutPort(1)
        s.stages = [Elastic(waits) for _ in range(2)]
        s.stages[0].recv_val //= s.val
        s.rdy //= s.stages[0].recv_rdy
        s.stages[1].send_rdy //= s.val

        @update
        def comb_join():
            s.stages[0].send_rdy @= s.stages[1].recv_rdy
            s.stages[1].recv_val @= s.stages[0].send_val & s.stages[0].send_rdy


class Again(Component):
    """A signal that is assigned twice in a block, and read in between."""

    def construct(s, late=False):
        s.a, s.x, s.y, s.z = InPort(Bits8), Wire(Bits8), Wire(Bits8), Wire(Bits8)

        @update
        def comb_x():
            s.x @= s.a
            s.y @= s.x
            s.x @= s.z
            if late:
                s.y @= s.x

        @update
        def comb_z():
            s.z @= s.y


class Choices(Component):
    """Elements and bits by index; variables, and what a condition decides."""

    def construct(s, back=False):
        s.a = InPort(Bits8)
        s.x, s.y = [Wire(Bits8) for _ in range(2)], Wire(Bits8)
        s.bit, s.out = Wire(1), OutPort(1)

        @update
        def comb_x():
            for i in range(2):
                s.x[i] @= s.a
            s.x[s.a[0]] @= zext(s.bit, 8) if back else 0

        @update
        def comb_y():
            chosen = s.x[s.a[1]]
            if s.a[2]:
                chosen = s.a
            s.y @= chosen

        @update
        def comb_bit():
            s.bit @= s.y[s.a[0:3]]
            s.out @= s.bit


class Numbers(Component):
    """Numbers without a width, which conditions choose."""

    def construct(s):
        s.a, s.out = InPort(Bits8), [OutPort(Bits8) for _ in range(4)]

        @update
        def comb_out():
            s.out[0] @= 0 if s.a[0] else (1 if s.a[1] else 255)
            count = 1
            if s.a[2]:
                count = 2
            s.out[1] @= count
            s.out[2] @= s.a + ((2 if s.a[0] else 1) - 1)
            total = Bits8(0)
            for i in range(2):
                total = total + s.out[i]
            s.out[3] @= total


LEGAL_AND_LOOP = [
    (Ripple, {"wraps": True}, "s.carries[0] -> s.sums[0] -> s.carries[1] -> "),
    (Chain, {"wraps": True}, "s.x[1] -> s.y[1] -> s.x[2] -> s.y[2] -> s.x[3] -> s.y[0] -> s.x[1]"),
    (Halves, {"low": 4}, "s.y -> s.x[4:8] -> s.y"),
    (Fields, {"back": True}, "s.message.high -> s.part.i.high -> s.part.o.high -> s.message.high"),
    (Shifted, {"by": 0}, "s.x -> s.y -> s.x"),
    (Masked, {"mask": 0xF0}, "s.x -> s.y -> s.x"),
    (Stages, {"waits": True}, "s.stages[1].recv_rdy -> s.stages[1].recv_val -> "),
    (Again, {"late": True}, "s.y -> s.z -> s.y"),
    (Choices, {"back": True}, "s.x[0] -> s.y -> s.bit -> s.x[0]"),
]


def elaborated(kind, **params):
    top = kind(**params)
    top.elaborate()
    for block in blocks_of(top):
        Execution(block).check()
    return top


@pytest.mark.parametrize("kind", [*(x[0] for x in LEGAL_AND_LOOP), Numbers])
def test_no_bit_depends_on_itself(kind):
    check_loops(elaborated(kind))


@pytest.mark.parametrize(
    ("kind", "params"),
    [
        (RegisterFile, {"Type": Bits8, "nregs": 4, "rd_ports": 2, "wr_ports": 2}),
        (RoundRobinArbiterEn, {"nreqs": 4}),
        (Crossbar, {"nports": 3, "dtype": Bits8}),
        (BypassQueueRTL, {"EntryType": Bits8, "num_entries": 2}),
        (PipeQueueRTL, {"EntryType": Bits8, "num_entries": 2}),
    ],
)
def test_components_of_pymtl3_are_legal(kind, params):
    check_loops(elaborated(kind, **params))


@pytest.mark.parametrize(("kind", "params", "names"), LEGAL_AND_LOOP)
def test_a_bit_depends_on_itself(kind, params, names):
    with pytest.raises(DesignError, match="combinational loop in ") as told:
        check_loops(elaborated(kind, **params))
    assert names in told.value.what
    assert told.value.place.statement


def test_wide_signals_take_no_time():
    """1024 bits, each from the bit below in the other block."""
    top = elaborated(Ripple, nbits=1024)
    began = process_time()
    check_loops(top)
    assert process_time() - began < 2


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: find_system("proc_mulrem_r2l", 32).component(), id="processor"),
        pytest.param(lambda: find_system("axi_crt_window", 32).component(), id="bus"),
    ],
)
def test_systems_have_no_loop(make):
    top = make()
    top.elaborate()
    check_loops(top)


class Ring(Component):
    """Two parts without a loop, and a loop in their connections."""

    def construct(s):
        s.one, s.two = Copy(), Copy()
        s.one.i //= s.two.o
        s.two.i //= s.one.o


@pytest.mark.parametrize(
    "command",
    [
        "run selfcheck --system proc_null --level rtl",
        "run selfcheck --system proc_null --level rtl --engine pymtl",
        "verilog proc_mulrem_r2l",
        "flow proc_mulrem_r2l",
        "leak proc_mulrem_r2l",
        "export proc_mulrem_r2l --to openroad --output x",
    ],
)
def test_commands_refuse_loops_in_the_connections_of_a_system(
    rsaxcel, monkeypatch, tmp_path, command
):
    monkeypatch.setenv("RSAXCEL_CACHE", str(tmp_path))
    monkeypatch.setattr(System, "component", lambda system, *_: Ring())
    finished = rsaxcel(*command.split())
    assert finished.status == 2
    assert "combinational loop in Ring: s.two.o.low -> s.one.i.low -> s.one.o" in finished.err


@pytest.mark.slow
@pytest.mark.parametrize("nbits", [8, 13, 1024, 4096])
@pytest.mark.parametrize("name", catalog.DESIGNS)
def test_designs_have_no_mistake_at_other_widths(name, nbits):
    try:
        top = catalog.get(name).configure(nbits).component("rtl")
    except ValueError as error:
        pytest.skip(str(error))
    top.elaborate()
    check_circuit(top)
