"""pytest plugin: a test with the mark ``rsaxcel`` gets a table of cases for circuits.

Nothing heavy is imported, and no option is added, where no ``project.toml`` of ours is in the
folder or above it: other people's tests keep their time and their options.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import pytest

from rsaxcel.store.errors import RsaxcelError, UserError

if TYPE_CHECKING:
    from rsaxcel.course.project import Project

_MARK = (
    "rsaxcel(*circuits, nbits=None, rows=(), program=None, **params): parametrizes `case`; "
    "circuits and widths are those of project.toml unless given"
)
_PROJECT = pytest.StashKey["Project | None"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --nbits and --level in a project."""
    with suppress(RsaxcelError):  # told when pytest is configured
        if _find(Path.cwd()) is None:
            return
    group = parser.getgroup("rsaxcel")
    group.addoption(
        "--nbits", dest="rsaxcel_nbits", metavar="N", help="width of operands: 16, or 8,16"
    )
    group.addoption(
        "--level",
        dest="rsaxcel_levels",
        action="append",
        choices=("fl", "cl", "rtl", "netlist", "flow"),
        help="level to test, can be repeated; netlist and flow run only when asked for",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make the project's design known to this process and to its workers."""
    config.addinivalue_line("markers", _MARK)
    with _told(pytest.UsageError):
        project = _find(config.invocation_params.dir) or _find(config.rootpath)
    config.stash[_PROJECT] = project
    if project:
        project.enter()
        from rsaxcel import catalog

        catalog.designs()  # loads the project's, whose package tests may import


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize ``case``."""
    mark = metafunc.definition.get_closest_marker("rsaxcel")
    if mark and "case" in metafunc.fixturenames:
        with _told(pytest.Collector.CollectError):
            found = list(_cases(metafunc.config, *mark.args, **mark.kwargs))
        if not found:
            reason = pytest.mark.skip(reason="no case is at the level that is asked for")
            metafunc.parametrize("case", [pytest.param(None, marks=reason)], ids=["none"])
            return
        metafunc.parametrize("case", found, ids=[x.name for x in found], indirect=True)


@pytest.fixture
def case(request: pytest.FixtureRequest, cmdline_opts: dict[str, Any]) -> Any:
    """Return a case of the mark; --dump-vcd and --max-cycles are PyMTL3's."""
    from dataclasses import replace

    from rsaxcel.course.testing.case import Case

    if not hasattr(request, "param"):
        raise pytest.UsageError("a test with `case` needs @pytest.mark.rsaxcel")
    found = request.param
    if not isinstance(found, Case):
        return found
    if cmdline_opts["test_verilog"] and (found.level, found.engine) != ("rtl", "native"):
        pytest.skip("--test-verilog: only what runs as Verilog")
    has_waves = cmdline_opts["dump_vcd"] and found.level not in ("fl", "netlist")
    vcd = Path(f"{found.name}.vcd") if has_waves else None
    limit = cmdline_opts["max_cycles"]
    return replace(found, vcd=vcd, max_cycles=limit, command=_command(request, limit))


def _command(request: pytest.FixtureRequest, max_cycles: int | None) -> str:
    """Write the command that runs a case alone, from the folder in which pytest was started."""
    config = request.config
    file = os.path.relpath(request.path, config.invocation_params.dir)
    node = "::".join((file, *request.node.nodeid.split("::")[1:]))
    options = [f"--level {x}" for x in config.getoption("rsaxcel_levels", None) or ()]
    if widths := config.getoption("rsaxcel_nbits", None):
        options.append(f"--nbits {widths}")
    if max_cycles:
        options.append(f"--max-cycles {max_cycles}")
    return " ".join(("pytest", quote(node), *options))


@pytest.fixture
def evaluation(pytestconfig: pytest.Config) -> Any:
    """Return results and cycles of the project's evaluation programs, the baseline first."""
    from rsaxcel.course.testing.case import evaluate

    project = _project(pytestconfig, "the fixture evaluation")
    try:
        return evaluate(project)
    except RsaxcelError as error:
        pytest.fail(str(error), pytrace=False)


@contextmanager
def _told(kind: type[Exception]) -> Iterator[None]:
    """Let pytest tell an error in a line, as commands do, by an exception of its own."""
    try:
        yield
    except (RsaxcelError, ValueError) as error:
        raise kind(" ".join(str(error).split())) from error


def _find(place: Path) -> Project | None:
    # Before the import of the project's reader: a folder without such a file costs nothing.
    if not any((x / "project.toml").is_file() for x in (place, *place.parents)):
        return None
    from rsaxcel.course.project import find_project

    return find_project(place)


def _project(config: pytest.Config, what: str) -> Project:
    if (found := config.stash[_PROJECT]) is None:
        raise pytest.UsageError(f"{what}: there is no project.toml here or above")
    return found


def _cases(
    config: pytest.Config,
    *circuits: str,
    nbits: int | None = None,
    rows: Any = (),
    program: str | None = None,
    **params: Any,
) -> Iterator[Any]:
    from rsaxcel.catalog import registry
    from rsaxcel.course.testing.case import LEVELS, LimitsCase, cases_of

    for told in (*registry.PROBLEMS, *registry.LEFT_OUT):
        raise UserError(told)
    project = config.stash[_PROJECT]
    if not circuits:
        circuits = tuple(_project(config, "rsaxcel without a circuit").circuits)
    asked = config.getoption("rsaxcel_nbits", None)
    known = project.settings.nbits if project else [8]
    if asked and not re.fullmatch(r"\d+(,\d+)*", asked):
        raise UserError(f"--nbits {asked}: a width is allowed, or several as 8,16")
    widths = [int(x) for x in asked.split(",")] if asked else [nbits] if nbits else known
    levels = config.getoption("rsaxcel_levels", None) or LEVELS[:3]
    for width in widths:
        if program:
            from rsaxcel.course.testing.case import program_cases

            home = _project(config, "rsaxcel(program=...)")
            yield from program_cases(home.system, width, home.folder / program, levels)
            continue
        for name in circuits:
            in_python = bool(asked) or width == widths[0]
            yield from cases_of(name, width, levels, rows, in_python=in_python, **params)
    if project and "flow" in levels and not (program or rows):
        from rsaxcel import catalog

        settings = project.settings
        measured = catalog.find(circuits[0]).configure(widths[0], **params)
        yield LimitsCase(measured, project.library, settings.clock_ns, settings.limits)
