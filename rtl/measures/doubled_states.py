"""Doubled states (``states=doubled``): each state machine has a copy; a difference is trapped."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pymtl3 import (
    Bits1,
    Bits3,
    Component,
    InPort,
    Interface,
    OutPort,
    Wire,
    connect,
    mk_bits,
    update,
    update_ff,
)
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.status import STATUS_NBITS, Status
from rsaxcel.plan.measures import DOUBLED
from rsaxcel.plan.programs import Program
from rsaxcel.plan.scan import Scan
from rsaxcel.rtl.exponentiators.look_ahead import LookAheadSequencer
from rsaxcel.rtl.exponentiators.program_executor import (
    DONE,
    IDLE,
    START,
    ProgramExecutor,
    add_clearing,
)
from rsaxcel.rtl.lib.adjust import connect_named
from rsaxcel.rtl.lib.agreement import add_agreement
from rsaxcel.rtl.lib.lanes import COPIED_IN, COPIED_OUT
from rsaxcel.rtl.measures.check import CheckedOtherHalf, CheckedScan, CheckedSequencer
from rsaxcel.rtl.parts import CircuitMeasure, part_of
from rsaxcel.rtl.stores.digit_bank import DigitBank
from rsaxcel.rtl.stores.digits import DigitStore
from rsaxcel.rtl.stores.lane_sources import LaneSources
from rsaxcel.rtl.stores.product_in_flight import ProductInFlight


@contextmanager
def reset_by(s: Component, signal: Any) -> Iterator[None]:
    """Connect the reset of components made in this context to a 1-bit signal.

    PyMTL3 connects it to the attribute ``reset`` of the parent, without a way to choose another
    one. So this attribute is another signal for a while.
    """
    own = s.reset
    # No assignment: PyMTL3 would give the signal a second name.
    s.__dict__["reset"] = signal
    try:
        yield
    finally:
        s.__dict__["reset"] = own


FAULT_DETECTED = int(Status.FAULT_DETECTED)  # update blocks accept no members of an enumeration
_VOTES = 3


class TrappedExecutor(Component):
    """A ``ProgramExecutor`` with copies of its state machines, and a trap for faults.

    If a machine differs from its copy, the trap is entered: the executor is reset, and so are all
    machines in it. If a request has no response yet, the trap gives the response. The executor
    then clears itself, as after any reset, and the next request is executed. ::

        cycle      t                        t + 1    ...  u            u + 1
        ---------  -----------------------  -------  ---  -----------  -------------------
        executor   ``differs``              reset         reset        BLANK, then CLEAR
        trap                                entered       response is
                                                          taken
        response   ``fault_detected``, 0

    ``differs`` is 1 in the cycle in which the executor's state, status or count of shifts, or the
    store's ``refused``, differs from its copy, and one cycle after any other difference. No request
    is taken while it is 1.

    If no request waits for a response, the trap lasts one cycle. If the trap is entered again
    before the executor has accepted a request, the trap itself accepts one, and gives the response.
    So there is a response even if a flip-flop is stuck, and the trap is entered again and again.

    Two flip-flops with opposite contents hold whether the trap is entered; it is entered, too, if
    they are not opposite. The first alone resets the executor, to keep the path short; if only the
    second says that the trap is entered, the trap lasts one cycle more. Three flip-flops vote on
    whether a request has no response; if one of them differs from the others, the trap is entered,
    and sets it right.

    Parameters
    ----------
    nbits, program, multiplier, store, units, rules, operand_widths : the parameters of
        ``ProgramExecutor``. The states of the program are ``doubled``

    Ports
    -----
    recv, send : as those of ``ProgramExecutor``. A response that is offered, but not taken,
        becomes that of the trap if a machine differs

    Latency: that of ``ProgramExecutor``; with a fault, at most one cycle more, unless a flip-flop
    that has no copy makes a machine and its copy wait alike.
    """

    def construct(
        s, nbits, program: Program, multiplier, store, units=(), rules=None, operand_widths=()
    ):
        s.held = Wire(Bits1)  #: reset of all machines
        with reset_by(s, s.held):
            s.executor = part_of(program, ProgramExecutor)(
                nbits, program, multiplier, store, units, rules, operand_widths
            )
        s.recv = RecvIfcRTL(s.executor.recv.msg._dsl.Type)
        s.send = SendIfcRTL(s.executor.send.msg._dsl.Type)
        s.executor.recv.msg //= s.recv.msg
        # ``recv.val`` and ``send.rdy`` of the executor are not gated by ``steady``: the comparisons
        # behind ``steady`` would delay the load of all operands, and the next state. If the
        # executor takes a request while ``recv.rdy`` is 0, or responds while it is not steady, the
        # trap resets the executor, which then clears itself. The request is offered again, and the
        # trap gives the response.
        s.executor.recv.val //= s.recv.val
        s.executor.send.rdy //= s.send.rdy

        s.fault_reg = Wire(Bits1)
        s.sound_reg = Wire(Bits1)
        s.owes_reg = [Wire(Bits1) for _ in range(_VOTES)]
        s.again_reg = Wire(Bits1)  #: the trap was entered since the last request
        s.trapped = Wire(Bits1)
        s.owes = Wire(Bits1)
        s.steady = Wire(Bits1)  #: handshakes of the executor are valid
        s.accepted = Wire(Bits1)
        s.answered = Wire(Bits1)
        s.fault = Wire(Bits1)
        s.stays = Wire(Bits1)
        s.enters = Wire(Bits1)  #: the trap is entered in the next cycle

        @update
        def comb_trapped():
            s.trapped @= s.fault_reg | ~s.sound_reg
            s.held @= s.reset | s.fault_reg
            s.owes @= (
                (s.owes_reg[0] & s.owes_reg[1])
                | (s.owes_reg[0] & s.owes_reg[2])
                | (s.owes_reg[1] & s.owes_reg[2])
            )

        @update
        def comb_steady():
            s.steady @= ~s.trapped & ~s.executor.differs

        @update
        def comb_ready():
            s.recv.rdy @= (s.executor.idles & s.steady) | (s.trapped & s.again_reg & ~s.owes)

        @update
        def comb_response():
            s.send.val @= (s.executor.send.val & s.steady) | (s.owes & ~s.steady)
            s.send.msg.r @= s.executor.send.msg.r
            s.send.msg.status @= s.executor.send.msg.status
            if ~s.steady:
                s.send.msg.r @= 0
                s.send.msg.status @= FAULT_DETECTED

        @update
        def comb_handshakes():
            s.accepted @= s.recv.val & s.recv.rdy
            s.answered @= s.send.val & s.send.rdy

        @update
        def comb_fault():
            s.fault @= s.executor.differs
            for i in range(_VOTES):
                if s.owes_reg[i] != s.owes:
                    s.fault @= 1
            s.stays @= ((s.owes | s.accepted) & ~s.answered) | ~s.fault_reg
            s.enters @= (s.fault & ~s.trapped) | (s.stays & s.trapped)

        @update_ff
        def seq_trap():
            if s.reset:
                s.fault_reg <<= 0
                s.sound_reg <<= 1
            else:
                s.fault_reg <<= s.enters
                s.sound_reg <<= ~s.enters

        @update_ff
        def seq_again():
            s.again_reg <<= ((s.trapped & ~s.owes) | s.again_reg) & ~s.accepted & ~s.reset

        @update_ff
        def seq_owes():
            # Each vote depends on itself: equal flip-flops with equal inputs would be merged.
            for i in range(_VOTES):
                s.owes_reg[i] <<= (
                    (((s.owes_reg[i] & ~s.trapped) | (s.owes & s.trapped)) | s.accepted)
                    & ~s.answered
                    & ~s.reset
                )

    def line_trace(s):
        return f"{s.executor.line_trace()}{'!' if s.trapped else ''}"


class _Ports(Interface):
    """Ports of a neighbour of the executor that the executor's machine has, too."""

    def construct(s, inputs, outputs):
        for name in inputs:
            setattr(s, name, InPort(STATUS_NBITS if name == "status" else 1))
        for name in outputs:
            setattr(s, name, OutPort(1))


