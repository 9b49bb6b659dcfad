"""Line traces: a line of text for each cycle, from the waveform of either engine."""

from collections.abc import Callable, Iterator
from pathlib import Path

from pymtl3 import Component
from pymtl3.datatypes import is_bitstruct_class
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.proc.proc_rtl import ProcRTL
from rsaxcel.rtl.exponentiators.digit_bus import DigitBusExponentiator
from rsaxcel.rtl.exponentiators.program_executor import ProgramExecutor
from rsaxcel.rtl.exponentiators.strobe_pair import StrobePair
from rsaxcel.sim.traces.columns import Column, stream_column
from rsaxcel.sim.traces.executor import executor_columns
from rsaxcel.sim.traces.pipeline import pipeline_columns
from rsaxcel.sim.traces.strobe import strobe_columns
from rsaxcel.sim.traces.waves import Waves

_SEPARATOR = " | "

# Classes that get columns, anywhere in a hierarchy, and what makes them.
PARTS: dict[type[Component], Callable[..., list[Column]]] = {
    ProcRTL: pipeline_columns,
    ProgramExecutor: executor_columns,
    StrobePair: strobe_columns,
    DigitBusExponentiator: executor_columns,
}


def columns_of(top: Component) -> list[Column]:
    """Make the columns: request stream, components whose class is in ``PARTS``, response stream."""
    first = _streams(top, RecvIfcRTL)
    last = _streams(top, SendIfcRTL)
    parts = sorted(top.get_all_components(), key=lambda part: (len(repr(part)), repr(part)))
    inner = [c for kind, make in PARTS.items() for p in parts if type(p) is kind for c in make(p)]
    return [*first, *inner, *last]


def _streams(top: Component, kind: type) -> list[Column]:
    names = [name for name in ("recv", "send") if isinstance(getattr(top, name, None), kind)]
    return [
        stream_column(top, name)
        for name in names
        if is_bitstruct_class(getattr(top, name).msg._dsl.Type) or hasattr(top, "frames")
    ]


def trace(component: Component, path: Path) -> Iterator[str]:
    """Yield a header, then a line for each cycle after reset, from a waveform (VCD).

    ``component`` is a new instance of the simulated one, not elaborated.
    """
    component.elaborate()
    columns = columns_of(component)
    waves = Waves(path)
    yield _line("cycle", [column.title for column in columns], columns)
    signals = [signal for column in columns for signal in column.signals]
    for number, values in enumerate(waves.cycles(signals)):
        texts, at = [], 0
        for column in columns:
            end = at + len(column.signals)
            texts.append(column.show(*values[at:end]))
            at = end
        yield _line(str(number), texts, columns)


def _line(number: str, texts: list[str], columns: list[Column]) -> str:
    cells = (text.ljust(column.width) for text, column in zip(texts, columns, strict=True))
    return f"{number:>6}: {_SEPARATOR.join(cells)}".rstrip()
