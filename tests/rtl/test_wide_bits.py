"""Wide components: both engines, stalls, and a netlist of Yosys, against plain integers."""

import random

import pytest
from pymtl3 import (
    Bits1,
    Component,
    InPort,
    OutPort,
    Wire,
    concat,
    mk_bits,
    sext,
    trunc,
    update,
    update_ff,
    zext,
)
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import message
from rsaxcel.sim.engine import open_engine
from rsaxcel.sim.native.build import BuildOptions
from rsaxcel.sim.native.engine import NativeEngine
from rsaxcel.sim.stalls import STALL_PROFILES
from rsaxcel.sim.translate import translate
from tests.shared.yosys import through_yosys

RESPONSES = """
    total difference product halved mixed shifted moved joined extended sign_extended cut constant
    less equal same previous
""".split()


def constant(nbits):
    """Constant with an irregular pattern of ones over a width."""
    return random.Random(nbits).getrandbits(nbits) | 1 << nbits - 1


class WideAdder(Component):
    """A sub-component, so that wide values cross a module's ports."""

    def construct(s, nbits):
        Sum = mk_bits(nbits + 1)
        s.x, s.y = InPort(nbits), InPort(nbits)
        s.total = OutPort(Sum)

        @update
        def comb_total():
            s.total @= zext(s.x, Sum) + zext(s.y, Sum)


class WideKitchenSink(Component):
    """Request {a, b, amount, flag}; answers with each of ``RESPONSES``, one request at a time."""

    def construct(s, nbits):
        half = nbits // 2
        Value, Twice, Half = mk_bits(nbits), mk_bits(2 * nbits), mk_bits(half)
        request = message(
            f"WideSinkReq{nbits}", (("a", nbits), ("b", nbits), ("amount", nbits), ("flag", 1))
        )
        widths = {"total": nbits + 1, "joined": 2 * nbits + 1, "extended": 2 * nbits}
        widths |= {"sign_extended": 2 * nbits, "cut": half} | dict.fromkeys(
            ("less", "equal", "same"), 1
        )
        response = message(
            f"WideSinkResp{nbits}", tuple((name, widths.get(name, nbits)) for name in RESPONSES)
        )
        s.recv, s.send = RecvIfcRTL(request), SendIfcRTL(response)
        s.full_reg, s.request_reg = Wire(Bits1), Wire(request)
        s.previous_reg, s.moved = Wire(Value), Wire(Value)
        s.adder = WideAdder(nbits)
        s.adder.x //= s.request_reg.a
        s.adder.y //= s.request_reg.b
        s.send.msg.total //= s.adder.total
        s.fixed = Wire(Value)
        s.fixed //= constant(nbits)
        last = nbits - 1

        @update
        def comb_arithmetic():
            s.send.msg.difference @= s.request_reg.a - s.request_reg.b
            s.send.msg.mixed @= (s.request_reg.a & s.request_reg.b) ^ ~s.request_reg.amount
            s.send.msg.shifted @= (s.request_reg.a << s.request_reg.amount) | (
                s.request_reg.b >> s.request_reg.amount
            )
            s.send.msg.less @= s.request_reg.a < s.request_reg.b
            s.send.msg.equal @= s.request_reg.a == s.request_reg.b
            s.send.msg.same @= s.request_reg.a == s.fixed
            s.send.msg.constant @= s.fixed - s.request_reg.a

        @update
        def comb_products():
            s.send.msg.product @= s.request_reg.a * s.request_reg.b
            s.send.msg.halved @= (s.request_reg.a >> 1) + (s.request_reg.b << 1)

        @update
        def comb_widths():
            s.send.msg.joined @= concat(s.request_reg.b, s.request_reg.flag, s.request_reg.a)
            s.send.msg.extended @= zext(s.request_reg.a, Twice)
            s.send.msg.sign_extended @= sext(s.request_reg.a, Twice)
            s.send.msg.cut @= trunc(s.request_reg.a, Half)
            s.moved[0:half] @= s.request_reg.b[nbits - half : nbits]
            s.moved[half:last] @= s.request_reg.a[half:last]
            s.moved[last] @= s.request_reg.flag
            s.send.msg.moved @= s.moved
            s.send.msg.previous @= s.previous_reg

        @update
        def comb_ports():
            s.recv.rdy @= ~s.full_reg
            s.send.val @= s.full_reg

        @update_ff
        def seq_request():
            if s.reset:
                s.full_reg <<= 0
                s.previous_reg <<= 0
            elif s.full_reg:
                if s.send.rdy:
                    s.full_reg <<= 0
                    s.previous_reg <<= s.request_reg.a
            else:
                s.full_reg <<= s.recv.val
                s.request_reg <<= s.recv.msg


