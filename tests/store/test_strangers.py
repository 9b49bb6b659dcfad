"""Stores of other users, stores that others can write, and folders that somebody handed over."""

import ast
import json
import os
import pwd
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from rsaxcel import catalog
from rsaxcel.eval.measure.witness import witness
from rsaxcel.flow.runner import link
from rsaxcel.lab.findings import keep_findings
from rsaxcel.lab.proofs.solver import run_abc
from rsaxcel.store import places
from rsaxcel.store.folders import (
    CONTENTS,
    CacheError,
    cache_root,
    check_writable,
    digests,
    find,
    find_json,
    is_whole,
    keep,
    keep_json,
)
from rsaxcel.store.foreign import ForeignLibrary
from tests.shared.processes import ROOT, run_python
from tests.shared.strangers import STRANGER, as_root, as_stranger, give_away


@pytest.fixture
def here(monkeypatch):
    """The current folder, which others can reach, with a result in a store."""
    with tempfile.TemporaryDirectory() as name:  # others do not reach those of pytest
        folder = Path(name)
        folder.chmod(0o755)
        monkeypatch.chdir(folder)
        monkeypatch.setenv("RSAXCEL_CACHE", str(folder / "cache"))
        keep_json(store(folder), "record", lambda: {"power_mw": 1846.306})
        yield folder
        monkeypatch.undo()


@contextmanager
def umask(mask: int):
    before = os.umask(mask)
    yield
    os.umask(before)


def store(here: Path) -> Path:
    return here / "build/flow/stages"


READ = {
    "keep": lambda root: keep(root, "record", lambda folder: None),
    "find": lambda root: find(root, "record"),
    "find_json": lambda root: find_json(root, "record"),
    "digests": lambda root: digests(root, "record"),
    "is_whole": lambda root: is_whole(root / "record"),
}

