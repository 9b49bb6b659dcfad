"""The subject of a check: a compiled circuit with its expected answers and replay command."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Any

from rsaxcel.circuit import Circuit, is_product
from rsaxcel.sim.batch import Batch, SimulationTimeout, UnexpectedResponse
from rsaxcel.sim.check.refused import Refused
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.operations import expected_response, operation
from rsaxcel.sim.replay import command_of
from rsaxcel.sim.runners import open_component, unknown_cycles
from rsaxcel.store.folders import key_of
from rsaxcel.store.places import make_folder

_TYPED = 4  #: most vectors in a command; more of them go to a file


@dataclass(frozen=True, eq=False)
class CheckSubject:
    """A circuit under check."""

    nbits: int
    keys: tuple[str, ...]  #: names of a vector's values, such as `base`
    values: Callable[[Operands], Sequence[int]]  #: values of a vector, from operands
    expected: Callable[[Operands], tuple[int, ...]]  #: response to operands
    simulate: Callable[..., Batch]  #: runs operands; takes the options of sim.engine.run
    command: str  #: `rsaxcel sim` with the design and its parameters
    max_idle_cycles: int  #: cycles without a handshake after which the circuit counts as hung
    folder: Path = Path("build", "check")  #: folder of vectors too many for a command line

    def run(self, rows: Sequence[Operands], **under: Any) -> Batch:
        """Run rows of operands; ``under`` are options of ``sim.engine.run``.

        ``Refused`` if a response is missing, or comes without a request.
        """
        try:
            return self.simulate(rows, max_idle_cycles=self.max_idle_cycles, **under)
        except SimulationTimeout as error:
            at = min(error.answered, len(rows) - 1)
            what = f"no answer within {self.max_idle_cycles:,} cycles"
            if len(rows) > 1 and self._answers([rows[at]]):
                before = fewest_before(rows, at, lambda some: not self._answers(some))
                raise self.refused(
                    "state", rows[at], f"{what} after other requests", before
                ) from error
            raise self.refused("wrong", rows[at], what) from error
        except UnexpectedResponse as error:
            raise Refused("wrong", f"{self.nbits} bits: {error}") from error

    def _answers(self, rows: Sequence[Operands]) -> bool:
        try:
            self.simulate(rows, max_idle_cycles=self.max_idle_cycles)
        except SimulationTimeout:
            return False
        return True

    def refused(
        self,
        kind: str,
        row: Operands,
        what: str,
        before: Sequence[Operands] = (),
        *,
        shows: bool = True,
    ) -> Refused:
        """Make the exception that refuses the circuit for a fault (``what``) of ``row``.

        ``before`` must run before to reproduce it; ``shows``: a replay shows it.
        """
        shown = ", ".join(f"{k}={x:#x}" for k, x in zip(self.keys, self.values(row), strict=True))
        reason = f"{self.nbits} bits, {shown}: {what}"
        level = "fl" if kind == "model" else ""
        return Refused(kind, reason, self.replay([*before, row], level) if shows else "")

    def replay(self, rows: Sequence[Operands], level: str = "") -> str:
        """Return a shell command that runs rows of operands; level ``""`` is the default level."""
        lines = [
            json.dumps({k: f"{x:x}" for k, x in zip(self.keys, self.values(row), strict=True)})
            for row in rows
        ]
        vectors = f"printf '%s\\n' {' '.join(map(quote, lines))}"
        if len(lines) > _TYPED:
            file = (self.folder / f"{key_of(lines)}.jsonl").absolute()
            make_folder(file.parent)
            file.write_text("".join(f"{line}\n" for line in lines))
            vectors = f"cat {quote(str(file))}"
        at = f" --level {level}" if level else ""
        # --trace runs all vectors in one simulation, so that state carries over between them.
        return f"{vectors} | {self.command}{at} --vectors - --trace"


def fewest_before(
    rows: Sequence[Operands], at: int, fails: Callable[[list[Operands]], bool]
) -> list[Operands]:
    """Find the fewest preceding operands (1, 2, 4, ...) after which ``rows[at]`` fails again.

    Empty if none: then the failure needs a reset, a stall or a power-up.
    """
    count = 1
    while count < 2 * at:
        before = list(rows[max(0, at - count) : at])
        if fails([*before, rows[at]]):
            return before
        count *= 2
    return []


def subject_of(configuration: Circuit) -> CheckSubject:
    """Subject for a configuration, with its circuit compiled in this process."""
    to_do = operation(configuration)
    engine = open_component(configuration, "rtl", "native")
    has_status = not is_product(configuration)

    def simulate(rows: Iterable[Operands], **under: Any) -> Batch:
        return engine.run([configuration.request(*row) for row in rows], **under)

    def expected(row: Operands) -> tuple[int, ...]:
        response = expected_response(to_do, row)
        return response if has_status else response[:1]

    command = command_of("sim", configuration)
    longest = unknown_cycles(configuration)
    return CheckSubject(
        configuration.nbits, to_do.keys, to_do.values, expected, simulate, command, longest
    )
