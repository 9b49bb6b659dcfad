"""Multipliers on their own in the flow: products on the netlist, with and without registers."""

from dataclasses import replace
from itertools import pairwise

import pytest

from rsaxcel import catalog
from rsaxcel.flow import requests
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.gates.level import GateLevel
from rsaxcel.flow.job import circuit_job, energy_job
from rsaxcel.flow.outline import DRAFT, OUTLINE
from rsaxcel.flow.record import Record
from rsaxcel.flow.run import RECORD, run, run_flow
from rsaxcel.flow.subjects import circuits, find_target, subject_of
from rsaxcel.flow.subjects.circuits import MultiplierSubject, pack
from rsaxcel.interface import multiplier
from rsaxcel.sim.translate import translate
from tests.flow.flow_circuits import Circuit, synthesized

# One worker makes what all of these tests use.
pytestmark = pytest.mark.xdist_group("flow-multipliers")

QUICK = ("ssmm", "direct", "digit_serial")
"""Multipliers with operand-dependent cycles, without registers, and with different stores."""
NARROW = 4


def circuit_of(name: str, folder, nbits: int = 8) -> Circuit:
    configuration = multiplier(name, nbits)
    module = translate(configuration.operator(), name)
    summary = synthesized(module.text, name, folder)
    return Circuit(configuration, module, folder, summary)


def simulated(circuit: Circuit):
    subject = MultiplierSubject(circuit.configuration)
    (done,) = subject.simulate(GateLevel(circuit.netlist), circuit.module, {})
    return done


@pytest.fixture(scope="module")
def combinational(tmp_path_factory) -> Circuit:
    return circuit_of("direct", tmp_path_factory.mktemp("direct"), NARROW)


@pytest.mark.quick_cases(*QUICK)
@pytest.mark.parametrize("name", catalog.multipliers())
def test_products_on_the_netlist(name, tmp_path):
    """Products on the netlist equal Python's, their cycles the cycle model's."""
    circuit = circuit_of(name, tmp_path)
    done = simulated(circuit)
    count = requests.LANES * requests.PRODUCTS
    assert (done.name, done.operations) == ("product", count)
    counted = [x for run in requests.products(circuit.configuration) for x in run[1:]]
    cycles = sum(x.cycles for x in counted) / count
    assert done.figures == {"cycles": max(1, cycles)}
    # The response is taken in an extra cycle, unless the multiplier has no registers.
    around = circuit.configuration.load_cycles + circuit.configuration.clear_cycles + 1
    assert done.activity.cycles == count * (cycles + around)


def test_toggles_without_registers_are_counted_once(combinational):
    """Toggles of the ports equal those computed from the products."""
    done = simulated(combinational)
    ports, toggles = combinational.netlist.ports, done.activity.toggles
    runs = requests.products(combinational.configuration)
    asked = [[x.operands for x in run] for run in runs]
    message = combinational.module.request
    for port, values in (
        ("send__msg", [[x.response[0] for x in row] for row in runs]),
        ("recv__msg", [[pack(message, x) for x in row] for row in asked]),
    ):
        looked_at = [(index, bit) for index, bit in enumerate(ports[port]) if bit in toggles]
        assert len(looked_at) >= 3
        for index, bit in looked_at:
            pairs = (pair for run in values for pair in pairwise(run))
            assert toggles[bit] == sum((one ^ other) >> index & 1 for one, other in pairs)
    assert toggles[ports["recv__rdy"][0]] == 0  # a wire from port to port


@pytest.mark.parametrize("changed", [{"response": (9,)}, {"cycles": 1}])
def test_a_wrong_product_is_told(combinational, monkeypatch, changed):
    runs = requests.products(combinational.configuration)
    first = runs[3][2]
    runs[3][2] = replace(first, **changed)
    monkeypatch.setattr(circuits, "_products", lambda configuration: runs)  # a cache
    a, b, modulus = first.operands
    told = rf"for {a} \* {b} mod {modulus}: (result .* instead of|cycles 0, the)"
    with pytest.raises(FlowError, match=told):
        simulated(combinational)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("flow")


@pytest.fixture(scope="module")
def record(folder) -> Record:
    return run_flow(multiplier("ssmm", NARROW), directory=folder)


def test_record_of_a_multiplier(folder, record):
    configuration = find_target("ssmm", NARROW, {})
    shown = record.as_json()
    assert (shown["design"], shown["nbits"]) == ("ssmm", NARROW)
    assert list(shown["operations"]) == ["product"]
    operation = shown["operations"]["product"]
    assert not {"exponent", "simulated_exponent", "program"} & set(operation)
    assert shown["energy_nj"] == operation["energy_nj"] > 0
    assert Record.from_json(shown) == record
    assert run(energy_job(configuration, directory=folder), RECORD, lookup=True) == record
    job = circuit_job(configuration, directory=folder)
    outline = run(job, OUTLINE, lookup=True)
    assert (outline.area_um2, outline.min_period_ns) == (record.area_um2, record.min_period_ns)
    draft = run(job, DRAFT, lookup=True)
    assert draft == replace(outline, delay_ns=None, hash=draft.hash)


def test_a_multiplier_has_no_exponents(folder):
    with pytest.raises(ValueError, match="operations: ssmm is a multiplier; none are allowed"):
        run_flow(multiplier("ssmm", NARROW), operations={"encrypt": 3}, directory=folder)


@pytest.mark.parametrize(
    ("name", "nbits", "modulus"), [("ssmm", 2, 3), ("ssmm", 7, 127), ("direct", 8, 0x55)]
)
def test_moduli_where_there_is_no_key(name, nbits, modulus):
    configuration = multiplier(name, nbits)
    (found,) = {x.operands[2] for run in requests.products(configuration) for x in run}
    assert found == modulus
    assert subject_of(configuration).work({}) == subject_of(configuration).work({})


def test_work_follows_the_models(monkeypatch):
    configuration = multiplier("ssmm", NARROW)
    monkeypatch.setattr("rsaxcel.flow.subjects.circuits.keep_json", lambda root, name, make: make())
    before = subject_of(configuration).work({})
    assert subject_of(configuration).work({}) == before
    runs = requests.products(configuration)
    runs[0][0] = replace(runs[0][0], cycles=runs[0][0].cycles + 1)
    monkeypatch.setattr(requests, "products", lambda configuration: runs)
    assert subject_of(configuration).work({}) != before
