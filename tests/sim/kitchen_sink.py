"""A design with every construct on which translators have failed, and its model."""

from pymtl3 import (
    Bits1,
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
