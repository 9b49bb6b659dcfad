"""ExecutorCopy: second copy of the state machine of an executor that is cleared."""

from pymtl3 import Bits1, Bits3, Component, InPort, Interface, OutPort, Wire, mk_bits, update

from rsaxcel.fl.status import STATUS_NBITS
from rsaxcel.rtl.exponentiators.clearing import add_clearing
from rsaxcel.rtl.exponentiators.states import DONE, START


class _Requests(Interface):
    """Part of a stream of requests."""

    def construct(s):
        s.val = InPort(1)


class _Responses(Interface):
    """Part of a stream of responses."""

    def construct(s):
        s.val = OutPort(1)
        s.rdy = InPort(1)


class _StorePorts(Interface):
    """Ports of a store, seen from the executor."""

    def construct(s):
        s.loaded = InPort(1)
        s.status = InPort(STATUS_NBITS)
        s.cleared = InPort(1)
        s.ready = InPort(1)
        s.idle = OutPort(1)
        s.blank = OutPort(1)
        s.clears = OutPort(1)


class _SequencerPorts(Interface):
    """Ports of a sequencer, seen from the executor."""

    def construct(s):
        s.finished = InPort(1)
        s.start = OutPort(1)
        s.load = OutPort(1)
        s.vacant = OutPort(1)
        s.clears = OutPort(1)


class ExecutorCopy(Component):
    """The state machine of a ``ProgramExecutor`` (``rtl.exponentiators.clearing``), once more.

    It has the inputs of the executor's machine, and the same registers. The executor is compared
    with it in every cycle (``rtl.exponentiators.copies``).

    Ports
    -----
    recv.val, send.rdy : in, 1 bit each; as at the executor
    send.val : out, 1 bit
    store, sequencer : ports of store and sequencer, seen from the executor. ``store`` shows the
        states that have a flip-flop of their own
    state, status, count : out; contents of the other registers

    Outputs depend on registers, ``loaded``, ``status`` and ``ready``.
    """

    def construct(s, cycles: int, checks: bool):
        s.recv = _Requests()
        s.send = _Responses()
        s.store = _StorePorts()
        s.sequencer = _SequencerPorts()
        s.refused = Wire(Bits1)
        s.state_reg = Wire(Bits3)
        s.status_reg = Wire(mk_bits(STATUS_NBITS))
        add_clearing(s, cycles, checks)
        s.state = OutPort(3)
        s.status = OutPort(STATUS_NBITS)
        s.count = OutPort(s.count_reg._dsl.Type)
        s.state //= s.state_reg
        s.status //= s.status_reg
        s.count //= s.count_reg

        @update
        def comb_start():
            s.sequencer.start @= (s.state_reg == START) & ~s.refused

        @update
        def comb_val():
            s.send.val @= (s.state_reg == DONE) & s.store.ready
