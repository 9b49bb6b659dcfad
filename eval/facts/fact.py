"""A fact: one figure, of what, under which conditions, and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal[
    "measured", "modelled", "simulated in part", "estimated", "projected", "printed", "derived"
]
"""How a figure came about.

``modelled``: by the cycle model; ``simulated in part``: the power of an operation's first bits
stands for all of it; ``estimated``: by a mapper that neither packs nor places; ``derived``: by a
quantity's formula from other facts.
"""

OPERATIONS = ("encrypt", "decrypt")
"""Operations that designs are measured with, by the public and by the private exponent."""

USUAL_OPERATION = "decrypt"
"""The one that stands for a design unless another one is asked for."""

PRODUCT = "product"
"""The operation of a multiplier on its own."""

CELLS = "cells of the report"
"""Stands for the library of cells for which a report is made, where a study asks for facts."""

PRINTED: Kind = "printed"
DERIVED: Kind = "derived"


@dataclass(frozen=True)
class Fact:
    """A row of the table.

    Parameters
    ----------
    subject : str
        Design, multiplier, system or program by the name that tables have; another work's name.
    quantity : str
        A key of ``eval.facts.quantities.QUANTITIES``, unit included.
    value : float or str
        The figure; a text where the quantity is one.
    kind : Kind
        How it came about.
    nbits : int
        Width of the operands in bits; 0 where it has none.
    choices : str
        Parameters that were asked for, as ``choices_text`` writes them.
    part : str
        Instance or part of the subject; empty for all of it.
    operation : str
        ``encrypt``, ``decrypt``, ``average`` of both, ``product``; empty for the hardware itself.
    library, clock_ns, stage, activity : str, float or None, str, str
        Under which conditions the flow found it; empty where it does not depend on them. Energy
        and power depend on the activity: ``timed`` with glitches, ``zero`` without.
    document, section, place, where, scope : str
        Source of a printed figure: key of the document, its section, table or figure, what stands
        at the row and the column, and what it counts.
    erratum : str
        What is wrong in print, and what it was read as.
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
        """Whether a document gives it, or the figures from which it follows."""
        return bool(self.document)

    @property
    def key(self) -> tuple[str, int, str, str, str, str]:
        """What it is a figure of."""
        return (self.subject, self.nbits, self.choices, self.part, self.operation, self.quantity)


def choices_text(choices: Mapping[str, Any]) -> str:
    """Write parameters so that equal ones are equal texts."""
    return ",".join(f"{name}={choices[name]}" for name in sorted(choices))
