"""A cell library of a PDK as it is installed, read into the form of a ``kit.toml``.

LibreLane's settings of the PDK (``libs.tech/librelane``) give corners, tie cells, wires and the
like. Where they are absent, names of files give the corners, and ``flow.guesses`` the rest.
"""

from __future__ import annotations

import base64
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any

from rsaxcel.cores.limits import limit
from rsaxcel.flow.kit import KitFile
from rsaxcel.store.errors import SetupError
from rsaxcel.store.installing import program
from rsaxcel.store.tools import TCL
from rsaxcel.store.whole_files import read_text

_SCRIPT = Path(__file__).with_name("librelane.tcl")
_SETTINGS = ("libs.tech/librelane", "libs.tech/openlane")  #: older PDKs have the other name
_FILE = "config.tcl"
#: Limits of the settings' Tcl: commands, seconds of the processor and of the clock, gigabytes,
#: bytes of output.
_MOST_COMMANDS, _SECONDS, _WAITED, _GB, _MOST_TEXT = 1_000_000, 2, 30, 1, 1 << 24
#: Levels of the variables that are dictionaries. The resistances of vias are those of LEF: in
#: VIAS_R, PDKs differ in the unit.
_LEVELS = {"LIB": 1, "TECH_LEFS": 1, "LAYERS_RC": 3}
#: Words in the names of corners, by role; others' names of the same three.
_WORDS = {
    "slow": ("slow", "ss", "max", "wc", "worst"),
    "typical": ("typ", "typical", "tt", "nom"),
    "fast": ("fast", "ff", "min", "bc", "best"),
}
#: Variable of the Liberty file of each corner, in settings of OpenLane.
_OPENLANE = {"slow": "LIB_SLOWEST", "typical": "LIB_SYNTH", "fast": "LIB_FASTEST"}
_VOLTAGE = re.compile(r"(?<!\d)(\d)[pv](\d+)v?", re.I)
_LICENCE = re.compile(r"licen[sc]ed? .*", re.I)
_HEAD_LINES, _LONGEST_LINE = 40, 200
_EXCLUDED = (
    "SYNTH_EXCLUDED_CELL_FILE",
    "PNR_EXCLUDED_CELL_FILE",
    "NO_SYNTH_CELL_LIST",
    "DRC_EXCLUDE_CELL_LIST",
)
_OHM_PER_KOHM, _FF_PER_PF, _PERCENT = 1e3, 1e3, 100

_Settings = Mapping[tuple[str, ...], str]  #: values by variable and keys of dictionaries


def read_pdk(folder: Path, library: str, cells: str = "") -> KitFile:
    """Read the library ``cells`` of a PDK in ``folder``, or its usual one.

    Names of files are relative to the folder. ``SetupError`` in a line if something is wrong.
    """
    folder = folder.resolve()
    settings = _settings(folder, cells)
    cells = cells or _value(settings, "STD_CELL_LIBRARY") or _only_cells(folder)
    reference = folder / "libs.ref" / cells
    if not reference.is_dir():
        raise SetupError(f"{folder} has no cells {cells}; it has {', '.join(_all_cells(folder))}")
    return _KitOf(folder, library, reference, settings).kit()


def _all_cells(folder: Path) -> list[str]:
    return sorted(x.name for x in (folder / "libs.ref").iterdir() if (x / "lib").is_dir())


def _only_cells(folder: Path) -> str:
    found = _all_cells(folder)
    standard = [x for x in found if "stdcell" in x or "_sc_" in x] or found
    if len(standard) != 1:
        told = ", ".join(f"{folder.name}/{x}" for x in found) or "none"
        raise SetupError(f"{folder}: several libraries of cells, or none; name one: {told}")
    return standard[0]


def _settings(folder: Path, cells: str) -> _Settings:
    """Run the settings of a PDK in Tcl; empty: the PDK has none."""
    place = next((folder / x for x in _SETTINGS if (folder / x / _FILE).is_file()), None)
    if place is None:
        return {}
    environment = {"PDK_ROOT": str(folder.parent), "PDK": folder.name}
    if cells:
        environment["STD_CELL_LIBRARY"] = cells
    found = _run(folder, [place / _FILE], environment)
    cells = cells or _value(found, "STD_CELL_LIBRARY")
    own = place / cells / _FILE
    if not cells or not own.is_file():
        return found
    return _run(folder, [place / _FILE, own], environment)


