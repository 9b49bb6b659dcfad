"""Fixtures and settings of all tests."""

import gc
import json
import math
import os
import shutil
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, settings

from rsaxcel.catalog import registry
from rsaxcel.store.folders import cache_root
from tests.project import wheels

FIRST = ("test_exhaustive.py", "test_grid.py")
"""Files whose failures best explain a fault of a multiplier or a design; they run first."""

# Circuits are many small objects that live long. By default, garbage collection among them takes a
# twentieth of the time.
gc.set_threshold(200_000, 20, 50)

# Tests that work in folders of their own share the compiled circuits and Verilator's runtime, which
# takes several seconds to compile.
os.environ["RSAXCEL_CACHE"] = str(cache_root())


class Root:
    """The root, which pytest would import as a package of another name than rsaxcel."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collect_directory(self, path, parent):
        return pytest.Dir.from_parent(parent, path=path) if path == wheels.ROOT else None


def pytest_configure(config):
    """Collect from the root; skip what asks for OpenSTA where it is not installed."""
    config.pluginmanager.register(Root())
    config.addinivalue_line("markers", "built_once(circuit): tests of one circuit are one group")
    # The first draw of a run reads the constants in all of our modules, for seconds on a busy
    # machine: that is no slow strategy.
    settings.register_profile("ours", suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("ours")
    if shutil.which("sta") is None:
        from rsaxcel.flow import opensta

        opensta.find_sta = lambda: pytest.skip("OpenSTA (sta) is missing")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark slow cases (``make test-all`` runs them), and put the first files first."""
    matched: dict[tuple[str, str], bool] = {}
    for item in items:
        params = item.callspec.params if hasattr(item, "callspec") else {}
        for mark in item.iter_markers("built_once"):
            item.add_marker(pytest.mark.xdist_group(mark.args[0].format_map(params)))
        name = item.nodeid.partition("[")[0]
        for marker, slow in (("slow_cases", True), ("quick_cases", False)):
            for mark in item.iter_markers(marker):
                found = [x for x in mark.args if fnmatchcase(item.callspec.id, x)]
                matched |= {
                    (name, x): matched.get((name, x), False) or x in found for x in mark.args
                }
                if bool(found) == slow:
                    item.add_marker(pytest.mark.slow)
    wrong = [f"{name}: no case {pattern}" for (name, pattern), has in matched.items() if not has]
    if wrong and config.args == config.getini("testpaths"):
        raise pytest.UsageError("; ".join(wrong))
    rank = {name: place for place, name in enumerate(FIRST)}
    items.sort(key=lambda item: rank.get(item.path.name, len(FIRST)))


@pytest.fixture(autouse=True)
def cores_stay_in_their_tests():
    """A command with a path of a core registers the core, for this process and its children."""
    known, listed = {**registry.GIVEN}, os.environ.get(registry.VARIABLE)
    yield
    if registry.GIVEN != known:
        registry.GIVEN.clear()
        registry.GIVEN.update(known)
    if os.environ.get(registry.VARIABLE) != listed:
        os.environ.pop(registry.VARIABLE, None)
        if listed is not None:
            os.environ[registry.VARIABLE] = listed


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    """Current folder, which is empty: results of other tests are not known in it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def wheel(tmp_path_factory) -> Path:
    """Wheel of rsaxcel, as others install it."""
    return wheels.build(tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("made"))


@pytest.fixture(scope="session")
def installed(wheel, tmp_path_factory) -> Path:
    """Fresh environment in which the wheel is installed."""
    folder = tmp_path_factory.mktemp("environment")
    wheels.install(wheel, folder)
    return folder


class Finished(NamedTuple):
    """Exit status and output of a command."""

    status: int
    out: str
    err: str


@pytest.fixture
def rsaxcel(capsys, monkeypatch) -> Callable[..., Finished]:
    """Call the command line in this process."""
    from rsaxcel.cli.main import cli, guard

    # Lines on the progress of a command would appear on slow machines only.
    monkeypatch.setattr("rsaxcel.cli.progress._LINE_SECONDS", math.inf)
    monkeypatch.setattr("rsaxcel.sim.native.build._LEAST_SECONDS", math.inf)

    def call(*args: object) -> Finished:
        status = guard(cli, "rsaxcel", [str(arg) for arg in args])
        return Finished(status, *capsys.readouterr())

    return call


@pytest.fixture
def run(rsaxcel) -> Callable[..., str]:
    """Call the command line, which ends with ``status``; return what it printed."""

    def call(*arguments: object, status: int = 0) -> str:
        done = rsaxcel(*arguments)
        assert done.status == status, done
        return done.out + done.err

    return call


@pytest.fixture
def shown(rsaxcel) -> Callable[..., str]:
    """Call the command line, which succeeds; return its standard output."""

    def call(*arguments: object) -> str:
        done = rsaxcel(*arguments)
        assert done.status == 0, done
        return done.out

    return call


@pytest.fixture
def refused(rsaxcel) -> Callable[..., str]:
    """Call the command line, which refuses what it is given; return the line that it says."""

    def call(*arguments: object) -> str:
        done = rsaxcel(*arguments)
        assert (done.status, done.out) == (2, ""), done
        (line,) = done.err.splitlines()
        assert line.startswith("rsaxcel: error: ")
        return line

    return call


@pytest.fixture
def objects(rsaxcel) -> Callable[..., list[dict]]:
    """Call the command line with --json; return the objects that it prints, one a line."""

    def call(*arguments: object, status: int = 0) -> list[dict]:
        done = rsaxcel(*arguments, "--json")
        assert done.status == status, done
        return [json.loads(line) for line in done.out.splitlines()]

    return call


@pytest.fixture(scope="session")
def circuits(tmp_path_factory):
    """Return a function that synthesizes a design of the registry at 8 bits, by name."""
    from tests.flow.flow_circuits import Circuit, build

    built: dict[str, Circuit] = {}

    def circuit(name: str) -> Circuit:
        if name not in built:
            built[name] = build(name, tmp_path_factory.mktemp(name))
        return built[name]

    return circuit


@pytest.fixture
def vectors(tmp_path):
    """Write records as JSON lines."""

    def write(records):
        file = tmp_path / "vectors.jsonl"
        file.write_text("".join(json.dumps(record) + "\n" for record in records))
        return file

    return write


@pytest.fixture
def key_file(tmp_path):
    """Write a key of a width in PEM, made by ``make``; return its path."""
    from rsaxcel.fl.keys import balanced_key
    from tests.cli.crypt_keys import private_key, private_pem, write_key

    def write(nbits, make=balanced_key):
        return write_key(tmp_path / f"{nbits}.pem", private_pem(private_key(make(nbits))))

    return write
