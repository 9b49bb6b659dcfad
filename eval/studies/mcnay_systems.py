"""McNay's systems: as they are best here, and as the document describes them."""

from __future__ import annotations

from dataclasses import replace

from rsaxcel.eval.report.names import PRINTED_END
from rsaxcel.eval.studies.systems import Accelerator, Group

SMALL, LARGE = "mulrem_r2l", "mont_r2l"
STANDARD = (Accelerator(SMALL), Accelerator(LARGE), Accelerator("mont_r2l_shared"))
_DIVIDER = {"proc_divider": "aligning", "proc_divider_bits_per_cycle": 1}
_PROCESSOR = {"proc_product_stage": "X", **_DIVIDER, "software": "printed"}
_LOOP = {"schedule": "r2l_every_square"}
AS_PRINTED = Group(
    "printed_",
    (
        Accelerator(
            SMALL,
            {**_LOOP, "divider": "aligning"},
            _PROCESSOR,
            SMALL + PRINTED_END,
            as_printed=True,
        ),
        Accelerator(
            LARGE,
            {**_LOOP, "r2_bits_per_cycle": 1},
            _PROCESSOR,
            LARGE + PRINTED_END,
            as_printed=True,
        ),
    ),
    _PROCESSOR,
    PRINTED_END,
    as_printed=True,
)
"""Systems built as in the document: dividers of one bit per cycle, programs as in its listings."""

PLACED_GROUPS = (Group("placed_", STANDARD), replace(AS_PRINTED, key="placed_printed_"))
"""Systems that are placed: the standard ones, and those of the document as they are printed."""
