"""Handed-in folders: each with one design, whose it is, when it came, and which one counts."""

from __future__ import annotations

import base64
import hashlib
import os
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec import DecodeError, Struct, convert, json, to_builtins

from rsaxcel.catalog.registry import DESCRIPTION
from rsaxcel.course.project import FILE, Settings, settings_of
from rsaxcel.course.rank.cores import PACKAGE, is_core
from rsaxcel.course.rank.rubric import Rubric
from rsaxcel.course.rank.sandbox import BY_BUBBLEWRAP, HANDED, Limits, check_confinement, run
from rsaxcel.sim.check.lacking import lacking
from rsaxcel.sim.check.refused import Refused
from rsaxcel.store.code import is_made
from rsaxcel.store.errors import UserError
from rsaxcel.store.shown import shown

Reader = Callable[[str], dict[str, object]]

_LARGEST = 1 << 24
_MOST_FILES = 2000
_LARGEST_FILE = 1 << 14  #: bytes of a project file; tomllib needs quadratic time for long keys
_DEEPEST = 32
_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK


def read(folder: str) -> dict[str, object]:
    """Read a folder: ``files`` in base 64 by relative path, and unfinished parts (``lacks``).

    A project has its ``settings``, and may stand in a folder if no other one in it has one.
    """
    place, inside = Path(folder), ""
    if not place.is_dir():
        raise Refused("broken", "not a folder; rsaxcel new makes one")
    if not _has_design(place):
        known = [x for x in os.scandir(place) if x.is_dir(follow_symlinks=False)]
        found = sorted(x.name for x in known if _has_design(Path(x.path)))
        projects = [x for x in found if (place / x / FILE).is_file()]
        if len(projects) != 1:
            hint = f"is it the folder {found[0]} in it?" if found else "rsaxcel new makes one"
            raise Refused("broken", f"no {PACKAGE}, {DESCRIPTION} or {FILE} in it; {hint}")
        (inside,) = projects
    files: dict[str, str] = {}
    left, texts = _LARGEST, []
    opened = os.open(place / inside, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW * bool(inside))
    for name, descriptor in _files(opened, "", _DEEPEST):
        with open(descriptor, "rb") as file:
            content = file.read(left + 1)
        left -= len(content)
        if left < 0:
            raise Refused("broken", f"more than {_LARGEST >> 20} MB; not the folder of a design")
        if len(files) == _MOST_FILES:
            raise Refused("broken", f"more than {_MOST_FILES} files; not the folder of a design")
        files[name] = base64.b64encode(content).decode()
        texts.append((name, content.decode(errors="replace")))
    settings = _settings(dict(texts).get(FILE, ""))
    if settings is None:
        return {"files": files, "lacks": _lacking(texts), "settings": None}
    own = f"{settings.design}/"
    if os.sep in settings.design or not any(x.startswith(own) for x in files):
        raise Refused("broken", f"{FILE}: design={settings.design!r}: no folder with files in it")
    lacks = _lacking([x for x in texts if x[0].startswith(own)])
    return {"files": files, "lacks": lacks, "settings": to_builtins(settings)}


def _settings(text: str) -> Settings | None:
    if len(text) > _LARGEST_FILE:
        raise Refused("broken", f"{FILE}: more than {_LARGEST_FILE >> 10} KB")
    try:
        return settings_of(text)
    except (tomllib.TOMLDecodeError, UserError, RecursionError) as error:
        raise Refused("broken", f"{FILE}: {error}") from error


def _lacking(texts: Iterable[tuple[str, str]]) -> list[str]:
    return lacking((os.path.basename(name), text) for name, text in texts)


def _has_design(folder: Path) -> bool:
    return any((folder / name).is_file() for name in (PACKAGE, DESCRIPTION, FILE))


def _files(folder: int, above: str, depth: int) -> Iterator[tuple[str, int]]:
    """Yield and open the files in an open folder, without folders that commands generate."""
    # The folder may change meanwhile: a listed file is opened where it stands, never through a
    # link.
    if not depth:
        raise Refused("broken", f"folders more than {_DEEPEST} deep; not the folder of a design")
    with os.scandir(folder) as entries:
        for entry in entries:
            name = f"{above}{entry.name}"
            is_folder = entry.is_dir(follow_symlinks=False)
            if not is_folder and not entry.is_file(follow_symlinks=False):
                raise Refused("broken", f"{name}: not a regular file; a design consists of files")
            if is_folder and is_made(entry.name):
                continue
            descriptor = os.open(entry.name, _OPEN, dir_fd=folder)
            if is_folder:
                yield from _files(descriptor, f"{name}/", depth - 1)
            else:
                yield name, descriptor
    os.close(folder)


_READING_S = 60.0
_PROGRAMS = "app/baseline.c", "app/accelerator.c"
_MOST_PROGRAMS = 4


@dataclass(frozen=True)
class Handed:
    """A folder with a design, or a design of the registry as the baseline."""

    label: str
    #: folder with the design; None: the design of the registry with the name `label`
    folder: Path | None
    digest: str  #: digest of all files in the folder
    problem: str = ""  #: reason why the folder has no design; empty if it may have one
    lacks: tuple[str, ...] = ()  #: unfinished parts, such as TODO marks; see sim.check.lacking
    #: files in base 64 by relative path
    files: Mapping[str, str] = field(default_factory=dict, repr=False)
    settings: Settings | None = None  #: of a project

    @property
    def is_core(self) -> bool:
        return is_core(self.design["files"])

    @property
    def place(self) -> str:
        """Folder that ``RSAXCEL_DESIGNS`` names; empty where no command needs it."""
        return "" if self.settings or self.folder is None else str(self.folder)

    @property
    def programs(self) -> list[str]:
        """Programs in C of an accelerator at the processor, the baseline first."""
        if self.settings is None or self.settings.kind != "xcel":
            return []
        return self.settings.evaluation.programs[:_MOST_PROGRAMS] or [*_PROGRAMS]

    @property
    def design(self) -> dict[str, Any]:
        """Arguments with which ``course.rank.models`` loads the design."""
        if self.settings is None:
            name = self.folder.name if self.folder else self.label
            return {"name": name, "files": dict(self.files)}
        own = f"{self.settings.design}/"
        files = {k.removeprefix(own): x for k, x in self.files.items() if k.startswith(own)}
        return {"name": self.settings.design, "files": files}


