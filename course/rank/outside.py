"""Asks for what a design's Python gives, its circuits and its models' answers, and checks it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rsaxcel.catalog.given import GivenDesign, constants_from_json
from rsaxcel.course.rank import models
from rsaxcel.course.rank.handed import Handed
from rsaxcel.course.rank.sandbox import Limits, run
from rsaxcel.sim.check.refused import Refused
from rsaxcel.store.shown import one_line

_LONGEST = 2000  # in characters


@dataclass(frozen=True)
class Translated:
    """Circuits to which a design was translated, by width in bits."""

    name: str
    summary: str
    circuits: Mapping[int, GivenDesign]
    one_lane: Mapping[int, tuple[GivenDesign, dict[str, str]]]
    """Those of ``sim.check.compositions.on_one_lane``, with the choices that make them."""
    skipped: Mapping[int, str]  # for each width without a circuit, the reason

    @property
    def all_circuits(self) -> dict[str, Any]:
        """Both kinds of circuits as values for JSON, by width."""
        circuits = {str(w): x.as_json() for w, x in self.circuits.items()}
        one_lane = {str(w): [x.as_json(), chosen] for w, (x, chosen) in self.one_lane.items()}
        return {"circuits": circuits, "one_lane": one_lane}


def translated(handed: Handed, widths: Sequence[int], limits: Limits) -> Translated:
    """Translate a design at some widths in bits; it must support the first one, or is refused."""
    arguments = {**handed.design, "widths": list(widths)}
    answer = run(models.verilog, arguments, limits, "its translation", is_foreign=True)
    try:
        name = str(answer["name"])
        circuits = {int(k): _given(name, int(k), x) for k, x in answer["circuits"].items()}
        one_lane = {
            int(k): (_given(name, int(k), x), {str(a): str(b) for a, b in x["params"].items()})
            for k, x in answer["one_lane"].items()
        }
        skipped = {x: one_line(y) for x in widths if (y := answer["skipped"].get(str(x)))}
        summary = one_line(answer["summary"])
    except Exception as error:  # an answer may have any form
        raise Refused("broken", f"no circuit: {one_line(error)}") from error
    if not {widths[0]} | one_lane.keys() <= circuits.keys() <= set(widths):
        raise Refused("broken", f"no circuit of {widths[0]} bits")
    return Translated(name, summary, circuits, one_lane, skipped)


def _given(name: str, width: int, content: Mapping[str, Any]) -> GivenDesign:
    if len(name) + len(str(content["host_constants"])) > _LONGEST:  # formulas may be a large tree
        raise ValueError("its name and its constants are too long")
    constants = constants_from_json(content["host_constants"])
    return GivenDesign(name, width, str(content["text"]), bool(content["odd_modulus"]), constants)


def answers(
    handed: Handed,
    operands: Mapping[int, Sequence[tuple[int, ...]]],
    limits: Limits,
    params: Mapping[int, Mapping[str, str]],
) -> dict[int, list[tuple[int, ...]]]:
    """Run a design's models on operands, by width; return result, status and cycles of each."""
    given = {str(k): list(v) for k, v in operands.items()}
    chosen = {str(k): dict(v) for k, v in params.items()}
    arguments = {**handed.design, "operands": given, "params": chosen}
    answer = run(models.answers, arguments, limits, "its models", is_foreign=True)
    try:
        found = {w: [tuple(map(int, x)) for x in answer[str(w)]] for w in operands}
    except Exception as error:  # an answer may have any form
        raise Refused("broken", f"no answers from its models: {one_line(error)}") from error
    for width, rows in operands.items():
        if [len(x) for x in found[width]] != [3] * len(rows):
            raise Refused("broken", "its models do not answer all operands")
    return found
