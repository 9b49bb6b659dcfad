"""Engines that the tests of this folder share."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rsaxcel.sim.engine import ENGINES, Engine, open_engine
from rsaxcel.sim.native.engine import NativeEngine
from rsaxcel.sim.translate import VerilogModule, translate
from tests.shared.stores import link_runtime
from tests.sim.cases import CASES


@pytest.fixture(scope="session")
def engine_of() -> Callable[[str, str], Engine]:
    """Engine for a case, opened once."""
    opened: dict[tuple[str, str], Engine] = {}

    def get(engine: str, name: str) -> Engine:
        if (engine, name) not in opened:
            opened[engine, name] = open_engine(engine, CASES[name].factory)
        return opened[engine, name]

    return get


@pytest.fixture(params=ENGINES)
def engine_name(request) -> str:
    return request.param


@pytest.fixture(scope="session")
def gcd() -> VerilogModule:
    return translate(CASES["gcd"].factory())


@pytest.fixture
def empty_store(gcd, tmp_path) -> Path:
    """A store with only Verilator's runtime and headers."""
    NativeEngine(gcd)
    return link_runtime(tmp_path)