class ExecutorCopy(Component):
    """Copy of the state machine of a ``ProgramExecutor``; ``add_clearing`` has the states.

    The copy has the inputs and the registers of the executor's machine. Both are compared in every
    cycle (``DoubledExecutor``).

    Ports
    -----
    recv.val, send.rdy : in, 1 bit each; as at the executor
    send.val : out, 1 bit
    store, sequencer : ports of store and sequencer, seen from the executor. ``store`` shows the
        states that have a flip-flop of their own
    state, status, count : out; contents of the other registers

    Outputs depend on registers, ``loaded``, ``status`` and ``ready``.
    """

    def construct(s, cycles: int):
        s.recv = _Ports(["val"], [])
        s.send = _Ports(["rdy"], ["val"])
        s.store = _Ports(["loaded", "status", "cleared", "ready"], ["idle", "blank", "clears"])
        s.sequencer = _Ports(["finished"], ["start", "load", "vacant", "clears"])
        s.refused = Wire(Bits1)
        s.state_reg = Wire(Bits3)
        s.status_reg = Wire(mk_bits(STATUS_NBITS))
        add_clearing(s, cycles)
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


class ShownScan(CheckedScan):
    """``CheckedScan`` that shows its register.

    More ports
    ----------
    shown : out, scan.register_nbits bits; contents of the register
    """

    def construct(s, scan: Scan, forgets=False, word_nbits=0, given_nbits=0):
        super().construct(scan, forgets, word_nbits, given_nbits)
        s.shown = OutPort(scan.register_nbits)
        s.shown //= s.exponent_reg


