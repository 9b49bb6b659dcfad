"""Folders whose paths Yosys, ABC or OpenSTA cannot read: substitute paths."""

import ast
import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from rsaxcel.flow import paths
from rsaxcel.flow.graph import NODES
from rsaxcel.flow.kit import DEFAULT_LIBRARY, Kit
from rsaxcel.flow.libraries import plain_kit
from rsaxcel.store.errors import SetupError
from tests.flow.flow_circuits import KIT

UNSAFE = ("a b", "a'b", 'a"b', "a;b", "ä", "a$b", "a(b", "a,b", "a\\b", "a:b", "a#b", "a%b", "a*b")


@pytest.fixture(autouse=True)
def cache_home(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_paths_of_plain_characters_stay(tmp_path, cache_home):
    root = tmp_path / "work.d" / "rsaxcel-1_2+3@x=y~"
    assert paths.work_folder(root) == root
    paths.make_work_folder(root)
    assert root.is_dir()
    assert not list(root.iterdir())
    assert not cache_home.exists()


@pytest.mark.parametrize("name", UNSAFE)
def test_other_paths_get_a_link_to_a_folder_of_the_cache(tmp_path, cache_home, name):
    root = tmp_path / name / "flow"
    folder = paths.work_folder(root)
    assert paths.is_safe(folder)
    assert folder.parent == cache_home / "rsaxcel"
    paths.make_work_folder(root)
    paths.make_work_folder(root)
    (folder / "file").touch()
    assert (root / "work" / "file").exists()
    other = paths.work_folder(tmp_path / name / "fpga")
    assert other != folder


def test_a_safe_link_to_an_unsafe_folder_is_unsafe(tmp_path):
    (tmp_path / "a b").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "a b")
    assert not paths.is_safe(tmp_path / "link" / "flow")


def test_a_renamed_folder_keeps_its_results(tmp_path):
    root = tmp_path / "a b" / "flow"
    paths.make_work_folder(root)
    folder = paths.work_folder(root)
    os.rename(tmp_path / "a b", tmp_path / "b c")
    assert paths.work_folder(tmp_path / "b c" / "flow") == folder


@pytest.mark.parametrize("place", ["home", "cache/rsaxcel/thesis", "a b; exec -- sh x"])
def test_a_link_of_somebody_else_is_replaced(tmp_path, cache_home, place):
    root, elsewhere = tmp_path / "a b" / "flow", tmp_path / place
    for folder in (root, elsewhere):
        folder.mkdir(parents=True)
    (root / "work").symlink_to(elsewhere)
    paths.make_work_folder(root)
    assert (root / "work").resolve().parent == cache_home / "rsaxcel"
    assert not list(elsewhere.iterdir())


def test_a_store_that_is_an_unsafe_link_is_not_used(tmp_path, cache_home):
    root, unsafe = tmp_path / "flow", tmp_path / "a; exec -- sh x"
    for folder in (root, unsafe):
        folder.mkdir()
    (root / "stages").symlink_to(unsafe)
    assert paths.work_folder(root).parent == cache_home / "rsaxcel"


def test_an_unsafe_cache_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "my cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "my files"))
    with pytest.raises(SetupError) as refused:
        paths.work_folder(tmp_path / "a b")
    assert str(refused.value).startswith(f"{tmp_path / 'a b'}: Yosys and OpenSTA cannot take")
    assert "XDG_CACHE_HOME" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["tmp", *UNSAFE])
def test_temporary_folder_is_where_the_tools_can_read(tmp_path, monkeypatch, name):
    (tmp_path / name).mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / name))
    with paths.temporary_folder() as folder:
        assert paths.is_safe(folder)
        assert folder.is_relative_to(tmp_path / name) == (name == "tmp")
    assert not folder.exists()


def test_cells_at_an_unsafe_path_are_copied(tmp_path):
    """A folder with a blank in its path is a kit: the tools read copies of its files."""
    folder = tmp_path / "my kit"
    shutil.copytree(KIT.liberty.parent, folder)
    text = KIT.file.read_text()
    (folder / "kit.toml").write_text(text)
    plain = plain_kit(str(folder))
    copied = Kit.read(plain)
    assert paths.is_safe(plain)
    assert paths.is_safe(copied.liberty)
    assert copied.digest == KIT.digest
    assert plain == plain_kit(DEFAULT_LIBRARY)


def test_no_node_depends_on_where_it_runs():
    """No node depends on the module of paths, so its changes renew no results."""
    for node in NODES:
        tree = ast.parse(Path(sys.modules[node.__module__].__file__).read_text())
        imported = {x.module for x in ast.walk(tree) if isinstance(x, ast.ImportFrom)}
        assert "rsaxcel.flow.paths" not in imported
