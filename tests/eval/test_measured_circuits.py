"""What measurements find in circuits: cycles, results, and energies of calls."""

import pytest

from rsaxcel import catalog
from rsaxcel.cl.exponentiator import STROBE
from rsaxcel.eval.measure import cycles
from rsaxcel.eval.measure.calls import Repeated, loaded_energies, loaded_energy
from rsaxcel.eval.measure.errors import MeasureError
from rsaxcel.flow.job import energy_job
from rsaxcel.flow.run import RECORD, run
from rsaxcel.flow.subjects import find_target
from rsaxcel.proc.operands import join_words
from rsaxcel.proc.run import run_fl
from rsaxcel.proc.systems import find_system


def silent(_line: str) -> None:
    """Ignore lines on progress."""


@pytest.mark.slow
def test_cycles_over_keys_are_those_of_model_and_circuit(here, monkeypatch):
    configuration = catalog.get("ssmm_r2l").configure(16)
    arguments = (configuration, {"document": STROBE}, 3)
    found = cycles.key_cycles(*arguments, silent)
    # A bit of the exponent takes at most a product, 16 cycles, and the handshake.
    assert 0 < found["circuit"] < found["document"] <= 16 * (16 + 5)
    assert cycles.key_cycles(*arguments) == found
    monkeypatch.setattr(cycles, "_on_circuit", lambda configuration, operands: [1, 2])
    with pytest.raises(MeasureError, match=r"RTL takes \[1, 2\] cycles"):
        cycles.key_cycles(configuration, {}, 1, silent)


@pytest.mark.slow
# Most cycles with which the accelerators are as fast as the document's without transfers.
@pytest.mark.parametrize(
    ("design", "encrypt", "decrypt"), [("mont_r2l", 160, 225), ("mulrem_r2l", 1050, 1830)]
)
def test_circuits_are_fast_enough(here, design, encrypt, decrypt):
    job = cycles.workload(design, 32).job
    found = job.function(*job.arguments, progress=silent)
    assert job.find(*job.arguments) == found
    assert 0 < found["encrypt"] <= encrypt
    assert found["encrypt"] < found["decrypt"] <= decrypt


@pytest.mark.slow
def test_wrong_result_of_a_circuit_is_told(here, monkeypatch):
    class OffByOne:
        def run(self, requests, **options):
            batch = real.run(requests, **options)
            batch.responses[-1] = (batch.responses[-1][0] ^ 1, 0)
            return batch

    configuration = catalog.get("mulrem_r2l").configure(32)
    real = cycles.open_component(configuration, "rtl", "native")
    monkeypatch.setattr(cycles, "open_component", lambda *args: OffByOne())
    with pytest.raises(MeasureError, match="the circuit of mulrem_r2l"):
        cycles.workload_cycles(configuration, progress=silent)


def test_cycles_of_a_product_from_a_circuit(here):
    """A product takes three cycles per word and two more; control and loading count separately."""
    asked = cycles.products("systolic_l2r_always", 30, 32, "systolic")
    found = asked.job.function(*asked.job.arguments, progress=silent)
    assert found["product_cycles"] == 3 * 2 + 2
    assert found["products"] == 2 * 32 + 2
    assert found["cycles"] == found["products"] * found["product_cycles"] + 2 * 2 + 1
    assert found["load_cycles"] == 2 + 1
    (fact,) = (x for x in asked.facts(found) if x.subject == "systolic")
    assert (fact.quantity, fact.operation, fact.value) == ("product_cycles", "product", 8)


@pytest.mark.slow
def test_cycles_of_a_product_with_a_parameter(here):
    """Nine words of 4 bits: 32 bits and two more; facts have the parameter."""
    asked = cycles.products("systolic_l2r_always", 32, 8, "systolic", radix_nbits=4)
    found = asked.job.function(*asked.job.arguments, progress=silent)
    facts = {(x.subject, x.choices): x for x in asked.facts(found) if x.operation == "product"}
    assert {x.value for x in facts.values()} == {3 * 9 + 2}
    assert facts.keys() == {(x, "radix_nbits=4") for x in ("systolic", "systolic_l2r_always")}
    (whole,) = {x.choices for x in asked.facts(found) if x.operation == "decrypt"}
    assert whole == "exponent_nbits=8,radix_nbits=4"


@pytest.mark.slow
def test_call_on_the_processor(here):
    found = cycles.call_cycles("proc_null", "montgomery", 64, "encrypt", silent)
    assert found["exponent"] == 65537
    assert found["call_cycles"] > found["instructions"] > found["dummy_cycles"] > 0


@pytest.mark.slow
def test_call_of_software_by_the_primes(here):
    """The primes have one word each; the cycles do not depend on the exponent."""
    both = ("encrypt", "decrypt")
    found = [cycles.call_cycles("proc_null", "crt", 64, x, silent) for x in both]
    assert found[0]["call_cycles"] == found[1]["call_cycles"] < 120_000


@pytest.mark.parametrize(
    ("system", "driver"),
    [
        ("proc_mulrem_r2l", "xcel_loaded"),
        ("axi_mulrem_r2l", "axi_loaded"),
        ("axi_mulrem_r2l", "axi_interrupt_loaded"),
        ("axi_mulrem_r2l", "dummy"),
    ],
)
@pytest.mark.parametrize("nbits", [32, 64])
def test_two_calls_are_one_and_another(system, driver, nbits):
    """The second call takes as many instructions; the program sends the operands' power."""
    target = find_system(system, nbits)
    repeated = Repeated(target.design_name, nbits, target.configuration, target.values, (driver,))
    assert repeated.programs[:2] == (f"{driver}_once", f"{driver}_twice")
    operands = ((1 << nbits) - 8, 65537, (1 << nbits) - 5)
    once, twice = (
        run_fl(repeated.image(program, *operands), repeated.devices())
        for program in repeated.programs[:2]
    )
    assert join_words(once.messages) == join_words(twice.messages) == pow(*operands)
    assert twice.measured_instructions == 2 * once.measured_instructions > 0
    assert twice.instructions > once.instructions + once.measured_instructions


def test_no_energy_where_constants_are_missing():
    with pytest.raises(MeasureError, match="needs constants from its host"):
        loaded_energies("axi_systolic_l2r_always", 32, 3.0, ("axi_loaded",), progress=silent)


@pytest.mark.slow
def test_energy_with_the_key_loaded(here):
    """The energy is less than that of a call that loads the key (by the flow), and is kept."""
    asked = loaded_energy("proc_mulrem_r2l", 8, 5.0, {"beside": "xcel_loaded"})
    assert asked.job.find(*asked.job.arguments) is None
    found = asked.job.function(*asked.job.arguments, progress=silent)
    assert asked.job.find(*asked.job.arguments) == found
    asked = energy_job(find_target("proc_mulrem_r2l", 8, {}), "freepdk-45nm", 5.0)
    record = run(asked, RECORD, lookup=True)
    facts = {x.operation: x for x in asked.facts(found)}
    assert facts.keys() == {"encrypt", "decrypt"}
    for name, fact in facts.items():
        assert (fact.subject, fact.quantity, fact.clock_ns) == ("beside", "loaded_energy_nj", 5.0)
        whole, dummy = (record.operations[f"{x}_{name}"].energy_nj for x in ("xcel", "dummy"))
        assert 0.5 * (whole - dummy) < fact.value < whole - dummy
