"""Counts of trees and of padded operations, against figures that follow from their definitions."""

import pytest

from rsaxcel import catalog
from rsaxcel.eval.measure.bus_cycles import bus, bus_cycles
from rsaxcel.eval.measure.cycles import square_cycles
from rsaxcel.eval.studies.trees import tree, tree_counts
from rsaxcel.plan.compressors.netlist import AND
from rsaxcel.rtl.lib.compressors import BANKS
from rsaxcel.rtl.lib.compressors import CompressorTree as Tree

pytestmark = pytest.mark.usefixtures("here")


def told(line: str) -> None:
    assert line


@pytest.mark.parametrize("nbits", [16, 32, 64])
def test_a_tree_modulo_2_to_the_n_less_1(nbits):
    """n * n partial products, each an AND, and n (n - 2) full adders of 7 unit gates."""
    configuration = catalog.get("cm_pm_r2l").configure(nbits, tree="full_adders")
    counts = tree_counts(configuration, told)
    adders = nbits * (nbits - 2)
    assert (counts["tree_bits"], counts["tree_cells"]) == (nbits**2, nbits**2 + adders)
    assert nbits**2 + 7 * adders < counts["tree_units"] < nbits**2 + 7 * adders + 60 * nbits
    assert tree_counts(configuration) == counts


def test_the_plan_counts_the_cells_of_the_circuit():
    """Cells of all banks of the elaborated circuit: those of a multiplier modulo m of 16 bits."""
    configuration = catalog.find("compressor_tree").configure(16)
    circuit = configuration.operator()
    circuit.elaborate()
    kinds = {kind: cell for cell, kind in BANKS.items()}
    banks = circuit.get_all_object_filter(lambda x: type(x) in kinds)
    # The final adders have banks of half adders of their own, outside the tree.
    tree = (x for x in banks if kinds[type(x)].area and type(x.get_parent_object()) is Tree)
    cells = sum(x.x.get_type().nbits for x in tree)
    assert kinds.keys() >= {BANKS[AND]}
    design = catalog.get("cm_r2l_shared").configure(16)
    assert tree_counts(design, told)["tree_cells"] == cells > 16**2


def test_facts_of_trees_are_modelled():
    measurement = tree("cm_r2l_shared", 16)
    counts = measurement.job.function(*measurement.job.arguments, told)
    facts = list(measurement.facts(counts))
    assert {x.kind for x in facts} == {"modelled"}
    assert {x.quantity for x in facts} == counts.keys()
    assert {(x.subject, x.nbits) for x in facts} == {("cm_r2l_shared", 16)}


@pytest.mark.parametrize("nbits", [96, 128])
def test_cycles_of_a_padding(nbits):
    """A padding takes a cycle for each of 11 bytes; to remove it, one for each of the modulus."""
    measurement = bus("cm_pm_r2l", nbits)
    counts = bus_cycles(*measurement.job.arguments, told)
    more = {x: y["padded_cycles"] - y["bare_cycles"] for x, y in counts.items()}
    assert more == {"encrypt": 11, "decrypt": nbits // 8 + 2}
    exponentiation = catalog.get("cm_pm_r2l").configure(nbits).cycles(2, 65537, (2**nbits - 1) // 3)
    assert 0 < counts["encrypt"]["bare_cycles"] - exponentiation < 8
    assert bus_cycles(*measurement.job.arguments) == counts
    facts = list(measurement.facts(counts))
    assert {(x.subject, x.kind) for x in facts} == {("axi_cm_pm_r2l", "modelled")}


@pytest.mark.parametrize(
    ("name", "nbits"), [("dm_r2l", 8), ("dm_r2l", 16), ("cm_pm_r2l_shared", 16), ("mm_r2l", 16)]
)
def test_a_square_by_the_model_takes_the_cycles_of_the_circuit(name, nbits):
    configuration = catalog.get(name).configure(nbits)
    cycles = square_cycles(configuration, "cl")
    assert cycles == square_cycles(configuration, "rtl", told)
    assert cycles == {"product_cycles": 20 if name.startswith("mm") else 1}
