"""Runs a script of register accesses on an accelerator that is on a bus, at FL, CL or RTL.

FL: the golden model of the registers. CL: their circuit around the exponentiator's cycle model, in
Python. RTL: the circuit, compiled.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from pymtl3 import Bits1, Component, Wire, update
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.catalog.configuration import Exponentiator
from rsaxcel.catalog.units import check_level
from rsaxcel.fl.bus import BusRegisters
from rsaxcel.fl.bus_unit import AccessReqMsg, AccessRespMsg
from rsaxcel.sim.batch import MAX_IDLE_CYCLES
from rsaxcel.sim.bus_script import ENTROPY, WAIT, WRITE, BusScript
from rsaxcel.sim.engine import Engine, open_engine


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


_HOST = (Path(__file__), Path(__file__).with_name("bus_script.py"))

Answer = tuple[int, ...]  #: kind of the access, error, data: the fields of AccessRespMsg


class BusRun(NamedTuple):
    """Result of a script."""

    answers: list[Answer]
    accepted: list[int] | None = None  #: cycle in which each access was accepted; None at FL
    total_cycles: int | None = None


BusRunner = Callable[..., BusRun]


def open_bus(configuration: Exponentiator, level: str) -> BusRunner:
    """Return a function that runs scripts, each after a reset, at level ``fl``, ``cl`` or ``rtl``.

    The function's second argument is the number of cycles without a handshake after which it fails.
    """
    check_level(level)
    if level == "fl":
        return partial(_run_golden, configuration)
    engine = open_engine(
        "native" if level == "rtl" else "pymtl",
        lambda: BusHost(lambda: configuration.bus_accelerator(level)),
        key=f"bus_{configuration.name}",
        sources=(*configuration.sources, *_HOST),
    )
    return partial(_simulate, engine)


def _run_golden(
    configuration: Exponentiator, script: BusScript, _max_idle_cycles: int = MAX_IDLE_CYCLES
) -> BusRun:
    """Run a script on the golden model; an operation finishes at the next access to ``WAIT``.

    ``ValueError`` if a padding lacks random bytes, so that the interrupt never comes.
    """
    registers = BusRegisters(configuration)
    answers: list[Answer] = []
    for kind, address, data, strobes in script.accesses:
        if address == ENTROPY and registers.wants_entropy:
            registers.feed(data & 0xFF)
        elif address == WAIT:
            registers.finish()
            if not registers.interrupt:
                raise ValueError(f"access {len(answers)}: the script waits forever")
        value, error = 0, False
        if kind == WRITE:
            error = registers.write(address, data, strobes)
        else:
            value, error = registers.read(address)
        answers.append((kind, int(error), value))
    return BusRun(answers)


def _simulate(engine: Engine, script: BusScript, max_idle_cycles: int = MAX_IDLE_CYCLES) -> BusRun:
    batch = engine.run(script.accesses, in_flight=None, max_idle_cycles=max_idle_cycles)
    answers = [answer for answer in batch.responses if answer]
    return BusRun(answers, batch.accepted, batch.total_cycles)