class ShownOtherHalf(CheckedOtherHalf):
    """``CheckedOtherHalf`` that shows the register of its exponent (``ShownScan``)."""

    scan_type = ShownScan

    def construct(s, program: Program, given_nbits=0):
        super().construct(program, given_nbits)
        s.shown = OutPort(program.scan.register_nbits)
        s.shown //= s.scan.shown


class ShownSequencer(CheckedSequencer):
    """``CheckedSequencer`` that shows the registers of its exponents.

    More ports
    ----------
    shown, other_shown : out, program.scan.register_nbits bits each; ``ShownScan`` of half 0, or of
        both halves, and of half 1
    """

    scan_type = ShownScan

    def construct(s, program: Program, given_nbits=0):
        super().construct(program, given_nbits)
        s.shown = OutPort(program.scan.register_nbits)
        s.other_shown = OutPort(program.scan.register_nbits)
        s.shown //= s.scan.shown
        s.other_shown //= s.other_half.shown if program.lanes > 1 else 0


class SeenScan(ShownScan):
    """``ShownScan`` without a register: the exponent is in that of another scan.

    More ports
    ----------
    seen : in, scan.register_nbits bits; ``shown`` of the other scan
    """

    def add_register(s, scan: Scan, given_nbits: int) -> None:
        s.vacant = InPort(1)
        if given_nbits:
            s.gives = InPort(1)
            s.given = InPort(given_nbits)
        s.seen = InPort(scan.register_nbits)
        s.exponent_reg //= s.seen


class SeenOtherHalf(ShownOtherHalf):
    """``ShownOtherHalf`` with a ``SeenScan``."""

    scan_type = SeenScan

    def construct(s, program: Program, given_nbits=0):
        super().construct(program, given_nbits)
        s.seen = InPort(program.scan.register_nbits)
        s.scan.seen //= s.seen


class SeenSequencer(ShownSequencer):
    """Copy of a ``ShownSequencer`` that reads the exponents in the registers of the latter.

    A wrong exponent makes a wrong result, which the check refuses.
    """

    scan_type, half_types = SeenScan, (SeenOtherHalf,)

    def construct(s, program: Program, given_nbits=0):
        super().construct(program, given_nbits)
        s.seen = InPort(program.scan.register_nbits)
        s.other_seen = InPort(program.scan.register_nbits)
        s.scan.seen //= s.seen
        if program.lanes > 1:
            s.other_half.seen //= s.other_seen


