"""StreamsAdapter: a core that takes operands and gives its result by valid and ready."""

from pymtl3 import Component, OutPort, Wire, clog2, connect, mk_bits, trunc, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.plan.protocols import MOST, Core, Streams
from rsaxcel.rtl.lib.adjust import connect_low
from rsaxcel.rtl.lib.lanes import index_nbits
from rsaxcel.rtl.shells.pins import pin
from rsaxcel.rtl.shells.values import BeatSender, Collector, HeldRequest, add_pins, connect_pieces


class StreamsAdapter(Component):
    """Translates between whole messages and the streams of a core.

    A core with one stream of operands, without beats and without operands that are kept, is
    connected to ``recv`` directly. Else a register holds the request, and each stream sends its
    operands from there.

    Parameters
    ----------
    core : plan.protocols.Core; its protocol is ``Streams``
    request_type, result_type : type; messages of ``recv`` and ``send``

    Ports
    -----
    recv : a ``request_type``
    send : a ``result_type``
    again : out, 1 bit; always 0: the core is not reset between operations
    pin_NAME : as the port NAME of the core, in the other direction

    Latency: none before a core that is connected directly; else 1 cycle to the first beat, and a
    beat per cycle. None behind a result of one beat; else 1 cycle from the last beat. A result
    without ready is kept in a register until it is taken.
    """

    def construct(s, core: Core, request_type, result_type):
        protocol = core.protocol
        assert isinstance(protocol, Streams)
        s.recv = RecvIfcRTL(request_type)
        s.send = SendIfcRTL(result_type)
        s.again = OutPort(1)
        connect(s.again, 0)
        for stream in (*protocol.operands, protocol.result):
            names = (stream.valid, stream.ready, stream.last, *(x.port for x in stream.data))
            add_pins(s, core, names)
        add_pins(s, core, [x.port for x in protocol.kept])

        s.takes = Wire(1)  #: the result is waited for
        is_direct = len(protocol.operands) == 1 and core.beats(protocol.operands[0]) == 1
        if is_direct and not protocol.kept:
            s.add_direct(protocol.operands[0])
        else:
            s.add_senders(core, request_type)
        if protocol.result.ready and core.beats(protocol.result) == 1:
            s.add_direct_result(protocol.result)
        elif core.beats(protocol.result) == 1:
            s.add_kept_result(protocol.result)
        else:
            s.add_collector(core)

    def add_direct(s, stream):
        """Connect the only stream of operands to ``recv``."""
        connect(getattr(s, pin(stream.valid)), s.recv.val)
        connect(s.recv.rdy, getattr(s, pin(stream.ready)) if stream.ready else 1)
        if stream.last:
            connect(getattr(s, pin(stream.last)), 1)
        for data in stream.data:
            connect_pieces(getattr(s, pin(data.port)), s.recv.msg, data)
        connect(s.takes, 1)

    def add_senders(s, core, request_type):
        """Hold the request, and send it by all streams of operands."""
        s.busy_reg = Wire(1)
        s.request = HeldRequest(request_type)
        s.loads = Wire(1)
        connect(s.request.given, s.recv.msg)
        connect(s.request.load, s.loads)
        connect(s.takes, s.busy_reg)
        streams = core.protocol.operands
        widths = [tuple((core.port(x.port).nbits, x.nbits) for x in each.data) for each in streams]
        for number, (each, stream) in enumerate(zip(widths, streams, strict=True)):
            sender = BeatSender(each, stream.order)
            setattr(s, f"sender_{number}", sender)
            connect(sender.rewind, s.loads)
            connect(getattr(s, pin(stream.valid)), sender.val)
            connect(sender.rdy, getattr(s, pin(stream.ready)) if stream.ready else 1)
            if stream.last:
                connect(getattr(s, pin(stream.last)), sender.last)
            for i, data in enumerate(stream.data):
                connect_pieces(getattr(sender, f"value_{i}"), s.request.held, data)
                connect(getattr(s, pin(data.port)), getattr(sender, f"beat_{i}"))

        for data in core.protocol.kept:
            connect_pieces(getattr(s, pin(data.port)), s.request.held, data)

        @update
        def comb_load():
            s.recv.rdy @= ~s.busy_reg
            s.loads @= s.recv.val & ~s.busy_reg

        @update_ff
        def seq_busy():
            if s.reset:
                s.busy_reg <<= 0
            elif s.loads:
                s.busy_reg <<= 1
            elif s.send.val & s.send.rdy:
                s.busy_reg <<= 0

    def add_direct_result(s, stream):
        """Connect the result to ``send``."""
        s.valid = Wire(1)
        s.ready = Wire(1)
        connect(s.valid, getattr(s, pin(stream.valid)))
        connect(s.ready, getattr(s, pin(stream.ready)))
        connect_low(s.send.msg.r, getattr(s, pin(stream.data[0].port)))

        @update
        def comb_direct_result():
            s.send.val @= s.valid & s.takes
            s.ready @= s.send.rdy & s.takes

    def add_kept_result(s, stream):
        """Give a result that is valid for a cycle, from a register if it is not taken at once."""
        s.valid = Wire(1)
        s.full_reg = Wire(1)
        s.result = Wire(s.send.msg.r._dsl.Type)
        s.result_reg = Wire(s.send.msg.r._dsl.Type)
        connect(s.valid, getattr(s, pin(stream.valid)))
        connect_low(s.result, getattr(s, pin(stream.data[0].port)))

        @update
        def comb_kept_result():
            s.send.val @= s.full_reg | (s.valid & s.takes)
            s.send.msg.r @= s.result
            if s.full_reg:
                s.send.msg.r @= s.result_reg

        @update_ff
        def seq_kept_result():
            if ~s.full_reg:
                s.result_reg <<= s.result
            s.full_reg <<= s.send.val & ~s.send.rdy & ~s.reset

    def add_collector(s, core):
        """Collect the beats of the result."""
        stream = core.protocol.result
        beats = core.beats(stream)
        Count = mk_bits(clog2(beats + 1))
        Index = mk_bits(index_nbits(beats))
        from_top = int(stream.order == MOST)
        data = stream.data[0]
        s.collector = Collector(core.nbits, core.port(data.port).nbits, beats)
        s.count_reg = Wire(Count)  #: beats that came
        s.valid = Wire(1)
        connect(s.valid, getattr(s, pin(stream.valid)))
        connect(s.collector.word, getattr(s, pin(data.port)))
        connect(s.send.msg.r, s.collector.value)
        if stream.ready:
            s.ready = Wire(1)
            connect(s.ready, getattr(s, pin(stream.ready)))

            @update
            def comb_ready():
                s.ready @= s.takes & (s.count_reg != beats)

        @update
        def comb_beat():
            s.send.val @= s.count_reg == beats
            s.collector.comes @= s.valid & s.takes & (s.count_reg != beats)
            if from_top:
                s.collector.index @= trunc(Count(beats - 1) - s.count_reg, Index)
            else:
                s.collector.index @= trunc(s.count_reg, Index)

        @update_ff
        def seq_beats():
            if s.reset | (s.send.val & s.send.rdy):
                s.count_reg <<= 0
            elif s.collector.comes:
                s.count_reg <<= s.count_reg + 1
