"""Study of a made-up document, as a reader would write it: two tables and a plot."""

from collections.abc import Iterator

from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.measure.job import Job, Measurement
from rsaxcel.eval.report.spec import Column, Panel, Plot, ReportTable, Row, Section, Study, per

WIDTHS = (64, 128)
COLUMNS = [Column(name, {"subject": name}) for name in ("fast", "small")]


def measure(name: str, nbits: int, progress) -> dict[str, float]:
    """Stand in for a long measurement."""
    progress("thinking")
    fast = name == "fast"
    return {
        "cycles": nbits * (10 if fast else 20),
        "clock_ns": 1.0,
        "min_period_ns": 2.0,
        "area_um2": nbits * (300.0 if fast else 100.0),
    }


def measurements(max_nbits: int, library: str) -> list[Measurement]:
    """List the measurements of both designs at all widths."""
    return [
        Measurement(Job(f"{name} {nbits}", measure, (name, nbits)), Facts(name, nbits))
        for name in ("fast", "small")
        for nbits in WIDTHS
        if nbits <= max_nbits
    ]


class Facts:
    """Turns a result into facts."""

    def __init__(self, name: str, nbits: int) -> None:
        self.name, self.nbits = name, nbits

    def __call__(self, result: dict[str, float]) -> Iterator[Fact]:
        for quantity, value in result.items():
            yield Fact(
                self.name, quantity, value, "measured", self.nbits, clock_ns=1.0, library="made-up"
            )


STUDY = Study(
    "li_chu",
    measurements,
    (
        Section(
            "made_up",
            "Made up",
            (
                ReportTable(
                    "made_up_time", "Time", COLUMNS, per("nbits", WIDTHS, [Row("time_us")])
                ),
                ReportTable(
                    "made_up_area",
                    "Area",
                    COLUMNS,
                    per("nbits", WIDTHS, [Row("area_um2", mode="percent", base="small")]),
                    notes=("made_up",),
                ),
                Plot(
                    "made_up_plot",
                    "Area over time",
                    "Area over time, per width.",
                    [(Panel("time_us", "area_kum2", COLUMNS, [{"nbits": n} for n in WIDTHS]),)],
                    3.5,
                ),
            ),
        ),
    ),
    {"made_up": "fast takes {{ ratio('fast', 'small', 'time_us', nbits=64) }} of the time."},
)
