"""Processor time of measurements is kept beside the result, and is one of its facts."""

import multiprocessing
import time
from dataclasses import dataclass

import pytest

from rsaxcel.eval.measure.flows import cost_facts, costed


@dataclass(frozen=True)
class Made:
    """Stand-in for a result of the flow, with the properties that costs need."""

    hash: str = "abc"
    library: str = "cells"
    clock_ns: float = 0.5


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr("rsaxcel.eval.measure.flows.MEASUREMENTS", tmp_path)


def spend(*asked: object) -> Made:
    burn(0.05)
    return Made()


def burn(seconds: float) -> None:
    ends = time.process_time() + seconds
    while time.process_time() < ends:
        pass


def spend_as_yosys(*asked: object) -> Made:
    process = multiprocessing.get_context("forkserver").Process(target=burn, args=(0.3,))
    process.start()
    process.join()
    return Made()


def test_what_a_run_takes_is_kept(folder):
    assert not list(cost_facts(Made(), "synthesis_cpu_seconds", 8, "thing"))
    assert costed(lambda *asked: None, spend, ("thing", 8)) == Made()
    (fact,) = cost_facts(Made(), "synthesis_cpu_seconds", 8, "thing", "lanes=1")
    assert 0 < fact.value < 60
    assert (fact.subject, fact.nbits, fact.choices) == ("thing", 8, "lanes=1")
    assert (fact.library, fact.clock_ns, fact.provenance) == ("cells", 0.5, "abc")


def test_what_a_server_of_processes_takes_is_counted(folder):
    costed(lambda *asked: None, spend_as_yosys, ())
    (fact,) = cost_facts(Made(), "synthesis_cpu_seconds", 8, "thing")
    assert 0.29 <= fact.value < 60


def test_what_is_found_costs_nothing_and_keeps_what_it_cost(folder):
    costed(lambda *asked: None, spend, ())
    (before,) = cost_facts(Made(), "synthesis_cpu_seconds", 8, "thing")

    def run(*asked: object) -> Made:
        raise AssertionError("it is there")

    assert costed(lambda *asked: Made(), run, ()) == Made()
    assert list(cost_facts(Made(), "synthesis_cpu_seconds", 8, "thing")) == [before]
    assert not list(cost_facts(Made("other"), "synthesis_cpu_seconds", 8, "thing"))
