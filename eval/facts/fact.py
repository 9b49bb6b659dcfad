"""Facts: a fact is one figure with its subject, its conditions and its source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: measured: by a simulation or the flow; modelled: by the cycle model, or counted in a plan of a
#: compressor tree; simulated in part: the exponent's leading bits, whose power stands for all;
#: wrong results: measured, but results are wrong, of a core in Verilog;
#: estimated: by an FPGA mapper that neither packs nor places; projected: by a fit to other widths;
#: printed: in a document; derived: by the formula of the quantity
Kind = Literal[
    "measured",
    "modelled",
    "simulated in part",
    "wrong results",
    "estimated",
    "projected",
    "printed",
    "derived",
]

#: Operations of a design: ``encrypt`` has the public exponent, ``decrypt`` the private one.
OPERATIONS = ("encrypt", "decrypt")

#: Operation whose figures stand for a design unless another operation is requested.
USUAL_OPERATION = "decrypt"

PRODUCT = "product"  #: operation of a multiplier that is measured alone

#: Placeholder for a library's name in a study; it stands for the cell library of the report.
CELLS = "cells of the report"

PRINTED: Kind = "printed"
DERIVED: Kind = "derived"
WRONG: Kind = "wrong results"


@dataclass(frozen=True)
class Fact:
    """One figure: a row of the table of facts."""

    subject: str  #: design, multiplier, system, program or other work
    quantity: str
    value: float | str
    kind: Kind
    nbits: int = 0  #: width of the operands; 0: none
    choices: str = ""  #: choices and parameters, as choices_text writes them
    part: str = ""  #: instance or part of the subject; empty: the whole subject
    #: encrypt, decrypt, average or product; empty: the figure is of the hardware
    operation: str = ""
    library: str = ""  #: conditions of the flow; empty (None) if they do not matter
    clock_ns: float | None = None
    stage: str = ""
    activity: str = ""  #: timed: with glitches; zero: without glitches
    document: str = ""  #: key of the document that prints the figure
    section: str = ""
    place: str = ""  #: table or figure of the document
    where: str = ""  #: labels of row and column in the table
    scope: str = ""  #: meaning of the figure, such as the parts that it includes
    erratum: str = ""  #: error in the printed figure, and the correction that is used here
    provenance: str = ""  #: hash of the flow's result

    @property
    def printed(self) -> bool:
        """Whether the figure is printed in a document, or derived from printed figures."""
        return bool(self.document)

    @property
    def flow(self) -> tuple[str, float | None, str, str]:
        return self.library, self.clock_ns, self.stage, self.activity

    @property
    def key(self) -> tuple[str, int, str, str, str, str]:
        """Subject, width, choices, part, operation and quantity of the figure."""
        return (self.subject, self.nbits, self.choices, self.part, self.operation, self.quantity)
