"""Reports why designs of other packages cannot be loaded."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from rsaxcel.catalog import PROBLEMS, registry
from rsaxcel.catalog.given import VerilogEntry
from rsaxcel.course import project
from rsaxcel.diagnosis.error import silent
from rsaxcel.store.errors import UserError
from rsaxcel.store.limit import time_limit
from rsaxcel.store.shown import one_line

_FILE = re.compile(r": ([^:]+)\.toml\b")
_CORE_NAME = re.compile(r"""^name\s*=\s*["'](\w+)["']""", re.MULTILINE)


def check_outside(arguments: Sequence[str] = ()) -> None:
    """Check that all designs of other packages were registered.

    The registry keeps a message for each failure. If a circuit or a model caused the failure, the
    design is loaded again to find the statement. A core that is left out gets a line, and stops no
    command about other designs; the first of ``arguments``, which a command has, is a design.
    """
    names = {x.partition(":")[0] for x in arguments[:1]}
    for told in registry.LEFT_OUT:
        file = Path(f"{found[1]}.toml") if (found := _FILE.search(told)) else Path()
        if names & (_names_of(file) - registry.circuits().keys()):
            raise UserError(one_line(told))
    left_out = [x for x in registry.LEFT_OUT if not _is_given(x, names)]
    if left_out:
        more = f" (and {len(left_out) - 1} more)" if len(left_out) > 1 else ""
        click.echo(f"rsaxcel: a core is left out{more}: {one_line(left_out[0])}", err=True)
    if PROBLEMS:
        from rsaxcel.diagnosis.error import DesignError
        from rsaxcel.diagnosis.explain import diagnose

        try:
            with silent(), time_limit(registry.LOADING_SECONDS):
                _load_again()
        except DesignError:
            raise
        except (Exception, SystemExit) as error:  # other packages can raise any exception
            raise diagnose(error, modules=True) or UserError(_problem()) from error
        raise UserError(_problem())


def _problem() -> str:
    """Return the first problem; without the variable if a project has set it, not the user."""
    told = PROBLEMS[0]
    for place in project.ENTERED:
        told = told.removeprefix(f"{registry.VARIABLE}: {place}: ")
    return told


def _names_of(file: Path) -> set[str]:
    """Names by which a command may mean a core that is left out: no paths of it."""
    if not file.is_file() or Path(file.parent.name, file.name).exists():
        return set()
    with file.open("rb") as content:
        text = content.read(1 << 16).decode(errors="replace")
    return {file.parent.name, *_CORE_NAME.findall(text)}


def _is_given(told: str, names: set[str]) -> bool:
    """Whether the command has the path of a core that is left out: it tells the same."""
    file = Path(f"{found[1]}.toml") if (found := _FILE.search(told)) else Path()
    paths = {Path(x).absolute() for x in names if x}
    return bool(paths & {file.absolute(), file.absolute().parent})


def _load_again() -> None:
    for point in registry.outside_points():
        _try_out(point.load())
    for variable, item in registry.named_places():
        path = Path(item).absolute()
        if variable != registry.VARIABLE or registry.descriptions(path):
            continue
        for name in [*sys.modules]:
            if name == path.stem or name.startswith(f"{path.stem}."):
                del sys.modules[name]
        _try_out(registry._load(path))


def _try_out(found: object) -> None:
    from rsaxcel.diagnosis.check import check_models

    for design in found if isinstance(found, tuple | list) else (found,):
        if isinstance(design, VerilogEntry):
            registry.register_given(design)
            continue
        registry._check(design)
        check_models(design.default)
        registry._try_out(design)
