"""Processor time of measurements is kept beside the result, and is one of its facts."""

import multiprocessing
import time
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from rsaxcel.eval.measure import flows
from rsaxcel.eval.measure.flows import _result, cost_facts


@dataclass(frozen=True)
class Made:
    """Stand-in for a result of the flow, with the properties that costs need."""

    hash: str = "abc"
    library: str = "cells"
    clock_ns: float = 0.5


@pytest.fixture
def result(tmp_path, monkeypatch):
    """Ask for a result, which ``make`` makes unless the store has it."""
    monkeypatch.setattr(flows, "MEASUREMENTS", tmp_path)

    def ask(make: Callable[[], Made], stored: Made | None = None) -> Made:
        def run(*asked: object, lookup: bool = False) -> Made | None:
            return stored if lookup else make()

        monkeypatch.setattr(flows, "run", run)
        return _result(None, None, print)

    return ask


def spend() -> Made:
    burn(0.05)
    return Made()


def burn(seconds: float) -> None:
    ends = time.process_time() + seconds
    while time.process_time() < ends:
        pass


def spend_as_yosys() -> Made:
    process = multiprocessing.get_context("forkserver").Process(target=burn, args=(0.3,))
    process.start()
    process.join()
    return Made()


def test_what_a_run_takes_is_kept(result):
    assert not list(cost_facts(Made(), "synthesis_cpu_seconds", 8, "thing"))
    assert result(spend) == Made()
    (fact,) = cost_facts(Made(), "synthesis_cpu_seconds", 8, "thing", "lanes=1")
    assert 0 < fact.value < 60
    assert (fact.subject, fact.nbits, fact.choices) == ("thing", 8, "lanes=1")
    assert (fact.library, fact.clock_ns, fact.provenance) == ("cells", 0.5, "abc")


def test_what_a_server_of_processes_takes_is_counted(result):
    result(spend_as_yosys)
    (fact,) = cost_facts(Made(), "synthesis_cpu_seconds", 8, "thing")
    assert 0.29 <= fact.value < 60


def test_what_is_found_costs_nothing_and_keeps_what_it_cost(result):
    result(spend)
    (before,) = cost_facts(Made(), "synthesis_cpu_seconds", 8, "thing")

    def run() -> Made:
        raise AssertionError("it is there")

    assert result(run, Made()) == Made()
    assert list(cost_facts(Made(), "synthesis_cpu_seconds", 8, "thing")) == [before]
    assert not list(cost_facts(Made("other"), "synthesis_cpu_seconds", 8, "thing"))
