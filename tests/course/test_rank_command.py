"""`rsaxcel rank`: designs of a class are ranked, and wrong or cheating designs are refused."""

import json
import math
import re
from pathlib import Path
from statistics import fmean
from types import SimpleNamespace

import pytest

from rsaxcel import catalog
from rsaxcel.catalog.given import GivenDesign
from rsaxcel.course.rank import assess, ranking, verilog
from rsaxcel.course.rank.assess import Assessment, DesignVerdict, translated
from rsaxcel.course.rank.handed import Handed, find_handed
from rsaxcel.course.rank.objectives import OBJECTIVES
from rsaxcel.course.rank.ranking import Ranked
from rsaxcel.course.rank.sandbox import run
from rsaxcel.fl.status import InputRules
from rsaxcel.flow.requests import OPERATION_COUNT, default_key, workload_operands
from rsaxcel.flow.run import run_flow
from rsaxcel.sim.check.refused import KINDS, Refused
from rsaxcel.sim.check.rows import numbers_of
from rsaxcel.sim.native.toolchain import find_toolchain
from rsaxcel.sim.translate import translate
from rsaxcel.store.tools import ToolError
from tests.course.confinements import OPTIONS, limits, needs_confinement
from tests.course.student_designs import MODULUS, NAME, STUDENTS

LIMITS = limits()
TASK = Assessment(nbits=8, count=1000, seed=None, limits=LIMITS)
ROOT = Path(__file__).parents[2]


def verdict(name: str, folder: Path, task: Assessment = TASK) -> DesignVerdict:
    (handed,) = find_handed([STUDENTS[name].write(folder)], task.limits)
    return assess._verdict(handed, task, lambda line: None)


@pytest.mark.quick_cases("starts_a_program", "writes_to_the_tree")
@pytest.mark.parametrize("name", [x for x in STUDENTS if not x.endswith("never_ends")])
def test_what_becomes_of_a_design(name, here):
    """Each design is ranked or refused with its kind of fault; the tree does not change."""
    keys = (ROOT / "fl/keys.py").read_bytes()
    found = verdict(name, here)
    assert found.kind == STUDENTS[name].kind, found.reason
    assert bool(found.reason) == bool(found.kind)
    assert bool(found.cycles) == (not found.kind)
    assert (ROOT / "fl/keys.py").read_bytes() == keys
    if found.kind in ("wrong", "state", "cycles", "model"):
        assert f"RSAXCEL_DESIGNS={here / NAME} rsaxcel sim {NAME}_r2l " in found.replay
        assert re.match(r"(8|13) bits, base=0x", found.reason)
    assert found.reason.isprintable()
    if name == "wrong_for_one_modulus":
        assert f"n={MODULUS:#x}: result" in found.reason


def test_a_folder_named_as_a_package_of_ours(tmp_path):
    """Its code is run as that of other designs, not in place of ours."""
    place = tmp_path / "eval"
    STUDENTS["good"].write(tmp_path).rename(place)
    marker = tmp_path / "ran"
    (place / "rank").mkdir()
    text = f"open({str(marker)!r}, 'w').close()\n"
    (place / "rank" / "inside.py").write_text(text)
    (place / "__init__.py").write_text(text)
    found = assess._verdict(find_handed([place], LIMITS)[0], TASK, lambda line: None)
    assert not marker.exists()
    # With namespaces, the file's folder is not there; with Landlock alone, it is closed.
    assert found.kind in {"broken", "touches"}
    assert re.search("No such file|Permission denied", found.reason)


@pytest.mark.slow
@needs_confinement
def test_what_others_hand_in_is_not_read(here):
    """A design cannot read others' files, even if the ranking runs in the common folder."""
    file = here / "bob" / "secret.py"
    file.parent.mkdir()
    file.write_text("")
    mine = STUDENTS["good"].write(here / "ann")
    with (mine / "__init__.py").open("a") as text:
        text.write(f"\nopen({str(file)!r})\n")
    found = assess._verdict(find_handed([mine], LIMITS)[0], TASK, lambda line: None)
    assert found.kind == "broken"
    assert re.search("PermissionError|FileNotFoundError", found.reason)


