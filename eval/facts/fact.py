"""Facts: a fact is one figure with its subject, its conditions and its source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal[
    "measured", "modelled", "simulated in part", "estimated", "projected", "printed", "derived"
]
"""Origin of a figure.

``measured``: here, by a simulation or the flow; ``modelled``: by the cycle model, or counted in the
plan of a compressor tree; ``simulated in part``: only the exponent's leading bits are simulated,
and their power stands for the whole operation; ``estimated``: by an FPGA mapper that neither packs
nor places; ``projected``: by a fit to figures at other widths, also where a formula follows;
``printed``: in a document; ``derived``: computed from other facts by the formula of the
quantity.
"""

OPERATIONS = ("encrypt", "decrypt")
"""Operations of a design: ``encrypt`` has the public exponent, ``decrypt`` the private one."""

USUAL_OPERATION = "decrypt"
"""Operation whose figures stand for a design unless another operation is requested."""

PRODUCT = "product"
"""Operation of a multiplier that is measured alone."""

CELLS = "cells of the report"
"""Placeholder for a library's name in a study; it stands for the cell library of the report."""

PRINTED: Kind = "printed"
DERIVED: Kind = "derived"


@dataclass(frozen=True)
class Fact:
    """One figure: a row of the table of facts.

    Parameters
    ----------
    subject : str
        Name of a design, multiplier, system, program or other work, as tables show it.
    quantity : str
        A key of ``eval.facts.quantities.QUANTITIES``, unit included.
    value : float or str
        The figure; a text for a quantity whose values are texts, such as ``critical_path``.
    kind : Kind
        Origin of the figure.
    nbits : int
        Width of the operands in bits; 0 if the figure belongs to no width.
    choices : str
        Choices and parameters of the subject, as ``choices_text`` writes them.
    part : str
        Instance or part of the subject to which the figure belongs; empty for the whole subject.
    operation : str
        ``encrypt``, ``decrypt``, ``average`` of both, or ``product``; empty for facts on the
        hardware, such as its area.
    library, clock_ns, stage, activity : str, float or None, str, str
        Conditions of the flow; empty (None) if the figure does not depend on them. Energy and power
        depend on the activity: ``timed`` with glitches, ``zero`` without.
    document, section, place, where, scope : str
        Source of a printed figure: key of the document, its section, its table or figure, labels of
        row and column, and what the figure counts.
    erratum : str
        Error in the printed figure, and how the figure is read here; empty if there is no error.
    provenance : str
        Hash of the flow's result that has the figure; empty if it does not come from the flow.
    """

    subject: str
    quantity: str
    value: float | str
    kind: Kind
    nbits: int = 0
    choices: str = ""
    part: str = ""
    operation: str = ""
    library: str = ""
    clock_ns: float | None = None
    stage: str = ""
    activity: str = ""
    document: str = ""
    section: str = ""
    place: str = ""
    where: str = ""
    scope: str = ""
    erratum: str = ""
    provenance: str = ""

    @property
    def printed(self) -> bool:
        """Whether the figure is printed in a document, or derived from printed figures."""
        return bool(self.document)

    @property
    def key(self) -> tuple[str, int, str, str, str, str]:
        """Subject, width, choices, part, operation and quantity of the figure."""
        return (self.subject, self.nbits, self.choices, self.part, self.operation, self.quantity)


def choices_text(choices: Mapping[str, Any]) -> str:
    """Write choices and parameters as ``name=value,name=value``, sorted by name.

    Equal parameters have equal texts.
    """
    return ",".join(f"{name}={choices[name]}" for name in sorted(choices))
