"""Made-up facts of a few designs, written as a report writes them."""

from pathlib import Path

from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.table import Facts
from rsaxcel.flow.layout import TIMED

CELLS = {"library": "freepdk-45nm", "clock_ns": 0.5, "stage": "synthesized"}


def of(
    subject: str,
    nbits: int,
    area_um2: float,
    period_ns: float,
    cycles: float,
    activity: str = TIMED,
    scale: float = 1.0,
    **more,
):
    """Facts on hardware and cycles of a design; encryption takes a tenth of decryption's cycles."""
    about = {"nbits": nbits} | more
    figures = {"area_um2": area_um2, "min_period_ns": period_ns, "clock_ns": 0.5}
    for quantity, value in figures.items():
        yield Fact(subject, quantity, value, "measured", **CELLS, **about, provenance=subject)
    for operation, value in {"encrypt": cycles / 10, "decrypt": cycles}.items():
        yield Fact(subject, "cycles", value, "measured", operation=operation, **about)
        energy = scale * value * area_um2 / 1e6
        about_energy = {**CELLS, **about, "operation": operation, "activity": activity}
        yield Fact(subject, "energy_nj", energy, "measured", **about_energy)


def write(folder: Path) -> Path:
    """Write the facts below ``folder``, and return the folder."""
    facts = [
        *of("ssmm_r2l", 32, 4000, 1.0, 1000),
        *of("mm_r2l", 32, 5000, 1.0, 1000),
        *of("mm_r2l", 32, 3000, 1.0, 2000, choices="lanes=1"),
        *of("mulrem_r2l", 32, 9000, 1.0, 100),
        *of("proc_mulrem_r2l", 32, 90000, 1.0, 200),
        *(x for n in (8, 16, 64) for x in of("ssmm_r2l", n, 125 * n, 1.0, n * n)),
    ]
    target = folder / "build" / "report"
    target.mkdir(parents=True)
    Facts(facts).write(target)
    return folder
