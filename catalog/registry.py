"""The registry: every design by name, including designs from outside this project."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, NoReturn

from rsaxcel.catalog.choices import REDUCTIONS
from rsaxcel.catalog.designs import BUILT_IN, DEFAULT_NBITS, REDUCERS, Design, MultiplierEntry
from rsaxcel.catalog.given import GivenEntry, VerilogEntry
from rsaxcel.catalog.multipliers import COMPOSED, GIVEN, MULTIPLIERS, check_classes
from rsaxcel.catalog.units import CONSTANT_UNITS, BuiltIn, units_for
from rsaxcel.plan.domains import CONVERSIONS, DOMAINS, PRODUCT, one_constant, r_squared_constant
from rsaxcel.plan.modulus_constants import HOST
from rsaxcel.plan.schedules import SCHEDULES
from rsaxcel.store.errors import UserError
from rsaxcel.store.limit import time_limit

ENTRY_POINTS = "rsaxcel.designs"
"""Group of entry points; each entry point gives a design or several designs."""

VARIABLE = "RSAXCEL_DESIGNS"
"""Environment variable that lists Python files or package folders; each lists its ``DESIGNS``."""

CORES = "RSAXCEL_CORES"
"""Environment variable that lists folders of cores that others wrote, with descriptions alone."""

_SYSTEMS = ("proc_", "axi_")  #: as proc.kinds.ATTACHED, which is below the seam

DESCRIPTION = "core.toml"  # as cores.description.FILE, which is slow to import

DESIGNS: dict[str, Design] = {}  #: every design by its name

#: time limit for loading and trying out the designs of one entry point or file
LOADING_SECONDS = 15

PROBLEMS: list[str] = []  #: messages about designs that could not be registered, one line each

LEFT_OUT: list[str] = []  #: such messages about cores, which only commands about cores show


class NameTakenError(UserError):
    """Raised if the name of a design, a multiplier or its module belongs to another one."""


def register(*designs: Design) -> None:
    """Register designs and the multipliers that they use: all of them, or none.

    Raises
    ------
    ValueError
        If a name or an id is taken, or a name, id, schedule, number of lanes or multiplier is not
        allowed.
    """
    before = dict(DESIGNS)
    try:
        for design in designs:
            _check(design)
            _enter(design)
    except ValueError:
        for name in DESIGNS.keys() - before.keys():
            del DESIGNS[name]
        raise


def register_given(entry: VerilogEntry) -> None:
    """Register a circuit as Verilog; ``ValueError`` if its name is taken or not allowed."""
    if entry.name in circuits() | REDUCERS:
        raise NameTakenError(f"design {entry.name}: there is one of this name already")
    if not hasattr(entry, "described"):  # the Verilog of a core is read where it is used
        entry.configure(entry.widths[0])
    GIVEN[entry.name] = entry


def named(text: str) -> str:
    """Put the name of a core in place of its description's path, and register the core.

    The path may be that of the folder; what follows a colon, such as a width, stays.
    """
    head, colon, rest = text.partition(":")
    system = next((x for x in _SYSTEMS if head.startswith(x) and not Path(head).exists()), "")
    path = Path(head.removeprefix(system))
    is_folder = head not in circuits() and (path / DESCRIPTION).is_file()
    if path.suffix != ".toml" and not is_folder:
        return text
    from rsaxcel.catalog.described import describe, is_same

    entry = describe(path)
    known = GIVEN.get(entry.name)
    if known is None or not is_same(entry, known):
        register_given(replace(entry, typed=str(path)))
        listed = [*filter(None, os.environ.get(VARIABLE, "").split(os.pathsep))]
        os.environ[VARIABLE] = os.pathsep.join([*listed, str(path.absolute())])  # for children
    return f"{system}{entry.name}{colon}{rest}"


def typed(name: str) -> str:
    """Return what a user types for a name, also of a system: a core's path, if that was given."""
    system = next((x for x in _SYSTEMS if name.startswith(x)), "")
    path = getattr(GIVEN.get(name.removeprefix(system)), "typed", "")
    return f"{system}{path}" if path else name


def _enter(design: Design) -> None:
    classes = design.multiplier
    known = MULTIPLIERS.setdefault(classes.name, classes)
    if known is not classes and known != classes:
        raise NameTakenError(f"multiplier {classes.name}: {known.fl} has this name already")
    DESIGNS[design.name] = design


