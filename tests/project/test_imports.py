"""Order of imports: a package imports only packages below it, and modules form no cycle."""

import ast
import builtins
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter

import pytest
from setuptools import find_packages

from rsaxcel.store import packages
from tests.shared.processes import ROOT, run

# One worker reads all modules.
pytestmark = pytest.mark.xdist_group("sources")

PACKAGES = tuple(f"rsaxcel.{name}" for name in packages.PACKAGES)
CIRCUIT, INTERFACE = MODULES = "rsaxcel.circuit", "rsaxcel.interface"
LOWEST = "rsaxcel.plan", "rsaxcel.fl"
BELOW = {
    **{name: (*PACKAGES[:place], CIRCUIT) for place, name in enumerate(PACKAGES)},
    **{"rsaxcel.store": (), "rsaxcel.plan": (), "rsaxcel.fl": PACKAGES[:2], CIRCUIT: PACKAGES[:3]},
    **{"rsaxcel.cl": LOWEST, "rsaxcel.rtl": LOWEST},
    "rsaxcel.cores": ("rsaxcel.store", *LOWEST, "rsaxcel.rtl", CIRCUIT),
    **{INTERFACE: (*PACKAGES, CIRCUIT), "tools": (*PACKAGES, CIRCUIT)},
}
"""Packages that each package may import besides itself."""

BELOW_IN_RTL = {
    "rsaxcel.rtl.lib": (),
    "rsaxcel.rtl.stores": ("rsaxcel.rtl.lib", "rsaxcel.rtl.reducers"),
    "rsaxcel.rtl.reducers": ("rsaxcel.rtl.lib",),
    "rsaxcel.rtl.multipliers": ("rsaxcel.rtl.lib",),
    "rsaxcel.rtl.constants": ("rsaxcel.rtl.lib", "rsaxcel.rtl.multipliers"),
    "rsaxcel.rtl.exponentiators": ("rsaxcel.rtl.lib", "rsaxcel.rtl.stores"),
    "rsaxcel.rtl.measures": ("rsaxcel.rtl.lib", "rsaxcel.rtl.stores", "rsaxcel.rtl.exponentiators"),
    "rsaxcel.rtl.xcel": ("rsaxcel.rtl.lib",),
    "rsaxcel.rtl.axi": ("rsaxcel.rtl.lib",),
    "rsaxcel.rtl.shells": ("rsaxcel.rtl.lib",),
}
"""Parts of rtl that each part may import: units do not import the exponentiators around them."""

LOADERS = {
    "rsaxcel.cli.main",
    "rsaxcel.catalog.units",
    "rsaxcel.eval.measure.processes",
    "rsaxcel.store.old_names",
}

CLASS_IN_TEXT = re.compile(r"[a-z_][\w.]*:[A-Z]\w*")


@cache
def modules() -> dict[str, ast.Module]:
    """Syntax trees of all modules by dotted name; a package's is that of its ``__init__.py``."""
    found = {}
    for package in BELOW:
        top = package.removeprefix("rsaxcel.")
        for path in (ROOT / f"{top}.py",) if package in MODULES else (ROOT / top).rglob("*.py"):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            name = f"{package.removesuffix(top)}{name.removesuffix('.__init__')}"
            found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def imports(module: str) -> Iterator[str]:
    """Yield all names that a module imports, also in functions and for type checkers."""
    for node in ast.walk(modules()[module]):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module}: relative import in line {node.lineno}"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in modules() else str(node.module)


