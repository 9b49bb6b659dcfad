"""Design kits: standard-cell libraries, with properties that the flow needs.

A kit is a folder with ``kit.toml``, whose fields are those of ``KitFile``: files, corners, and what
Liberty and LEF files do not say. ``flow.libraries`` finds kits by name.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from rsaxcel.flow.library import kept_library
from rsaxcel.store.errors import SetupError
from rsaxcel.store.whole_files import read_text, read_whole

if TYPE_CHECKING:  # slow to import
    from rsaxcel.flow.power.liberty import Library

CLOCK_NS = 3.0  #: clock period of jobs that name none

DEFAULT_LIBRARY = "freepdk-45nm"  #: library of commands and figures that name none

KIT_FILE = "kit.toml"
_PLAIN_FILE = "kit.json"  #: file of a kit whose fields are all known, as the flow's nodes read it

Tie = tuple[str, str]  #: cell and port


class KitFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Contents of ``kit.toml``; what is left out is taken from Liberty and LEF, or guessed.

    Names of files are relative to the folder of ``kit.toml``.
    """

    corners: dict[str, str]  #: Liberty file of each corner, by the corner's name
    name: str = ""  #: of the library; empty: that of the folder
    #: Corners that synthesis and repair aim at, at which hold is repaired, and at which power is
    #: given; empty: `slow`, `fast` and `typical`, or the only corner.
    setup: str = ""
    hold: str = ""
    power: str = ""
    lef: tuple[str, ...] | None = None  #: none: circuits cannot be placed
    driving_cell: str | None = None  #: drives every input
    port_load_ff: float | None = None  #: load at every output
    tie_high: tuple[str, ...] | None = None  #: cell and port; empty: supply rail
    tie_low: tuple[str, ...] | None = None  #: cell and port; empty: ground rail
    #: Delay of a path that ABC does not see: clock-to-output and setup of the smallest flip-flop,
    #: and a gate of another unit, because units are mapped separately. The first attempt at
    #: synthesis aims at the clock period less this delay. Too small: more attempts follow. Too
    #: large: circuits cost needless area.
    sequencing_ns: float | None = None
    #: Patterns such as "TBUF_*" of cells that synthesis must not choose.
    unusable: tuple[str, ...] = ()
    #: Cells for pads and clock trees, not to be chosen: between a few gates, they only cost area.
    oversized: tuple[str, ...] = ()
    delay_cells: tuple[str, ...] | None = None  #: buffers for delays alone, not to be chosen
    clock_cells: tuple[str, ...] | None = None  #: patterns of the buffers of clock trees
    tap_cell: str | None = None  #: ties the wells to the rails; none: cells have ties
    tap_interval_um: float | None = None  #: greatest distance of two taps in a row
    end_cap_cell: str | None = None  #: cell at both ends of each row
    filler_cells: tuple[str, ...] | None = None
    antenna_cell: str | None = None  #: diode against charge on long wires
    #: Numbers of the lower and the upper layer of straps; empty: rails are the only power wires.
    mesh_layers: tuple[int, ...] | None = None
    #: Resistance in ohm and capacitance in fF of a um of wire, by layer.
    wires: dict[str, tuple[float, float]] = {}
    via_ohms: dict[str, float] = {}  #: resistance of a via in ohm, by layer of cuts
    #: Offset and pitch in um of the vertical tracks, then of the horizontal ones, by layer.
    tracks: dict[str, tuple[float, float, float, float]] = {}
    uncertainty_ns: float = 0.0  #: of placed circuits, see flow.layout.Layout
    derate: float = 0.0
    licence: str = ""
    #: Remarks beside figures: properties that the library lacks, or has in an unusual form.
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlacementSettings:
    """Properties of a library for placement, as in ``KitFile``."""

    lef: tuple[Path, ...] = ()
    tap_cell: str | None = None
    tap_interval_um: float = 0.0
    end_cap_cell: str | None = None
    filler_cells: tuple[str, ...] = ()
    antenna_cell: str | None = None
    mesh_layers: tuple[int, int] | None = None
    clock_cells: tuple[str, ...] = ()
    wires: tuple[tuple[str, float, float], ...] = ()  #: layer, ohm and fF of a um
    via_ohms: tuple[tuple[str, float], ...] = ()
    tracks: tuple[tuple[str, float, float, float, float], ...] = ()
    uncertainty_ns: float = 0.0
    derate: float = 0.0


