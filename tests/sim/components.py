"""Small designs under test, one for each way in which an engine could go wrong."""

from dataclasses import dataclass

from pymtl3 import (
    Bits1,
    Bits2,
    Component,
    InPort,
    OutPort,
    Wire,
    mk_bits,
    mk_bitstruct,
    update,
    update_ff,
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
