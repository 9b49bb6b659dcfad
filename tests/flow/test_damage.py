"""The next run recovers from damaged results, killed runs, full disks and broken tools."""

import json
import os
import shutil
import signal
import stat
import subprocess
import time
from pathlib import Path

import pytest

from rsaxcel.flow.errors import FlowError, ToolFailure
from rsaxcel.flow.graph import path_to
from rsaxcel.flow.layout import OPENSTA, Layout
from rsaxcel.flow.nodes.record import RecordNode
from rsaxcel.store.errors import SetupError
from rsaxcel.store.folders import CONTENTS, file_digest
from tests.flow.small_flow import flow, outputs, result, running
from tests.shared.harness import built_once
from tests.shared.programs import program

pytestmark = built_once("flow", 8)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    directory = tmp_path_factory.mktemp("flow")
    return directory, flow(directory)[0]


@pytest.fixture
def copied(finished, tmp_path):
    """A copy of the finished run, and its record."""
    directory, record = finished
    shutil.copytree(directory, tmp_path / "flow", symlinks=True)
    return tmp_path / "flow", record


def told(capsys) -> list[str]:
    return [x for x in capsys.readouterr().err.splitlines() if x.startswith("rsaxcel: renewed")]


def seal(entry: Path) -> None:
    """Write an entry's table of checksums again, so that changed files pass as valid."""
    files = [x for x in entry.iterdir() if x.name != CONTENTS]
    table = {x.name: (x.stat().st_size, file_digest(x)) for x in files}
    (entry / CONTENTS).write_text(json.dumps(table))


def test_damaged_results_of_nodes_are_renewed(copied, capsys):
    directory, record = copied
    damaged = {
        result(directory, "translate") / "design.v": lambda path: os.truncate(path, 300),
        result(directory, "synthesis") / "netlist.json": lambda path: os.truncate(path, 0),
        result(directory, "timing") / "slews.txt": Path.unlink,
        result(directory, "gate-simulation") / "simulation.json": lambda p: p.write_text("{}"),
    }
    for path, damage in damaged.items():
        damage(path)
    shutil.rmtree(result(directory, "power"))
    assert flow(directory)[0] == record
    lines = told(capsys)
    wanted = [f"{path.parent}: {path.name}: " for path in damaged]
    assert [sum(text in line for line in lines) for text in wanted] == [1] * len(lines)
    assert flow(directory) == (record, ["record of an earlier run"])


@pytest.mark.parametrize(
    ("text", "sealed", "reason"),
    [
        pytest.param("[]", False, "record.json: truncated", marks=pytest.mark.slow),
        ("", False, "record.json: empty"),
        pytest.param(None, False, "record.json: missing", marks=pytest.mark.slow),
        pytest.param("[]", True, "record: a list instead of an object", marks=pytest.mark.slow),
        (
            '{"version": 3, "design": "mulrem_r2l"}',
            True,
            "record lacks activity, adders, area_by_module, ",
        ),
        pytest.param(
            '{"version": 0}', True, "record: version 0 instead of 3", marks=pytest.mark.slow
        ),
        pytest.param("{", True, "Expecting property name", marks=pytest.mark.slow),
    ],
)
def test_a_record_that_is_none_is_renewed(copied, capsys, text, sealed, reason):
    directory, record = copied
    before = outputs(directory)
    entry = result(directory, "record")
    if text is None:
        (entry / "record.json").unlink()
    else:
        (entry / "record.json").write_text(text)
    if sealed:
        seal(entry)
    assert flow(directory) == (record, ["record"])
    (line,) = told(capsys)
    assert f" {entry}: {reason}" in line
    del before[str(entry / CONTENTS)]
    assert outputs(directory).items() >= before.items()


@pytest.mark.slow  # test_run kills a run in one node
def test_a_run_that_is_killed_in_every_stage_ends_with_the_same_record(finished, tmp_path):
    for stage in [node.name for node in path_to(RecordNode)][1:]:
        with running(tmp_path) as victim:
            for line in victim.stdout:
                if line.strip() == stage:
                    time.sleep(0.7)  # so that the node's tool is probably running
                    os.killpg(victim.pid, signal.SIGKILL)
    with running(tmp_path) as last:
        *stages, record = last.stdout.read().splitlines()
    assert json.loads(record) == finished[1]
    assert not set(stages) & {"translate", "synthesis", "timing"}