@dataclass(frozen=True)
class Kit:
    """A standard-cell library in its corners."""

    name: str
    file: Path  #: file or folder that tells the kit's properties, for messages
    corners: tuple[tuple[str, Path], ...]  #: names and Liberty files
    setup: str
    hold: str
    power: str
    driving_cell: str
    port_load_ff: float
    tie_high: Tie | None  #: None: supply rail
    tie_low: Tie | None  #: None: ground rail
    sequencing_ns: float
    unusable_cells: tuple[str, ...] = ()
    oversized: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    licence: str = ""
    layout: PlacementSettings = PlacementSettings()

    @property
    def liberty(self) -> Path:
        """Liberty file of the corner at which power is given."""
        return dict(self.corners)[self.power]

    @property
    def library(self) -> Library:
        """Cells at the corner at which power is given."""
        return kept_library(self.liberty)

    @property
    def corner(self) -> str:
        """Operating conditions of the timing library."""
        corner = self.library.corner
        if not corner:
            raise SetupError(f"{self.liberty} does not state its operating conditions")
        return corner

    @property
    def unusable(self) -> tuple[str, ...]:
        """Patterns of cells that synthesis must not choose."""
        ties = (tie[0] for tie in (self.tie_high, self.tie_low) if tie)
        return (*self.unusable_cells, *self.oversized, *ties)

    @property
    def digest(self) -> str:
        """Digest of the kit's properties and files."""
        files = [*(path for _, path in self.corners), *self.layout.lef]
        return hashlib.sha256(b"\0".join((self._plain(), *map(read_whole, files)))).hexdigest()

    def at(self, corner: str) -> Kit:
        """Return the kit in one of its corners; ``ValueError`` if it has no such."""
        known = dict(self.corners)
        if corner not in known:
            raise ValueError(f"corner={corner}: {', '.join(known)} are allowed")
        corners = ((corner, known[corner]),)
        return replace(self, corners=corners, setup=corner, hold=corner, power=corner)

    @classmethod
    def read(cls, folder: Path) -> Kit:
        """Read a kit that ``write`` has written; nothing is left to guess."""
        path = folder / _PLAIN_FILE
        try:
            return msgspec.json.decode(
                read_whole(path), type=cls, dec_hook=lambda _, x: (folder / x).resolve()
            )
        except (OSError, msgspec.MsgspecError) as error:
            raise SetupError(f"cannot read the design kit's {path}: {error}") from error

    def write(self, folder: Path) -> None:
        """Write the kit and copies of its files."""
        (folder / _PLAIN_FILE).write_bytes(self._plain())
        for source, name in self._names().items():
            (folder / name).write_bytes(read_whole(source))

    def _names(self) -> dict[Path, str]:
        """Names of the copies of the kit's files."""
        named = {path: f"{corner}.lib" for corner, path in self.corners}
        return named | {path: f"{at}.lef" for at, path in enumerate(self.layout.lef)}

    def _plain(self) -> bytes:
        names = {**self._names(), self.file: KIT_FILE}
        return msgspec.json.encode(self, enc_hook=lambda path: names[path])


def decoded(text: str | bytes, path: Path) -> KitFile:
    """Read the contents of a ``kit.toml``; ``SetupError`` in a line if a field is wrong."""
    try:
        return msgspec.toml.decode(text, type=KitFile)
    except msgspec.MsgspecError as error:
        raise SetupError(f"{path}: {error}") from error


def read_kit_file(path: Path) -> KitFile:
    try:
        return decoded(read_text(path), path)
    except UnicodeDecodeError as error:
        raise SetupError(f"{path} is not a text in UTF-8") from error
    except OSError as error:
        raise SetupError(f"cannot read the design kit's {path}: {error.strerror}") from error


