"""Copies of state machines (``states=doubled``) on the netlist: all are there, and each acts."""

import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from rsaxcel.fl.status import Status
from rsaxcel.flow.gates.circuit import FaultArrays, FaultKind
from rsaxcel.flow.gates.faults import Injection
from rsaxcel.flow.gates.streams import responses_of
from rsaxcel.flow.names import register_name, register_of
from rsaxcel.lab.faults.target import DEADLINE, FaultTarget, key_operation
from tests.flow.flow_circuits import build, synthesized
from tests.shared.harness import built_once

pytestmark = built_once("netlist", 8)

EXECUTOR = "core.executor."
COPIED = {
    f"{EXECUTOR}sequencer.": f"{EXECUTOR}sequencer_copy.",
    **{
        f"{EXECUTOR}store.bank{lane}.{part}": f"{EXECUTOR}store.bank{lane}.{copy}"
        for lane in (0, 1)
        for part, copy in (
            ("lane.control.", "lane.control_copy."),
            ("lane.operand_digits.", "lane.select_copy."),
            ("in_flight.", "in_flight_copy."),
            ("choice.", "choice_copy."),
        )
    },
}
"""Beginning of the names of a machine's registers, and of the names of the copies."""

OWN = (
    *("state_reg", "status_reg", "count_reg", "idle_reg", "blank_reg", "unblank_reg"),
    *("clear_reg", "shifts_reg"),
)
"""Registers of the executor's own machine; the copies are in ``executor_copy``."""

INVERTED = {"prepare_reg": "unprepared_reg", "refused_reg": "unrefused_reg"}
"""Registers of the store, and their inverted copies."""

UNCOPIED = re.compile(
    r"operand_digits\.(?!(select|second|follows)_reg)|turns\.waiting_reg|\.un(written|result)_reg"
)
"""Registers of data within a machine, and those that have an inverted copy for the check."""

EXPONENTS = re.compile(r"sequencer\.(other_half\.)?scan\.(exponent|shifts)_reg")
"""Registers without a copy if the result is checked: a wrong exponent makes a wrong result."""

UNREAD = re.compile(r"sequencer(_copy)?\.(other_half\.)?scan\.later_reg")
"""Registers without effect: with odd powers, a digit asks whether it is the first as it begins."""

DIGIT = range(150, 187)  #: cycles of the products of a digit, the load of an operand included
VOTES = {f"core.{x}" for x in ("fault_reg", "sound_reg", *(f"owes_reg[{i}]" for i in range(3)))}


@cache
def pairs(registers: frozenset[str]) -> dict[str, str]:
    """For each bit of a register that has a copy: the bit of the copy."""
    checks = any(".choice." in name for name in registers)
    found = {
        name: copy + name.removeprefix(machine)
        for machine, copy in COPIED.items()
        for name in registers
        if name.startswith(machine) and not UNCOPIED.search(name)
        if not (checks and EXPONENTS.search(name))
    }
    for name in registers:
        path, _, register = register_name(name).rpartition(".")
        if path == EXECUTOR[:-1] and register in OWN:
            found[name] = name.replace(EXECUTOR, f"{EXECUTOR}executor_copy.")
    store = f"{EXECUTOR}store."
    return found | {f"{store}{x}": f"{store}{y}" for x, y in INVERTED.items()}


def target_of(folder, name: str, **params) -> FaultTarget:
    return build(name, folder, nbits=16, states="doubled", **params).fault_target()


@pytest.fixture(
    scope="module",
    params=[
        pytest.param({}, id="alone"),
        pytest.param({"check": "public_exponent"}, id="check", marks=pytest.mark.slow),
    ],
)
def target(tmp_path_factory, request) -> FaultTarget:
    return target_of(tmp_path_factory.mktemp("doubled"), "crt_window", **request.param)


def bits_of(target: FaultTarget) -> dict[str, int]:
    """Number of each flip-flop, by the bit of the register that it holds."""
    return {register_of(x.name): i for i, x in enumerate(target.simulator.flip_flops)}


def check_all_there(target: FaultTarget) -> None:
    registers = bits_of(target)
    found = pairs(frozenset(registers))
    names = {register_name(name).rpartition(".")[2] for name in found}
    assert {"step_reg", "index_reg", "running_reg"} <= names
    assert {"state_reg", "count_reg", "reducing_reg", "left_reg", "select_reg"} <= names
    assert {"result_reg", "tail_reg", "status_reg", "clear_reg", "prepare_reg"} <= names
    assert "source_reg" in names
    # The product that is offered and awaited, without a check or with one; the other registers
    # have no reader.
    checks = any(".choice." in name for name in found)
    ahead, usual = {"offers_reg", "waits_reg"}, {"issue_reg", "wait_reg"}
    assert names & (ahead | usual) == (ahead if checks else usual)
    assert {copy for copy in found.values() if copy not in registers} == set()
    inverted = {f"{EXECUTOR}store.{name}" for name in INVERTED.values()}
    copies = {x for x in registers if "_copy." in x and not UNCOPIED.search(x)}
    assert copies | inverted == {*found.values()}
    assert registers.keys() >= VOTES


