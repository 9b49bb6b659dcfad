"""Writes VCD and SAIF files of a window; a file appears only when it is complete."""

from __future__ import annotations

import os
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TextIO

from rsaxcel.flow.waves.cycles import Change
from rsaxcel.flow.waves.run import Circuit
from rsaxcel.flow.waves.saif import SaifCounter
from rsaxcel.flow.waves.vcd import VcdWriter


class WaveFile(ABC):
    """Recorder (``flow.waves.run.Recorder``) that writes a file.

    Changes go to a draft beside the file, which ``publish`` puts in its place; else the end of a
    ``with`` block removes it.
    """

    def __init__(self, path: Path, comment: str = "") -> None:
        self.path, self.comment = path, comment
        self._draft: Path | None = None

    def start(self, circuit: Circuit) -> None:
        """Open a draft beside the file."""
        folder, name = self.path.parent, f".{self.path.name}."
        descriptor, draft = tempfile.mkstemp(dir=folder, prefix=name)
        self._draft = Path(draft)
        self._file: TextIO = open(descriptor, "w", encoding="ascii")
        self.circuit = circuit

    @abstractmethod
    def begin(self, values: Mapping[int, int]) -> None:
        """Store or write the values that the nets have before the window, by net number."""

    @abstractmethod
    def add(self, changes: Sequence[Change]) -> None:
        """Store or write the value changes of all nets in a cycle."""

    @abstractmethod
    def finish(self, time_ps: int, swallowed: Mapping[int, int]) -> None:
        """Write the rest of the file."""

    def end(self, time_ps: int, swallowed: Mapping[int, int]) -> None:
        self.finish(time_ps, swallowed)
        self._file.close()

    def publish(self) -> None:
        assert self._draft is not None
        self._draft.chmod(0o644)
        os.replace(self._draft, self.path)
        self._draft = None

    def __enter__(self) -> WaveFile:
        return self

    def __exit__(self, *_: object) -> None:
        if self._draft is not None:
            self._file.close()
            self._draft.unlink(missing_ok=True)


class VcdFile(WaveFile):
    """Writes a waveform for a viewer."""

    def begin(self, values: Mapping[int, int]) -> None:
        """Write declarations, and the values before the window, shown for one period."""
        circuit = self.circuit
        self._writer = VcdWriter(
            self._file, circuit.netlist.top, circuit.signals, circuit.period_ps, self.comment
        )
        self._writer.begin(values)

    def add(self, changes: Sequence[Change]) -> None:
        self._writer.add(changes)

    def finish(self, time_ps: int, swallowed: Mapping[int, int]) -> None:
        self._writer.end(time_ps)


class SaifFile(WaveFile):
    """Writes toggle counts and times at 0 and 1, for tools that compute power."""

    def begin(self, values: Mapping[int, int]) -> None:
        self._counter = SaifCounter()
        self._counter.begin(values)

    def add(self, changes: Sequence[Change]) -> None:
        self._counter.add(changes)

    def finish(self, time_ps: int, swallowed: Mapping[int, int]) -> None:
        self._counter.end(time_ps)
        self._counter.write(self._file, self.circuit.netlist, self.circuit.signals, swallowed)
