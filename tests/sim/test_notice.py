"""Notices while a compiler runs."""

import pytest

from rsaxcel.sim.native import build
from rsaxcel.sim.native.build import tell_compiling
from rsaxcel.sim.native.engine import NativeEngine
from rsaxcel.sim.native.toolchain import find_toolchain
from tests.shared.messages import without_progress


@pytest.mark.parametrize(
    ("cores", "first_pass", "second_pass", "told"),
    [
        (2, 0.5, False, ""),
        (2, 4.7, True, "compiling x, about 15 s\n"),
        (1, 4.7, True, "compiling x, about 30 s\n"),
        (8, 4.7, False, ""),
        (2, 60, True, "compiling x, about 3 min\n"),
    ],
)
def test_an_estimate_follows_verilators_own_time(
    capsys, monkeypatch, cores, first_pass, second_pass, told
):
    monkeypatch.setattr("os.sched_getaffinity", lambda process: set(range(cores)))
    tell_compiling("x", first_pass, second_pass)
    assert capsys.readouterr().err == told
    assert without_progress(told) == ""


def test_what_is_kept_is_not_compiled(capsys, monkeypatch, gcd, empty_store):
    monkeypatch.setattr("rsaxcel.sim.native.build._LEAST_SECONDS", 0)
    for told in ("compiling Gcd, about 5 s\n", ""):
        NativeEngine(gcd, directory=empty_store)
        assert capsys.readouterr() == ("", told)


def test_the_runtime_is_told_once(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(build, "run_tool", lambda command: "")
    for told in ("compiling Verilator's runtime, once, about 5 s\n", ""):
        for name in build._runtime_sources(None):
            build._runtime_object(name, find_toolchain(), tmp_path)
        assert capsys.readouterr() == ("", told)
