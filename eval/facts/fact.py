"""Facts: a fact is one figure with its subject, its conditions and its source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal[
    "measured", "modelled", "simulated in part", "estimated", "projected", "printed", "derived"
]
"""Origin of a figure.

``modelled``: by the cycle model; ``simulated in part``: the power over the exponent's leading bits
stands for the whole operation; ``estimated``: by a mapper that neither packs nor places;
``projected``: from other widths; ``printed``: in a document; ``derived``: by a quantity's formula
from other facts.
"""

OPERATIONS = ("encrypt", "decrypt")
"""Operations of a design, with the public and with the private exponent."""

USUAL_OPERATION = "decrypt"
"""Default operation whose figures stand for a design."""

PRODUCT = "product"
"""Operation of a multiplier that is measured alone."""

CELLS = "cells of the report"
"""Placeholder in the specifications of a study: the cell library for which the report is made."""

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
        The figure, or a text if the quantity has texts.
    kind : Kind
        Origin of the figure.
    nbits : int
        Width of the operands in bits; 0: none.
    choices : str
        Choices and parameters of the subject, as ``choices_text`` writes them.
    part : str
        Instance or part of the subject that the figure is of; empty for the whole subject.
    operation : str
        ``encrypt``, ``decrypt``, ``average`` of both, ``product``; empty for facts on the hardware.
    library, clock_ns, stage, activity : str, float or None, str, str
        Conditions of the flow; empty (None) if the figure does not depend on them. Energy and power
        depend on the activity: ``timed`` with glitches, ``zero`` without.
    document, section, place, where, scope : str
        Source of a printed figure: key of the document, its section, its table or figure, labels of
        row and column, and what the figure counts.
    erratum : str
        Error in print, and how the figure was read.
    provenance : str
        Hash of the record or measurement.
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
    """Text of parameters, sorted by name so that equal parameters have equal texts."""
    return ",".join(f"{name}={choices[name]}" for name in sorted(choices))
