"""StepsAdapter: a core with addresses: memory-mapped words, an AXI4-Lite bus or xcel messages."""

from typing import Any

from pymtl3 import Component, InPort, OutPort, Wire, clog2, connect, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.plan.protocols import XCEL_ADDRESS_NBITS, Axi4Lite, Core, Steps, Words, Xcel
from rsaxcel.rtl.lib.adjust import connect_named
from rsaxcel.rtl.shells.pins import pin
from rsaxcel.rtl.shells.sequencer import StepSequencer
from rsaxcel.rtl.shells.values import HeldRequest, add_pins

_MOST_POSTED = 3
_RESPONSES = ("bvalid", "bready"), ("rvalid", "rready"), ("resp_val", "resp_rdy")
_TAKES_EVERY = 3  #: cycles, of a host that waits


def bus_of(core: Core) -> type[Component]:
    return {Words: WordBus, Axi4Lite: AxiBus}.get(type(core.protocol), XcelBus)


def address_nbits(core: Core) -> int:
    """Width of an address in bits."""
    protocol: Any = core.protocol
    if isinstance(protocol, Words):
        return core.port(protocol.address).nbits
    if isinstance(protocol, Axi4Lite):
        return core.port(dict(protocol.ports)["awaddr"]).nbits
    return XCEL_ADDRESS_NBITS


def _add_access(s: Any, core: Core) -> None:
    assert isinstance(core.protocol, Steps)
    s.val = InPort(1)
    s.write = InPort(1)
    s.address = InPort(address_nbits(core))
    s.data = InPort(core.protocol.word_nbits)
    s.done = OutPort(1)
    s.word = OutPort(core.protocol.word_nbits)
    s.drained = OutPort(1)


def response_handshakes(core: Core) -> list[tuple[str, str]]:
    """Ports for valid and ready of the responses of a core."""
    if not isinstance(core.protocol, Axi4Lite | Xcel):
        return []
    names = dict(core.protocol.ports)
    return [(names[x], names[y]) for x, y in _RESPONSES if x in names]


class LateTaker(Component):
    """Lets a response pass every third cycle, for a check of what waits.

    Ports
    -----
    val, rdy : in, out, 1 bit each; of the core
    late_val, late_rdy : out, in, 1 bit each; of the bus
    """

    def construct(s):
        s.val = InPort(1)
        s.rdy = OutPort(1)
        s.late_val = OutPort(1)
        s.late_rdy = InPort(1)
        s.count_reg = Wire(mk_bits(clog2(_TAKES_EVERY)))

        @update
        def comb_late():
            s.late_val @= s.val & (s.count_reg == 0)
            s.rdy @= s.late_rdy & (s.count_reg == 0)

        @update_ff
        def seq_count():
            if s.reset | (s.count_reg == _TAKES_EVERY - 1):
                s.count_reg <<= 0
            else:
                s.count_reg <<= s.count_reg + 1


class WordBus(Component):
    """Select, write, address and words.

    Parameters
    ----------
    core : plan.protocols.Core; its protocol is ``Words``

    Latency: a write takes 1 cycle, a read ``read_cycles`` + 1.
    """

    def construct(s, core: Core):
        protocol = core.protocol
        assert isinstance(protocol, Words)
        _add_access(s, core)
        ports = (protocol.select, protocol.write, protocol.read, protocol.address)
        add_pins(s, core, (*ports, protocol.data_in, protocol.data_out))
        cycles = protocol.read_cycles
        Count = mk_bits(clog2(cycles + 2))
        s.count_reg = Wire(Count)  #: cycles for which a read word has been awaited
        s.reads = Wire(1)
        s.writes = Wire(1)
        connect(getattr(s, pin(protocol.write)), s.writes)
        connect(getattr(s, pin(protocol.address)), s.address)
        connect(getattr(s, pin(protocol.data_in)), s.data)
        connect(getattr(s, pin(protocol.data_out)), s.word)
        if protocol.select:
            connect(getattr(s, pin(protocol.select)), s.val)
        if protocol.read:
            connect(getattr(s, pin(protocol.read)), s.reads)
        connect(s.drained, 1)

        @update
        def comb_access():
            s.writes @= s.val & s.write
            s.reads @= s.val & ~s.write
            s.done @= s.writes | (s.reads & (s.count_reg == cycles))

        @update_ff
        def seq_count():
            if s.reset | ~s.reads | s.done:
                s.count_reg <<= 0
            else:
                s.count_reg <<= s.count_reg + 1