def _run(folder: Path, files: Sequence[Path], environment: Mapping[str, str]) -> _Settings:
    variables = {
        "root": str(folder),
        "files": _list(map(str, files)),
        "variables": _list(x for pair in environment.items() for x in pair),
        "levels": _list(str(x) for pair in _LEVELS.items() for x in pair),
        "most": str(_MOST_COMMANDS),
        "seconds": str(_SECONDS),
    }
    head = "".join(f"set {name} {_quoted(value)}\n" for name, value in variables.items())
    try:
        done = subprocess.run(
            [*program(TCL), "-encoding", "utf-8", "/dev/stdin"],
            input=(head + _SCRIPT.read_text()).encode(),
            capture_output=True,
            timeout=_WAITED,
            preexec_fn=partial(limit, _SECONDS, _GB, _MOST_TEXT),
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise SetupError(f"{files[-1]}: no end within {_WAITED} s") from error
    if done.returncode:
        told = done.stderr.decode(errors="replace").strip().partition("\n")[0]
        raise SetupError(f"{files[-1]}: {told or 'no end within the limits of settings'}")
    rows = [[_text(x) for x in line.split("\t")] for line in done.stdout.decode().splitlines()]
    return {tuple(keys): value for *keys, value in rows}


def _text(word: str) -> str:
    return base64.b64decode(word).decode(errors="replace")


def _list(words: Iterable[str]) -> str:
    return " ".join(map(_quoted, words))


def _quoted(word: str) -> str:
    """Write a word so that Tcl reads it as it is."""
    return re.sub(r'([\\\s{}\[\]$";#])', r"\\\1", word) or "{}"


def _value(settings: _Settings, *names: str) -> str:
    """Value of the first of some variables that is set."""
    return next((settings[name,].strip() for name in names if settings.get((name,))), "")


class _KitOf:
    """Makes the kit of a library of a PDK."""

    def __init__(self, folder: Path, library: str, reference: Path, settings: _Settings) -> None:
        self.folder, self.library = folder, library
        self.reference, self.settings = reference, settings

    def kit(self) -> KitFile:
        found = self.layout() | self.wires() if self.settings else {}
        lef, corners = self.lef(), self.corners()
        return KitFile(
            name=self.library.replace("/", "-"),
            corners=corners,
            lef=tuple(lef),
            unusable=self.excluded(),
            licence=self.licence(next(iter(corners.values()))),
            **found,
        )

    def value(self, *names: str) -> str:
        return _value(self.settings, *names)

    def of(self, name: str) -> dict[tuple[str, ...], str]:
        """Values of a dictionary by its keys."""
        return {keys[1:]: value for keys, value in self.settings.items() if keys[0] == name}

    def usual(self, name: str) -> list[str]:
        """Words of a dictionary's value for the usual corner."""
        corner = self.value("DEFAULT_CORNER") or "nom_"
        fitting = [x for keys, x in self.of(name).items() if fnmatchcase(corner, keys[0])]
        return fitting[0].split() if fitting else []

    def inside(self, text: str) -> str:
        """Name of a file relative to the PDK; ``SetupError`` if it lies outside."""
        path = Path(self.folder, text).resolve()
        if not path.is_relative_to(self.folder):
            raise SetupError(f"{self.folder}: {text} lies outside of the PDK")
        return str(path.relative_to(self.folder))

    def corners(self) -> dict[str, str]:
        """Liberty files by corner: slow, typical and fast, or the only one."""
        named = {role: self.value(name) for role, name in _OPENLANE.items()}
        if all(named.values()):
            return {role: self.inside(text.split()[0]) for role, text in named.items()}
        files = self.liberty_by_corner() or self.liberty_files()
        if not files:
            raise SetupError(f"{self.reference}/lib has no Liberty file (.lib)")
        if len(files) == 1:
            return {"typical": next(iter(files.values()))}
        found = {}
        usual = self.value("DEFAULT_CORNER")
        for role, words in _WORDS.items():
            fitting = [name for name in files if _has_word(name, words)]
            if role == "typical" and usual in files:
                fitting = [usual]
            if len(fitting) > 1 and role != "typical":
                end = max if role == "fast" else min
                best = end(map(_voltage, fitting))
                fitting = [name for name in fitting if _voltage(name) == best]
            if len(fitting) != 1:
                told = f"{len(fitting)} of the corners {', '.join(files)} are {role}"
                raise SetupError(f"{self.folder}: {told}; a kit.toml can name one of each")
            found[role] = files[fitting[0]]
        return found

    def liberty_by_corner(self) -> dict[str, str]:
        patterns = {keys[0]: value.split() for keys, value in self.of("LIB").items()}
        found = {}
        for corner in self.value("STA_CORNERS").split() or [x.strip("*_") for x in patterns]:
            files = [
                self.inside(x)
                for pattern, listed in patterns.items()
                if fnmatchcase(corner, pattern) or corner == pattern.strip("*_")
                for x in listed
            ]
            own = [x for x in files if Path(x).is_relative_to(self.inside(str(self.reference)))]
            if len(own) == 1:
                found[corner] = own[0]
        # One of several extractions of the same Liberty file is enough: wires are estimated.
        unique = {path: name for name, path in reversed(found.items())}
        return {name: found[name] for name in found if unique[found[name]] == name}

    def liberty_files(self) -> dict[str, str]:
        paths = sorted((self.reference / "lib").glob("*.lib"))
        return {x.stem.removeprefix(self.reference.name): self.inside(str(x)) for x in paths}

    def lef(self) -> list[str]:
        technology = self.usual("TECH_LEFS") or self.value("TECH_LEF").split()
        cells = self.value("CELL_LEFS", "CELLS_LEF").split()
        if not technology or not cells:
            found = sorted(map(str, self.reference.glob("*lef/*lef")))
            technology = [x for x in found if "tech" in Path(x).name or x.endswith(".tlef")]
            cells = [x for x in found if x not in technology]
            technology.sort(key=lambda x: "nom" not in Path(x).name)
        return [self.inside(x) for x in (*technology[:1], *cells)] if technology and cells else []

    def excluded(self) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for name in _EXCLUDED:
            if text := self.value(name):
                path = self.folder / self.inside(text)
                try:
                    lines = read_text(path, "replace").splitlines()
                except OSError as error:
                    raise SetupError(f"cannot read {path}: {error.strerror}") from error
                found |= dict.fromkeys(filter(None, (x.partition("#")[0].strip() for x in lines)))
        return tuple(found)

    def layout(self) -> dict[str, Any]:
        """Properties of placement, and those around the circuit."""
        found: dict[str, Any] = {}
        for field, names in (
            ("driving_cell", ("SYNTH_DRIVING_CELL",)),
            ("tap_cell", ("WELLTAP_CELL", "FP_WELLTAP_CELL")),
            ("end_cap_cell", ("ENDCAP_CELL", "FP_ENDCAP_CELL")),
            ("antenna_cell", ("DIODE_CELL",)),
        ):
            if value := self.value(*names):
                found[field] = re.split(r"[\s/]", value)[0]
        for field, level in (("tie_high", "HI"), ("tie_low", "LO")):
            if value := self.value(f"SYNTH_TIE{level}_CELL", f"SYNTH_TIE{level}_PORT"):
                found[field] = tuple(re.split(r"[\s/]+", value)[:2])
        if value := self.value("FILL_CELLS", "FILL_CELL"):
            found["filler_cells"] = tuple(value.split())
        trunk = self.value("CTS_ROOT_BUFFER")
        clock = f"{trunk} {self.value('CTS_CLK_BUFFERS', 'CTS_CLK_BUFFER_LIST')}".split()
        if clock:
            found["clock_cells"] = tuple(dict.fromkeys(clock))
        for field, name, unit in (
            ("port_load_ff", "OUTPUT_CAP_LOAD", 1),
            ("tap_interval_um", "FP_TAPCELL_DIST", 1),
            ("uncertainty_ns", "CLOCK_UNCERTAINTY_CONSTRAINT", 1),
            ("derate", "TIME_DERATING_CONSTRAINT", _PERCENT),
        ):
            if value := self.value(name):
                found[field] = self.number(name, value) / unit
        return found

    def number(self, name: str, text: str) -> float:
        try:
            return float(text)
        except ValueError as error:
            raise SetupError(f"{self.folder}: {name} is {text}, and must be a number") from error

    def wires(self) -> dict[str, Any]:
        """Wires' resistances and capacitances, and tracks, by layer."""
        layers: dict[str, dict[str, float]] = {}
        units = {"res": _OHM_PER_KOHM, "cap": _FF_PER_PF}
        for keys, text in self.of("LAYERS_RC").items():
            if keys[2] in units:
                value = self.number("LAYERS_RC", text) * units[keys[2]]
                layers.setdefault(keys[1], {})[keys[2]] = value
        whole = {x: (y["res"], y["cap"]) for x, y in layers.items() if {*y} >= {*units}}
        return {"wires": whole, "tracks": self.tracks()}

    def tracks(self) -> dict[str, tuple[float, float, float, float]]:
        text = self.value("FP_TRACKS_INFO", "TRACKS_INFO_FILE")
        if not text:
            return {}
        path = self.folder / self.inside(text)
        found: dict[str, dict[str, tuple[float, float]]] = {}
        try:
            for line in read_text(path, "replace").splitlines():
                if line.strip():
                    layer, axis, offset, pitch = line.split()
                    found.setdefault(layer, {})[axis] = float(offset), float(pitch)
            return {layer: (*axes["X"], *axes["Y"]) for layer, axes in found.items()}
        except OSError as error:
            raise SetupError(f"cannot read {path}: {error.strerror}") from error
        except (ValueError, KeyError) as error:
            raise SetupError(f"{path}: rows must be LAYER X|Y OFFSET PITCH") from error

    def licence(self, liberty: str) -> str:
        """Line of the head of a Liberty file that names a licence."""
        if not (self.folder / liberty).is_file():  # a pipe would never end; the kit tells it
            return ""
        try:
            with (self.folder / liberty).open(errors="replace") as file:
                lines = [file.readline(_LONGEST_LINE) for _ in range(_HEAD_LINES)]
        except OSError as error:
            raise SetupError(f"cannot read {self.folder / liberty}: {error.strerror}") from error
        named = next((x for x in lines if _LICENCE.search(x)), "")
        return " ".join(named.strip("/*# \t\n").split())


def _has_word(name: str, words: Iterable[str]) -> bool:
    parts = re.split(r"[^a-z]+", name.lower())
    return any(word in parts for word in words)


def _voltage(name: str) -> float:
    found = _VOLTAGE.search(name)
    return float(f"{found[1]}.{found[2]}") if found else 0.0