class DoubledExecutor(ProgramExecutor):
    """``ProgramExecutor`` with copies of its machine and of its sequencer, which it compares.

    Copies of lanes and their destinations are in the store (``DoubledStore``). Where a machine
    reads another machine, its copy reads the other's copy; all other inputs are the same. Only
    copies and comparisons read outputs of copies. With a check, exponents have no copy
    (``SeenSequencer``). ::

        machine                              copy of it          compared
        -----------------------------------  ------------------  -------------------------------
        ``add_clearing`` of the executor     ``executor_copy``   all registers
        ``sequencer``                        ``sequencer_copy``  offers, products, table indices
        ``control`` of each lane             ``control_copy``    all outputs
        ``select`` of each lane's digits     ``select_copy``     all outputs
        ``choice`` of each lane              ``choice_copy``     in the next two
        ``in_flight`` of each lane           ``in_flight_copy``  all outputs
        ``prepare``, ``refused`` of a store  inverted registers  the registers

    A machine that has gone wrong without an effect on its outputs has done no harm yet.

    More ports
    ----------
    differs : out, 1 bit; the state of the executor, its status, or a register of the store that
        decides on the result differs from its copy in this cycle; or anything else differed in the
        last cycle. Depends on registers alone. Until the last cycle of clearing, machines in
        sequencer and store are not compared: their contents are arbitrary after power-up
    idles : out, 1 bit; executor and copy accept a request. ``recv.rdy`` comes from a register that
        drives much more, and is compared in the next cycle
    """

    def add_measures(s, program: Program, cycles: int, digit_nbits: int) -> None:
        super().add_measures(program, cycles, digit_nbits)
        s.differs = OutPort(1)
        s.idles = OutPort(1)
        s.compared_reg = Wire(Bits1)
        s.executor_copy = ExecutorCopy(cycles)
        s.executor_copy.recv.val //= s.recv.val
        s.executor_copy.send.rdy //= s.send.rdy
        connect_named(s.executor_copy.store, s.store, "loaded", "status", "cleared", "ready")

        seen = (SeenSequencer,) if program.check else ()
        s.sequencer_copy = s.make_sequencer(program, LookAheadSequencer, digit_nbits, *seen)
        if program.check:
            s.sequencer_copy.seen //= s.sequencer.shown
            s.sequencer_copy.other_seen //= s.sequencer.other_shown
        given = "start", "load", "vacant", "clears"
        connect_named(s.sequencer_copy, s.executor_copy.sequencer, *given)
        s.executor_copy.sequencer.finished //= s.sequencer_copy.finished
        for lane in range(program.lanes):
            for name in ("offers", "chosen", "accepts", "answers"):
                port = getattr(s.store, f"copy_{name}")[lane]
                connect(getattr(s.sequencer_copy, name)[lane], port)
        ahead = s.store.ports_ahead
        for name in ("index", "other_index", "half", "turn_ends", *ahead):
            connect(getattr(s.sequencer_copy, name), getattr(s.store, f"copy_{name}"))
        s.connect_exponents(s.sequencer_copy, program)

        copy = s.executor_copy
        pairs = {
            "state": ([s.state_reg], [copy.state]),
            "phase": (
                [s.idle_reg, s.blank_reg, s.clear_reg, s.shifts_reg, s.vacant],
                [
                    *(getattr(copy.store, x) for x in ("idle", "blank", "clears")),
                    *(copy.sequencer.clears, copy.sequencer.vacant),
                ],
            ),
            "rest": ([s.status_reg, s.count_reg], [copy.status, copy.count]),
            "sequencer": [_outputs(x, ahead[1:]) for x in (s.sequencer, s.sequencer_copy)],
        }
        for name, (firsts, seconds) in pairs.items():
            add_agreement(s, f"{name}_agreement", firsts, seconds)

        # ``blank`` comes from the copy, whose register drives less: if ``blank_reg`` differs from
        # it, that alone is a difference.
        @update
        def comb_differs():
            s.differs @= (
                s.state_agreement.differs
                | s.phase_agreement.differed
                | ((s.rest_agreement.differs | s.store.wavers) & ~s.executor_copy.store.blank)
                | ((s.sequencer_agreement.differed | s.store.differed) & s.compared_reg)
            )

        @update
        def comb_idles():
            s.idles @= (s.state_reg == IDLE) & s.executor_copy.store.idle

        @update_ff
        def seq_compared():
            s.compared_reg <<= ~s.executor_copy.store.blank & (~s.clear_reg | s.cleared) & ~s.reset


def _outputs(sequencer: Any, ahead: Sequence[str]) -> list[Any]:
    """List the outputs that depend on registers alone: all others would make a long path."""
    names = "index", "other_index", "half", *ahead
    return [*sequencer.offers, *sequencer.chosen, *(getattr(sequencer, x) for x in names)]


class DoubledBank(DigitBank):
    """``DigitBank`` with copies of ``choice`` and ``in_flight``; compares both ``in_flight``.

    The copies are connected to each other and to the copies of the lane's control and of the
    sequencer: a wrong signal between two machines is a difference, too. No register of a copy has
    the same inputs as that of the machine: such registers would be merged.

    More ports
    ----------
    copy_* : as without ``copy_``
    differed : out, 1 bit; the lane, or ``in_flight``, differed from its copy in the last cycle
    """

    def add_measures(s, sources: LaneSources) -> None:
        super().add_measures(sources)
        s.copy_offer = InPort(1)
        s.copy_chosen = InPort(len(sources.products))
        s.copy_index = InPort(s.index._dsl.Type)
        s.copy_half = InPort(1)
        for name in ("copy_accept", "copy_answer", "differed"):
            setattr(s, name, OutPort(1))
        s.add_choice(sources, "choice_copy", "copy_")
        s.in_flight_copy = part_of(sources.program, ProductInFlight)(sources)
        s.copy_accept //= s.lane.copy_accepts
        s.copy_answer //= s.in_flight_copy.done
        s.lane.copy_offered //= s.copy_offer
        s.lane.copy_reduce //= s.in_flight_copy.reduces
        for name in COPIED_IN[2:]:
            connect(getattr(s.lane, f"copy_{name}"), getattr(s.choice_copy, name))
        s.connect_second(s.in_flight_copy, "copy_")

        @update
        def comb_copy_begins():
            s.in_flight_copy.begins @= s.copy_offer & s.copy_accept

        for name in s.in_flight.inputs:
            connect(getattr(s.in_flight_copy, f"next_{name}"), getattr(s.choice_copy, name))
        for name in COPIED_OUT[1:]:
            connect(getattr(s.in_flight_copy, name), getattr(s.lane, f"copy_{name}"))
        connect_named(s.in_flight_copy, s, "load", "prepare", "clears")
        machine, copy = (
            [getattr(part, name) for name in part.outputs]
            for part in (s.in_flight, s.in_flight_copy)
        )
        add_agreement(s, "agreement", machine, copy)

        @update
        def comb_differed():
            s.differed @= s.agreement.differed | s.lane.differed