def is_part(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def parts(package: str) -> list[str]:
    return [name for name in modules() if is_part(name, package)]


def violations(order: dict[str, tuple[str, ...]]) -> list[str]:
    """List imports between the keys of ``order`` that it does not allow."""
    return [
        f"{module} imports {target}"
        for package, below in order.items()
        for module in parts(package)
        for target in imports(module)
        for other in order
        if is_part(target, other) and other not in (package, *below)
    ]


def test_every_package_is_read():
    """The tables name all packages and parts, so that new ones are checked, too."""
    found = {*find_packages(str(ROOT), exclude=["tests", "tools", "*.*"])}
    assert {f"rsaxcel.{name}" for name in found} | {*MODULES, "tools"} == set(BELOW)
    checked = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]["files"]
    named = {x.removesuffix(".py").replace("/", ".") for x in checked}
    assert named - {"rsaxcel.__init__", "rsaxcel.__main__"} == set(BELOW)
    folders = {path.name for path in (ROOT / "rtl").iterdir() if path.is_dir()} - {"__pycache__"}
    modules_of_rtl = {
        "rsaxcel.rtl.reducers",
        "rsaxcel.rtl.xcel",
    }  # the other modules of rtl join parts
    assert {f"rsaxcel.rtl.{name}" for name in folders} | modules_of_rtl == set(BELOW_IN_RTL)
    assert all(parts(package) for package in (*BELOW, *BELOW_IN_RTL))


def test_the_map_is_true():
    """CONTRIBUTING.md draws every room, in the order of imports, with what it may import."""
    picture = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("```")[1]
    drawn = re.findall(r"^  (?:  \|  )?(\w+).* {3}(\S.*)$", picture, re.MULTILINE)[1:]
    assert [f"rsaxcel.{name}" for name, _ in drawn] == [*PACKAGES]
    for number, (name, told) in enumerate(drawn):
        below = {x.removeprefix("rsaxcel.") for x in BELOW[f"rsaxcel.{name}"] if x != CIRCUIT}
        words = {"nothing": set(), "all above": {x for x, _ in drawn[:number]}}
        assert words.get(told, {*told.split(", ")}) == below, name


@pytest.mark.parametrize("order", [BELOW, BELOW_IN_RTL], ids=["packages", "rtl"])
def test_imports_go_one_way(order):
    assert not violations(order)


def test_what_the_seam_hands_on_has_one_place_on_each_side():
    """Rooms above the catalog import from ``circuit`` what it has from below, others do not."""
    (declared,) = (
        ast.literal_eval(node.value)
        for node in modules()[CIRCUIT].body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    )

    def taken(module: str) -> set[tuple[str, str]]:
        found = (x for x in ast.walk(modules()[module]) if isinstance(x, ast.ImportFrom))
        return {(str(x.module), alias.name) for x in found for alias in x.names}

    origin = {name: module for module, name in taken(CIRCUIT) if name in declared}
    assert {"Halves", "ModulusConstant", "Widths"} == origin.keys()
    places = {name: (module, CIRCUIT) for name, module in origin.items()}
    above = (*PACKAGES[PACKAGES.index("rsaxcel.catalog") + 1 :], INTERFACE, "tools")
    assert not [
        f"{module} imports {name} from {source}"
        for module in modules()
        for source, name in taken(module)
        if module != CIRCUIT
        and source in places.get(name, ())
        and source != places[name][any(is_part(module, x) for x in above)]
    ]


def test_all_errors_have_one_root():
    """Commands judge by it; the two others are raised in code of users, or never leave proc."""
    bases = {
        node.name: [ast.unparse(x).rpartition(".")[2] for x in node.bases]
        for tree in modules().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }

    def above(name: str, seen: frozenset[str] = frozenset()) -> frozenset[str]:
        left = {*bases.get(name, ())} - seen
        return seen.union(*(above(x, seen | left) for x in left)) | left

    kinds = {x for x, kind in vars(builtins).items() if isinstance(kind, type)}
    kinds = {x for x in kinds if issubclass(getattr(builtins, x), Exception)}
    ours = {name for name in bases if above(name) & kinds}
    assert {x for x in ours if "RsaxcelError" not in above(x)} == {
        "RsaxcelError",
        "StopError",
        "TooLongError",
    }


def test_only_commands_know_the_command_line():
    """Rooms below take a callable for progress, and raise errors with an exit status."""
    above = ("rsaxcel.cli", "tools")
    using = {m for m in modules() for x in imports(m) if is_part(x, "click")}
    assert {m for m in using if not any(is_part(m, x) for x in above)} == set()


