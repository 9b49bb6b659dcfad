"""Checks a circuit on the native engine against Python's integers.

Answers and cycles must not depend on the order of requests, and answers must not depend on stalls,
resets and power-up. A row is the operands of one request.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial

from rsaxcel.sim.answers import Expected, difference, other_cycles
from rsaxcel.sim.batch import Batch
from rsaxcel.sim.check.subject import CheckSubject, fewest_before
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.stalls import STALL_PROFILES, StallProfile

_AGAIN = 2000
_ALONE = 50
_RESETS = 8
_LATE = 20  #: responses that wait for longer than an operation


def check_behaviour(subject: CheckSubject, rows: Sequence[Operands], seed: int) -> list[int]:
    """Check rows in order, shuffled, repeated, alone, with stalls, with resets.

    Return their cycles.

    ``Refused`` names the first operands with a fault.
    """
    draws = random.Random(f"order/{seed}")
    cycles = cycles_of(subject, rows)
    _check_order(subject, rows, cycles, draws)
    sample = draws.sample(range(len(rows)), min(len(rows), _AGAIN))
    some = [rows[index] for index in sample]
    for profile in STALL_PROFILES.values():
        power_up = draws.randrange(1, 1 << 64)
        batch = subject.run(some, stalls=profile, in_flight=None, power_up_seed=power_up)
        where = f" after a power-up with random register contents (stalls: {profile.name})"
        compare(subject, some, batch, "wrong", where)
    # Without this, a sink is ready again long before the next response of a slow circuit.
    late = StallProfile("late_sink", sink=(max(cycles) + 1, max(cycles) + 12))
    batch = subject.run(some[:_LATE], stalls=late, in_flight=None)
    compare(subject, some[:_LATE], batch, "wrong", " with responses that wait for long")
    for _ in range(_RESETS):
        few = draws.sample(range(len(rows)), min(len(rows), 20))
        end = sum(cycles[index] for index in few)
        drawn = [rows[index] for index in few]
        batch = subject.run(drawn, reset_at=draws.randrange(1, end + 1), in_flight=None)
        compare(subject, drawn, batch, "state", " in a run with a reset")
    return cycles


def cycles_of(subject: CheckSubject, rows: Sequence[Operands]) -> list[int]:
    """Run rows, compare their answers with Python's integers, and return their cycles."""
    batch = subject.run(rows)
    compare(subject, rows, batch, "wrong", "")
    return [int(x) for x in batch.cycles if x is not None]


def _check_order(
    subject: CheckSubject, rows: Sequence[Operands], cycles: Sequence[int], draws: random.Random
) -> None:
    """Check that neither answers nor cycles depend on the previous requests."""
    order = draws.sample(range(len(rows)), min(len(rows), _AGAIN))
    order = [index for index in order for _ in range(2)]
    _same(subject, rows, cycles, order, subject.run([rows[index] for index in order]))
    for index in draws.sample(range(len(rows)), min(len(rows), _ALONE)):
        _same(subject, rows, cycles, [index], subject.run([rows[index]]))


def _same(
    subject: CheckSubject,
    rows: Sequence[Operands],
    cycles: Sequence[int],
    order: Sequence[int],
    batch: Batch,
) -> None:
    compare(subject, [rows[index] for index in order], batch, "state", " in another order")
    for place, (index, found) in enumerate(zip(order, batch.cycles, strict=True)):
        if found != cycles[index]:
            before = [rows[order[place - 1]]] if place else []
            what = f"{found} cycles in another order instead of {cycles[index]}"
            raise subject.refused("state", rows[index], what, before)


def compare(
    subject: CheckSubject, rows: Sequence[Operands], batch: Batch, kind: str, where: str
) -> None:
    """Compare answers with Python's integers; skip requests that a reset dropped.

    ``kind`` is ``wrong`` or ``state``: answers that are right alone, but wrong in this order, are
    ``state``. ``where``: conditions for the message.
    """
    wrong = [
        (index, response)
        for index, (row, response) in enumerate(zip(rows, batch.responses, strict=True))
        if response is not None and difference(Expected(subject.expected(row)), response)
    ]
    if not wrong:
        return
    index, response = wrong[0]
    if kind == "wrong" and not _ends_wrong(subject, [rows[index]]):
        kind, where = "state", f"{where or ' after other requests'}, but right alone"
    what = difference(Expected(subject.expected(rows[index])), response)
    count = f"; {len(wrong)} of {len(rows)} answers are wrong" if len(wrong) > 1 else ""
    before = fewest_before(rows, index, partial(_ends_wrong, subject)) if kind == "state" else []
    told = f"{what}{where}{count}"
    raise subject.refused(kind, rows[index], told, before, shows=kind == "wrong" or bool(before))


def _ends_wrong(subject: CheckSubject, rows: Sequence[Operands]) -> bool:
    """Whether the answer to the last row is wrong."""
    *_, last = subject.run(rows).responses
    return last is None or tuple(last) != subject.expected(rows[-1])


def compare_models(
    subject: CheckSubject,
    rows: Sequence[Operands],
    cycles: Sequence[int],
    answers: Sequence[tuple[int, ...]],
    hint: str = "",
) -> None:
    """Compare the models' answers with Python's integers, and their cycles with the circuit's.

    ``hint`` is added to a message about cycles.
    """
    for row, (*response, _) in zip(rows, answers, strict=True):
        if what := difference(Expected(subject.expected(row)), response, who="at fl"):
            raise subject.refused("model", row, what)
    for row, counted, (*_, modelled) in zip(rows, cycles, answers, strict=True):
        if counted != modelled:
            raise subject.refused("cycles", row, other_cycles(counted, modelled) + hint)
