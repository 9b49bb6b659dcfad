"""Prints what cycles, branches and addresses of programs tell about operands."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from rsaxcel.cli.options.common import design_text
from rsaxcel.cli.output.leak import aligned

if TYPE_CHECKING:
    from rsaxcel.lab.leakage.software import SoftwareTiming
    from rsaxcel.proc.systems import System

_OUTSIDE = "outside: cycles outside the measured region, such as those of constants of the modulus"
_DECLARED = {True: "varies", False: "constant", None: "-"}


def show_json(system: System, seed: int, found: Sequence[SoftwareTiming]) -> None:
    """Print an object for each program and operand."""
    about = {
        "design": system.design_name,
        "nbits": system.nbits,
        "params": dict(system.params),
        "seed": seed,
        "kind": "software",
    }
    for timing in found:
        click.echo(json.dumps({**about, **timing.as_json()}))


def show(system: System, seed: int, found: Sequence[SoftwareTiming]) -> None:
    """Print a row for each program and operand."""
    rows: list[tuple[str, ...]] = [
        (
            "program: time varies with",
            "cycles",
            "declared",
            "outside",
            "addresses",
            "first difference",
        )
    ]
    for timing in found:
        spread = _range(timing.least, timing.most)
        outside = _range(timing.outside_least, timing.outside_most)
        difference, where = timing.difference, "-"
        if difference:
            where = f"{difference.what} {difference.instruction} at {difference.place}"
        shown = f"{timing.program}, {timing.operand}: {'yes' if timing.varies else 'no'}"
        same = "differ" if difference else "the same"
        rows.append((shown, spread, _DECLARED[timing.declared], outside, same, where))
    count = found[0].count if found else 0
    title = design_text(system.design_name, system.nbits, system.params)
    click.echo("\n".join((title, "", *aligned(rows), "", _OUTSIDE)))
    about = f"{count} runs for each operand; seed {seed}"
    click.echo(f"{about}; energy is not measured; docs/leakage.md")


def _range(least: int, most: int) -> str:
    return f"{least:,}" if most == least else f"{least:,}..{most:,}"
