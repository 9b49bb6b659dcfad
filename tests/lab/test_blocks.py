"""Blocks of traces and faults: the same results on any number of workers, and if one is killed."""

import json

import psutil
import pytest

from rsaxcel import catalog
from rsaxcel.eval.measure import collect, job
from rsaxcel.eval.measure.job import Workers
from rsaxcel.lab import blocks as lab_blocks
from rsaxcel.lab.blocks import Block, keep_entries, shared
from rsaxcel.lab.design_netlist import netlist_files
from rsaxcel.lab.faults.space import kinds_of
from rsaxcel.lab.faults.study import FaultRequest, run_study
from rsaxcel.lab.faults.study import blocks_of as fault_blocks
from rsaxcel.lab.leakage import study
from rsaxcel.lab.leakage.request import LeakRequest
from tests.eval.test_cluster import scheduler, worker
from tests.shared.processes import ROOT

LIBRARY, CLOCK_NS = "freepdk-45nm", 3.0


def block(number: int, seconds: float) -> Block:
    return Block(f"block {number}", f"entry-{number}", print, (), number, seconds, 100.0)


@pytest.mark.parametrize(("seconds", "workers", "count"), [(0.4, 2, 1), (10, 2, 2), (100, 2, 7)])
def test_blocks_are_shared_out_in_order(seconds, workers, count):
    """Short work is not shared out, and no share is long: a lost worker loses little."""
    listed = [block(number, seconds) for number in range(20)]
    found = shared(listed, workers)
    assert [x for share in found for x in share] == listed
    assert len(found) == count
    assert max(map(len, found)) - min(map(len, found)) <= 1


def test_entries_of_another_machine_stay_in_the_store(tmp_path, monkeypatch):
    monkeypatch.setenv("RSAXCEL_CACHE", str(tmp_path / "store"))
    keep_entries({"entry-0": {"../../0.npz": b"sums"}})
    assert block(0, 1.0).is_kept
    assert (tmp_path / "store" / "entry-0" / "0.npz").read_bytes() == b"sums"
    assert not (tmp_path / "0.npz").exists()


class Kill:
    """Progress of jobs; kills a worker when the first job begins."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(self, line: str) -> None:
        if not self.lines:
            children = psutil.Process().children()
            next(x for x in children if "processes.serve" in " ".join(x.cmdline())).kill()
        self.lines.append(line)


def results(workers: Workers, progress) -> list[str]:
    """Results of leak and fault, whose blocks are made on workers."""
    ladder = catalog.get("montmul_r2l").configure(8, schedule="ladder")
    asked = LeakRequest(ladder, ["exponent", "base"], 3000, 1.0, 0, LIBRARY, CLOCK_NS)
    tests = study.tests_of(asked, *netlist_files(ladder, LIBRARY, CLOCK_NS))
    collect.run_blocks(study.pilots_of(asked, tests), workers, progress)
    for test in tests:
        collect.run_blocks(study.blocks_of(asked, test), workers, progress)
    drawn = kinds_of("all"), (), 40_000, 0, False, False
    request = FaultRequest(ladder, LIBRARY, CLOCK_NS, *drawn)
    campaign = request.campaign()
    collect.run_blocks(fault_blocks(request, campaign), workers, progress)
    studies = [test.result().as_json() for test in tests]
    return [json.dumps(x) for x in [*studies, run_study(campaign, safe_errors=False).as_json()]]


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_any_number_of_workers_gives_the_same_results(here, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.delenv("RSAXCEL_DESIGNS", raising=False)
    for module in (lab_blocks, collect):
        monkeypatch.setattr(module, "LEAST_SECONDS", 0.01)
    monkeypatch.setattr(job, "_ON_A_CLUSTER", 3)
    monkeypatch.setenv("RSAXCEL_CACHE", str(here / "one"))
    wanted = results(Workers(workers=1), print)
    jobs = {}
    for count in (2, 8):
        monkeypatch.setenv("RSAXCEL_CACHE", str(here / f"{count}"))
        jobs[count] = []
        assert results(Workers(workers=count), jobs[count].append) == wanted, count
    assert len(jobs[8]) > len(jobs[2]) > 4
    kill = Kill()
    monkeypatch.setenv("RSAXCEL_CACHE", str(here / "killed"))
    assert results(Workers(workers=2), kill) == wanted
    assert any("its worker was killed; the job begins again" in line for line in kill.lines)
    monkeypatch.setenv("RSAXCEL_CACHE", str(here / "command"))
    with (
        scheduler(here) as address,
        worker(here / "there", address, RSAXCEL_CACHE=str(here / "there" / "cache")),
    ):
        told: list[str] = []
        assert results(Workers(address), told.append) == wanted
    assert any(": done, " in line for line in told)
