"""The files of a new multiplier, core or project, by their names."""

import ast
import keyword
import os
import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from zlib import crc32

from jinja2 import Environment, StrictUndefined

from rsaxcel import catalog
from rsaxcel.catalog import Classes
from rsaxcel.store.errors import UserError

PROTOCOLS = "streams", "start_done", "words"
VERILOG, VHDL, PYMTL = "verilog", "vhdl", "pymtl"

_SKELETON = "skeleton"
_PLACE = files("rsaxcel.course")
_POWER = _PLACE / "core_skeleton" / "power.v"  # of all cores in Verilog
_PROJECT = _PLACE / "project_skeleton"
_LEAST_ID = 1000
_IDS = 1_000_000
_CORE_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_LONGEST_CORE_NAME = 40
_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*")
#: limits of area in um2 at 8 bits, above what the skeletons have
_AREAS = {"multiplier": 450, "exponentiator": 700, "xcel": 950}
_AREA_WITH_TWO = 1300  #: of a design around two multipliers
_ABOUT = {
    "multiplier": "the multiplier",
    "exponentiator": "the exponentiator",
    "xcel": "the accelerator",
}

#: Texts of files by their paths.
Files = dict[str, str]


def multiplier(name: str) -> Files:
    """Files of a multiplier in PyMTL3; ``UserError`` for a name that is not allowed."""
    _check(name, name, f"{name}_r2l")
    return _package(name, _PLACE / _SKELETON)


def core(name: str, language: str, protocol: str) -> Files:
    """Files of a core in Verilog or VHDL; ``UserError`` for a name that is not allowed."""
    _check_core(name)
    return _core(name, protocol if language == VERILOG else VHDL)


def project(name: str, kind: str, language: str) -> Files:
    """Files of a repository; ``UserError`` for a name that is not allowed."""
    if language == VERILOG:
        _check_core(name)
        if kind == "xcel":  # a package of Python around the Verilog
            _check(name, name)
    else:
        _check(name, name, *([f"{name}_r2l"] if kind == "multiplier" else []))
    is_multiplier, is_xcel = kind == "multiplier", kind == "xcel"
    circuits = [f"{name}_r2l", name] if is_multiplier and language == PYMTL else []
    about = "project.toml", "what commands and tests work on, and limits"
    values = {
        "name": name,
        "title": _title(name),
        "kind": kind,
        "language": language,
        "circuits": circuits,
        "area": _AREA_WITH_TWO if circuits else _AREAS[kind],
        "row": "200, 77" if is_multiplier else "200, 65",
        "table": [(x.replace(_SKELETON, name), y) for x, y in (about, *_table(kind, language))],
    }
    made = {
        "README.md": _rendered("README.md", values),
        "project.toml": _rendered("project.toml", values),
        "pytest.ini": _rendered("pytest.ini", values),
        ".gitignore": _rendered("gitignore", values),
        ".github/workflows/tests.yml": _rendered("workflow.yml", values),
        f"tests/test_{name}.py": _rendered("tests/test_circuit.py", values),
    }
    if is_xcel:
        made["tests/test_programs.py"] = _rendered("tests/test_programs.py", values)
        app = _PROJECT / "app"
        made |= _under("app", _renamed(name, {x.name: _text(x) for x in _sorted(app)}))
    return made | _under(name, _design(name, kind, language, values))


def write_new(texts: Files, place: Path) -> None:
    """Write files into a new folder; ``UserError`` if there is one, or none above it."""
    if not place.parent.parent.is_dir():
        raise UserError(f"--output={place.parent}: there is no folder {place.parent.parent}")
    if place.exists() or place.is_symlink():
        raise UserError(f"folder {place} exists; another name or --output")
    if os.pathsep in (path := str(place.absolute())):
        raise UserError(f"{path}: RSAXCEL_DESIGNS can name no folder with {os.pathsep} in its path")
    write(texts, place)


def write(texts: Files, place: Path) -> None:
    """Write files into a folder, which is made if it is not there."""
    for file, text in texts.items():
        (place / file).parent.mkdir(parents=True, exist_ok=True)
        (place / file).write_text(text, encoding="utf-8")


def _table(kind: str, language: str) -> Iterator[tuple[str, str]]:
    what = _ABOUT[kind]
    if kind == "multiplier" and language == PYMTL:
        yield "skeleton/skeleton_fl.py", "what is computed, and what the circuit needs"
        yield "skeleton/skeleton_cl.py", "in how many cycles"
        yield "skeleton/skeleton_rtl.py", what
        yield "skeleton/__init__.py", "the design of which it is a part"
    else:
        own = kind == "xcel" or language == PYMTL
        place = "skeleton/core" if own else "skeleton"
        if own:
            is_xcel = kind == "xcel"
            told = "its registers, as software sees them" if is_xcel else "what is computed"
            yield "skeleton/skeleton_fl.py", told
        circuit = "skeleton/skeleton_rtl.py" if language == PYMTL else f"{place}/skeleton_*.v"
        yield circuit, what
        yield f"{place}/core.toml", "its ports and its protocol"
    if kind == "xcel":
        yield "app/baseline.c", "software alone"
        yield "app/accelerator.c", "the program of the accelerator"
    yield "tests/", "tests of all of it"