def resolved(given: KitFile, path: Path, base: Path) -> Kit:
    """Make the kit of a ``kit.toml`` without gaps; its files are relative to ``base``."""
    missing = [x for x in _NEEDED if getattr(given, x) is None]
    if missing:
        raise SetupError(f"{path} does not set {', '.join(missing)}")
    for name in ("port_load_ff", "sequencing_ns", "tap_interval_um", "uncertainty_ns", "derate"):
        value = getattr(given, name)
        if value is not None and not 0 <= value < math.inf:
            raise SetupError(f"{path}: {name} is {value:g}, and must be a number from 0")
    for about in (*given.wires.values(), *given.tracks.values(), given.via_ohms.values()):
        if not all(0 <= x < math.inf for x in about):
            raise SetupError(f"{path}: wires, via_ohms and tracks must have numbers from 0")
    if not given.corners:
        raise SetupError(f"{path}: corners names no Liberty file")
    for name in filter(None, (given.name, *given.corners)):
        if not _NAME.fullmatch(name):
            raise SetupError(f"{path}: {name!r} must have letters, digits and _ . + - alone")
    roles = {x: _role(given, x, path) for x in ("setup", "hold", "power")}
    mesh = given.mesh_layers or ()
    if mesh and (len(mesh) != 2 or min(mesh) < 1):
        raise SetupError(f"{path}: mesh_layers must be two numbers of layers from 1, or none")
    own = {x.name for x in fields(PlacementSettings)} & set(KitFile.__struct_fields__)
    layout: dict[str, Any] = {x: getattr(given, x) for x in own if getattr(given, x)}
    layout |= {x: tuple((k, *_words(v)) for k, v in getattr(given, x).items()) for x in _TABLES}
    files = [_file(x, base, path) for x in given.lef or ()]
    return Kit(
        name=given.name or _NO_NAME.sub("_", path.parent.name),
        file=path,
        corners=tuple((name, _file(file, base, path)) for name, file in given.corners.items()),
        **roles,
        driving_cell=given.driving_cell or "",
        port_load_ff=given.port_load_ff or 0.0,
        tie_high=_tie(given.tie_high, path),
        tie_low=_tie(given.tie_low, path),
        sequencing_ns=given.sequencing_ns or 0.0,
        unusable_cells=(*given.unusable, *(given.delay_cells or ())),
        oversized=given.oversized,
        notes=given.notes,
        licence=given.licence,
        layout=PlacementSettings(**layout | {"lef": tuple(files), "mesh_layers": mesh or None}),
    )


#: Names of libraries and corners, which are in those of folders and files.
_NAME, _NO_NAME = re.compile(r"\w[\w.+-]{0,60}", re.A), re.compile(r"[^\w.+-]", re.A)
_NEEDED = ("driving_cell", "port_load_ff", "tie_high", "tie_low", "sequencing_ns")
_TABLES = ("wires", "via_ohms", "tracks")
#: Corner of each role in a kit of several corners that names none.
_USUAL = {"setup": "slow", "hold": "fast", "power": "typical"}


def _words(value: float | tuple[float, ...]) -> Sequence[float]:
    return value if isinstance(value, tuple) else (value,)


def _role(given: KitFile, role: str, path: Path) -> str:
    only = next(iter(given.corners)) if len(given.corners) == 1 else _USUAL[role]
    asked = getattr(given, role) or only
    if asked not in given.corners:
        known = ", ".join(given.corners)
        told = f"{role} = {asked!r}" if getattr(given, role) else f"no {asked}, which {role} needs"
        raise SetupError(f"{path}: {told}: corners has {known}; {role} = NAME chooses one of them")
    return asked


def _tie(given: tuple[str, ...] | None, path: Path) -> Tie | None:
    if not given:
        return None
    if len(given) != 2:
        raise SetupError(f"{path}: tie_high and tie_low must be a cell and its port, or empty")
    return given[0], given[1]


def check_files(given: KitFile, path: Path, base: Path) -> None:
    """Raise ``SetupError`` for a missing file, or one that is no plain file, before any is read."""
    for name in (*given.corners.values(), *(given.lef or ())):
        _file(name, base, path)


def _file(name: str, base: Path, path: Path) -> Path:
    found = base / name
    if not found.is_file():
        raise SetupError(f"{found}: no such file, and {path} names it")
    return found.resolve()
