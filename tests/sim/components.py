"""Small designs under test, one for each way in which an engine could go wrong."""

from dataclasses import dataclass

from pymtl3 import (
    Bits1,
    Bits2,
    Bits3,
    Component,
    InPort,
    OutPort,
    Wire,
    clog2,
    concat,
    mk_bits,
    mk_bitstruct,
    reduce_or,
    reduce_xor,
    sext,
    update,
    update_ff,
    zext,
)
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL


class Gcd(Component):
    """Euclid by subtraction; the number of cycles depends on the operands."""

    def construct(s, nbits=32):
        T = mk_bits(nbits)
        s.recv = RecvIfcRTL(mk_bitstruct(f"GcdReq{nbits}", {"a": T, "b": T}))
        s.send = SendIfcRTL(mk_bitstruct(f"GcdResp{nbits}", {"r": T, "odd": Bits1}))
        s.state = Wire(Bits2)
        s.a_reg, s.b_reg = Wire(T), Wire(T)

        @update
        def comb_ports():
            s.recv.rdy @= s.state == 0
            s.send.val @= s.state == 2
            s.send.msg.r @= s.a_reg
            s.send.msg.odd @= s.a_reg[0]

        @update_ff
        def seq_step():
            if s.reset:
                s.state <<= 0
            elif s.state == 0:
                if s.recv.val:
                    s.a_reg <<= s.recv.msg.a
                    s.b_reg <<= s.recv.msg.b
                    s.state <<= 1
            elif s.state == 1:
                if s.b_reg == 0:
                    s.state <<= 2
                elif s.a_reg < s.b_reg:
                    s.a_reg <<= s.b_reg
                    s.b_reg <<= s.a_reg
                else:
                    s.a_reg <<= s.a_reg - s.b_reg
            elif s.send.rdy:
                s.state <<= 0


class ElasticStage(Component):
    """One elastic register, with a combinational path from ``send.rdy`` to ``recv.rdy``."""

    def construct(s, message):
        s.recv, s.send = RecvIfcRTL(message), SendIfcRTL(message)
        s.full = Wire()
        s.msg_reg = Wire(message)

        @update
        def comb_ports():
            s.recv.rdy @= ~s.full | s.send.rdy
            s.send.val @= s.full
            s.send.msg @= s.msg_reg

        @update_ff
        def seq_stage():
            if s.reset:
                s.full <<= 0
            elif s.recv.rdy:
                s.full <<= s.recv.val
                s.msg_reg <<= s.recv.msg


class ElasticPipeline(Component):
    """``stages`` elastic stages; returns {a + b, a}. Takes a request per cycle."""

    def construct(s, nbits=16, stages=3):
        T = mk_bits(nbits)
        Message = mk_bitstruct(f"PipeMsg{nbits}", {"x": T, "y": T})
        s.recv = RecvIfcRTL(Message)
        s.send = SendIfcRTL(Message)
        s.stages = [ElasticStage(Message) for _ in range(stages)]
        for i in range(1, stages):
            s.stages[i].recv //= s.stages[i - 1].send
        s.stages[0].recv //= s.recv
        s.stages[stages - 1].send.val //= s.send.val
        s.stages[stages - 1].send.rdy //= s.send.rdy
        s.last = Wire(Message)
        s.last //= s.stages[stages - 1].send.msg

        @update
        def comb_sum():
            s.send.msg.x @= s.last.x + s.last.y
            s.send.msg.y @= s.last.x


class PassThrough(Component):
    """No register at all: response in the cycle of the request, every bit inverted.

    There is one field per width, so that some fields cross the word boundaries of engines.
    """

    def construct(s, widths=(8,)):
        names = [f"x{i}" for i in range(len(widths))]
        Message = mk_bitstruct(
            "PassMsg" + "_".join(map(str, widths)),
            {name: mk_bits(width) for name, width in zip(names, widths, strict=True)},
        )
        s.recv, s.send = RecvIfcRTL(Message), SendIfcRTL(Message)
        for name, width in zip(names, widths, strict=True):
            unit = Inverter(width)
            setattr(s, f"unit_{name}", unit)
            unit.x //= getattr(s.recv.msg, name)
            unit.y //= getattr(s.send.msg, name)
        s.send.val //= s.recv.val
        s.recv.rdy //= s.send.rdy


class Inverter(Component):
    def construct(s, nbits):
        s.x, s.y = InPort(nbits), OutPort(nbits)

        @update
        def comb_y():
            s.y @= ~s.x


@dataclass(frozen=True)
class Constants:
    """Component with a parameter whose text is no identifier."""

    factor: int
    label: str = "a-b (c)"


