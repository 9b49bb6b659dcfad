"""Writes VCD and SAIF files of a window; a file appears only when it is complete."""

from __future__ import annotations

import os
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TextIO

from rsaxcel.flow.waves.clock import Change
from rsaxcel.flow.waves.run import Circuit
from rsaxcel.flow.waves.saif import SaifCounter
from rsaxcel.flow.waves.vcd import VcdWriter


class WaveFile(ABC):
    """Recorder (``flow.waves.run.Recorder``) that writes a file.

    The changes go to a draft beside the file; ``publish`` replaces the file by the draft. At the
    end of a ``with`` block, a draft that was not published is removed.

    Parameters
    ----------
    path
        The file.
    comment
        Line of text that describes the content.
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
        """Finish the draft."""
        self.finish(time_ps, swallowed)
        self._file.close()

    def publish(self) -> None:
        """Replace the file by the finished draft."""
        assert self._draft is not None
        self._draft.chmod(0o644)
        os.replace(self._draft, self.path)
        self._draft = None

    def __enter__(self) -> WaveFile:
        """Return the recorder; no file is open yet."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove a draft that was not published."""
        if self._draft is not None:
            self._file.close()
            self._draft.unlink(missing_ok=True)


class VcdFile(WaveFile):
    """Writes a waveform for a viewer."""

    def begin(self, values: Mapping[int, int]) -> None:
        """Write the declarations, and the values that the nets have before the window.

        A viewer shows these values for one clock period.
        """
        circuit = self.circuit
        self._writer = VcdWriter(
            self._file, circuit.netlist.top, circuit.signals, circuit.period_ps, self.comment
        )
        self._writer.begin(values)

    def add(self, changes: Sequence[Change]) -> None:
        """Write the value changes of all nets in a cycle."""
        self._writer.add(changes)

    def finish(self, time_ps: int, swallowed: Mapping[int, int]) -> None:
        """Write the time at which the window ends."""
        self._writer.end(time_ps)


class SaifFile(WaveFile):
    """Writes toggle counts and times at 0 and 1, for tools that compute power."""

    def begin(self, values: Mapping[int, int]) -> None:
        """Store the values that the nets have before the window."""
        self._counter = SaifCounter()
        self._counter.begin(values)

    def add(self, changes: Sequence[Change]) -> None:
        """Count the toggles of all nets in a cycle."""
        self._counter.add(changes)

    def finish(self, time_ps: int, swallowed: Mapping[int, int]) -> None:
        """Write the toggles of each net, and its times at 0 and 1."""
        self._counter.end(time_ps)
        self._counter.write(self._file, self.circuit.netlist, self.circuit.signals, swallowed)