def answer(nbits, requests):
    """Expected response of ``WideKitchenSink``, by Python's integers."""
    mask, half, previous, answers = (1 << nbits) - 1, nbits // 2, 0, []
    for a, b, amount, flag in requests:
        sign = (mask << nbits) * (a >> nbits - 1)
        moved = b >> nbits - half | a & mask >> 1 & mask << half | flag << nbits - 1
        left = a << amount & mask if amount < nbits else 0
        answers.append(
            {
                "total": a + b,
                "difference": a - b & mask,
                "product": a * b & mask,
                "halved": (a >> 1) + (b << 1 & mask) & mask,
                "mixed": (a & b) ^ amount ^ mask,
                "shifted": left | b >> amount,
                "moved": moved,
                "joined": b << nbits + 1 | flag << nbits | a,
                "extended": a,
                "sign_extended": a | sign,
                "cut": a & (1 << half) - 1,
                "constant": constant(nbits) - a & mask,
                "less": int(a < b),
                "equal": int(a == b),
                "same": int(a == constant(nbits)),
                "previous": previous,
            }
        )
        previous = a
    return [tuple(row[name] for name in RESPONSES) for row in answers]


WIDTHS = (1024, 2050, 4098, 12_300)


def requests(nbits, count):
    draw, top = random.Random(nbits), 1 << nbits - 1
    full = 2 * top - 1
    rows = [
        (0, 0, 0, 0),
        (full, full, full, 1),
        (top, 1, 1, 1),
        (full, 1, nbits - 1, 0),
        (1, top, nbits, 1),
        (constant(nbits), constant(nbits), 31, 1),
        (constant(nbits) ^ top, constant(nbits), 32, 0),
        (constant(nbits) ^ 1, top, 64, 0),
    ]
    while len(rows) < count:
        a, b = (draw.getrandbits(draw.randint(1, nbits)) for _ in range(2))
        rows.append((a, b, draw.randrange(nbits + 9), draw.randrange(2)))
    return rows


@pytest.mark.quick_cases("2050")
@pytest.mark.parametrize("nbits", WIDTHS)
def test_both_engines_compute_what_integers_give(nbits):
    rows = requests(nbits, 40)
    engines = [open_engine(name, lambda: WideKitchenSink(nbits)) for name in ("pymtl", "native")]
    for stalls in STALL_PROFILES.values():
        batches = [engine.run(rows, stalls=stalls, in_flight=None) for engine in engines]
        assert batches[0].responses == answer(nbits, rows)
        assert batches[0] == batches[1]


@pytest.mark.slow_cases("2050")
@pytest.mark.quick_cases("1024")
@pytest.mark.parametrize("nbits", WIDTHS)
def test_yosys_reads_the_same_design(nbits, tmp_path):
    """Yosys reads the same design, checked at word level: gates would take hours."""
    module = translate(WideKitchenSink(nbits))
    netlist = through_yosys(module, tmp_path, ["proc", "flatten", "opt_clean"])
    rows = requests(nbits, 20)
    batch = NativeEngine(netlist, options=BuildOptions(netlist=True)).run(rows)
    assert batch.responses == answer(nbits, rows)