#: What an edit of a result looks like from outside: the same size, and the same time.
EDITS = {
    "number": (b"1846.306", b"1046.306"),
    "name": (b"power_mw", b"power_uw"),
    "blank": (b"\n", b" "),
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("is_new", [False, True])
def test_an_edited_result_is_not_taken(here, capsys, monkeypatch, edit, is_new):
    monkeypatch.setattr("rsaxcel.store.folders._CLOCK_TICK_NS", -1)  # the time is listed
    root = here / "build/measurements"
    keep_json(root, "x", lambda: {"power_mw": 1846.306})
    if is_new:  # as in a new process
        monkeypatch.setattr("rsaxcel.store.folders._checked", {})
    file = root / "x/result.json"
    before = file.stat()
    file.write_bytes(file.read_bytes().replace(*EDITS[edit], 1))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert keep_json(root, "x", lambda: "made anew") == "made anew"
    assert "result.json: wrong digest" in capsys.readouterr().err


def _link(path: Path) -> None:
    path.rename(path.parents[1] / "elsewhere.json")
    path.symlink_to(path.parents[1] / "elsewhere.json")


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


PLANTED = {
    "a result that is a link": lambda entry: _link(entry / "result.json"),
    "a result that is a pipe": lambda entry: _pipe(entry / "result.json"),
    "a list that is a link": lambda entry: _link(entry / CONTENTS),
    "a list that is a pipe": lambda entry: _pipe(entry / CONTENTS),
    "a list that is deep": lambda entry: (entry / CONTENTS).write_text("[" * 100_000),
    "a list that is long": lambda entry: os.truncate(entry / CONTENTS, 1 << 33),
    "a pickle": lambda entry: (entry / "library.pickle").write_bytes(b"cos\nsystem\n."),
    "a library": lambda entry: (entry / "library.so").touch(),
    "a link beside": lambda entry: (entry / "more").symlink_to("/etc/passwd"),
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("what", PLANTED)
def test_an_entry_with_something_planted_is_made_anew(here, capsys, what):
    PLANTED[what](store(here) / "record")
    assert keep_json(store(here), "record", lambda: 1) == 1
    assert {x.name for x in (store(here) / "record").iterdir()} == {"result.json", CONTENTS}
    assert capsys.readouterr().err.startswith("rsaxcel: renewed ")


@pytest.mark.parametrize("folder", ["build", "build/flow", "build/flow/stages", "cache"])
@pytest.mark.parametrize("mode", [0o777, 0o757, 0o773])
def test_a_store_that_others_can_write_is_refused(here, folder, mode):
    (here / "cache").mkdir()
    root = here / "cache" if folder == "cache" else store(here)
    (here / folder).chmod(mode)
    way_out = "RSAXCEL_CACHE can" if folder == "cache" else "use one of your own"
    for read in READ.values():
        with pytest.raises(CacheError) as refused:
            read(root)
        (line,) = str(refused.value).splitlines()
        assert str(here / folder) in line
        assert "other users can write" in line
        assert way_out in line


@pytest.mark.parametrize("part", ["", "result.json", CONTENTS])
def test_an_entry_that_others_can_write_is_refused(here, part):
    entry = store(here) / "record"
    entry.chmod(0o755)
    (entry / part).chmod(0o777)
    with pytest.raises(CacheError, match="other users can write it"):
        find(store(here), "record")


def test_a_sticky_store_is_refused(here):
    store(here).chmod(0o1777)
    with pytest.raises(CacheError, match="other users can write it"):
        find(store(here), "record")


def test_a_store_in_a_sticky_folder_is_used(here):
    here.chmod(0o1777)
    assert find_json(store(here), "record")


@pytest.mark.parametrize(
    ("user", "members", "name", "alone"),
    [
        (1000, [], "me", True),
        (1000, ["me"], "me", True),
        (1000, ["me", "you"], "me", False),
        (1000, [], "students", False),
        (0, [], "me", False),
    ],
)
def test_the_group_of_a_user_alone_may_write(monkeypatch, user, members, name, alone):
    group = SimpleNamespace(gr_name=name, gr_mem=members)
    monkeypatch.setattr(places.os, "geteuid", lambda: user)
    monkeypatch.setattr(places.pwd, "getpwuid", lambda _: SimpleNamespace(pw_gid=7, pw_name="me"))
    monkeypatch.setattr(places.grp, "getgrgid", lambda _: group)
    places._is_alone.cache_clear()
    state = SimpleNamespace(st_mode=0o40775, st_gid=7)
    assert places.can_others_write(state) is not alone
    assert places.can_others_write(SimpleNamespace(st_mode=0o40777, st_gid=7))
    assert not places.can_others_write(SimpleNamespace(st_mode=0o40755, st_gid=8))
    places._is_alone.cache_clear()


def test_a_new_store_is_no_other_users(tmp_path):
    with umask(0):
        keep_json(tmp_path / "a/b", "x", dict)
    assert [x.stat().st_mode & 0o777 for x in (tmp_path / "a", tmp_path / "a/b")] == [0o755] * 2
    assert (tmp_path / "a/b/x").stat().st_mode & 0o777 == 0o700


def _draft(folder: Path) -> None:
    (folder / "tools/deep").mkdir(parents=True)
    (folder / "tools/deep/log").touch()
    (folder / "tools/run").touch(0o777)


@pytest.mark.parametrize("mask", [0, 0o002, 0o007, 0o020, 0o077])
def test_an_own_store_is_used_whatever_the_umask(tmp_path, monkeypatch, mask):
    """Also an entry of an earlier version, with the modes that the umask left, is not refused."""
    with umask(mask):
        entry = keep(tmp_path / "a/b", "x", _draft)
    parts = [*entry.rglob("*")]
    assert len(parts) == 5
    assert not any(x.stat().st_mode & places.WRITERS for x in parts)
    assert os.access(entry / "tools/run", os.X_OK)
    monkeypatch.setattr("rsaxcel.store.folders._checked", {})
    for modes in (0, places.WRITERS):
        for part in parts:
            part.chmod(part.stat().st_mode | modes)
        assert digests(tmp_path / "a/b", "x")
        assert find(tmp_path / "a/b", "x")


WRITE = {
    "keep_json": lambda: keep_json(Path("build/measurements"), "x", dict),
    "check_writable": lambda: check_writable(Path("build/report")),
    "witness": lambda: witness(Path("build")).__enter__(),
    "laboratory": lambda: keep_findings(
        "leaks", catalog.get("mont_r2l").configure(8), {"x": "y"}, ""
    ),
    "links": lambda: link(Path("build/flow/outputs"), {}),
}


@pytest.mark.parametrize("what", WRITE)
def test_a_new_folder_build_is_no_other_users(here, what):
    with umask(0):
        WRITE[what]()
    folders = [x for x in here.rglob("*") if x.is_dir()]
    assert here / "build" in folders
    assert not any(x.stat().st_mode & places.WRITERS for x in folders)


@as_root
@pytest.mark.parametrize("read", READ)
def test_another_user_neither_reads_nor_changes_a_store(here, read):
    (store(here) / "record").chmod(0o755)
    told = as_stranger(lambda: READ[read](store(here)))
    assert told.startswith("CacheError: ")
    assert "belongs to user" in told
    assert "PermissionError" in as_stranger(lambda: (store(here) / "planted").mkdir())
    assert find_json(store(here), "record") == {"power_mw": 1846.306}


@as_root
@pytest.mark.parametrize(
    ("read", "given"),
    [
        *((read, given) for read in READ for given in ("", "record", f"record/{CONTENTS}")),
        *((read, "record/result.json") for read in READ if read != "digests"),
    ],
)
def test_root_takes_nothing_from_another_user(here, read, given):
    os.chown(store(here) / given, STRANGER, STRANGER)
    with pytest.raises(CacheError, match=f"belongs to user {STRANGER}"):
        READ[read](store(here))


COMMANDS = (
    "results",
    "clean --older 0",
    "flow mont_r2l --nbits 8",
    "pareto --x time_us --y area_um2",
)


@pytest.mark.parametrize(
    ("command", "is_open"),
    [("results", True), *(pytest.param(x, False, marks=as_root) for x in COMMANDS)],
)
def test_commands_tell_in_one_line_that_a_folder_is_not_used(here, refused, command, is_open):
    if is_open:
        (here / "build").chmod(0o777)
    else:
        give_away(here / "build")
    before = sorted(here.rglob("*"))
    line = refused(*command.split())
    assert line.startswith(f"rsaxcel: error: {here}/build")
    assert ("other users can write" if is_open else f"belongs to user {STRANGER}") in line
    assert line.endswith("use one of your own, or a copy made by `cp -r`")
    new = set(here.rglob("*")) - set(before)
    assert [x for x in new if not x.is_relative_to(here / "cache")] == []


@as_root
def test_a_user_without_a_home_works_in_an_own_folder(here, monkeypatch):
    """As in a container that runs as a user, with the folder `build` of that user mounted."""
    monkeypatch.delenv("RSAXCEL_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "/")
    monkeypatch.setattr("tempfile.tempdir", str(here / "tmp"))
    (here / "tmp").mkdir()
    (here / "tmp").chmod(0o1777)
    give_away(here / "build")
    assert as_stranger(lambda: find_json(store(here), "record")) == "{'power_mw': 1846.306}"
    assert as_stranger(lambda: keep_json(here / "build/measurements", "x", lambda: 1)) == "1"
    assert as_stranger(lambda: keep_json(cache_root(), "x", lambda: 2)) == "2"
    assert (here / f"tmp/rsaxcel-{STRANGER}/x").is_dir()


@as_root
@pytest.mark.parametrize("folder", ["build", "build/flow", "build/flow/stages"])
def test_a_link_to_another_users_store_is_refused(here, folder):
    theirs = here / "theirs"
    (here / folder).rename(theirs)
    give_away(theirs)
    (here / folder).symlink_to(theirs)
    with pytest.raises(CacheError, match=f"belongs to user {STRANGER}"):
        find(store(here), "record")


@as_root
@pytest.mark.parametrize("folder", ["build", "build/flow", "build/flow/stages"])
def test_a_link_of_another_user_to_an_own_store_is_refused(here, folder):
    """Its owner could let it lead elsewhere after the check."""
    (here / folder).rename(here / "mine")
    (here / folder).symlink_to(here / "mine")
    assert find(store(here), "record")
    os.chown(here / folder, STRANGER, STRANGER, follow_symlinks=False)
    with pytest.raises(CacheError, match=f"belongs to user {STRANGER}, who can replace it"):
        find(store(here), "record")


@as_root
def test_two_users_have_two_caches(here, monkeypatch):
    monkeypatch.delenv("RSAXCEL_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "home"))
    mine = keep_json(cache_root(), "x", lambda: "mine")
    assert mine == "mine"
    assert cache_root() == here / "home/rsaxcel"
    assert cache_root().stat().st_mode & 0o777 == 0o700
    assert str(STRANGER) in as_stranger(cache_root)
    monkeypatch.setenv("RSAXCEL_CACHE", str(here / "home/rsaxcel"))
    assert as_stranger(lambda: find_json(cache_root(), "x")) == "None"
    for steal in (
        lambda: keep_json(cache_root(), "x", lambda: "theirs"),
        lambda: os.listdir(cache_root()),
        lambda: os.rename(cache_root(), here / "other"),
    ):
        assert "Error: " in as_stranger(steal)
    assert find_json(cache_root(), "x") == "mine"


@as_root
@pytest.mark.parametrize("place", ["home/rsaxcel", "tmp/rsaxcel-0"])
def test_a_cache_that_another_user_has_prepared_is_refused(here, monkeypatch, place):
    monkeypatch.delenv("RSAXCEL_CACHE")
    home = here / "home" if "home" in place else "/proc/absent"
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    monkeypatch.setattr("tempfile.tempdir", str(here / "tmp"))
    (here / place).mkdir(parents=True)
    (here / place).parent.chmod(0o1777)
    give_away(here / place)
    with pytest.raises(CacheError, match=r"belongs to user.*RSAXCEL_CACHE can name another"):
        keep_json(cache_root(), "x", dict)


@as_root
def test_a_cache_in_another_users_home_is_passed_over(here, monkeypatch):
    """As root in a checkout or a container whose home belongs to somebody else."""
    monkeypatch.delenv("RSAXCEL_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "home"))
    (here / "home").mkdir()
    give_away(here / "home")
    monkeypatch.setattr("tempfile.tempdir", str(here / "tmp"))
    assert keep_json(cache_root(), "x", dict) == {}
    assert cache_root() == here / "tmp/rsaxcel-0"


@pytest.mark.parametrize("home", ["absent", "file/home", ""])
def test_without_a_home_the_cache_is_among_temporary_files(here, monkeypatch, home):
    monkeypatch.delenv("RSAXCEL_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    (here / "file").touch()
    monkeypatch.setenv("HOME", str(here / home) if home != "absent" else "/proc/absent")
    if not home:
        monkeypatch.delenv("HOME")
        monkeypatch.setattr(pwd, "getpwuid", lambda _: {}["no such user"])
    monkeypatch.setattr("tempfile.tempdir", str(here / "tmp"))
    assert cache_root() == here / f"tmp/rsaxcel-{os.geteuid()}"


@pytest.mark.parametrize("folder", ["library.so", ".", "..", "../.."])
def test_a_library_that_others_could_replace_is_not_loaded(here, folder):
    library = here / "some/cache/entry/library.so"
    library.parent.mkdir(parents=True)
    library.touch()
    place = (library.parent / folder).resolve()
    place.chmod(0o777)
    with pytest.raises(CacheError, match="other users can write"):
        ForeignLibrary(library)
    if os.geteuid() == 0:
        place.chmod(0o755)
        os.chown(place, STRANGER, STRANGER)
        with pytest.raises(CacheError, match=f"belongs to user {STRANGER}"):
            ForeignLibrary(library)


def test_a_library_behind_a_link_is_checked_where_it_is(here):
    (here / "open").mkdir()
    (here / "open/library.so").touch()
    (here / "open").chmod(0o777)
    (here / "mine").mkdir()
    (here / "mine/library.so").symlink_to(here / "open/library.so")
    with pytest.raises(CacheError, match="other users can write"):
        ForeignLibrary(here / "mine/library.so")


def test_compiled_code_is_not_in_the_current_folder(here, monkeypatch):
    monkeypatch.delenv("RSAXCEL_CACHE")
    assert not cache_root().is_relative_to(here)


def test_only_a_pipe_between_processes_has_pickles():
    """A pickle runs what its author has put into it: none is read from a file."""
    known = {"eval/measure/processes.py"}
    unsafe = set("pickle cPickle dill cloudpickle joblib shelve marshal diskcache".split())
    found = set()
    for path in ROOT.glob("*/**/*.py"):
        name = str(path.relative_to(ROOT))
        if name.split("/")[0] in ("tests", "tools", "build") or "/." in f"/{name}":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            modules = [x.name for x in node.names] if isinstance(node, ast.Import) else []
            modules += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            keys = [x.arg for x in node.keywords] if isinstance(node, ast.Call) else []
            if unsafe & {x.split(".")[0] for x in modules} or (
                "allow_pickle" in keys and "savez" not in ast.unparse(node)
            ):
                found.add(name)
    assert found <= known


def test_processes_of_a_command_import_nothing_from_the_current_folder(here):
    (here / "selectors.py").write_text("print('planted')")
    start = "import rsaxcel.cli.main, subprocess, sys\n"
    start += "child = [sys.executable, '-c', 'import selectors']\n"
    start += "rsaxcel.cli.main.main = lambda: subprocess.run(child)\n"
    start += "from rsaxcel.__main__ import main; main()"
    done = run_python("-P", "-c", start)
    assert (done.returncode, done.stdout) == (0, "")


def test_abc_runs_no_commands_of_its_folder(tmp_path):
    (tmp_path / "abc.rc").write_text("!touch planted\n")
    assert "version" in run_abc("version", tmp_path, 5)
    assert not (tmp_path / "planted").exists()


def test_make_clean_follows_no_link_elsewhere(here):
    """`make clean` removes what the flow's link leads to only in the cache."""
    (here / "home").mkdir()
    kept = here / "cache/rsaxcel" / f"runs-{'0' * 20}"
    kept.mkdir(parents=True)
    (here / "build/flow/work").symlink_to(here / "home")
    (here / "build/fpga").mkdir()
    (here / "build/fpga/work").symlink_to(kept)
    subprocess.run(["make", "-f", str(ROOT / "Makefile"), "clean"], check=True, capture_output=True)
    assert (here / "home").is_dir()
    assert not kept.exists()


def test_a_planted_list_cannot_name_files_outside(here):
    secret = here / "secret"
    secret.write_text("x")
    entry = store(here) / "record"
    table = json.loads((entry / CONTENTS).read_text())
    table["../../../../secret"] = [1, "", 0]
    (entry / CONTENTS).write_text(json.dumps(table))
    assert find(store(here), "record") is None


@pytest.mark.timeout(60)
def test_pipes_in_a_folder_of_results_are_passed_over(here, rsaxcel):
    run = here / "build/flow/run"
    for folder in (run, here / "build/report", here / "build/laboratory"):
        folder.mkdir(parents=True)
    for name in ("here-x", "flow/run/job.json", "flow/run/known.json", "report/facts.parquet"):
        os.mkfifo(here / "build" / name)
    os.mkfifo(here / "build/laboratory/proven-mont_mul-4-x.json")
    assert rsaxcel("results").status == 2  # nothing is measured
    assert rsaxcel("clean", "--older", 0).status == 0
    assert rsaxcel("list", "mont_mul").status == 0