@pytest.mark.slow
def test_a_design_that_never_ends(tmp_path):
    with pytest.raises(Refused, match="takes more than 6 s") as refused:
        verdict("never_ends", tmp_path, Assessment(8, 100, None, limits(6, 8)))
    assert refused.value.kind == "limits"


def test_every_reason_is_named():
    assert {x.kind for x in STUDENTS.values()} <= {"", *KINDS}


GOOD = Path(__file__).with_name("good.sv").read_text("utf-8")


def test_verilog_of_a_circuit_is_allowed():
    text = verilog.check_verilog(f"// a comment\n{GOOD}")
    assert "comment" not in text
    assert "split_var" in text
    assert numbers_of(text, 8) == [0, 1, 2, 0xB5]


@pytest.mark.parametrize("known", [True, False])
def test_a_design_that_knows_the_workload(known, monkeypatch):
    """A design that takes fewer cycles with the standard key's modulus is refused."""
    standard = default_key(32).n
    rules = InputRules(32, odd_modulus=False)

    def run(rows):
        cycles = [3 if known and modulus == standard else 99 for _, _, modulus in rows]
        ends = [sum(cycles[: i + 1]) + i for i in range(len(rows))]
        return SimpleNamespace(responses=[(pow(*x), 0) for x in rows], valid=ends, taken=ends)

    given = SimpleNamespace(
        nbits=32,
        constant_modulus=0,
        halves=None,
        simulate=run,
        expected=lambda row: (pow(*row), int(rules.status(*row))),
    )
    monkeypatch.setattr(assess, "subject_of", lambda design: design)
    if not known:
        assert assess.workload_cycles(given, 1) == {"encrypt": 99, "decrypt": 99}
        return
    with pytest.raises(
        Refused, match=r"takes 3\.0 cycles with the standard key, with 16 other keys 99\.0"
    ) as refused:
        assess.workload_cycles(given, 1)
    assert refused.value.kind == "workload"


@pytest.mark.parametrize("name", ["../up", "a__b", "1a", "a b", ""])
def test_given_names_are_refused(name):
    with pytest.raises(ValueError, match="single underscores"):
        GivenDesign(name, 8, "", odd_modulus=False)


def test_order_and_shared_ranks():
    """Refused designs come last; the baseline is in order, but has no rank."""
    found = [
        (DesignVerdict("base"), {"time_us": 2.0}),
        (DesignVerdict("late"), {"time_us": 3.0}),
        (DesignVerdict("bad", kind="wrong", reason="no"), {}),
        (DesignVerdict("one"), {"time_us": 1.0}),
        (DesignVerdict("two"), {"time_us": 1.0}),
    ]
    places = ranking.ranked(found, OBJECTIVES["time"], "base")
    order = [(place.verdict.label, place.rank) for place in places]
    assert order == [("one", 1), ("two", 1), ("base", None), ("late", 3), ("bad", None)]


def test_labels_tell_folders_apart(tmp_path):
    folders = [STUDENTS["good"].write(tmp_path / who) for who in ("ann", "bob")]
    assert [x.label for x in find_handed(folders, LIMITS)] == [f"ann/{NAME}", f"bob/{NAME}"]
    assert [x.label for x in find_handed(folders[:1], LIMITS)] == [NAME]
    names = "\x1b", "\\x1b"  # which are shown alike
    alike = [x.rename(tmp_path / name) for x, name in zip(folders, names, strict=True)]
    labels = [x.label for x in find_handed(alike, LIMITS)]
    assert labels == [f"{tmp_path}/\\x1b (1)", f"{tmp_path}/\\x1b (2)"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["{}/" + NAME, "{}/" + NAME], "is given 2 times"),
        (["{}/" + NAME, "--nbits", "7"], "8 or more are allowed"),
        (["{}/" + NAME, "--baseline", "mulrem"], "did you mean mulrem_r2l?"),
        (["{}/" + NAME, "--output", "x.pdf"], "names that end in .csv or .html"),
        (["{}/missing"], "does not exist"),
    ],
)
def test_bad_input(refused, tmp_path, options, told):
    STUDENTS["good"].write(tmp_path)
    line = refused("rank", *(x.format(tmp_path) for x in options), *OPTIONS)
    assert told in line


