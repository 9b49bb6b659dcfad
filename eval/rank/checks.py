"""Checks a circuit on the native engine against Python's ``pow``, in every order and condition."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import Any

from eval.rank.handed import Handed, Refused
from eval.rank.operands import Operands
from flow.subjects.given import GivenDesign
from sim.batch import Batch, SimulationTimeout, UnexpectedResponse
from sim.stalls import STALL_PROFILES
from store.folders import key_of

_AGAIN = 2000
_ALONE = 50
_RESETS = 8
_TYPED = 4  # vectors in a command; more are in a file
# Products take up to some cycles per bit, an exponentiation two products per bit.
_CYCLES_PER_BIT_AND_BIT = 64
_CYCLES = 10_000


class Circuit:
    """A circuit under check.

    Parameters
    ----------
    handed
        Whose it is, for the command that shows a fault.
    name
        Of the design.
    given
        The circuit.
    """

    def __init__(self, handed: Handed, name: str, given: GivenDesign) -> None:
        self._handed, self._name, self.given = handed, name, given
        self._max_idle = _CYCLES + _CYCLES_PER_BIT_AND_BIT * given.nbits**2

    def check(self, rows: Sequence[Operands], seed: int) -> list[int]:
        """Check results, in order, shuffled and twice, alone, with stalls and resets.

        Returns the cycles of each row.

        Raises
        ------
        Refused
            With the first operands of which the answer is wrong, or not always the same.
        """
        draws = random.Random(f"order/{seed}")
        batch = self.run(rows)
        self._compare(rows, batch, "wrong", "")
        cycles = [int(x) for x in batch.cycles if x is not None]
        self._check_order(rows, cycles, draws)
        sample = draws.sample(range(len(rows)), min(len(rows), _AGAIN))
        some = [rows[index] for index in sample]
        for profile in STALL_PROFILES.values():
            power_up = draws.randrange(1, 1 << 64)
            batch = self.run(some, stalls=profile, in_flight=None, power_up_seed=power_up)
            self._compare(some, batch, "wrong", f" with stalls ({profile.name})")
        for _ in range(_RESETS):
            few = [rows[index] for index in draws.sample(range(len(rows)), min(len(rows), 20))]
            end = sum(cycles[rows.index(row)] for row in few)
            batch = self.run(few, reset_at=draws.randrange(1, end + 1), in_flight=None)
            self._compare(few, batch, "state", " around a reset")
        return cycles

    def _check_order(
        self, rows: Sequence[Operands], cycles: Sequence[int], draws: random.Random
    ) -> None:
        """See that neither result nor cycles depend on what came before."""
        order = draws.sample(range(len(rows)), min(len(rows), _AGAIN))
        order = [index for index in order for _ in range(2)]
        self._same(rows, cycles, order, self.run([rows[index] for index in order]))
        for index in draws.sample(range(len(rows)), min(len(rows), _ALONE)):
            self._same(rows, cycles, [index], self.run([rows[index]]))

    def _same(
        self, rows: Sequence[Operands], cycles: Sequence[int], order: Sequence[int], batch: Batch
    ) -> None:
        some = [rows[index] for index in order]
        self._compare(some, batch, "state", " in another order")
        for place, (index, found) in enumerate(zip(order, batch.cycles, strict=True)):
            if found != cycles[index]:
                before = [rows[order[place - 1]]] if place else []
                what = f"{found} cycles in another order instead of {cycles[index]}"
                raise self._refused("state", rows[index], what, before)

    def run(self, rows: Sequence[Operands], **under: Any) -> Batch:
        """Run operands; see ``GivenDesign.run``.

        Raises
        ------
        Refused
            If an answer does not come, or comes unasked.
        """
        try:
            return self.given.run(rows, max_idle_cycles=self._max_idle, **under)
        except SimulationTimeout as error:
            row = rows[min(error.answered, len(rows) - 1)]
            what = f"no answer within {self._max_idle:,} cycles"
            raise self._refused("wrong", row, what) from error
        except UnexpectedResponse as error:
            raise Refused("wrong", f"{self.given.nbits} bits: {error}") from error

    def _compare(self, rows: Sequence[Operands], batch: Batch, kind: str, where: str) -> None:
        """Compare answers; a reset drops some."""
        wrong = [
            (index, response)
            for index, (row, response) in enumerate(zip(rows, batch.responses, strict=True))
            if response is not None and tuple(response) != self.given.expected(*row)
        ]
        if wrong:
            index, response = wrong[0]
            if kind == "wrong" and self._right_alone(rows[index]):
                kind, where = "state", f"{where or ' after others'}, and right on its own"
            result, status = self.given.expected(*rows[index])
            what = f"result {response[0]:#x}, status {response[1]} instead of {result:#x}, {status}"
            count = f"; {len(wrong)} of {len(rows)} answers are wrong" if len(wrong) > 1 else ""
            before = self._history(rows, index) if kind == "state" else []
            raise self._refused(kind, rows[index], f"{what}{where}{count}", before)

    def _history(self, rows: Sequence[Operands], index: int) -> list[Operands]:
        """Give the fewest rows before this one behind which it goes wrong, of 1, 2, 4 and so on.

        None, where it takes a reset or a stall as well.
        """
        count = 1
        while count < 2 * index:
            before = list(rows[max(0, index - count) : index])
            *_, last = self.run([*before, rows[index]]).responses
            if last is None or tuple(last) != self.given.expected(*rows[index]):
                return before
            count *= 2
        return []

    def _right_alone(self, row: Operands) -> bool:
        """Whether the answer is right where nothing came before."""
        (response,) = self.run([row]).responses
        return response is not None and tuple(response) == self.given.expected(*row)

    def compare_models(
        self, rows: Sequence[Operands], cycles: Sequence[int], answers: Sequence[tuple[int, ...]]
    ) -> None:
        """Compare what the models say of some operands with ``pow`` and with the circuit."""
        for row, counted, (result, status, modelled) in zip(rows, cycles, answers, strict=True):
            if (result, status) != (expected := self.given.expected(*row)):
                what = (
                    f"result {result:#x}, status {status} at fl "
                    f"instead of {expected[0]:#x}, {expected[1]}"
                )
                raise self._refused("model", row, what)
            if modelled != counted:
                raise self._refused("cycles", row, f"{counted} cycles at rtl, {modelled} at cl")

    def _refused(
        self, kind: str, row: Operands, what: str, before: Sequence[Operands] = ()
    ) -> Refused:
        shown = ", ".join(f"{key}={x:#x}" for key, x in zip(("base", "exp", "n"), row, strict=True))
        reason = f"{self.given.nbits} bits, {shown}: {what}"
        return Refused(kind, reason, self._replay([*before, row], kind))

    def _replay(self, rows: Sequence[Operands], kind: str) -> str:
        """Command for a shell that shows it."""
        lines = [json.dumps({"base": f"{b:x}", "exp": f"{e:x}", "n": f"{m:x}"}) for b, e, m in rows]
        vectors = f"printf '%s\\n' {' '.join(map(quote, lines))}"
        if len(lines) > _TYPED:
            file = Path("build", "rank", f"{key_of(lines)}.jsonl").absolute()
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("".join(f"{line}\n" for line in lines))
            vectors = f"cat {quote(str(file))}"
        where = ""
        if self._handed.folder is not None:
            where = f"RSAXCEL_DESIGNS={quote(str(self._handed.folder))} "
        level = " --level fl" if kind == "model" else ""
        trace = " --trace" if len(rows) <= _TYPED else ""
        sim = f"rsaxcel sim {self._name} --nbits {self.given.nbits}{level} --vectors -{trace}"
        return f"{vectors} | {where}{sim}"


def drawn_indices(count: int, of: int, seed: int) -> list[int]:
    """Draw rows for the models, which take longer than the circuit: the first ones, and others."""
    first = list(range(min(of, count // 2)))
    rest = range(len(first), of)
    return first + sorted(
        random.Random(f"models/{seed}").sample(rest, min(len(rest), count - len(first)))
    )