class DoubledStore(DigitStore):
    """``DigitStore`` that compares machines of the lanes, and its registers, with their copies.

    Registers of the store depend on inputs alone; a synthesizer would merge equal copies, so they
    are inverted.

    More ports
    ----------
    copy_* : from and for the sequencer's copy, as without ``copy_``
    wavers : out, 1 bit; it is not sure whether the request is refused; valid unless ``blank``
    differed : out, 1 bit; another machine or register differed in the last cycle; valid unless the
        store was cleared then
    """

    def construct(s, nbits, program: Program, multiplier, rules, request_type):
        super().construct(nbits, program, multiplier, rules, request_type)
        lanes = program.lanes
        banks = [getattr(s, f"bank{lane}") for lane in range(lanes)]
        s.copy_offers = [InPort(1) for _ in range(lanes)]
        s.copy_chosen = [InPort(s.chosen[0]._dsl.Type) for _ in range(lanes)]
        s.copy_index = InPort(s.index._dsl.Type)
        s.copy_other_index = InPort(s.index._dsl.Type)
        s.copy_half = InPort(1)
        s.copy_turn_ends = InPort(1)
        for name in s.ports_ahead:
            setattr(s, f"copy_{name}", InPort(getattr(s, name)._dsl.Type))
        s.copy_accepts = [OutPort(1) for _ in range(lanes)]
        s.copy_answers = [OutPort(1) for _ in range(lanes)]
        s.wavers = OutPort(1)
        s.differed = OutPort(1)
        s.lane_differed = [Wire(Bits1) for _ in range(lanes)]
        s.copy_offered = [Wire(Bits1) for _ in range(lanes)]
        s.copy_accepted = [Wire(Bits1) for _ in range(lanes)]
        for lane, bank in enumerate(banks):
            s.lane_differed[lane] //= bank.differed
            bank.copy_offer //= s.copy_offered[lane]
            bank.copy_chosen //= s.copy_chosen[lane]
            s.connect_step(bank, lane, "copy_")
            s.copy_accepted[lane] //= bank.copy_accept
            s.copy_answers[lane] //= bank.copy_answer
        s.unprepared_reg = Wire(Bits1)
        s.unrefused_reg = Wire(Bits1)
        s.equal_reg = Wire(Bits1)  #: ``prepare_reg`` and its inverted copy were equal

        @update
        def comb_copy_offers():
            for lane in range(lanes):
                s.copy_offered[lane] @= s.copy_offers[lane] & s.unprepared_reg
                s.copy_accepts[lane] @= s.copy_accepted[lane] & s.unprepared_reg

        @update
        def comb_wavers():
            s.wavers @= s.refused_reg == s.unrefused_reg

        @update
        def comb_differed():
            s.differed @= s.equal_reg
            for lane in range(lanes):
                if s.lane_differed[lane]:
                    s.differed @= 1

        @update_ff
        def seq_inverted():
            s.equal_reg <<= s.prepare_reg == s.unprepared_reg
            s.unprepared_reg <<= ~((s.loads | s.copy_turn_ends) & ~s.reset)
            if s.loads:
                s.unrefused_reg <<= 1
            elif s.refuse:
                s.unrefused_reg <<= 0


DOUBLED_STATES = CircuitMeasure(
    "states",
    lambda program: ("states", DOUBLED) in program.own_choices,
    {
        ProgramExecutor: DoubledExecutor,
        DigitStore: DoubledStore,
        DigitBank: DoubledBank,
        CheckedSequencer: ShownSequencer,
        CheckedOtherHalf: ShownOtherHalf,
    },
    around=TrappedExecutor,
)
