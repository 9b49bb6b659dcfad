"""Entries of a store: made once, checked when read, renewed when damaged."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rsaxcel.store.folders import (
    CONTENTS,
    CacheError,
    digests,
    file_digest,
    find,
    keep,
    keep_json,
    remove,
)

DAMAGE = {
    "truncated": lambda entry: (entry / "part/data").write_bytes(b"01234"),
    "empty": lambda entry: (entry / "part/data").write_bytes(b""),
    "missing": lambda entry: (entry / "part/data").unlink(),
    "wrong digest": lambda entry: (entry / "part/data").write_bytes(b"0123456798"),
    "not of this entry": lambda entry: (entry / "more").touch(),
    f"{CONTENTS}: missing or damaged": lambda entry: (entry / CONTENTS).write_text("[]"),
    f"{CONTENTS}: missing": lambda entry: (entry / CONTENTS).unlink(),
}


@pytest.fixture
def made(tmp_path):
    """A function that makes an entry, and counts its calls."""
    calls: list[Path] = []

    def populate(folder: Path) -> None:
        calls.append(folder)
        (folder / "part").mkdir()
        (folder / "part/data").write_bytes(b"0123456789")

    def make() -> Path:
        return keep(tmp_path, "entry", populate)

    make.calls = calls
    return make


def test_an_entry_is_made_once(made, tmp_path, capsys):
    assert made() == made() == tmp_path / "entry"
    assert len(made.calls) == 1
    assert (made() / "part/data").read_bytes() == b"0123456789"
    assert find(tmp_path, "entry") == tmp_path / "entry"
    assert set(digests(tmp_path, "entry")) == {"part/data"}
    assert find(tmp_path, "other") is None
    assert digests(tmp_path, "other") is None
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("reason", DAMAGE)
def test_a_damaged_entry_is_renewed_and_told_in_one_line(made, tmp_path, capsys, reason):
    entry = made()
    DAMAGE[reason](entry)
    assert made() == entry
    assert len(made.calls) == 2
    assert (entry / "part/data").read_bytes() == b"0123456789"
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"rsaxcel: renewed {entry}: ")
    assert reason in line
    assert made() == entry
    assert len(made.calls) == 2


def test_a_large_file_is_read_again_only_if_its_time_is_another(made, monkeypatch):
    monkeypatch.setattr("rsaxcel.store.folders._CLOCK_TICK_NS", -1)
    monkeypatch.setattr("rsaxcel.store.folders._SMALL_BYTES", 9)
    data = made() / "part/data"
    read: list[Path] = []

    def digest(path: Path) -> str:
        read.append(path)
        return file_digest(path)

    monkeypatch.setattr("rsaxcel.store.folders.file_digest", digest)
    monkeypatch.setattr("rsaxcel.store.folders._checked", {})
    made()
    assert read == []
    os.utime(data)
    made()
    made()
    assert read == [data]
    assert len(made.calls) == 1


def test_an_entry_of_an_earlier_version_has_no_times(made, capsys):
    table = made() / CONTENTS
    rows = json.loads(table.read_text())
    table.write_text(json.dumps({file: row[:2] for file, row in rows.items()}))
    made()
    assert len(made.calls) == 1
    (made() / "part/data").write_bytes(b"0123456798")
    made()
    assert len(made.calls) == 2
    assert "wrong digest" in capsys.readouterr().err


@pytest.mark.parametrize("reason", DAMAGE)
def test_what_is_damaged_is_not_found(made, tmp_path, capsys, reason):
    DAMAGE[reason](made())
    assert find(tmp_path, "entry") is None
    assert not (tmp_path / "entry").exists()
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_file_in_the_place_of_an_entry_is_renewed(made, tmp_path, capsys):
    (tmp_path / "entry").write_text("")
    assert (made() / "part/data").is_file()
    assert "renewed" in capsys.readouterr().err


def test_an_entry_that_is_whole_but_wrong_is_renewed(tmp_path, capsys):
    written = iter(["[]", "{}"])

    def check(entry: Path) -> None:
        if json.loads((entry / "x.json").read_text()) != {}:
            raise ValueError("no object")

    def make(folder: Path) -> None:
        (folder / "x.json").write_text(next(written))

    keep(tmp_path, "entry", make)
    assert (keep(tmp_path, "entry", make, check) / "x.json").read_text() == "{}"
    assert "no object" in capsys.readouterr().err


def test_results_come_back_as_json_has_them(tmp_path):
    assert keep_json(tmp_path, "x", lambda: {"keys": (1, 2)}) == {"keys": [1, 2]}
    assert keep_json(tmp_path, "x", dict) == {"keys": [1, 2]}
    (tmp_path / "x/result.json").write_text("{")
    assert keep_json(tmp_path, "x", dict) == {}


def test_what_fails_leaves_nothing(tmp_path):
    def fail(folder: Path) -> None:
        (folder / "half").touch()
        raise RuntimeError("half")

    with pytest.raises(RuntimeError, match="half"):
        keep(tmp_path, "entry", fail)
    assert [x.name for x in tmp_path.iterdir()] == ["entry.lock"]
    keep(tmp_path, "entry", lambda folder: None)
    remove(tmp_path, "entry")
    assert not list(tmp_path.iterdir())


SLOW = """
import sys, time
from pathlib import Path
from rsaxcel.store.folders import keep
def populate(folder):
    (folder / "half").touch()
    print("begun", flush=True)
    time.sleep(float(sys.argv[2]))
    (folder / "half").rename(folder / "whole")