def _check(design: Any) -> None:
    if not isinstance(design, Design):
        raise ValueError(f"{type(design).__name__} is no catalog.Design")
    name = design.name
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise ValueError(f"design {name!r}: letters, digits and _ are allowed in names")
    if type(design.id) is not int or design.id < 1:
        raise ValueError(f"design {name}: id {design.id!r}; 1 or more is allowed")
    for known in DESIGNS.values():
        if name == known.name:
            raise NameTakenError(f"design {name}: there is one of this name already")
        if design.id == known.id:
            free = 1 + max(each.id for each in DESIGNS.values())
            raise ValueError(
                f"design {name}: id {design.id} is that of {known.name}; {free} is free"
            )
    schedule = SCHEDULES.get(design.schedule)
    if schedule is None:
        raise ValueError(
            f"design {name}: schedule={design.schedule}: {', '.join(SCHEDULES)} are allowed"
        )
    most = 2 if design.domain == "crt" else schedule.lanes
    if type(design.lanes) is not int or not 1 <= design.lanes <= most:
        raise ValueError(
            f"design {name}: lanes={design.lanes!r}: "
            + ("1 is" if most == 1 else f"1 to {most} are")
            + f" allowed with schedule={design.schedule}"
        )
    # tests check the built-in multipliers, so that no check is needed here
    if not isinstance(design.multiplier, BuiltIn):
        check_classes(design.multiplier)
    if name in MULTIPLIERS or name == design.multiplier.name:
        raise ValueError(f"design {name}: a multiplier has this name")
    if {name, design.multiplier.name} & GIVEN.keys():
        raise NameTakenError(
            f"design {name}: a design in Verilog has this name, or its multiplier's"
        )


def designs() -> dict[str, Design | GivenEntry]:
    """Every design by its name, those as Verilog last."""
    return {**DESIGNS, **{name: x for name, x in GIVEN.items() if isinstance(x, GivenEntry)}}


def find_design(name: str) -> Design | GivenEntry:
    """Design by its name, or a design as Verilog; ``ValueError`` as of ``get``."""
    return _of_name(name, designs())


def multipliers() -> dict[str, MultiplierEntry]:
    """Every multiplier of the registry by its name, but those as Verilog."""
    return {name: MultiplierEntry(classes) for name, classes in MULTIPLIERS.items()}


def circuits() -> dict[str, Design | MultiplierEntry | VerilogEntry]:
    """Every design and multiplier by its name, also those as Verilog."""
    return {**designs(), **multipliers(), **GIVEN}


def is_multiplier(name: str) -> bool:
    """Whether a name is a multiplier's, and no reducer's."""
    return name in circuits().keys() - designs().keys()


def get(name: str) -> Design:
    """Design by its name; if the name is unknown, ``ValueError`` lists the allowed names."""
    return _of_name(name, DESIGNS)


def _of_name(name: str, known: Mapping[str, Any]) -> Any:
    if name not in known:
        is_what = "in Verilog" if name in designs() else "a multiplier"
        is_what = is_what if name in circuits() else "unknown"
        raise ValueError(f"design {name!r} is {is_what}; allowed: {', '.join(known)}")
    return known[name]


def first_design(multiplier: str) -> Design:
    """First design of the registry that uses a multiplier; ``ValueError`` if there is none."""
    for design in DESIGNS.values():
        if design.multiplier.name == multiplier:
            return design
    if multiplier in COMPOSED:
        helps = f"a design with multiplier={multiplier} is allowed"
        raise ValueError(f"multiplier {multiplier}: no design of the registry has it; {helps}")
    allowed = ", ".join(MULTIPLIERS)
    raise ValueError(f"multiplier {multiplier!r} is unknown; allowed: {allowed}")


def find(name: str) -> Design | MultiplierEntry | VerilogEntry:
    """Design, multiplier, reducer or circuit as Verilog; ``ValueError`` lists the allowed names."""
    entries: dict[str, Any] = {**DESIGNS, **multipliers(), **REDUCERS, **GIVEN}
    if name not in entries:
        raise ValueError(f"design {name!r} is unknown; allowed: {', '.join(entries)}")
    return entries[name]


def axes() -> dict[str, dict[str, str]]:
    """Every axis with its choices: the token of each choice, and a description."""
    units = {token: f"by {classes.fl.meaning}" for token, classes in CONSTANT_UNITS.items()}
    host = {HOST: "with the request, from the host"}
    of_r, of_r_squared = (
        {
            u: units[u]
            for u in units_for(declare(DEFAULT_NBITS, DEFAULT_NBITS).formula, DEFAULT_NBITS)
        }
        for declare in (one_constant, r_squared_constant)
    )
    return {
        "multiplier": {n: classes.fl.source for n, classes in COMPOSED.items()},
        "domain": dict(DOMAINS),
        "conversions": dict(CONVERSIONS),
        "r_squared": of_r_squared | host,
        "one": {PRODUCT: "a product of 1 and R^2 mod m"} | of_r | host,
        "reduction": dict(REDUCTIONS),
        "schedule": {token: schedule.meaning for token, schedule in SCHEDULES.items()},
        "lanes": {"1": "one multiplier in the loop", "2": "two, where the schedule can use them"},
    }


