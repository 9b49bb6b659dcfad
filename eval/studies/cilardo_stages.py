"""Stages of the pipeline of Cilardo's processor, and how many processors fill its device."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.printed import printed
from rsaxcel.eval.measure.job import Measurement
from rsaxcel.flow.fpga_modules import SUMS

# operands in one message; digit by digit; digit by digit, to a memory with two ports, as printed
WIDE, NARROW, PORTS = "wide", "digit", "dual_port"


def _stages(
    engine: str, memories: Sequence[str], others: Sequence[str], queues: bool = False
) -> dict[str, str]:
    """Stage of the document's pipeline for each path of an instance, see ``STAGES``."""
    adders = [f"{engine}.adders__{lane}" for lane in (0, 1)]
    registers = [f"{engine}.queues__{lane}" for lane in (0, 1) if queues]
    return {
        **dict.fromkeys((engine, *memories), "memory"),
        **dict.fromkeys((*adders, *registers), "write"),
        **{f"{adder}.{sums}": "adder" for adder in adders for sums in (SUMS, "carry_reg")},
        **dict.fromkeys(("", *others), "interface"),
    }


_NARROW_MEMORIES = ("memory", "sequencer", "loader")
# Stage of the document's pipeline, by form and path of an instance, as in its figures: the
# registers of a digit and of operand A belong to the last stage, carries to the adder, with the
# narrow bus the exponent to the memory (Register E). Control, too, whose unit the document does not
# place; the slices of the three stages add up to the area of figure 17.4. "interface" is not in the
# document: wide bus: logic for operands as wide as the modulus, exponent and control; narrow bus:
# the input rules, and a subtractor for the result.
STAGES = {
    WIDE: _stages("core.store.engine", ("core.store.memory",), ()),
    NARROW: _stages("engine", _NARROW_MEMORIES, ("loader.check", "unloader")),
    PORTS: _stages("engine", _NARROW_MEMORIES, ("loader.check", "unloader"), queues=True),
}

SUMS_OF_STAGES = {
    "without_interface": ("memory", "adder", "write"),
    "without_memory": ("adder", "write"),
    "": ("memory", "adder", "write", "interface"),
}
"""Sums of stages; the whole processor has an empty name."""


def on_device(parts: Measurement) -> Measurement:
    """Add how many processors fill the document's device, by the estimate of their slices."""
    (device,) = (
        int(x.value) for x in printed().facts if (x.subject, x.quantity) == ("xcv2000e", "slices")
    )

    def facts(result: Any) -> Iterator[Fact]:
        for fact in parts.facts(result):
            yield fact
            if fact.quantity == "slices" and not fact.part:
                yield replace(fact, quantity="processors", value=device // int(fact.value))

    return replace(parts, facts=facts)
