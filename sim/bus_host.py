"""BusHost: component that joins an accelerator on a bus with a host that accesses its registers."""

from collections.abc import Callable

from pymtl3 import Bits1, Component, Wire, update
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.bus_unit import AccessReqMsg, AccessRespMsg
from rsaxcel.sim.bus_script import ENTROPY, WAIT


class BusHost(Component):
    """Top of a simulation: passes accesses from ``recv`` to an accelerator, answers to ``send``.

    Two addresses have no register; their access waits, and then has an answer without meaning:
    ``WAIT`` until the interrupt is high; ``ENTROPY`` until a padding takes its lowest byte as a
    random byte, or the interrupt is high, because then no padding needs it.

    Parameters
    ----------
    make_accelerator : callable; returns a component with ``access``, ``entropy`` and ``interrupt``
    make_entropy : callable, optional; returns a component whose ``send`` supplies the random bytes

    Ports
    -----
    recv : {type_, addr, data, strb}
    send : {type_, error, data}
    """

    def construct(
        s,
        make_accelerator: Callable[[], Component],
        make_entropy: Callable[[], Component] | None = None,
    ):
        s.recv = RecvIfcRTL(AccessReqMsg)
        s.send = SendIfcRTL(AccessRespMsg)
        s.accelerator = make_accelerator()
        s.accelerator.access.req.msg //= s.recv.msg
        s.accelerator.access.resp //= s.send
        s.waits = Wire(Bits1)
        s.unwanted = Wire(Bits1)

        @update
        def comb_waits():
            s.waits @= s.unwanted & (s.recv.msg.addr == ENTROPY)
            if s.recv.msg.addr == WAIT:
                s.waits @= ~s.accelerator.interrupt

        @update
        def comb_request():
            s.accelerator.access.req.val @= s.recv.val & ~s.waits

        @update
        def comb_ready():
            s.recv.rdy @= s.accelerator.access.req.rdy & ~s.waits

        if make_entropy is None:
            s.accelerator.entropy.msg //= s.recv.msg.data[0:8]

            @update
            def comb_unwanted():
                s.unwanted @= ~(s.accelerator.entropy.rdy | s.accelerator.interrupt)

            @update
            def comb_entropy():
                s.accelerator.entropy.val @= (
                    s.recv.val & s.accelerator.access.req.rdy & (s.recv.msg.addr == ENTROPY)
                )

        else:
            s.unwanted //= 0
            s.entropy = make_entropy()
            s.entropy.send //= s.accelerator.entropy

    def line_trace(s):
        return s.accelerator.line_trace()