def test_all_copies_are_there(target):
    """No flip-flop of a copy was merged with that of the machine, or dropped."""
    check_all_there(target)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "params"),
    [
        pytest.param("crt_window_shared", {}, id="one lane"),
        pytest.param("crt_window", {"check": "public_exponent", "blinding": "both"}, id="hardened"),
        pytest.param("crt_window", {"dummies": "squares"}, id="dummies"),
    ],
)
def test_all_copies_are_there_in_other_designs(name, params, tmp_path):
    check_all_there(target_of(tmp_path, name, **params))


MACHINES = Path(__file__).with_name("machines.sv").read_text("utf-8")


def test_what_would_be_merged(tmp_path):
    """Equal registers with equal inputs are merged; those that depend on themselves are not."""
    summary = synthesized(MACHINES, "pair", tmp_path)
    assert summary["flip_flop_count"] == 2


def answers(target: FaultTarget, faults: list[Injection]) -> list[list[tuple[int, ...] | None]]:
    """Responses to two equal requests, the first of which has a fault; None: no response."""
    operation, simulator = key_operation(target.configuration, 0), target.simulator
    found: list[list[tuple[int, ...] | None]] = []
    limit = 2 * DEADLINE * operation.cycles
    for first in range(0, len(faults), 64):
        lanes = faults[first : first + 64]
        batch, response = simulator.batch(
            [[target.message(operation.operands)] * 2] * len(lanes),
            (1, 1),
            in_flight=1,
            max_idle_cycles=limit,
            max_cycles=limit,
            uncounted=1,
        )
        rows = simulator._rows(lanes)
        setup = FaultArrays(netlist=[simulator.prepare(None)], faults=rows, count=len(rows))
        simulator.call_with("run_faulty_streams", setup, batch)
        numbers, valid = responses_of(batch, response), batch.arrays["valid_at"]
        for lane in range(len(lanes)):
            found.append(
                [target.response(numbers[lane][i]) if valid[lane, i] >= 0 else None for i in (0, 1)]
            )
    return found


def test_flips_of_all_machines(target):
    """A flip in a machine or a copy is refused, or has no effect; the next result is right.

    Each bit is inverted in cycles that lie over the whole operation, the last one included, and in
    all cycles of a digit, as some registers matter in one of them only.
    """
    bits, operation = bits_of(target), key_operation(target.configuration, 0)
    found = pairs(frozenset(bits))
    start, cycles = target.start(operation), operation.cycles
    times = {1, 2, 3, *range(7, cycles, cycles // 16), cycles - 1, cycles}
    times.update(DIGIT)
    flips = [
        (name, Injection(FaultKind.FLIP, (bits[name],), start + time))
        for name in (*found, *found.values(), *VOTES)
        for time in sorted(times)
    ]
    ends = defaultdict(set)
    right, refused = (operation.response, 0), (0, Status.FAULT_DETECTED)
    for (name, flip), (first, second) in zip(
        flips, answers(target, [flip for _, flip in flips]), strict=True
    ):
        assert first in (right, refused), (name, flip.cycle - start, first)
        assert second == right, (name, flip.cycle - start, second)
        ends[register_name(name)].add(first)
    never = {name for name, seen in ends.items() if refused not in seen}
    assert {name for name in never if not UNREAD.search(name)} == set()


def test_a_state_that_is_stuck_is_no_end(target):
    """A stuck bit of a machine makes no wrong result, and there is a response."""
    bits, operation = bits_of(target), key_operation(target.configuration, 0)
    found = pairs(frozenset(bits))
    start = target.start(operation)
    stuck = [
        Injection(kind, (bits[name],), start + time)
        for name in (*found, *found.values())
        for kind in (FaultKind.STUCK_AT_0, FaultKind.STUCK_AT_1)
        for time in (1, operation.cycles // 2)
    ]
    right, refused = (operation.response, 0), (0, Status.FAULT_DETECTED)
    assert {first for first, _ in answers(target, stuck)} == {right, refused}


def test_without_a_fault(target):
    """The same comparison without a fault: two right results."""
    operation = key_operation(target.configuration, 0)
    flip = Injection(FaultKind.FLIP, (0,), 10**6)  # a cycle that never comes
    assert answers(target, [flip]) == [[(operation.response, 0)] * 2]
