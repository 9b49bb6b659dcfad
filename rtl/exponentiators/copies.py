"""Copies of an executor's state machines, with which the machines are compared in every cycle."""

from collections.abc import Sequence
from typing import Any

from pymtl3 import Bits1, OutPort, Wire, connect, update, update_ff

from rsaxcel.plan.programs import Program
from rsaxcel.rtl.exponentiators.executor_copy import ExecutorCopy
from rsaxcel.rtl.exponentiators.look_ahead import LookAheadSequencer, connect_exponents
from rsaxcel.rtl.exponentiators.states import IDLE
from rsaxcel.rtl.lib.agreement import add_agreement
from rsaxcel.rtl.stores.ports import ports_ahead


def add_copies(s: Any, program: Program, cycles: int, given: dict[str, int]) -> None:
    """Add a copy of the executor's own machine, and of its sequencer; compare all copies.

    Copies of lanes and their destinations are in the store. A copy gets what comes from another
    machine from that machine's copy; all other inputs are the same. Only copies and comparisons
    read outputs of copies. ::

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

    Ports
    -----
    differs : out, 1 bit; the state of the executor, its status, or a register of the store that
        decides on the result differs from its copy in this cycle; or anything else differed in the
        last cycle. Depends on registers alone. Until the last cycle of clearing, machines in
        sequencer and store are not compared: their contents are arbitrary after power-up
    idles : out, 1 bit; executor and copy accept a request. ``recv.rdy`` comes from a register that
        drives much more, and is compared in the next cycle
    """
    s.differs = OutPort(1)
    s.idles = OutPort(1)
    s.compared_reg = Wire(Bits1)
    s.executor_copy = ExecutorCopy(cycles, program.check is not None)
    s.executor_copy.recv.val //= s.recv.val
    s.executor_copy.send.rdy //= s.send.rdy
    for name in ("loaded", "status", "cleared", "ready"):
        connect(getattr(s.executor_copy.store, name), getattr(s.store, name))

    s.sequencer_copy = LookAheadSequencer(program, **given)
    for name in ("start", "load", "vacant"):
        connect(getattr(s.sequencer_copy, name), getattr(s.executor_copy.sequencer, name))
    s.executor_copy.sequencer.finished //= s.sequencer_copy.finished
    for lane in range(program.lanes):
        for name in ("offers", "chosen", "accepts", "answers"):
            port = getattr(s.store, f"copy_{name}")[lane]
            connect(getattr(s.sequencer_copy, name)[lane], port)
    ahead = ports_ahead(program)
    for name in ("index", "other_index", "half", "turn_ends", *ahead):
        connect(getattr(s.sequencer_copy, name), getattr(s.store, f"copy_{name}"))
    connect_exponents(s, s.sequencer_copy, program)

    # ``clears`` of ``executor_copy``, formed here: a synthesizer maps that component apart from the
    # sequencer, and the longest path would lead through both.
    @update
    def comb_copy_clears():
        s.sequencer_copy.clears @= s.executor_copy.store.clears & (s.executor_copy.count != 0)

    copy = s.executor_copy
    pairs = {
        "state": ([s.state_reg], [copy.state]),
        "phase": (
            [s.idle_reg, s.blank_reg, s.clear_reg],
            [copy.store.idle, copy.store.blank, copy.store.clears],
        ),
        "rest": ([s.status_reg, s.count_reg], [copy.status, copy.count]),
        "sequencer": [_outputs(x, ahead[1:]) for x in (s.sequencer, s.sequencer_copy)],
    }
    for name, (firsts, seconds) in pairs.items():
        add_agreement(s, f"{name}_agreement", firsts, seconds)

    # ``blank`` is that of the copy, because its register drives less: if ``blank_reg`` differs from
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
    """Give the outputs that depend on registers alone: others would make a long path."""
    names = "index", "other_index", "half", *ahead
    return [*sequencer.offers, *sequencer.chosen, *(getattr(sequencer, x) for x in names)]