def find_handed(folders: Sequence[Path], limits: Limits, reader: Reader = read) -> list[Handed]:
    """Read the folders: without a design, they get a ``problem``; twice the same is refused."""
    places = [Path(os.path.normpath(folder.absolute())) for folder in folders]
    for place, folder in zip(places, folders, strict=True):
        if places.count(place) > 1:
            raise UserError(f"{folder} is given {places.count(place)} times")
    check_confinement(limits.confinement)
    short = Limits(min(limits.seconds, _READING_S), limits.memory_gb, limits.confinement)
    return [_handed(*x, short, reader) for x in zip(_labels(places), places, strict=True)]


def _handed(label: str, place: Path, limits: Limits, reader: Reader) -> Handed:
    try:
        if not place.is_dir():
            return Handed(label, place, "", "not a folder; rsaxcel new makes one")
        # the folder could lead to files that only this user can read
        for part in (place, *place.parents):
            if part.is_symlink() and part.lstat().st_uid not in (0, os.geteuid()):
                return Handed(label, place, "", f"{shown(part)} is a link of another user")
    except OSError as error:
        return Handed(label, place, "", str(error.strerror))
    seen = HANDED if limits.confinement == BY_BUBBLEWRAP else place
    try:
        answer = run(reader, {"folder": str(seen)}, limits, "reading it", folder=place)
        files = {str(name): str(content) for name, content in sorted(answer["files"].items())}
        contents = {name: base64.b64decode(x, validate=True) for name, x in files.items()}
        if any(not is_inside(name) for name in files):
            raise ValueError("a file lies outside of the folder")
        lacks = tuple(map(shown, answer["lacks"]))
        settings = convert(answer["settings"], Settings | None)
    except Refused as error:
        return Handed(label, place, "", error.reason)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        return Handed(label, place, "", f"cannot be read: {' '.join(str(error).split())}")
    return Handed(label, place, _digest(contents), lacks=lacks, files=files, settings=settings)


def is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and "\0" not in name


def _labels(places: Sequence[Path]) -> list[str]:
    """Label each folder by the fewest last parts of its path that make the labels differ."""
    # Two paths may be shown alike: then numbers follow, so that no row has another row's figures.
    for depth in range(1, max(len(place.parts) for place in places) + 1):
        labels = [shown("/".join(place.parts[-depth:])) for place in places]
        if len(set(labels)) == len(labels):
            return labels
    return [f"{shown(place)} ({number})" for number, place in enumerate(places, 1)]


def _digest(contents: Mapping[str, bytes]) -> str:
    state = hashlib.sha256()
    for name, content in contents.items():
        state.update(repr((name, len(content))).encode())
        state.update(content)
    return state.hexdigest()


@dataclass(frozen=True)
class HandIn:
    """A hand-in that counts."""

    student: str
    folder: Path
    at: datetime | None = None  #: None: not known
    others: int = 0  #: earlier or late ones of the same student, which do not count


class _User(Struct):
    email: str


class _Metadata(Struct):
    """What Gradescope tells of a hand-in."""

    created_at: datetime
    users: list[_User]


def counted(folder: Path, rubric: Rubric) -> HandIn:
    """Choose the hand-in of a student that counts: the last one in time, else the last one.

    A student with several hand-ins has a folder for each, whose name is its ISO date and time, such
    as ``20261129T2359``; that of the deadline unless it has a time zone.
    """
    student = shown(Path(os.path.normpath(folder.absolute())).name)
    dated = {x: at for x in _entries(folder) if (at := _time(x.name, rubric))}
    if not dated:
        return HandIn(student, folder)
    on_time = [x for x, at in dated.items() if not rubric.days_late(at)]
    last = max(on_time or dated, key=lambda x: dated[x])
    return HandIn(student, last, dated[last], len(dated) - 1)


def of_gradescope(folder: Path, metadata: Path) -> HandIn:
    """Return the hand-in of a folder with Gradescope's file ``submission_metadata.json``."""
    try:
        found = json.decode(metadata.read_bytes(), type=_Metadata)
    except (DecodeError, OSError) as error:
        raise UserError(f"--metadata={metadata}: {error}") from error
    student = ", ".join(sorted(x.email for x in found.users))
    return HandIn(shown(student), folder, found.created_at.astimezone())


def _entries(folder: Path) -> list[Path]:
    # In the folder of a single hand-in, which is a student's, no name is a time.
    try:
        entries = [*os.scandir(folder)]
    except OSError:  # the ranking tells why
        return []
    is_several = all(_is_time(x.name) for x in entries if not x.name.startswith("."))
    found = [x for x in entries if _is_time(x.name) and x.is_dir(follow_symlinks=False)]
    return [Path(x.path) for x in found] if is_several else []


def _is_time(name: str) -> bool:
    try:
        return "T" in name and bool(datetime.fromisoformat(name))
    except ValueError:
        return False


def _time(name: str, rubric: Rubric) -> datetime | None:
    found = datetime.fromisoformat(name)
    zone = rubric.deadline.tzinfo if rubric.deadline else None
    return found if found.tzinfo else found.replace(tzinfo=zone).astimezone(zone)
