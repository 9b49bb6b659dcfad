"""Proofs about adapter and bus, and planted faults, which are refuted."""

import pickle
import re
from dataclasses import replace
from pathlib import Path

import pytest

from rsaxcel.lab.proofs.claim import TOP
from rsaxcel.lab.proofs.exchanges import ExchangeClaim, exchange_claims
from rsaxcel.lab.proofs.reading import read_machine
from rsaxcel.lab.proofs.sequential import CYCLES, FromReset
from rsaxcel.lab.proofs.signals import write_vcd
from rsaxcel.lab.proofs.solver import ProofVerdict
from rsaxcel.lab.proofs.surroundings import EXCHANGES
from tests.shared.tables import each_row
from tests.shared.vcd import VCDVCD

slow = pytest.mark.slow
SECONDS = 60
ADAPTER, SLAVE, ACCELERATOR = EXCHANGES.values()
QUICK = [("xcel_adapter", x) for x in ADAPTER.properties if x != "writes"]


@pytest.mark.parametrize(
    ("name", "about"),
    [
        pytest.param(
            name, about, id=f"{name}-{about}", marks=[] if (name, about) in QUICK else [slow]
        )
        for name, exchange in EXCHANGES.items()
        for about in exchange.properties
    ],
)
def test_properties(name, about):
    """Each property holds in runs of any length."""
    exchange = EXCHANGES[name]
    proof = ExchangeClaim(exchange, about, exchange.nbits).prove(SECONDS)
    assert (proof.verdict, proof.scope) == (ProofVerdict.PROVEN, "every run from a reset")


def test_a_slave_keeps_the_rules_in_short_runs():
    """A proof for runs of any length takes ten times as long; a planted fault shows in 12."""
    machine = read_machine(ExchangeClaim(SLAVE, "rules", SLAVE.nbits).text, TOP)
    claim = FromReset(machine, "wrong_rules")
    assert claim.search(SECONDS, CYCLES) == []
    with pytest.raises(TimeoutError, match="of 1000 cycles"):
        claim.search(1, 1000)


def test_a_search_ends_when_all_states_are_known():
    text = """module top(input logic clk, input logic reset, input logic a, output logic wrong);
    logic kept;
    always_ff @(posedge clk) kept <= a & ~reset;
    assign wrong = kept & ~kept;
    endmodule"""
    assert FromReset(read_machine(text, "top"), "wrong").search(SECONDS, 1000) == []


@slow
@pytest.mark.parametrize(
    ("name", "nbits"),
    [
        pytest.param("xcel_adapter", 1, id="narrowest"),
        pytest.param("xcel_adapter", 40, id="two-words"),
        pytest.param("axi_accelerator", 40, id="bus-two-words"),
    ],
)
def test_other_widths(name, nbits):
    for claim in exchange_claims(EXCHANGES[name], nbits):
        assert (claim.about, claim.prove(2 * SECONDS).verdict) == (claim.about, ProofVerdict.PROVEN)


@pytest.mark.slow_cases("axi_accelerator")
@pytest.mark.parametrize("name", EXCHANGES)
def test_no_claim_is_empty(name):
    """Requests, starts, responses, and waits of the longest time are possible."""
    exchange = EXCHANGES[name]
    claim = ExchangeClaim(exchange, next(iter(exchange.properties)), exchange.nbits)
    machine = read_machine(claim.text, TOP)
    assert [
        x for x in exchange.events if not FromReset(machine, f"seen_{x}").search(SECONDS, 20)
    ] == []


def refuted(exchange, about, old, new):
    """Counterexample for a circuit with a fault; the fault is in the first place of the text."""
    claim = ExchangeClaim(exchange, about, exchange.nbits)
    text = claim.module.text
    assert old in text
    proof = replace(claim, verilog=text.replace(old, new, 1)).prove(SECONDS)
    assert proof.verdict is ProofVerdict.REFUTED
    example = proof.counterexample
    assert example.signals[f"wrong_{about}"][-1] == 1
    assert not any(example.signals[f"wrong_{about}"][1:-1])
    assert example.signals["reset"][0] == 1
    return example


