"""``rsaxcel new``: writes the files of a new multiplier or of a core to start from."""

import ast
import keyword
import os
import re
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from zlib import crc32

import click

from rsaxcel import catalog
from rsaxcel.catalog import Classes
from rsaxcel.store.errors import UserError

_SKELETON = "skeleton"
_CORES = "core_skeleton"
_PROTOCOLS = "streams", "start_done", "words"
_VERILOG, _VHDL = "verilog", "vhdl"
_OF_ALL_CORES = "power.v"  #: in Verilog
_LEAST_ID = 1000
_IDS = 1_000_000
_CORE_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_LONGEST_CORE_NAME = 40
_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*")


@click.command(
    epilog="""\b
    Examples:
      rsaxcel new multiplier booth
      export RSAXCEL_DESIGNS=$PWD/booth
      rsaxcel sim booth --random 100
      rsaxcel sim booth_r2l --random 100
      rsaxcel new core mine --protocol start_done
      rsaxcel sim mine/core.toml --random 100
    """
)
@click.argument("kind", type=click.Choice(("multiplier", "core")))
@click.argument("name")
@click.option(
    "--protocol",
    type=click.Choice(_PROTOCOLS),
    help="Of a core, which needs one: streams have valid and ready, start_done a start and a sign "
    "of the end, words registers with addresses.",
)
@click.option(
    "--language",
    type=click.Choice((_VERILOG, _VHDL)),
    help="Of a core; in VHDL, its protocol is streams.  [default: verilog]",
)
@click.option(
    "--output",
    "-o",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    metavar="FOLDER",
    help="Where the folder NAME is made.  [default: here]",
)
def command(kind: str, name: str, protocol: str | None, language: str | None, folder: Path) -> None:
    """Write a multiplier or a core in Verilog or VHDL to start from.

    A multiplier: four small files in a folder NAME, golden model, cycle model, circuit and entry.
    They work as they are: a product by doubling and adding, a bit per cycle. TODO marks what to
    change. RSAXCEL_DESIGNS=.../NAME makes the multiplier NAME and the design NAME_r2l known to
    every command.

    A core: Verilog or VHDL in a folder NAME, with its description core.toml, which every
    command takes for DESIGN. It works as it is, too: a power by interleaved multiplication, a bit
    per cycle.
    """
    if kind == "core":
        if protocol is None:
            raise UserError(f"core: --protocol is needed; allowed: {', '.join(_PROTOCOLS)}")
        if language == _VHDL and protocol != "streams":
            raise UserError(f"--language={_VHDL}: --protocol=streams is allowed")
        _check_core(name)
        texts = _core_texts(name, language or _VERILOG, protocol)
    else:
        for option, given in (("protocol", protocol), ("language", language)):
            if given is not None:
                raise UserError(f"--{option}={given}: not for a multiplier; a core is allowed")
        _check(name)
        texts = _texts(name)
    place = folder / name
    if not folder.parent.is_dir():
        raise UserError(f"--output={folder}: there is no folder {folder.parent}")
    if place.exists() or place.is_symlink():
        raise UserError(f"folder {place} exists; another name or --output")
    if os.pathsep in (path := str(place.absolute())):
        raise UserError(f"{path}: RSAXCEL_DESIGNS can name no folder with {os.pathsep} in its path")
    place.mkdir(parents=True)
    for file, text in texts.items():
        (place / file).write_text(text)
    click.echo(f"{place}: {', '.join(texts)}")
    if kind == "core":
        click.echo(f"to try it: rsaxcel sim {quote(str(place / 'core.toml'))} --random 100")
        return
    click.echo(f"to use it: export RSAXCEL_DESIGNS={quote(str(place.absolute()))}")
    click.echo(f"to try it: rsaxcel sim {name} --random 100; rsaxcel sim {name}_r2l --random 100")


def _check(name: str) -> None:
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
    for taken in (name, f"{name}_r2l"):
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


def _core_texts(name: str, language: str, protocol: str) -> dict[str, str]:
    """Return the texts of the files of a new core, by file name.

    They are those of ``course/core_skeleton``, with the new name.
    """
    skeleton = files("rsaxcel.course").joinpath(_CORES)
    if language == _VHDL:
        place = skeleton / _VHDL
        found = {f"{name}_core.vhd": place / "core.vhd"}
    else:
        place = skeleton / protocol
        found = {
            f"{name}_core.v": place / "core.v",
            f"{name}_{_OF_ALL_CORES}": skeleton / _OF_ALL_CORES,
        }
    found["core.toml"] = place / "core.toml"
    return {
        file: source.read_text(encoding="utf-8").replace(_SKELETON, name)
        for file, source in found.items()
    }


def _names_in_skeleton() -> set[str]:
    """Return the names that the files of the skeleton use, without the names of its classes."""
    nodes = [x for text in _skeleton().values() for x in ast.walk(ast.parse(text))]
    names = {x.id for x in nodes if isinstance(x, ast.Name)}
    return names | {x.name for x in nodes if isinstance(x, ast.alias)}


def _skeleton() -> dict[str, str]:
    """Return the texts of the skeleton's files, by file name."""
    found = sorted(files(f"rsaxcel.course.{_SKELETON}").iterdir(), key=lambda file: file.name)
    return {x.name: x.read_text(encoding="utf-8") for x in found if x.name.endswith(".py")}


def _texts(name: str) -> dict[str, str]:
    """Return the texts of the new files, by file name.

    Texts are those of the skeleton (``course/skeleton``), with the new name and a new id.
    """
    number = _LEAST_ID + crc32(name.encode()) % _IDS
    changes = {
        f"rsaxcel.course.{_SKELETON}": name,
        _SKELETON: name,
        _SKELETON.title(): _title(name),
        f"id={_LEAST_ID}": f"id={number}",
    }
    old = re.compile("|".join(map(re.escape, changes)))

    def renamed(text: str) -> str:
        # All names are replaced in one pass: the new name may have the old one in it.
        return old.sub(lambda found: changes[found[0]], text)

    return {renamed(file): renamed(text) for file, text in _skeleton().items()}


def _title(name: str) -> str:
    """Name of a multiplier's classes: the parts of its name, capitalized and joined."""
    return "".join(map(str.capitalize, name.split("_")))