class AddConstant(Component):
    def construct(s, nbits, constants):
        s.x, s.y = InPort(nbits), OutPort(nbits)
        factor = constants.factor

        @update
        def comb_y():
            s.y @= s.x + factor


class XorConstant(Component):
    def construct(s, nbits, constants):
        s.x, s.y = InPort(nbits), OutPort(nbits)
        factor = constants.factor

        @update
        def comb_y():
            s.y @= s.x ^ factor


class TableLookup(Component):
    """A ROM and registers indexed dynamically, units of two classes in one list.

    Request {addr, x}; the response is x + rom[addr] ^ sum of the units' constants, and the value
    stored under ``addr`` by an earlier request.
    """

    def construct(s, nbits, first, second, constants):
        T = mk_bits(nbits)
        Request = mk_bitstruct(f"LookupReq{nbits}", {"addr": Bits2, "x": T})
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(mk_bitstruct(f"LookupResp{nbits}", {"y": T, "old": T}))
        s.full = Wire()
        s.request = Wire(Request)
        s.rom = [Wire(T) for _ in range(4)]
        s.stored = [Wire(T) for _ in range(4)]
        for i in range(4):
            s.rom[i] //= T((0x9E3779B97F4A7C15 >> i) & ((1 << nbits) - 1))
        s.addr = Wire(Bits2)
        s.units = [
            first(nbits, constants),
            second(nbits, constants),
            first(nbits, Constants(3, "other")),
        ]
        s.units[1].x //= s.units[0].y
        s.units[2].x //= s.units[1].y

        @update
        def comb_lookup():
            s.addr @= s.request.addr
            s.units[0].x @= s.request.x + s.rom[s.addr]
            s.recv.rdy @= ~s.full
            s.send.val @= s.full
            s.send.msg.y @= s.units[2].y
            s.send.msg.old @= s.stored[s.addr]

        @update_ff
        def seq_lookup():
            if s.reset:
                s.full <<= 0
                for i in range(4):
                    s.stored[i] <<= 0
            elif ~s.full:
                s.full <<= s.recv.val
                s.request <<= s.recv.msg
            elif s.send.rdy:
                s.full <<= 0
                s.stored[s.addr] <<= s.request.x


class Dead(Component):
    """Accepts one request and never answers."""

    def construct(s):
        Message = mk_bitstruct("DeadMsg", {"x": mk_bits(8)})
        s.recv, s.send = RecvIfcRTL(Message), SendIfcRTL(Message)
        s.full = Wire()

        @update
        def comb_ports():
            s.recv.rdy @= ~s.full
            s.send.val @= 0
            s.send.msg.x @= 0

        @update_ff
        def seq_full():
            if s.reset:
                s.full <<= 0
            elif s.recv.val:
                s.full <<= 1


class Chatty(Component):
    """Answers each request twice."""

    def construct(s):
        Message = mk_bitstruct("ChattyMsg", {"x": mk_bits(8)})
        s.recv, s.send = RecvIfcRTL(Message), SendIfcRTL(Message)
        s.left = Wire(Bits2)
        s.x_reg = Wire(mk_bits(8))

        @update
        def comb_ports():
            s.recv.rdy @= s.left == 0
            s.send.val @= s.left != 0
            s.send.msg.x @= s.x_reg

        @update_ff
        def seq_left():
            if s.reset:
                s.left <<= 0
            elif s.left == 0:
                if s.recv.val:
                    s.left <<= 2
                    s.x_reg <<= s.recv.msg.x
            elif s.send.rdy:
                s.left <<= s.left - 1


class Unlatched(Component):
    """Component with a bug: it reads the request in the cycle after its handshake."""

    def construct(s):
        Message = mk_bitstruct("UnlatchedMsg", {"x": mk_bits(8)})
        s.recv, s.send = RecvIfcRTL(Message), SendIfcRTL(Message)
        s.full = Wire()

        @update
        def comb_ports():
            s.recv.rdy @= ~s.full
            s.send.val @= s.full
            s.send.msg.x @= s.recv.msg.x

        @update_ff
        def seq_full():
            if s.reset:
                s.full <<= 0
            elif ~s.full:
                s.full <<= s.recv.val
            elif s.send.rdy:
                s.full <<= 0


class ListMux(Component):
    """A list of ports, indexed by a signal."""

    def construct(s, kind, count):
        s.in_ = [InPort(kind) for _ in range(count)]
        s.sel = InPort(clog2(count))
        s.out = OutPort(kind)

        @update
        def comb_out():
            s.out @= s.in_[s.sel]


class SwapAndCount(Component):
    """Ports of bitstructs, assigned field by field."""

    def construct(s, pair):
        s.p, s.q = InPort(pair), OutPort(pair)

        @update
        def comb_q():
            s.q.x @= s.p.y
            s.q.y @= s.p.x + 1


