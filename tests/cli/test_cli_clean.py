"""`rsaxcel clean` removes old results, and keeps those that were used lately or are in use."""

import os
import time
from socket import gethostname

import pytest
from filelock import FileLock

from rsaxcel.eval.measure.witness import witness
from rsaxcel.store.folders import CONTENTS, cache_root, keep

DAY = 86400


@pytest.fixture
def place(here, monkeypatch):
    """Folder with entries of every store, all last used ten days ago."""
    monkeypatch.setenv("RSAXCEL_CACHE", str(here / "cache"))
    build = here / "build"
    made = [
        keep(root, name, lambda folder: (folder / "data").write_bytes(bytes(2000)))
        for root, name in (
            (build / "flow" / "stages", "timing-x-1"),
            (build / "fpga" / "stages", "fpga-x-1"),
            (build / "measurements", "cycles-1"),
            (cache_root(), "library-1"),
            (cache_root() / "programs", "naive-1"),
        )
    ]
    run = build / "flow" / "x-1"
    run.mkdir()
    (run / "job.json").write_text("{}")
    left = cache_root() / ".library-2.tmp-abc"
    left.mkdir()
    made += [run, left]
    for path in made:
        os.utime(path, (time.time() - 10 * DAY,) * 2)
    (build / "report").mkdir()
    os.utime(build / "report", (0, 0))
    return made


def test_old_folders_are_listed_with_their_sizes_and_removed(rsaxcel, shown, place, tmp_path):
    *lines, total = shown("clean", "--older", 9, "--dry-run").splitlines()
    assert len(lines) == len(place)
    for path in place:
        (line,) = (x for x in lines if x.endswith(f"  {path.relative_to(tmp_path)}"))
        assert "   10 days  " in line
        assert "2.1 kB" in line or (path / "data").exists() is False
    assert total.startswith(f"{len(place)} found, 10.")
    assert all(path.exists() for path in place)

    # Files of a killed process are removed at any age.
    assert rsaxcel("clean", "--older", 11).out.splitlines()[-1] == "1 removed, 0 B"
    assert [path.exists() for path in place] == [True] * (len(place) - 1) + [False]
    place.pop()

    finished = rsaxcel("clean", "--older", 9)
    assert finished.out.splitlines()[-1].startswith(f"{len(place)} removed, 10.")
    assert not any(path.exists() for path in place)
    assert (tmp_path / "build" / "report").is_dir()
    assert not list(tmp_path.glob("**/*.lock"))


def test_what_a_killed_command_has_left_goes_at_any_age(rsaxcel, place, tmp_path):
    build = tmp_path / "build"
    dead, other, alive = (build / f"here-{name}" for name in ("dead", "other", "alive"))
    dead.write_text(gethostname())
    other.write_text("another machine")
    held, left = (build / "measurements" / f".{x}.tmp-1" for x in ("held-1", "left-1"))
    for draft in (held, left):
        draft.mkdir()
        draft.with_name(f"{draft.name[1:-6]}.lock").touch()
    with witness(build) as own, FileLock(held.with_name("held-1.lock")):
        assert not dead.exists()  # the next command removes it, too
        own.rename(alive)
        dead.write_text(gethostname())
        finished = rsaxcel("clean", "--older", 30)
        assert alive.exists()
    gone = [dead, left, place[-1]]
    told = {x.split()[-1] for x in finished.out.splitlines()[:-1]}
    assert told == {str(x.relative_to(tmp_path)) for x in gone}
    assert not any(x.exists() for x in gone)
    assert not left.with_name("left-1.lock").exists()
    assert held.exists()
    assert other.exists()  # its lock may be invisible on this machine
    os.utime(other, (0, 0))
    rsaxcel("clean", "--older", 30)
    assert not other.exists()


def test_a_draft_in_the_making_stays(rsaxcel, here, monkeypatch):
    monkeypatch.setenv("RSAXCEL_CACHE", str(here / "cache"))  # others use the shared one
    root = here / "build" / "measurements"

    def populate(draft):
        assert rsaxcel("clean", "--older", 0).status == 0
        (draft / "data").touch()

    assert (keep(root, "cycles-1", populate) / "data").exists()


def test_what_was_used_stays(rsaxcel, place):
    keep(place[0].parent, place[0].name, lambda folder: None)
    assert rsaxcel("clean", "--older", 9).status == 0
    assert [path.exists() for path in place] == [True] + [False] * (len(place) - 1)


def test_what_is_in_use_stays(rsaxcel, place):
    run = place[5]
    with FileLock(run.with_name(f"{run.name}.lock")):
        finished = rsaxcel("clean", "--older", 9)
    assert run.exists()
    assert "is in use and stays" in finished.err


def test_things_of_others_in_the_cache_folder_stay(rsaxcel, place):
    other = cache_root() / "thesis"
    other.mkdir()
    os.utime(other, (0, 0))
    assert rsaxcel("clean", "--older", 0).status == 0
    assert other.is_dir()


def test_nothing_to_clean(rsaxcel, here, monkeypatch):
    monkeypatch.setenv("RSAXCEL_CACHE", str(here / "cache"))
    assert rsaxcel("clean", "--older", 0).out == "0 removed, 0 B\n"


def linked(tmp_path, work):
    """Two results in a folder to which the flow's folder has a link."""
    made = work / "stages" / "timing-x-1", work / "x-1"
    for folder, mark in zip(made, (CONTENTS, "job.json"), strict=True):
        folder.mkdir(parents=True)
        (folder / mark).write_text("{}")
    (tmp_path / "build" / "flow").mkdir(parents=True)
    (tmp_path / "build" / "flow" / "work").symlink_to(work)
    return made


def test_folders_to_which_the_flow_has_a_link_are_cleaned_too(rsaxcel, here, monkeypatch):
    monkeypatch.delenv("RSAXCEL_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "home"))
    made = linked(here, here / "home" / "rsaxcel" / f"runs-{'a' * 20}")
    assert rsaxcel("clean", "--older", 0).out.splitlines()[-1].startswith("2 removed")
    assert not any(x.exists() for x in made)
    assert (here / "build" / "flow" / "work").is_symlink()


@pytest.mark.parametrize("place", ["home", "home/rsaxcel/thesis", "build/other"])
def test_a_link_that_leads_elsewhere_is_not_followed(rsaxcel, here, monkeypatch, place):
    monkeypatch.delenv("RSAXCEL_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "home"))
    made = linked(here, here / place)
    assert rsaxcel("clean", "--older", 0).out == "0 removed, 0 B\n"
    assert all(x.exists() for x in made)


@pytest.mark.parametrize("link", ["build", "build/flow", "build/flow/stages", "build/measurements"])
def test_through_a_link_only_results_are_removed(rsaxcel, here, monkeypatch, link):
    monkeypatch.setenv("RSAXCEL_CACHE", str(here / "cache"))
    home = here / "home"
    for name in ("thesis", "flow/thesis", "measurements/thesis"):
        (home / name).mkdir(parents=True)
        (home / name / "chapter.tex").touch()
    (here / link).parent.mkdir(parents=True, exist_ok=True)
    (here / link).symlink_to(home)
    assert rsaxcel("clean", "--older", 0).out == "0 removed, 0 B\n"


def test_folders_of_earlier_versions_are_cleaned_too(rsaxcel, here, monkeypatch):
    monkeypatch.setenv("RSAXCEL_CACHE", str(here / "cache"))
    entry = keep(here / "build" / "native", "library-1", lambda folder: None)
    assert rsaxcel("clean", "--older", 0).out.splitlines()[-1].startswith("1 removed")
    assert not entry.exists()