def outside_points() -> Iterable[Any]:
    """Entry points (``importlib.metadata``) by which other packages offer designs."""
    # Most installations have no such package, and importing ``importlib.metadata`` takes as long as
    # importing all multipliers. So it is imported only if a file of entry points contains
    # ``ENTRY_POINTS``.
    if not any(map(_names_designs, sys.path)):
        return ()
    from importlib.metadata import entry_points

    return entry_points(group=ENTRY_POINTS)


def _names_designs(place: str) -> bool:
    """Whether a folder or archive of ``sys.path`` may hold a package with designs."""
    folder = Path(place)
    try:
        files = [*folder.glob("*-info/entry_points.txt")]
        declared = any(ENTRY_POINTS.encode() in file.read_bytes() for file in files)
    except OSError:  # importlib.metadata shall decide about files that can't be read
        declared = True
    return declared or folder.is_file()  # a file is an archive: only importlib.metadata reads it


def register_outside() -> None:
    """Register designs of other packages and of ``named_places``; failures: ``PROBLEMS``."""
    for point in outside_points():
        _register_from(f"entry point {point.name}", point.load, PROBLEMS)
    for variable, item in named_places():
        path = Path(item).absolute()
        described = descriptions(path)
        for file in described:
            _register_from(f"{variable}: {item}", partial(_describe, file), LEFT_OUT)
        if not described:
            load = _load if variable == VARIABLE else _refuse
            _register_from(f"{variable}: {item}", partial(load, path), PROBLEMS)


def named_places() -> list[tuple[str, str]]:
    """Paths that the environment lists, each with the name of its variable."""
    listed = {x: os.environ.get(x, "").split(os.pathsep) for x in (VARIABLE, CORES)}
    return [(variable, item) for variable, items in listed.items() for item in items if item]


def _refuse(folder: Path) -> NoReturn:
    raise ValueError(f"{folder}: no {DESCRIPTION} is in it, or in a folder in it")


def _register_from(where: str, load: Callable[[], Any], problems: list[str]) -> None:
    try:
        with time_limit(LOADING_SECONDS):
            found = load()
            for design in found if isinstance(found, Iterable) else (found,):
                if isinstance(design, VerilogEntry):
                    register_given(design)
                    continue
                _check(design)
                _try_out(design)
                _enter(design)
    except (Exception, SystemExit) as error:  # a module from outside may raise anything
        kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
        taken = isinstance(error, NameTakenError) and os.environ.get(VARIABLE)
        helps = f"; rename the multiplier or unset {VARIABLE}" if taken else ""
        problems.append(f"{where}: {kind}{error}{helps}")


def _try_out(design: Design) -> None:
    """Evaluate a design of another package once, to find mistakes before it is registered."""
    configuration = design.default
    hash(configuration)
    golden = configuration.multiplier_golden
    if golden.r % 2 == 0 and not golden.odd_modulus:
        raise ValueError(
            f"design {design.name}: odd_modulus of its multiplier is False, but r is even and has "
            "no inverse modulo an even modulus; odd_modulus = True, or an odd r, is allowed"
        )
    configuration.evaluate(1, 5, configuration.usable_modulus(7))


def descriptions(path: Path) -> list[Path]:
    """Descriptions of cores that a path names: a file, one in a folder, or some in its folders."""
    if path.suffix == ".toml":
        return [path]
    if (path / DESCRIPTION).is_file():
        return [path / DESCRIPTION]
    return [] if (path / "__init__.py").is_file() else sorted(path.glob(f"*/{DESCRIPTION}"))


def _describe(file: Path) -> Any:
    from rsaxcel.catalog.described import describe

    return describe(file)


def _load(path: Path) -> Iterable[Any]:
    """Load ``DESIGNS`` of a Python file or of its folder."""
    file = path / "__init__.py" if path.is_dir() else path
    if not file.is_file():
        raise ValueError(f"{file} is missing")
    if path.stem in sys.modules:
        raise NameTakenError(f"a module of the name {path.stem} is loaded already")
    folders = [str(path)] if path.is_dir() else None
    spec = spec_from_file_location(path.stem, file, submodule_search_locations=folders)
    if spec is None or spec.loader is None:
        raise ValueError(f"{file} is no Python file")
    module = module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    if not hasattr(module, "DESIGNS"):
        raise ValueError("it has no DESIGNS")
    return module.DESIGNS


for _design in BUILT_IN:
    try:
        register(_design)
    except ValueError as error:
        PROBLEMS.append(f"catalog/designs.py: {error}")
