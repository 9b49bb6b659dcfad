"""BusHost: component that joins an accelerator on a bus with a host that accesses its registers."""

from collections.abc import Callable

from pymtl3 import Bits1, Component, Wire, update
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.bus_unit import AccessReqMsg, AccessRespMsg
from rsaxcel.sim.bus_script import ENTROPY, WAIT


class BusHost(Component):
    """Top of a simulation: passes accesses from ``recv`` to an accelerator, answers to ``send``.

    Two addresses have no register; they make the host wait before it passes the access on. An
    access to ``WAIT`` waits until the interrupt is high. An access to ``ENTROPY`` offers the lowest
    byte of its data as a random byte, and waits until a padding takes the byte, or until the
    interrupt is high, because then no padding needs the byte. After the wait, the accelerator
    answers the access with an error, which has no meaning.

    Parameters
    ----------
    make_accelerator : callable
        Returns a new component with the ports ``access``, ``entropy`` and ``interrupt``.
    make_entropy : callable, optional
        Returns a new component whose ``send`` supplies random bytes in place of the accesses to
        ``ENTROPY``.

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
        """Put the host around a new accelerator."""
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
        """Show the accesses of the current cycle."""
        return s.accelerator.line_trace()
