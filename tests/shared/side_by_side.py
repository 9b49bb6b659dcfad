"""Several compositions in one component, so that the native engine compiles them as one library."""

from collections.abc import Sequence

from pymtl3 import Component, Wire, clog2, connect, update
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.catalog import Configuration
from rsaxcel.fl.messages import message, power_request, power_response
from rsaxcel.plan.modulus_constants import widths_of
from rsaxcel.sim.batch import Batch
from rsaxcel.sim.native.build import BuildOptions
from rsaxcel.sim.native.engine import NativeEngine
from rsaxcel.sim.runners import hang_cycles

_QUICK_TO_COMPILE = BuildOptions(optimize="-O0", native_cpu=False)


class SideBySide(Component):
    """Exponentiators of one width; the field ``which`` of a request chooses one of them.

    Parameters
    ----------
    configurations : tuple of Configuration
        Configurations to instantiate.

    Ports
    -----
    recv : {which, and every field that a request of one of them has}
    send : {r, status}; requests to different exponentiators must not overlap

    Latency: that of the chosen exponentiator.
    """

    def construct(s, configurations):
        count = len(configurations)
        s.recv = RecvIfcRTL(message("SideBySideReq", request_fields(configurations)))
        Response = power_response(configurations[0].nbits)
        s.send = SendIfcRTL(Response)
        s.offers = [Wire(1) for _ in range(count)]
        s.takes = [Wire(1) for _ in range(count)]
        s.answers = [Wire(1) for _ in range(count)]
        s.responses = [Wire(Response) for _ in range(count)]
        for i, configuration in enumerate(configurations):
            unit = configuration.component("rtl")
            setattr(s, f"unit_{i}", unit)  # no list: PyMTL3's lists need equal types of messages
            for name, _ in request_fields([configuration])[1:]:
                connect(getattr(s.recv.msg, name), getattr(unit.recv.msg, name))
            connect(unit.recv.val, s.offers[i])
            connect(unit.recv.rdy, s.takes[i])
            connect(unit.send.val, s.answers[i])
            connect(unit.send.msg, s.responses[i])
            connect(unit.send.rdy, s.send.rdy)

        @update
        def comb_recv():
            s.recv.rdy @= 0
            for i in range(count):
                s.offers[i] @= 0
                if s.recv.msg.which == i:
                    s.offers[i] @= s.recv.val
                    s.recv.rdy @= s.takes[i]

        @update
        def comb_send():
            s.send.val @= 0
            s.send.msg @= s.responses[0]
            for i in range(count):
                if s.answers[i]:
                    s.send.val @= 1
                    s.send.msg @= s.responses[i]


def request_fields(configurations: Sequence[Configuration]) -> tuple[tuple[str, int], ...]:
    """Fields of the component's request with their widths in bits."""
    fields = {"which": max(1, clog2(len(configurations)))}
    for c in configurations:
        request = power_request(c.nbits, widths_of(c.host_constants), c.exponent_nbits)
        fields |= {name: kind.nbits for name, kind in request.__bitstruct_fields__.items()}
    return tuple(fields.items())


class Library:
    """Compositions that are compiled as one library.

    Parameters
    ----------
    configurations : sequence of Configuration
        Configurations of one width; constants of the same name have the same width in all of them.
    """

    def __init__(self, configurations: Sequence[Configuration]):
        self._members = tuple(configurations)
        self._names = [name for name, _ in request_fields(configurations)]
        self._engine = NativeEngine.from_component(
            lambda: SideBySide(self._members), options=_QUICK_TO_COMPILE
        )

    def run(self, configuration: Configuration, requests: list[tuple], **options) -> Batch:
        """Run a batch on one of the configurations."""
        which = self._members.index(configuration)
        own = request_fields([configuration])[1:]
        filled = []
        for request in requests:
            given = {n: value for (n, _), value in zip(own, request, strict=True)}
            filled.append(tuple({"which": which, **given}.get(name, 0) for name in self._names))
        return self._engine.run(filled, max_idle_cycles=hang_cycles(configuration), **options)