def _design(name: str, kind: str, language: str, values: dict[str, object]) -> Files:
    """Files of the folder of a project's design."""
    if kind == "multiplier":
        return multiplier(name) if language == PYMTL else _core(name, "product")
    if kind == "exponentiator":
        if language == VERILOG:
            return _core(name, "streams")
        return _package(name, _PLACE / "skeleton_power")
    own = _package(name, _PLACE / "skeleton_xcel")
    if language == PYMTL:
        power = _package(name, _PLACE / "skeleton_power")[f"{name}_rtl.py"]
        return own | {f"{name}_power.py": power}
    return {
        "__init__.py": _rendered("init.py", values),
        f"{name}_fl.py": own[f"{name}_fl.py"],
        **_under("core", _core(name, "xcel")),
    }


def _core(name: str, folder: str) -> Files:
    place = _PLACE / "core_skeleton" / folder
    if folder == VHDL:
        found = {f"{name}_core.vhd": place / "core.vhd"}
    else:
        found = {f"{name}_{'xcel' if folder == 'xcel' else 'core'}.v": place / "core.v"}
        if folder != "product":
            found[f"{name}_power.v"] = _POWER
    found["core.toml"] = place / "core.toml"
    return {file: _text(source).replace(_SKELETON, name) for file, source in found.items()}


def _package(name: str, place: Traversable) -> Files:
    """Files of a package of Python, with the new name, a new id and a description."""
    found = {x.name: _text(x) for x in _sorted(place) if x.name.endswith(".py")}
    if (description := place / "core" / "core.toml").is_file():
        found["core/core.toml"] = _text(description)
    return _renamed(name, found)


def _renamed(name: str, found: Files) -> Files:
    number = _LEAST_ID + crc32(name.encode()) % _IDS
    changes = {
        "rsaxcel.course.skeleton_power.skeleton_rtl": f"{name}.{name}_power",
        "rsaxcel.course.skeleton_power": name,
        "rsaxcel.course.skeleton_xcel": name,
        f"rsaxcel.course.{_SKELETON}": name,
        _SKELETON: name,
        _SKELETON.title(): _title(name),
        f"id={_LEAST_ID}": f"id={number}",
    }
    old = re.compile("|".join(map(re.escape, changes)))

    def renamed(text: str) -> str:
        # All names are replaced in one pass: the new name may have the old one in it.
        return old.sub(lambda found: changes[found[0]], text)

    return {renamed(file): renamed(text) for file, text in found.items()}


def _rendered(file: str, values: dict[str, object]) -> str:
    # Files of Python, TOML and YAML: nothing is escaped.
    environment = Environment(
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, undefined=StrictUndefined
    )
    template = _PROJECT.joinpath(*f"{file}.j2".split("/"))
    return environment.from_string(_text(template)).render(values)


def _under(folder: str, found: Files) -> Files:
    return {f"{folder}/{file}": text for file, text in found.items()}


def _text(file: Traversable) -> str:
    return file.read_text(encoding="utf-8")


def _sorted(place: Traversable) -> list[Traversable]:
    return sorted((x for x in place.iterdir() if x.is_file()), key=lambda file: file.name)


def _check(name: str, *designs: str) -> None:
    """Raise ``UserError`` for a name that Python, the registry or Verilog does not allow."""
    if (
        not _NAME.fullmatch(name)
        or Classes(type(_title(name), (), {}), object, object).name != name
    ):
        raise UserError(
            f"{name!r}: a name has small letters, digits and single underscores; each part between "
            "underscores begins with a letter and has two letters or more"
        )
    known = catalog.circuits()
    for taken in designs:
        if taken in known:
            raise UserError(f"{name}: there is a design or multiplier {taken} already")
    if keyword.iskeyword(name) or find_spec(name) is not None:
        raise UserError(f"{name}: Python or a package has this name already; take another one")
    title = _title(name)
    if keyword.iskeyword(title) or title in _names_in_skeleton():
        raise UserError(
            f"{name}: its class {title} would replace what its files use under this name; "
            "take another one"
        )


def _check_core(name: str) -> None:
    """Raise ``UserError`` for a name that a description or the registry does not allow."""
    if not _CORE_NAME.fullmatch(name) or len(name) > _LONGEST_CORE_NAME:
        raise UserError(
            f"{name!r}: a name has small letters, digits and single underscores, at most "
            f"{_LONGEST_CORE_NAME}, and begins with a letter"
        )
    if name in catalog.circuits():
        raise UserError(f"{name}: there is a design or multiplier {name} already")


def _names_in_skeleton() -> set[str]:
    """Return the names that the files of skeletons use, without the names of their classes."""
    places = ("skeleton", "skeleton_power", "skeleton_xcel")
    texts = [_text(x) for y in places for x in _sorted(_PLACE / y) if x.name.endswith(".py")]
    nodes = [x for text in texts for x in ast.walk(ast.parse(text))]
    names = {x.id for x in nodes if isinstance(x, ast.Name)} - {"Skeleton", "SkeletonXcel"}
    return names | {x.name for x in nodes if isinstance(x, ast.alias)} - {"Skeleton"}


def _title(name: str) -> str:
    """Name of a multiplier's classes: the parts of its name, capitalized and joined."""
    return "".join(map(str.capitalize, name.split("_")))