def test_a_given_design_goes_through_the_flow(tmp_path):
    """Verilog without its author's Python, as a ranking measures it; answers come from ``pow``."""
    configuration = catalog.get("ssmm_r2l").configure(8)
    module = translate(configuration.component("rtl"), "ssmm_r2l")
    record = run_flow(
        GivenDesign("ssmm_r2l", 8, module.text, odd_modulus=False),
        operations={"decrypt": 0b10110111},
        activity="zero",
        directory=tmp_path,
    )
    measured = record.operations["decrypt"]
    rows = workload_operands(configuration, measured.exponent, OPERATION_COUNT)
    assert measured.cycles == pytest.approx(fmean(configuration.cycles(*row) for row in rows))
    assert measured.energy_nj > 0


def test_a_class_is_ranked_whatever_one_lacks(tmp_path):
    """Folders with links, files, empty and huge folders are refused with a reason."""
    linked = STUDENTS["good"].write(tmp_path / "linked")
    (linked / "more.py").symlink_to("/etc/hostname")
    huge = STUDENTS["good"].write(tmp_path / "huge")
    (huge / "more.txt").write_bytes(bytes((1 << 24) + 1))
    (tmp_path / "notes.zip").write_bytes(b"PK")
    (tmp_path / "empty").mkdir()
    good = STUDENTS["good"].write(tmp_path / "good")
    handed = find_handed([linked, huge, tmp_path / "notes.zip", tmp_path / "empty", good], LIMITS)
    reasons = [
        "more.py: not a regular file",
        "more than 16 MB",
        "not a folder",
        "no __init__.py",
        "",
    ]
    for x, reason in zip(handed, reasons, strict=True):
        assert reason in x.problem
        assert bool(x.problem) == bool(reason)
        if reason:
            found = assess._verdict(x, TASK, lambda line: None)
            assert (found.kind, found.reason) == ("broken", x.problem)


def test_build_output_is_no_part_of_a_design(tmp_path):
    """Build output, caches and .git in a design's folder are ignored."""
    place = STUDENTS["good"].write(tmp_path)
    (before,) = find_handed([place], LIMITS)
    for folder in ("build/flow", "__pycache__", ".git"):
        (place / folder).mkdir(parents=True)
        (place / folder / "big.v").write_bytes(bytes((1 << 24) + 1))
        (place / folder / "link").symlink_to("/etc")
    assert find_handed([place], LIMITS) == [before]


@pytest.fixture
def no_compiler(here, monkeypatch):
    """Hide the compiler, in a separate current folder."""
    monkeypatch.setenv("CXX", "nothing++")
    find_toolchain.cache_clear()
    yield
    find_toolchain.cache_clear()


def test_a_missing_tool_is_told_before_anything_runs(rsaxcel, tmp_path, no_compiler):
    finished = rsaxcel("rank", STUDENTS["good"].write(tmp_path), *OPTIONS)
    assert (finished.status, finished.out) == (2, "")
    assert finished.err.endswith("error: CXX=nothing++: there is no program nothing++\n")
    assert not (tmp_path / "build" / "measurements").exists()


def test_a_missing_compiler_is_no_verdict(tmp_path, no_compiler):
    """A missing compiler raises ``ToolError``: a kept verdict would refuse the design forever."""
    (handed,) = find_handed([STUDENTS["good"].write(tmp_path)], LIMITS)
    with pytest.raises(ToolError, match="no program"):
        assess.assess(handed, TASK, lambda line: None)
    assert assess.assess(handed, TASK) is None