class KitchenSink(Component):
    """Request {a, b, k}, response {u, v, w, f}; see :func:`answer_kitchen_sink`."""

    def construct(s, n=16):
        T, Wide = mk_bits(n), mk_bits(2 * n)
        Pair = mk_bitstruct(f"Pair{n}", {"x": T, "y": T})
        Request = mk_bitstruct(f"SinkReq{n}", {"a": T, "b": T, "k": Bits3})
        Response = mk_bitstruct(f"SinkResp{n}", {"u": T, "v": T, "w": Wide, "f": Bits1})
        s.recv, s.send = RecvIfcRTL(Request), SendIfcRTL(Response)
        s.full, s.request = Wire(), Wire(Request)
        s.mux = ListMux(T, 8)
        for i in range(8):
            s.mux.in_[i] //= T(i * 1234)
        s.mux.sel //= s.request.k
        s.pair = Wire(Pair)
        s.units = [SwapAndCount(Pair) for _ in range(2)]
        s.units[0].p //= s.pair
        s.units[1].p //= s.units[0].q
        s.pairs = [Wire(Pair) for _ in range(4)]
        s.grid = [[Wire(T) for _ in range(2)] for _ in range(2)]
        s.reversed, s.chosen = Wire(T), Wire(T)
        half = n // 2
        #: A chain: each element depends on the next one, through a second, shorter list.
        s.links = [Wire(T) for _ in range(4)]
        s.following = [Wire(T) for _ in range(3)]
        for i in range(3):
            s.following[i] //= s.links[i + 1]

        @update
        def comb_links():
            for i in range(4):
                if i < 3:
                    s.links[i] @= s.following[i] + i + 1
                else:
                    s.links[i] @= s.request.b

        @update
        def comb_pair():
            s.pair @= Pair(s.request.a, s.request.b)

        @update
        def comb_reversed():
            for i in range(n):
                s.reversed[i] @= s.request.a[n - 1 - i] ^ s.request.b[i]

        @update
        def comb_chosen():
            s.chosen @= 0
            if s.request.k[0]:
                s.chosen[0:half] @= s.request.b[half:n]
                s.chosen[half:n] @= s.request.a[0:half]
            elif s.request.k[1:3] == 2:
                s.chosen @= (s.request.a << 3) | zext(s.request.k, n)
            else:
                s.chosen @= s.request.a if s.request.a > s.request.b else sext(s.request.k, n)

        @update
        def comb_ports():
            s.recv.rdy @= ~s.full | s.send.rdy
            s.send.val @= s.full
            s.send.msg.u @= s.mux.out + s.pairs[s.request.k[1:3]].x
            s.send.msg.v @= (
                s.links[0] ^ s.reversed ^ s.chosen ^ s.grid[s.request.k[0]][s.request.k[1]]
            )
            s.send.msg.w @= concat(s.units[1].q.x, s.request.a) + zext(s.request.a, Wide) * zext(
                s.request.b, Wide
            )
            s.send.msg.f @= (
                reduce_xor(s.request.a) ^ reduce_or(s.request.b) ^ (s.request.a < s.request.b)
            )

        @update_ff
        def seq_all():
            if s.reset:
                s.full <<= 0
                for i in range(4):
                    s.pairs[i] <<= Pair(0, 0)
                for i in range(2):
                    for j in range(2):
                        s.grid[i][j] <<= 0
            elif s.recv.rdy:
                s.full <<= s.recv.val
                s.request <<= s.recv.msg
                if s.recv.val:
                    s.pairs[s.recv.msg.k[0:2]] <<= Pair(s.recv.msg.a, s.recv.msg.b)
                    s.grid[s.recv.msg.k[2]][s.recv.msg.k[0]] <<= s.recv.msg.b


def answer_kitchen_sink(requests):
    """Expected responses for n = 16."""
    mask = 0xFFFF
    pairs, table = [0] * 4, [[0, 0], [0, 0]]
    answers = []
    for a, b, k in requests:
        pairs[k & 3] = a
        table[k >> 2][k & 1] = b
        mirrored = int(f"{a:016b}"[::-1], 2) ^ b
        if k & 1:
            chosen = (a & 0xFF) << 8 | b >> 8
        elif k >> 1 == 2:
            chosen = a << 3 & mask | k
        else:
            chosen = a if a > b else k | (0xFFF8 if k & 4 else 0)
        u = k * 1234 + pairs[k >> 1] & mask
        v = (b + 6 & mask) ^ mirrored ^ chosen ^ table[k & 1][k >> 1 & 1]
        w = ((a + 1 & mask) << 16 | a) + a * b & 0xFFFFFFFF
        answers.append((u, v, w, a.bit_count() & 1 ^ (b != 0) ^ (a < b)))
    return answers
