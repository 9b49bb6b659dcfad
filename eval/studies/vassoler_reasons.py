"""Why printed figures of Vassoler's document differ from ours, or have none of ours beside them."""

from __future__ import annotations

from rsaxcel.eval.report.reason import Reason
from rsaxcel.eval.studies.vassoler_designs import approach, designs


def _named(*approaches: str) -> tuple[str, ...]:
    """Names of the designs of some approaches, with two multipliers and with one."""
    return tuple(x for lanes in (2, 1) for x in designs(lanes) if approach(x) in approaches)


_FPGA_CLOCK = "clock and time: standard cells of 45 nm against an FPGA"
_MODULES = (
    Reason(
        "in print, a tree's logic modules for each partial product fall 30- to 40-fold from 32 to "
        "1024 bits (docs/errata.md); here they stay: mapped, and projected beyond that",
        where={"quantity": "alms", "subject": _named("cm", "cm_pm")},
    ),
    Reason(
        "the document's DM takes any modulus; here the modulus is built in",
        where={"quantity": "alms", "subject": _named("dm", "dm_pm"), "nbits": 32},
    ),
    Reason(
        "above 32 bits the document extrapolates direct products; the estimate maps the operator "
        "to an array of subtractors, and is projected; and its DM takes any modulus, ours one",
        where={"quantity": "alms", "subject": _named("dm", "dm_pm")},
    ),
    Reason(
        "a mapping that neither packs nor places, of our own control and registers",
        where={"quantity": "alms", "subject": _named("mm", "mm_pm")},
    ),
)
_SYSTEM_CLOCK = (
    f"{_FPGA_CLOCK}, and another processor, whose own path limits most of our systems at 32 and 64 "
    "bits, and those with mm at all widths"
)
_CLAIMS = (
    Reason(
        "in this project's trees modulo m, carries wait in guard columns until they can be "
        "re-weighted without another level, so that there is less to gain from a pseudo-modulus",
        where={"quantity": "saved_plain_percent"},
    ),
    Reason(
        "the document's clock of mm is 30 to 99 times slower than that of Li and Chu on the same "
        "family of devices; in standard cells an addition costs little beside a tree",
        where={"quantity": "slowdown_ratio"},
    ),
    Reason(
        "in our systems the processor limits the clock, with a pseudo-modulus and with mm alike",
        where={"quantity": "frequency_ratio"},
    ),
    Reason(
        "here square and product run side by side on two multipliers, so that one multiplier takes "
        "longer, not less: its path is as long",
        where={"quantity": "saved_lanes_percent"},
    ),
)

REASONS = (
    Reason(
        "other 180 nm cells and other trees: the printed areas are up to 2.2 times ours",
        "Table 5",
        {"quantity": "area_um2"},
    ),
    Reason(
        "the printed delays are a sixth to a tenth of ours, in other 180 nm cells and of other "
        "trees",
        "Table 5",
        {"quantity": ("critical_path_ns", "area_delay_um2_ns")},
    ),
    *_MODULES,
    *_CLAIMS,
    *(Reason(_FPGA_CLOCK, f"Table {x}") for x in (8, 10, 11, 14, 16, 17)),
    *(Reason(_SYSTEM_CLOCK, f"Table {x}") for x in (12, 18)),
    *(
        Reason(f"{_FPGA_CLOCK}, times the modules of table {y}", f"Table {x}")
        for x, y in ((9, 7), (15, 13))
    ),
)
