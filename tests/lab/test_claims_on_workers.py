"""Claims and planted faults on workers: the same results on any number, and if one is killed."""

import math
from dataclasses import replace

import psutil
import pytest

from rsaxcel import catalog
from rsaxcel.eval.measure.claims import proofs_of, self_tests_of
from rsaxcel.eval.measure.job import Workers
from rsaxcel.lab.proofs.blocks import BLOCKS
from rsaxcel.lab.proofs.exchanges import exchange_claims
from rsaxcel.lab.proofs.functions import FunctionClaim
from rsaxcel.lab.proofs.netlists import NetlistClaim
from rsaxcel.lab.proofs.products import ProductClaim
from rsaxcel.lab.proofs.responses import StatusClaim
from rsaxcel.lab.proofs.secrecy import SecrecyClaim
from rsaxcel.lab.proofs.surroundings import EXCHANGES
from tests.eval.test_cluster import scheduler, worker
from tests.shared.processes import ROOT

SECONDS = 60
MUL, DESIGN = catalog.find("mul_rem").configure(3), catalog.get("mulrem_r2l").configure(8)


class Kill:
    """Progress; kills all workers when the first job ends."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(self, line: str) -> None:
        for child in psutil.Process().children() if not self.lines else ():
            if "processes.serve" in " ".join(child.cmdline()):
                child.kill()
        self.lines.append(line)


def found(workers, progress):
    """What is proven or refuted, without times."""
    claims = [
        FunctionClaim(BLOCKS["add_halve"], 4),
        ProductClaim(MUL),
        NetlistClaim(MUL),
        StatusClaim(DESIGN),
        SecrecyClaim(DESIGN),
        *exchange_claims(EXCHANGES["xcel_adapter"])[:2],
    ]
    proofs = {}
    for claim, proof in proofs_of(claims, SECONDS, math.inf, workers, progress):
        proofs[claims.index(claim)] = replace(proof, seconds=0)
        progress("a claim has ended")
    return [proofs[i] for i in range(len(claims))]


def fates(workers, progress):
    (test,) = self_tests_of([ProductClaim(MUL)], SECONDS, 6, 1, workers, progress)
    return test.found


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_any_number_of_workers_gives_the_same_results(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.delenv("RSAXCEL_DESIGNS", raising=False)

    def in_folder(name):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)  # no results are stored there
        monkeypatch.setenv("RSAXCEL_CACHE", str(tmp_path / name / "cache"))

    in_folder("1")
    wanted, faults = found(Workers(workers=1), print), fates(Workers(workers=1), print)
    assert {str(proof.verdict) for proof in wanted} == {"proven", "refuted"}
    for count in (2, 8):
        in_folder(f"{count}")
        assert found(Workers(workers=count), print) == wanted, count
        assert fates(Workers(workers=count), print) == faults, count
    in_folder("killed")
    for same, work in ((wanted, found), (faults, fates)):
        kill = Kill()
        assert work(Workers(workers=2), kill) == same
        assert any("its worker was killed; the job begins again" in x for x in kill.lines)
    in_folder("command")
    there = {"RSAXCEL_CACHE": str(tmp_path / "there" / "cache")}
    with scheduler(tmp_path) as address, worker(tmp_path / "there", address, **there):
        assert found(Workers(address), print) == wanted
        assert fates(Workers(address), print) == faults
        # proofs have come to the command's folder: nothing is tried again
        assert found(Workers(address), print) == wanted
