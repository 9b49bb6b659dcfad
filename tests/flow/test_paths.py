"""Folders whose paths make, Yosys, ABC or OpenSTA do not take, and what stands in for them."""

import ast
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import flow.paths as paths
from flow.errors import SetupError
from flow.kit import LIBRARIES, find_kit, kit_folder
from flow.stage import NODES
from tests.test_imports import BELOW

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


def test_an_unsafe_cache_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "my cache"))
    monkeypatch.setattr(os, "getuid", lambda: "nobody's")  # in the path of the other place
    with pytest.raises(SetupError) as refused:
        paths.work_folder(tmp_path / "a b")
    assert str(refused.value).startswith(f"{tmp_path / 'a b'}: make, Yosys and OpenSTA cannot take")
    assert "XDG_CACHE_HOME" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_code_and_cells_at_an_unsafe_path(tmp_path, monkeypatch):
    """As where the virtual environment is in a folder with a blank."""
    kit = tmp_path / "site packages" / "adks" / LIBRARIES[0]
    shutil.copytree(kit_folder(LIBRARIES[0]), kit, symlinks=True)
    monkeypatch.setattr(paths, "kit_folder", lambda name: kit)
    folder = paths.code_folder.__wrapped__()
    assert paths.is_safe(folder / "adks" / LIBRARIES[0] / "view-tiny" / "stdcells.lib")
    assert (folder / "flow" / "construct.py").samefile(NODES.with_name("construct.py"))
    assert (folder / "flow" / "construct.py").is_relative_to(folder)
    monkeypatch.setattr(paths, "code_folder", lambda: folder)
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    assert paths.variables() == {"PYTHONPATH": f"{folder}{os.pathsep}/elsewhere"}


def test_temporary_files_go_to_a_safe_folder(tmp_path, cache_home, monkeypatch):
    monkeypatch.setattr(paths.tempfile, "gettempdir", lambda: str(tmp_path / "a b"))
    assert paths.variables() == {"TMPDIR": str(cache_home / "rsaxcel" / "tmp")}


def test_unpacked_cells_at_an_unsafe_path_are_refused(tmp_path, monkeypatch):
    kit = replace(find_kit(LIBRARIES[0]), liberty=tmp_path / "my venv" / "cells.lib")
    monkeypatch.setattr(paths, "find_kit", lambda library: kit)
    told = "my venv/cells.lib: Yosys and OpenSTA cannot take .* elsewhere with: .*pip install mflow"
    with pytest.raises(SetupError, match=told):
        paths.check_cells("osu018")


def test_packages_are_all_that_the_flow_may_import():
    assert {*paths.PACKAGES} == {*BELOW["flow"], "flow"}


def test_no_stage_depends_on_where_it_runs():
    """The keys of results must not change with this module."""
    stages = {path.name for path in NODES.parent.glob("*.py")} - {
        "graph.py",
        "paths.py",
        "earlier.py",
    }
    for name in stages:
        tree = ast.parse((NODES.parent / name).read_text())
        imported = {x.module for x in ast.walk(tree) if isinstance(x, ast.ImportFrom)}
        assert "flow.paths" not in imported
