"""``python -m tools.public_exam``: the exam of the laboratory for the page on public cores.

SASEBO's core of 512 bits has six ways to go through an exponent, and CRT. ``RSAXCEL_CORES`` names a
folder with cores ``exam_WAY``, and ``exam_crt_WAY`` for CRT.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import click

from rsaxcel.cli.main import guard
from rsaxcel.cli.progress import steps
from tools import readme
from tools.figure_table import FigureTable
from tools.public_cores import Row, answers, renewed

WAYS = ("l2r", "r2l", "l2r_dummy", "r2l_dummy", "ladder", "marc")

#: Commands of the exam, with the place of a way's name.
PARTS = {
    "leak": "leak exam_{} --nbits 128 --test exponent",
    "fault": "fault exam_{} --nbits 128 --count 1500",
    "crt": "fault exam_crt_{} --nbits 512 --count 448 --equal-primes --no-safe-errors",
}

_COUNTS = ("faults", "wrong", "factors")
_DIGITS = ("tried", "telling", "told", "right", "all_told", "all_right")


def kept_of(part: str, found: Sequence[Row]) -> Row:
    """Return what is kept of the answers of a part's command."""
    *times, last = found
    if part == "leak":
        time = {x["operand"]: [x["least"], x["most"]] for x in times}
        run = last["parts"]["run"]["t"]
        return {"time": time, "run_t": run, **{x: last[x] for x in ("threshold", "traces")}}
    attack = last["safe_error"] or {}
    kept = {x: last[x] for x in _COUNTS} | {x: attack[x] for x in _DIGITS if attack}
    return kept | {"not_tried": last["no_safe_error"]}


@click.command()
@click.argument("ways", nargs=-1, type=click.Choice(WAYS))
@click.option("--seconds", default=1800, show_default=True, help="Time limit of a command.")
@click.option("--only", type=click.Choice([*PARTS]), help="Run one command; keep the others.")
@click.option("--traces", default=1024, show_default=True, help="Traces of a test of leaks.")
def command(ways: tuple[str, ...], seconds: int, only: str | None, traces: int) -> None:
    """Examine the laboratory by cores of RSAXCEL_CORES, in all WAYS or those named."""
    kept = readme.public_exam()
    with steps("public exam") as progress:
        for way in ways or WAYS:
            for part in [only] if only else PARTS:
                asked = PARTS[part].format(way).split()
                asked += [f"--traces={traces}"] if part == "leak" else []
                progress(" ".join(asked))
                found = answers(asked, seconds)
                new = {"told": found} if isinstance(found, str) else kept_of(part, found)
                row = kept.setdefault(way, {x: {"told": "not run"} for x in PARTS})
                row[part] = renewed(row[part], new)
                readme.EXAM.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
    readme.renew(readme.read_kept(), FigureTable.read(readme.FIGURES))


if __name__ == "__main__":
    sys.exit(guard(command, "python -m tools.public_exam"))
