"""Designs that other people's files and packages add to the registry."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.shared.messages import without_progress
from tests.shared.planted import plant
from tests.shared.processes import run_python
from tests.shared.stores import link_runtime

ROOT = Path(__file__).parents[2]
NAME = "outside_r2l"

FL = '''
from rsaxcel.fl.multipliers import MulRem


class OutsideMul(MulRem):
    """Outside's product."""
'''

CL = '''
from rsaxcel.cl.multipliers import MulRem


class OutsideMul(MulRem):
    """As slow as its parent."""
'''

RTL = (ROOT / "rtl/multipliers/mul_rem.py").read_text()
RTL = RTL.replace("MulRem", "OutsideMul").replace(
    "rsaxcel.rtl.lib.multiplier", "outsider.parts.part"
)
PART = (ROOT / "rtl/lib/multiplier.py").read_text()

DESIGN = """
from rsaxcel import catalog
from rsaxcel.catalog import Classes, Design
{imports}
DESIGNS = [
    Design(
        id={id},
        name="{name}",
        summary="somebody else's product",
        multiplier={multiplier},
        schedule="r2l",
        lanes=2,
        source="nobody",
    ),
]
"""

MODULES = ("outsider.golden", "outsider.timing", "outsider.circuits.product")
OWN = f"Classes({', '.join(f'{module}.OutsideMul' for module in MODULES)})"
IMPORTS = f"import {', '.join(MODULES)}"
BUILT_IN = "catalog.get('mulrem_r2l').multiplier"


def design(**changed: object) -> str:
    facts = {"id": 1000, "name": NAME, "multiplier": BUILT_IN, "imports": ""}
    return DESIGN.format_map(facts | changed)


@pytest.fixture
def package(tmp_path) -> Path:
    """A package with a design and its own multiplier, whose circuit imports a subpackage."""
    folder = tmp_path / "outsider"
    for part in ("circuits", "parts"):
        (folder / part).mkdir(parents=True)
    for name, text in {
        "__init__": design(multiplier=OWN, imports=IMPORTS),
        "golden": FL,
        "timing": CL,
        "circuits/__init__": "",
        "circuits/product": RTL,
        "parts/__init__": "",
        "parts/part": PART,
    }.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def rsaxcel(*args: str, **environment: str) -> subprocess.CompletedProcess:
    """Run a command in a new process, because outside designs are registered at the start."""
    return run_python("-m", "rsaxcel", *args, **environment)


def sim(*args: str, **environment: str) -> subprocess.CompletedProcess:
    done = rsaxcel("sim", NAME, "--nbits", "16", "--random", "5", *args, **environment)
    done.stderr = without_progress(done.stderr)
    return done


def test_package_by_the_environment_variable(package):
    """The design is listed, and its multiplier can be chosen in other designs."""
    done = rsaxcel("list", RSAXCEL_DESIGNS=str(package))
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(rf"^  outside_mul +\d+-\d+ +{NAME}$", done.stdout, re.MULTILINE)
    done = rsaxcel("list", NAME, RSAXCEL_DESIGNS=str(package))
    assert (done.returncode, done.stderr) == (0, "")
    assert "somebody else's product" in done.stdout
    other = ("sim", "ssmm_r2l", "--param", "multiplier=outside_mul", "--level", "cl")
    done = rsaxcel(*other, "--random", "3", RSAXCEL_DESIGNS=str(package))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "options", [("--level", "fl"), ("--level", "cl"), ("--engine", "pymtl")], ids=" ".join
)
def test_every_level_runs(package, options):
    done = sim(*options, RSAXCEL_DESIGNS=str(package))
    assert (done.returncode, done.stderr) == (0, "")
    rows = [line.split() for line in done.stdout.splitlines()[1:6]]
    numbers = [[int(field, 16) for field in (*row[1:4], row[5])] for row in rows]
    assert [r for *_, r in numbers] == [pow(b, e, m) for b, e, m, _ in numbers]


def test_names_without_the_prefix(package):
    """They work, and one line for each package says what to write."""
    for path in package.rglob("*.py"):
        text = path.read_text().replace("from rsaxcel import catalog", "import catalog")
        path.write_text(text.replace("from rsaxcel.", "from "))
    done = sim("--engine", "pymtl", "--json", RSAXCEL_DESIGNS=str(package))
    assert done.returncode == 0, done.stderr
    assert all(json.loads(line) for line in done.stdout.splitlines())
    told = re.findall(r"^(.*):\d+: FutureWarning: (\w+) is now rsaxcel", done.stderr, re.MULTILINE)
    assert {name for _, name in told} == {"catalog", "fl", "cl", "rtl"}
    assert len(told) == 4
    assert all(Path(file).is_relative_to(package) for file, _ in told)
    assert "write `from rsaxcel.catalog import ...`" in done.stderr


def test_native_engine_follows_an_edited_circuit(package, tmp_path):
    """A kept translation is renewed when any file of the package changes."""
    cache = link_runtime(tmp_path / "cache")
    environment = {"RSAXCEL_DESIGNS": str(package), "RSAXCEL_CACHE": str(cache)}
    done = sim(**environment)
    assert done.returncode == 0, done.stderr  # a slow machine tells about the compiler, too
    changed = ("zext(s.b, Full)", "zext(s.a, Full)")
    plant(package / "parts" / "part.py", changed, once=True)
    done = sim(**environment)
    assert done.returncode == 1, done.stderr
    assert "NO" in done.stdout


def test_single_file_depends_on_those_beside_it_alone(tmp_path):
    """Subfolders are not searched: the folder may be a home folder with many files."""
    path = tmp_path / "lonely.py"
    mine = "class OutsideMul(GOLDEN): pass\n"
    classes = "Classes(OutsideMul, *(getattr(KNOWN, x) for x in ('cl', 'rtl')))"
    before = f"KNOWN = {BUILT_IN}\nGOLDEN = KNOWN.fl\n{mine}"
    path.write_text(design(multiplier=classes, imports=before))
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "other.py").write_text("")
    text = "from rsaxcel import catalog; print(*catalog.sources(), sep='\\n')"
    found = run_python("-c", text, RSAXCEL_DESIGNS=str(path)).stdout
    assert [x for x in found.split() if x.startswith(str(tmp_path))] == [str(path)]


SOURCES = f"""
from rsaxcel import catalog
from rsaxcel.store.code import code_digest
for name in ("{NAME}", "neighbour_r2l", "ssmm_r2l"):
    print(code_digest(catalog.get(name).configure(16).sources))
"""


@pytest.fixture
def neighbour(tmp_path) -> Path:
    """A second package, whose multiplier subclasses a built-in golden model."""
    folder = tmp_path / "neighbour"
    folder.mkdir()
    golden = "KNOWN = catalog.get('mulrem_r2l').multiplier\nclass Near(KNOWN.fl):\n    pass\n"
    multiplier = "Classes(Near, KNOWN.cl, KNOWN.rtl)"
    text = design(id=1001, name="neighbour_r2l", multiplier=multiplier, imports=golden)
    (folder / "__init__.py").write_text(text)
    (folder / "part.py").write_text("SIZE = 1\n")
    return folder


@pytest.mark.parametrize("imports", [False, True])
def test_other_packages_do_not_count(package, neighbour, imports):
    """A change in another package renews a design's results only if the design imports it."""
    if imports:
        with (package / "parts" / "part.py").open("a") as file:
            file.write("\nimport neighbour.part\n")
    places = os.pathsep.join(map(str, (neighbour, package)))

    def digests() -> list[str]:
        return run_python("-c", SOURCES, RSAXCEL_DESIGNS=places).stdout.split()

    before = digests()
    (neighbour / "part.py").write_text("SIZE = 2\n")
    changed = [x != y for x, y in zip(before, digests(), strict=True)]
    assert changed == [imports, True, False]


@pytest.mark.parametrize("nested", [True, False], ids=["folder", "attribute"])
def test_package_by_an_entry_point(package, tmp_path, nested):
    """An installed distribution needs no variable; its entry point gives one or more designs."""
    info = tmp_path / "outsider-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: outsider\nVersion: 1.0\n")
    what = "outsider:DESIGNS" if nested else "outsider:FIRST"
    (info / "entry_points.txt").write_text(f"[rsaxcel.designs]\nmine = {what}\n")
    with (package / "__init__.py").open("a") as file:
        file.write("FIRST = DESIGNS[0]\n")
    done = sim("--level", "cl", PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")


NO_MULTIPLIER = "Classes(int, int, int)"
NO_DURATIONS = (
    "Classes(*(getattr(catalog.get('mulrem_r2l').multiplier, x) for x in ('fl', 'fl', 'rtl')))"
)
NO_OVERLAPS = (
    "(lambda x: Classes(x.fl, type('MulRem', (), {'durations': x.cl.durations}), x.rtl))"
    "(catalog.get('mulrem_r2l').multiplier)"
)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it has no DESIGNS"),
        ("DESIGNS = None", "NoneType is no catalog.Design"),
        ("DESIGNS = [[], {}, {1}]", "list is no catalog.Design"),
        (
            design(name="mont_r2l"),
            "design mont_r2l: there is one of this name already; rename the multiplier or ",
        ),
        (design(name="ssmm"), "design ssmm: a multiplier has this name"),
        (design(name="../x y"), "design '../x y': letters, digits and _ are allowed in names"),
        (design(id=1), f"design {NAME}: id 1 is that of mulrem_r2l"),
        (design(id=0), f"design {NAME}: id 0; 1 or more is allowed"),
        (design(id=[]), f"design {NAME}: id []; 1 or more is allowed"),
        (design(multiplier=[]), "multiplier []: it is no rsaxcel.catalog.units.Classes"),
        (design(multiplier=NO_MULTIPLIER), "its fl class <class 'int'> is no Multiplier"),
        (design(multiplier=NO_DURATIONS), "has no durations"),
        (design(multiplier=NO_OVERLAPS), "has no overlaps (rsaxcel.cl.elastic.Timing)"),
        (design().replace('"r2l"', '"sideways"'), "schedule=sideways: r2l, "),
        (design().replace('"r2l"', "[]"), "TypeError: "),
        (design().replace('"nobody"', "[]"), "TypeError: unhashable type: 'list'"),
        ("raise RuntimeError('first\\nsecond')", "RuntimeError: first second"),
        ("raise SystemExit(0)", "SystemExit: 0"),
    ],
    ids=lambda value: value if len(value) < 50 and "\n" not in value else "",
)
def test_broken_file(tmp_path, text, reason):
    """The message is one line with the file and the reason."""
    path = tmp_path / "broken.py"
    path.write_text(text)
    done = rsaxcel("list", RSAXCEL_DESIGNS=str(path))
    assert_refused(done, f"RSAXCEL_DESIGNS: {path}: ", reason)


@pytest.mark.parametrize(
    ("text", "reason"),
    [("DESIGNS = [", "SyntaxError: "), ("import no_such_module", "ModuleNotFoundError: ")],
)
def test_file_that_cannot_be_loaded(tmp_path, text, reason):
    (tmp_path / "broken.py").write_text(text)
    done = rsaxcel("list", RSAXCEL_DESIGNS=str(tmp_path / "broken.py"))
    assert (done.returncode, done.stdout) == (2, "")
    first, statement, allowed = done.stderr.splitlines()
    assert f"broken.py:1: {reason}" in first
    assert statement == f"  {text}"
    assert allowed.startswith("  allowed: ")


def test_a_folder_of_cores_runs_no_python(tmp_path):
    """RSAXCEL_CORES names cores of others: what is no description is refused, not loaded."""
    (tmp_path / "__init__.py").write_text("raise SystemExit('loaded')")
    done = rsaxcel("list", RSAXCEL_CORES=str(tmp_path))
    assert_refused(done, f"RSAXCEL_CORES: {tmp_path}: ", "no core.toml is in it")


def test_missing_file(tmp_path):
    path = tmp_path / "missing.py"
    assert_refused(
        rsaxcel("list", RSAXCEL_DESIGNS=str(path)), f"RSAXCEL_DESIGNS: {path}: {path} is missing"
    )


def assert_refused(done: subprocess.CompletedProcess, *reasons: str) -> None:
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("rsaxcel: error: ")
    for reason in reasons:
        assert reason in line
