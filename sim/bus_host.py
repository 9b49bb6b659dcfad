"""BusHost: an accelerator on a bus, and a host that works through a script of accesses."""

from collections.abc import Callable

from pymtl3 import Bits1, Component, Wire, update
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from fl.bus_unit import AccessReqMsg, AccessRespMsg
from sim.bus_script import ENTROPY, WAIT


class BusHost(Component):
    """Top of a simulation: accesses come in by ``recv``, what they give goes out by ``send``.

    Accesses to two addresses without a register are held back until the host has acted: one to
    ``WAIT`` until the interrupt is high; one to ``ENTROPY`` until a padding takes the lowest byte
    of its data as a random one, or until the interrupt is high, when nobody wants it any more.
    Then the accelerator answers them with an error, which means nothing.

    Parameters
    ----------
    make_accelerator : callable
        Returns a new component with ``access``, ``entropy`` and ``interrupt``.
    make_entropy : callable, optional
        Returns a new component with ``send``, random bytes, that stands in for those accesses.

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
        """Show the accesses of a cycle."""
        return s.accelerator.line_trace()