def test_no_package_imports_tests():
    using = [m for m in modules() for target in imports(m) if is_part(target, "tests")]
    assert not using


def test_no_package_is_imported_without_the_prefix():
    """A checkout's root may be on Python's path; the prefix keeps each module and class single."""
    bare = re.compile(rf"^ *(?:from|import) (?:{'|'.join(packages.PACKAGES)})\b", re.MULTILINE)
    folders = (*packages.PACKAGES, "tools", "tests", "docs")
    paths = [
        x for name in folders for x in (ROOT / name).rglob("*.*") if x.suffix in (".py", ".md")
    ]
    texts = {path: path.read_text(encoding="utf-8") for path in (*ROOT.glob("*.py"), *paths)}
    assert [
        f"{path}: {found[0]}" for path, text in texts.items() if (found := bare.search(text))
    ] == []


@pytest.mark.parametrize("here", [True, False], ids=["in the checkout", "elsewhere"])
def test_no_module_is_loaded_twice(here, tmp_path):
    """Also where another name leads to a module, as in designs of earlier versions."""
    program = (
        "import sys; from rsaxcel.cli.main import cli; "
        "cli(['sim', 'ssmm_r2l', '--engine', 'pymtl', '--nbits', '8', '--random', '2'], "
        "standalone_mode=False); import catalog, plan.parameters, eval.facts.fact as fact; "
        "assert catalog.get('ssmm_r2l'); from rsaxcel.eval.facts import fact as same; "
        "assert fact is same and fact.__spec__.name == 'rsaxcel.eval.facts.fact'; "
        "files = [x.__file__ for x in {id(x): x for x in sys.modules.values()}.values() "
        "if getattr(x, '__file__', None)]; "
        "print(len(files) - len(set(files)), *(x for x in files if files.count(x) > 1))"
    )
    command = sys.executable, "-W", "ignore::FutureWarning", "-c", program
    done = run(*command, folder=ROOT if here else tmp_path)
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["0"]), done.stderr


def test_modules_form_no_circle():
    """No module of a package imports a name from the package itself, which imports the module."""
    graph = {m: {t for t in imports(m) if t in modules()} for m in modules()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


@pytest.mark.parametrize("package", BELOW)
def test_classes_are_imported_not_named(package):
    """No string names a module or class to import.

    Exceptions: commands, and the levels of built-in units, are loaded when they are used; a job's
    function runs in a new process; old names lead to modules.
    """
    found = []
    for module in {*parts(package)} - LOADERS:
        for node in ast.walk(modules()[module]):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                named = CLASS_IN_TEXT.fullmatch(node.value)
            else:
                named = "import_module" in (
                    getattr(node, "id", None),
                    getattr(node, "attr", None),
                    getattr(node, "name", None),
                )
            if named:
                found.append(f"{module}, line {node.lineno}")
    assert not found


@pytest.mark.parametrize(("level", "absent"), [("fl", ("cl", "rtl")), ("cl", ("rtl",))])
def test_a_simulation_loads_its_level_alone(level, absent):
    """A functional simulation loads no cycle models or circuits, and no engine."""
    program = (
        "import sys; from rsaxcel.cli.main import cli; "
        f"cli(['sim', 'mont_r2l', '--level', '{level}', '--random', '2'], standalone_mode=False); "
        "print('loaded', *sys.modules)"
    )
    done = run(sys.executable, "-c", program, folder=ROOT)
    assert done.returncode == 0, done.stderr
    loaded = done.stdout.rpartition("loaded ")[2].split()
    assert "rsaxcel.catalog.designs" in loaded
    packages = {
        f"rsaxcel.{'.'.join(x.relative_to(ROOT).parts[:-1])}"
        for x in ROOT.glob("[cr]*/**/__init__.py")
    }
    unwanted = (*(f"rsaxcel.{y}." for y in absent), "rsaxcel.sim.native")
    assert [x for x in {*loaded} - packages if x.startswith(unwanted)] == []