class Posted(Component):
    """Counts writes whose responses are outstanding.

    Ports
    -----
    sent, answered : in, 1 bit each; a write was accepted, a response came
    full : out, 1 bit; no more writes are allowed
    none : out, 1 bit; no response is outstanding
    """

    def construct(s):
        s.sent = InPort(1)
        s.answered = InPort(1)
        s.full = OutPort(1)
        s.none = OutPort(1)
        s.count_reg = Wire(mk_bits(clog2(_MOST_POSTED + 1)))

        @update
        def comb_count():
            s.full @= s.count_reg == _MOST_POSTED
            s.none @= s.count_reg == 0

        @update_ff
        def seq_count():
            if s.reset:
                s.count_reg <<= 0
            elif s.sent & ~s.answered:
                s.count_reg <<= s.count_reg + 1
            elif ~s.sent & s.answered & ~s.none:
                s.count_reg <<= s.count_reg - 1


class AxiBus(Component):
    """Master of an AXI4-Lite bus. A read waits until all writes are answered.

    Parameters
    ----------
    core : plan.protocols.Core; its protocol is ``Axi4Lite``

    Latency: a write is done when the core has accepted address and word, a read when the word
    comes. Up to 3 writes wait for their responses.
    """

    def construct(s, core: Core):
        assert isinstance(core.protocol, Axi4Lite)
        names = dict(core.protocol.ports)
        _add_access(s, core)
        add_pins(s, core, names.values())
        for signal, value in (("awprot", 0), ("arprot", 0), ("wstrb", -1)):
            if signal in names:
                port = core.port(names[signal])
                connect(getattr(s, pin(port.name)), value % (1 << port.nbits))
        s.posted = Posted()
        s.awvalid = Wire(1)
        s.awready = Wire(1)
        s.wvalid = Wire(1)
        s.wready = Wire(1)
        s.bvalid = Wire(1)
        s.bready = Wire(1)
        s.arvalid = Wire(1)
        s.arready = Wire(1)
        s.rvalid = Wire(1)
        s.rready = Wire(1)
        for signal in ("awvalid", "wvalid", "bready", "arvalid", "rready"):
            connect(getattr(s, pin(names[signal])), getattr(s, signal))
        for signal in ("awready", "wready", "bvalid", "arready", "rvalid"):
            connect(getattr(s, signal), getattr(s, pin(names[signal])))
        connect(getattr(s, pin(names["awaddr"])), s.address)
        connect(getattr(s, pin(names["araddr"])), s.address)
        connect(getattr(s, pin(names["wdata"])), s.data)
        connect(getattr(s, pin(names["rdata"])), s.word)
        connect(s.drained, s.posted.none)
        s.address_sent_reg = Wire(1)  #: the address of the present access is sent
        s.word_sent_reg = Wire(1)  #: its word is sent

        @update
        def comb_write():
            s.awvalid @= s.val & s.write & ~s.posted.full & ~s.address_sent_reg
            s.wvalid @= s.val & s.write & ~s.posted.full & ~s.word_sent_reg
            s.posted.sent @= (
                s.val
                & s.write
                & ~s.posted.full
                & (s.address_sent_reg | s.awready)
                & (s.word_sent_reg | s.wready)
            )
            s.bready @= 1
            s.posted.answered @= s.bvalid

        @update
        def comb_read():
            s.arvalid @= s.val & ~s.write & s.posted.none & ~s.address_sent_reg
            s.rready @= 1
            s.done @= s.posted.sent | (s.val & ~s.write & s.address_sent_reg & s.rvalid)

        @update_ff
        def seq_sent():
            if s.reset | s.done:
                s.address_sent_reg <<= 0
                s.word_sent_reg <<= 0
            else:
                if (s.awvalid & s.awready) | (s.arvalid & s.arready):
                    s.address_sent_reg <<= 1
                if s.wvalid & s.wready:
                    s.word_sent_reg <<= 1