@each_row(__file__, "adapter", "about", "old", "new")
def test_a_wrong_adapter_is_refuted(about, old, new, tmp_path):
    example = refuted(ADAPTER, about, old, new)
    write_vcd(tmp_path / "wrong.vcd", example)
    waves = VCDVCD(str(tmp_path / "wrong.vcd"))
    shown = next(waves[name] for name in waves.signals if name.startswith(f"checked.wrong_{about}"))
    last = len(example.signals["valid"]) - 1
    assert (shown[2 * last - 2], shown[2 * last]) == ("0", "1")


@each_row(__file__, "slave", "about", "old", "new")
def test_a_wrong_slave_is_refuted(about, old, new):
    refuted(SLAVE, about, old, new)


@slow
@each_row(__file__, "accelerator", "about", "old", "new")
def test_a_wrong_accelerator_is_refuted(about, old, new):
    refuted(ACCELERATOR, about, old, new)


@slow
def test_a_read_of_the_state_shows_the_state_of_its_last_cycle():
    """While the response to a read of STATE waits, its bits change: an exception of ``held``."""

    def strict(module, nbits):
        text = ADAPTER.checked(module, nbits)
        assert " & !live" in text
        return text.replace(" & !live", "")

    proof = ExchangeClaim(replace(ADAPTER, checked=strict), "held", 8).prove(SECONDS)
    assert proof.verdict is ProofVerdict.REFUTED
    signals = proof.counterexample.signals
    assert signals["valid_data"][-2:] == [1, 2]  # busy, then ready


PATIENT = Path(__file__).with_name("patient.sv").read_text("utf-8")


@pytest.mark.parametrize(
    ("less", "verdict"),
    [
        pytest.param(0, ProofVerdict.PROVEN, id="bound"),
        pytest.param(1, ProofVerdict.REFUTED, id="tight"),
    ],
)
def test_cycles_of_any_wait(less, verdict):
    """The bound that follows from ``cycles``: here for at most 2 cycles to accept, 3 to answer."""
    text = ExchangeClaim(ADAPTER, "cycles", 8).text.replace(
        "output wrong_once,", "output late, output wrong_once,"
    )
    text = text[: text.rindex("endmodule")] + PATIENT.replace("LESS", str(less))
    assert FromReset(read_machine(text, "checked"), "late").decide(SECONDS).verdict is verdict


COUNTER = Path(__file__).with_name("counter.sv").read_text("utf-8")


def test_runs_begin_with_a_reset_and_any_contents():
    """A counter reaches 30 in 32 cycles, and never 101; registers without a reset hold anything."""
    reached = FromReset(read_machine(COUNTER.replace("LIMIT", "30"), "counter"), "full")
    answer = reached.decide(SECONDS)
    assert answer.verdict is ProofVerdict.REFUTED
    assert sum(frame.get("counts", 0) for frame in answer.frames) >= 30
    assert answer.frames[0]["reset"] == answer.frames[0]["power_up"] == 1
    assert answer.frames[1]["power_up"] == 0
    machine = read_machine(COUNTER.replace("LIMIT", "101"), "counter")
    assert FromReset(machine, "full").decide(SECONDS).verdict is ProofVerdict.PROVEN
    begun = FromReset(machine, "begun").decide(SECONDS)
    assert begun.verdict is ProofVerdict.REFUTED
    assert sum(value for name, value in begun.frames[0].items() if "free_reg" in name) == 3


@slow
def test_an_open_claim_tells_its_depth():
    """Without time for a proof, the claim stays open."""
    claim = ExchangeClaim(SLAVE, "once", 32)
    proof = claim.prove(1)
    assert proof.verdict is ProofVerdict.OPEN
    assert re.fullmatch(r"bounded search \(bmc3\), none in [1-9]\d* cycles", proof.method)


def test_a_claim_passes_to_another_process():
    claim = ExchangeClaim(ADAPTER, "held", 8, "text")
    assert pickle.loads(pickle.dumps(claim)) == claim