print(keep(Path(sys.argv[1]), "entry", populate), flush=True)
"""


def begin(root: Path, seconds: float) -> subprocess.Popen:
    command = [sys.executable, "-c", SLOW, str(root), str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_a_killed_process_leaves_nothing_that_stays(tmp_path):
    with begin(tmp_path, 60) as victim:
        assert victim.stdout.readline() == "begun\n"
        victim.send_signal(signal.SIGKILL)
    assert list(tmp_path.glob(".entry.tmp-*/half"))
    with begin(tmp_path, 0) as next_one:
        out, _ = next_one.communicate(timeout=60)
    assert out == f"begun\n{tmp_path / 'entry'}\n"
    assert {x.name for x in tmp_path.iterdir()} == {"entry", "entry.lock"}
    assert {x.name for x in (tmp_path / "entry").iterdir()} == {"whole", CONTENTS}


def test_processes_that_want_the_same_wait_for_the_first(tmp_path):
    rivals = [begin(tmp_path, 1) for _ in range(3)]
    said = [rival.communicate(timeout=60)[0] for rival in rivals]
    assert sorted(x.count("begun") for x in said) == [0, 0, 1]
    assert all(x.endswith(f"{tmp_path / 'entry'}\n") for x in said)


def test_use_makes_an_entry_young(made):
    entry = made()
    os.utime(entry, (0, 0))
    made()
    assert time.time() - entry.stat().st_mtime < 60


def test_a_store_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    with pytest.raises(CacheError, match=r"^cannot write .*file/store: Not a directory$"):
        keep(tmp_path / "file/store", "entry", lambda folder: None)
    monkeypatch.setenv("RSAXCEL_CACHE", str(tmp_path / "file"))
    with pytest.raises(CacheError, match="RSAXCEL_CACHE can name another folder"):
        keep(tmp_path / "file/store", "entry", lambda folder: None)


def test_a_file_that_changes_in_place_has_another_digest(tmp_path):
    """Same size and, as somebody may set it, the same time; an unchanged file is read once."""
    path, long_ago = tmp_path / "file", (1_000_000_000, 1_000_000_000)
    found = []
    for text in ("one", "two", "one"):
        path.write_text(text)
        os.utime(path, ns=long_ago)
        time.sleep(0.05)  # longer than a tick of the clock
        found.append(file_digest(path))
        assert file_digest(path) == found[-1]
    assert found[0] == found[2] != found[1]