def test_a_tool_that_fails_in_a_sandbox_is_no_verdict(tmp_path, monkeypatch, no_compiler):
    """It stops no other design, and is tried again: another machine may have the tool."""
    with pytest.raises(Refused, match="no program nothing") as refused:
        run(find_toolchain, {}, LIMITS, "the flow")
    assert refused.value.kind == "unknown"

    def fails(*_):
        raise refused.value

    monkeypatch.setattr(assess, "find_toolchain", lambda: None)
    monkeypatch.setattr(assess, "translated", fails)
    handed = Handed("ann", tmp_path, "1")
    found = assess.assess(handed, TASK, lambda line: None)
    assert (found["label"], found["kind"]) == ("ann", "unknown")
    assert assess.assess(handed, TASK) is None


LONG = DesignVerdict(
    "bob", kind="wrong", reason="r" * 2000, replay="p" * 5000, lacks=("x" * 2000,) * 9
)


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_long_rows_are_whole_and_seeds_are_told(rsaxcel, tmp_path, monkeypatch, options):
    figures = {"area_um2": 1.0, "period_ns": 1.0, "cycles": 1.0, "time_us": 1.0, "energy_nj": 1.0}
    figures |= {"clock_ns": 1.0, "area_time_um2_ms": 1.0}
    base = DesignVerdict("mulrem_r2l", vectors={"8": 9}, netlist={"operations": 2000, "seed": 77})
    places = [Ranked(None, base, figures), Ranked(None, LONG, {})]
    monkeypatch.setattr(ranking, "rank", lambda *_: places)
    finished = rsaxcel("rank", STUDENTS["good"].write(tmp_path), *options, *OPTIONS)
    assert finished.status == 1
    if options:
        own, long = map(json.loads, finished.out.splitlines())
        assert (own["netlist_vectors"], own["netlist_seed"]) == (2000, 77)
        assert (long["reason"], long["replay"]) == (LONG.reason, LONG.replay)
    else:
        assert "mulrem_r2l: 2,000 vectors of the netlist, seed 77\n" in finished.out
        assert LONG.replay in finished.out


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_class(rsaxcel, here):
    """Good ranks before slow, the wrong design is last; a second run reuses all results."""
    names = ("slow", "wrong_for_one_modulus", "good")
    folders = [STUDENTS[name].write(here / name) for name in names]
    asked = "--nbits 8 --random 1000 --json --output x.csv".split()
    command = ("rank", *folders, *asked, *OPTIONS)
    finished = rsaxcel(*command)
    assert finished.status == 1, finished.err
    found = [json.loads(line) for line in finished.out.splitlines()]
    ranks = {x["folder"].removesuffix(f"/{NAME}"): x["rank"] for x in found}
    assert ranks == {"mulrem_r2l": None, "good": 1, "slow": 2, "wrong_for_one_modulus": None}
    assert [x["verdict"] for x in found][-1] == "wrong"
    for row in found[:-1]:
        time_us = row["cycles"] * row["period_ns"] / 1e3
        assert math.isclose(row["time_us"], time_us)
        assert math.isclose(row["area_time_um2_ms"], row["area_um2"] * time_us / 1e3)
        assert row["energy_nj"] > 0
        assert row["netlist_vectors"] > 2000
        assert row["netlist_seed"] is not None
    assert len((here / "x.csv").read_text().splitlines()) == 1 + len(found)
    again = rsaxcel(*command)
    assert again.out == finished.out
    assert "4 of 4 results are there" in again.err
    assert "3 of 3 results are there" in again.err


@pytest.mark.slow
def test_models_of_the_registry_translate_as_the_flow_does(here):
    """The separate process of a ranking gives the same translation as the flow."""
    design = translated(Handed("digit_serial_r2l", None, ""), [32], LIMITS)
    configuration = catalog.get("digit_serial_r2l").configure(32)
    module = translate(configuration.component("rtl"), "digit_serial_r2l")
    assert design.circuits[32].text == module.text
    assert design.circuits[32].module.messages == module.messages
    request = configuration.request(5, 6, 7)
    assert design.circuits[32].request(5, 6, 7) == request