class XcelBus(Component):
    """Master of xcel messages. A read waits until all writes are answered.

    Parameters
    ----------
    core : plan.protocols.Core; its protocol is ``Xcel``

    Latency: a write is done when the core has accepted it, a read when the word comes. Up to 3
    writes wait for their responses.
    """

    def construct(s, core: Core):
        assert isinstance(core.protocol, Xcel)
        names = dict(core.protocol.ports)
        _add_access(s, core)
        add_pins(s, core, names.values())
        request, response = (getattr(s, pin(names[f"{x}_msg"])) for x in ("req", "resp"))
        nbits = core.protocol.word_nbits
        s.posted = Posted()
        s.offers = Wire(1)
        s.accepted = Wire(1)
        s.answered = Wire(1)
        s.read_sent_reg = Wire(1)
        connect(request[0:nbits], s.data)
        connect(request[nbits : nbits + XCEL_ADDRESS_NBITS], s.address)
        connect(request[nbits + XCEL_ADDRESS_NBITS], s.write)
        connect(response[0:nbits], s.word)
        connect(getattr(s, pin(names["req_val"])), s.offers)
        connect(getattr(s, pin(names["req_rdy"])), s.accepted)
        connect(getattr(s, pin(names["resp_val"])), s.answered)
        connect(getattr(s, pin(names["resp_rdy"])), 1)
        connect(s.drained, s.posted.none)

        @update
        def comb_request():
            s.offers @= s.val & (
                (s.write & ~s.posted.full) | (~s.write & s.posted.none & ~s.read_sent_reg)
            )

        @update
        def comb_done():
            s.posted.sent @= s.offers & s.accepted & s.write
            s.posted.answered @= s.answered & ~s.read_sent_reg
            s.done @= s.posted.sent | (
                s.answered & ~s.write & (s.read_sent_reg | (s.offers & s.accepted))
            )

        @update_ff
        def seq_read():
            if s.reset | s.done:
                s.read_sent_reg <<= 0
            elif s.offers & s.accepted & ~s.write:
                s.read_sent_reg <<= 1


_IDLE, _RUN, _DONE = range(3)


class StepsAdapter(Component):
    """Runs the steps of the protocol for each request, and gives the result.

    =====  =========================================  ==============================
    state  in it                                      next
    =====  =========================================  ==============================
    idle   accepts a request, which a register holds  run
    run    the steps are run                          done when the last one ends
    done   ``send`` has the result                    idle when it is taken
    =====  =========================================  ==============================

    Parameters
    ----------
    core : plan.protocols.Core; its protocol has steps
    request_type, result_type : type; messages of ``recv`` and ``send``

    Ports
    -----
    recv : a ``request_type``
    send : a ``result_type``
    again : out, 1 bit; always 0: the core is not reset between operations
    pin_NAME : as the port NAME of the core, in the other direction

    Latency: the first access is made in the cycle after a request, the result given in the cycle
    after the last access.
    """

    def construct(s, core: Core, request_type, result_type):
        s.recv = RecvIfcRTL(request_type)
        s.send = SendIfcRTL(result_type)
        s.again = OutPort(1)
        connect(s.again, 0)
        s.request = HeldRequest(request_type)
        s.sequencer = StepSequencer(core, request_type, address_nbits(core))
        s.bus = bus_of(core)(core)
        connect_named(
            s.sequencer, s.bus, "val", "write", "address", "data", "done", "word", "drained"
        )
        late = response_handshakes(core) if core.host_waits else []
        s.takers = [LateTaker() for _ in late]
        for taker, (valid, ready) in zip(s.takers, late, strict=True):
            add_pins(s, core, (valid, ready))
            connect(getattr(s, pin(valid)), taker.val)
            connect(getattr(s, pin(ready)), taker.rdy)
            connect(getattr(s.bus, pin(valid)), taker.late_val)
            connect(getattr(s.bus, pin(ready)), taker.late_rdy)
        for part in (s.sequencer, s.bus):
            for port in core.ports:
                name = pin(port.name)
                if hasattr(part, name) and not hasattr(s, name):
                    add_pins(s, core, [port.name])
                    connect(getattr(s, name), getattr(part, name))
        connect(s.request.given, s.recv.msg)
        connect(s.request.held, s.sequencer.request)
        connect(s.send.msg.r, s.sequencer.result)
        s.state_reg = Wire(mk_bits(2))

        @update
        def comb_streams():
            s.recv.rdy @= s.state_reg == _IDLE
            s.sequencer.start @= s.recv.val & s.recv.rdy
            s.request.load @= s.recv.val & s.recv.rdy
            s.send.val @= s.state_reg == _DONE

        @update_ff
        def seq_state():
            if s.reset:
                s.state_reg <<= _IDLE
            elif s.sequencer.start:
                s.state_reg <<= _RUN
            elif s.sequencer.ended:
                s.state_reg <<= _DONE
            elif s.send.val & s.send.rdy:
                s.state_reg <<= _IDLE

    def line_trace(s):
        return f"{s.recv}({s.state_reg}){s.send}"