@pytest.fixture
def small_disk(tmp_path):
    """A disk of two megabytes in memory; only root can mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        pytest.skip(f"mount: {error}")
    if done.returncode:
        pytest.skip(f"mount: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.mark.slow  # runs of the flow, one after the other
def test_a_disk_that_fills_up(finished, small_disk):
    """A full disk gives one line with the path; with enough room, the run ends as usual."""
    filler = small_disk / "filler"
    filler.write_bytes(bytes(shutil.disk_usage(small_disk).free))
    kept: dict[str, int] = {}
    for free_kib in (0, 8, 256, 640):
        os.truncate(filler, 0)
        filler.write_bytes(bytes(max(0, shutil.disk_usage(small_disk).free - free_kib * 1024)))
        with pytest.raises((SetupError, ToolFailure)) as failure:
            flow(small_disk / "flow")
        text = str(failure.value)
        assert "\n" not in text
        assert str(small_disk / "flow") in text
        assert outputs(small_disk / "flow").items() >= kept.items()
        kept = outputs(small_disk / "flow")
    filler.unlink()
    subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
    assert flow(small_disk / "flow")[0] == finished[1]
    assert outputs(small_disk / "flow").items() >= kept.items()


def put_first(folder: Path, name: str, text: str, monkeypatch) -> None:
    """Return a function that puts a program first on PATH."""
    folder.mkdir()
    program = folder / name
    program.write_text(text)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.parametrize(
    ("says", "reason"),
    [
        ("echo Error: out of order", "OpenSTA: Error: out of order"),
        pytest.param("echo garbage; echo more", "OpenSTA: more", marks=pytest.mark.slow),
        pytest.param("exit 1", "OpenSTA: no output", marks=pytest.mark.slow),
        (
            "echo point a noon > paths.txt; echo slack 1 >> paths.txt; echo timing written",
            "no timing",
        ),
    ],
)
def test_a_broken_sta_is_told_in_one_line_and_its_log_kept(tmp_path, monkeypatch, says, reason):
    script = f'#!/bin/sh\nif [ "$1" = -version ]; then echo 2.0.17; exit; fi\n{says}\n'
    with monkeypatch.context() as patched:
        put_first(tmp_path / "bin", "sta", script, patched)
        with pytest.raises(ToolFailure) as failure:
            flow(tmp_path / "flow", layout=Layout(timer=OPENSTA))
    assert_told(failure, reason)
    assert (result(tmp_path / "flow", "translate") / "design.v").is_file()
    assert not list(tmp_path.glob("flow/stages/synthesis-*/"))


def assert_told(failure: pytest.ExceptionInfo[FlowError], reason: str) -> None:
    text = str(failure.value)
    assert "\n" not in text
    assert text.startswith("synthesis of mulrem_r2l_8-")
    assert reason in text
    assert Path(text.rpartition("(log: ")[2].rstrip(")")).is_file()


def test_a_broken_yosys_is_told_in_one_line(tmp_path, monkeypatch):
    package = tmp_path / "broken" / "pyosys"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "libyosys.py").write_text('raise SystemExit("ERROR: no license")')
    monkeypatch.syspath_prepend(package.parent)
    with pytest.raises(ToolFailure) as failure:
        flow(tmp_path / "flow")
    assert_told(failure, "Yosys: ERROR: no license")


def test_a_folder_from_somebody_else_brings_its_record(copied, tmp_path, monkeypatch):
    directory, record = copied
    monkeypatch.setenv("RSAXCEL_CACHE", str(tmp_path / "cache"))
    assert flow(directory) == (record, ["record of an earlier run"])
    assert not list(directory.rglob("*.so"))


def test_an_edited_record_with_its_old_time_is_made_anew(copied, capsys):
    directory, record = copied
    file = result(directory, "record") / "record.json"
    before, text = file.stat(), file.read_text()
    table = json.loads((file.parent / CONTENTS).read_text())
    table[file.name][2] = before.st_mtime_ns  # as if the file had been old when it was listed
    (file.parent / CONTENTS).write_text(json.dumps(table))
    area = f'"area_um2": {record["area_um2"]}'
    assert area in text
    file.write_text(text.replace(area, area.replace(": ", ": 1")[:-1]))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert flow(directory)[0] == record
    assert "record.json: wrong digest" in told(capsys)[0]


def run_of(directory: Path) -> Path:
    """Run the last node again, which makes the folder of the run in a copy; return the folder."""
    shutil.rmtree(result(directory, "record"))
    flow(directory)
    return max(directory.glob("mulrem_r2l_8-*/"), key=lambda x: x.stat().st_mtime)


_PLANTED = """\
#!/bin/sh
touch {mark}
"""
_PROGRAMS = ("Makefile", "mflowgen-run", "yosys", "sta", "yosys-abc", "run.sh", "make", "g++")
_MODULES = ("sitecustomize.py", "usercustomize.py", "selectors.py", "multiprocessing.py", "json.py")
_STARTED = (".sta", ".openroad", ".tclshrc", "abc.rc", ".abc.rc", "init.tcl", "timing.tcl")


def test_nothing_in_the_folder_of_a_run_is_executed(copied, here, monkeypatch):
    directory, record = copied
    mark = here / "executed"
    texts = dict.fromkeys(_PROGRAMS, _PLANTED.format(mark=mark))
    texts |= dict.fromkeys(_MODULES, f"open({str(mark)!r}, 'w')\n")
    texts |= dict.fromkeys(_STARTED, f"exec touch {mark}\n!touch {mark}\n")
    run = run_of(directory)
    nodes = [x for x in run.iterdir() if x.is_dir()]
    works = [x for node in nodes for x in node.glob("work-*")]
    for folder in (here, directory, directory / "stages", run, *nodes, *works):
        for name, text in texts.items():
            program(folder / name, text)
    for name in ("timing", "gate-simulation", "power", "record"):
        shutil.rmtree(result(directory, name))
    monkeypatch.setenv("PYTHONSAFEPATH", "1")  # as the command line does
    assert flow(directory)[0] == record
    assert not mark.exists()


def test_links_in_the_folder_of_a_run_lead_nowhere(copied, tmp_path):
    directory, record = copied
    home = tmp_path / "home; exec -- touch executed"
    home.mkdir()
    kept = ("record.json", "netlist.v", "design.v", "job.json", "error.log", "known.json")
    for name in kept:
        (home / name).write_text("mine")
    run = run_of(directory)
    for node in [x for x in run.iterdir() if x.is_dir()]:
        for part in ("inputs", "outputs"):
            shutil.rmtree(node / part)
            (node / part).symlink_to(home)
    for name in ("7-record", "6-power"):
        shutil.rmtree(run / name)
        (run / name).symlink_to(home)
    for name in ("job.json", "known.json"):
        (run / name).unlink()
        (run / name).symlink_to(home / name)
    for name in ("synthesis", "timing", "power", "record"):
        shutil.rmtree(result(directory, name))
    assert flow(directory)[0] == record
    assert {x.name: x.read_text() for x in home.iterdir()} == dict.fromkeys(kept, "mine")


@pytest.mark.parametrize("name", ["stages", "stages/entry", "stages/entry/design.v"])
def test_results_behind_a_link_to_commands_are_not_used(copied, tmp_path, monkeypatch, name):
    """A tool would take the blanks and the semicolon in the path for the end of a command."""
    directory, record = copied
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    entry = result(directory, "translate").name
    part = directory / name.replace("entry", entry)
    elsewhere = tmp_path / "a; exec -- touch executed; "
    shutil.move(part, elsewhere)
    part.symlink_to(elsewhere)
    shutil.rmtree(result(directory, "synthesis"))
    if name == "stages/entry":
        with pytest.raises(FlowError, match="no tool can take"):
            flow(directory)
    else:
        assert flow(directory)[0] == record
    assert not list(tmp_path.rglob("executed"))
