"""A project: a student's repository, whose file ``project.toml`` says what commands work on."""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct, field
from msgspec.inspect import DictType, ListType, LiteralType, StructType, UnionType, type_info

from rsaxcel.store.errors import UserError, nearest
from rsaxcel.store.folders import tell

Value = TypeVar("Value")

_UNKNOWN = re.compile(r"(?:unknown field `|enum value ')([^`']*)")
_PLACE = re.compile(r"at `\$\.?([^`]*)`")


def convert(content: Any, kind: type[Value]) -> Value:
    """Convert; ``UserError`` with the first mistake and its place."""
    try:
        return msgspec.convert(content, kind)
    except msgspec.ValidationError as error:
        text = str(error)
        if not (unknown := _UNKNOWN.search(text)):
            raise UserError(text) from error
        place = _PLACE.search(text)
        names = _allowed(type_info(kind), re.findall(r"\w+|\[[^]]*]", place[1]) if place else [])
        meant = nearest(unknown[1], names)
        raise UserError(f"{text}{meant}; allowed: {', '.join(names)}") from error


def _allowed(kind: Any, place: list[str]) -> list[str]:
    """Names of fields, or words, that a type has at a place."""
    if isinstance(kind, UnionType):
        found = (_allowed(x, place) for x in kind.types)
        return next(filter(None, found), [])
    if isinstance(kind, ListType) and place:
        return _allowed(kind.item_type, place[1:])
    if isinstance(kind, DictType) and place:
        return _allowed(kind.value_type, place[1:])
    if isinstance(kind, StructType):
        if not place:
            return [x.encode_name for x in kind.fields]
        found = (_allowed(x.type, place[1:]) for x in kind.fields if x.encode_name == place[0])
        return next(found, [])
    return [str(x) for x in kind.values] if isinstance(kind, LiteralType) else []


#: Name of the file; it is ours if it has the table ``TABLE``, as other programs have such files.
FILE = "project.toml"

TABLE = "rsaxcel"
DESIGNS = "RSAXCEL_DESIGNS"  # as catalog.registry.VARIABLE, which is slow to import
KINDS = "multiplier", "exponentiator", "xcel"
LANGUAGES = "pymtl", "verilog"
ENTERED: list[str] = []  #: designs that projects have put into the variable
#: Prefix of a system whose accelerator has registers of its own.
OWN = "xcel_"

Positive = Annotated[float, Meta(gt=0)]
Width = Annotated[int, Meta(ge=2, le=4096)]


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """Limits that the circuit keeps; none unless given."""

    area_um2: Positive | None = None
    min_period_ns: Positive | None = None


class Evaluation(Struct, frozen=True, forbid_unknown_fields=True):
    """Programs that the processor runs for comparison, and what they compute."""

    programs: list[str]  #: files of C, the baseline first
    #: of the power that they compute; a random one of full length unless given
    exponent: Annotated[int, Meta(ge=0)] | None = None


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """Content of the table ``TABLE``."""

    design: str  #: folder of the design, and its name
    kind: Literal["multiplier", "exponentiator", "xcel"]
    language: Literal["pymtl", "verilog"]
    nbits: Annotated[list[Width], Meta(min_length=1)]  #: of tests, the first of commands, too
    #: under test, the first one is that of commands; the design unless given
    circuits: list[str] = field(default_factory=list)
    clock_ns: Positive = 3.0
    library: str = "freepdk-45nm"
    limits: Limits = Limits()
    evaluation: Evaluation = Evaluation([])


@dataclass(frozen=True)
class Project:
    """A folder with a project file."""

    folder: Path
    settings: Settings

    @property
    def circuits(self) -> list[str]:
        """Names of the circuits under test."""
        return self.settings.circuits or [self.settings.design]

    @property
    def programs(self) -> list[str]:
        """Files of the evaluation programs, the baseline first; empty: those of rsaxcel."""
        found = self.settings.evaluation.programs
        if self.settings.kind == "xcel" and len(found) < 2:
            raise UserError(
                f"{self.folder / FILE}: evaluation.programs has {len(found)}; a baseline, which "
                "runs without the accelerator, and a program of the accelerator are allowed"
            )
        return found

    @property
    def library(self) -> str:
        """Library of cells; the path of a folder is relative to the project's."""
        name = self.settings.library
        return str(self.folder / name) if os.sep in name and name.startswith(".") else name

    @cached_property
    def system(self) -> str:
        """Name of the processor with the accelerator."""
        return (OWN if self.settings.kind == "xcel" else "proc_") + self.settings.design

    @property
    def defaults(self) -> dict[str, object]:
        """Values of options, and of the argument DESIGN, where a command line has none."""
        settings = self.settings
        return {
            "design": self.circuits[0],
            "system": self.system,
            "nbits": str(settings.nbits[0]),
            "library": self.library,
            "clock_ns": settings.clock_ns,
        }

    def enter(self) -> None:
        """Make the design known to this process and to its children."""
        place = self.folder / self.settings.design
        listed = [x for x in os.environ.get(DESIGNS, "").split(os.pathsep) if x]
        if place not in [Path(x).absolute() for x in listed]:
            os.environ[DESIGNS] = os.pathsep.join([*listed, str(place)])
            ENTERED.append(str(place))


def find_project(start: Path | None = None) -> Project | None:
    """Return the project of a folder: that of the nearest file, here or above; None without one."""
    here = (start or Path.cwd()).absolute()
    for folder in (here, *here.parents):
        if (file := folder / FILE).is_file() and (found := _read(file)):
            return found
    return None


def settings_of(text: str) -> Settings | None:
    """Return the settings in a project file's text; None if it has no table ``TABLE``."""
    content = tomllib.loads(text)
    return convert(content[TABLE], Settings) if TABLE in content else None


def _read(file: Path) -> Project | None:
    try:
        if (settings := settings_of(file.read_text(encoding="utf-8"))) is None:
            return None
        if file.stat().st_uid not in (os.geteuid(), 0):
            tell(
                f"{file} belongs to another user, and its project is left out; {DESIGNS} names its "
                "design, if you trust that"
            )
            return None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, UserError) as error:
        raise UserError(f"{file}: {error}") from error
    if not (file.parent / settings.design).is_dir():
        raise UserError(f"{file}: design={settings.design!r}: there is no such folder beside it")
    return Project(file.parent, settings)
