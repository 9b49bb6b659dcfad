"""Netlists of circuits that read words that do not exist: synthesis may choose these values."""

import json
import re
from pathlib import Path

import pytest

from rsaxcel import catalog
from rsaxcel.lab.proofs.aig import TRUE, Aig, Machine
from rsaxcel.lab.proofs.netlists import Comparison, NotProved, proved_equal
from rsaxcel.lab.proofs.solver import satisfied
from rsaxcel.sim.runners import translation
from tests.flow.flow_circuits import KIT, library, synthesized
from tests.shared.planted import planted

slow = pytest.mark.slow

MEMORY = Path(__file__).with_name("memory.sv").read_text("utf-8")
"""Circuit with three words and an index of two bits."""

READ = "words_reg[index_reg]"
REGISTER_FILE = "rdata[1'd0] = regs[raddr[1'd0]];"
"""Reading of a word in the Verilog of the translated designs."""


@pytest.fixture(scope="module")
def memory(tmp_path_factory):
    """Folder with the circuit of three words."""
    folder = tmp_path_factory.mktemp("memory")
    synthesized(MEMORY, "memory", folder)
    return folder


def netlist_of_another(text, top, folder, old, new):
    """Synthesize a circuit with another text, and put the circuit's own beside the netlist."""
    synthesized(planted(text, (old, new)), top, folder)
    (folder / "design.v").write_text(text)


def test_a_word_that_does_not_exist_may_have_any_value(memory):
    """The value that is read is undefined for index 3, and for no other index."""
    found = proved_equal(memory, "memory", KIT, library())
    assert (found.undefined, found.formed, found.kept) == (True, False, 18)
    comparison = Comparison.of(memory, KIT, products=False)
    assert len(comparison.undefined) == 22
    for index in range(4):
        given = {name: 1 for name in comparison.graph.inputs}
        given |= {f"state:index_reg[{i}]": index >> i & 1 for i in (0, 1)}
        undefined = comparison.that_are_1(comparison.undefined, given)
        assert all("value_reg" in name for name in undefined)
        assert bool(undefined) is (index == 3)


@pytest.mark.parametrize(
    "index", [pytest.param(i, id=f"word-{i}", marks=slow if i < 2 else []) for i in range(4)]
)
def test_a_wrong_word_is_found_if_it_exists(tmp_path, index):
    """The netlist reads another number for one word; it may do so for word 3."""
    wrong = f"(index_reg == {index} ? 4'd9 : {READ})"
    netlist_of_another(MEMORY, "memory", tmp_path, READ, wrong)
    if index == 3:
        assert proved_equal(tmp_path, "memory", KIT, library()).undefined
        return
    with pytest.raises(NotProved) as error:
        proved_equal(tmp_path, "memory", KIT, library())
    assert error.value.differing == ["next:value_reg"]
    assert error.value.signals["in_state:index_reg"] == [index]


def test_undefined_bits_are_no_difference():
    """Only bits that the design defines count; names of undefined bits tell which do not."""
    signals = {"gold_a": [5], "gate_a": [4], "undefined_a": [1], "gold_b": [3], "gate_b": [1]}
    assert NotProved("", signals).differing == ["b"]
    assert NotProved("", signals | {"undefined_a": [2]}).differing == ["a", "b"]


def test_possible_values_of_gates():
    """x and not x, and x or not x, are undefined for an undefined x, but 0 and x is 0."""
    graph = Aig()
    given = graph.add_input("a")
    gates = [(3, 2, 4), (4, 4, 5), (5, 0, 4)]  # a and x, x and not x, 0 and x
    outputs = {"both": 6, "never": 8, "zero": 10, "given": 3}
    machine = Machine({"a": 1, "x": 2}, outputs, [], gates, 5)
    found, _ = machine.possible({"a": given}, [], TRUE, graph.both, graph.either)
    assert found == {
        "both": (given, 1),
        "never": (1, 1),
        "zero": (0, 1),
        "given": (given ^ 1, given),
    }


ENGINES = [pytest.param("digit_serial", id="digits"), pytest.param("systolic", id="row")]
UNLOADER = {"unloader.modulus_reg", "unloader.value_reg"}
UNDEFINED = {
    "digit_serial": {"a_reg", "addend_reg", "engine.passing_top_reg"} | UNLOADER,
    "systolic": {"fetched_a_0.word_reg"} | UNLOADER,
}
"""Ends of the names of registers whose next states can be undefined."""


@slow
@pytest.mark.parametrize("name", ENGINES)
def test_values_are_undefined_only_if_a_word_does_not_exist(name, tmp_path):
    """The claim is not empty: if all words that are read exist, all values are defined."""
    module = translation(catalog.find(name).configure(32), "rtl")
    synthesized(module.text, module.top, tmp_path)
    found = proved_equal(tmp_path, module.top, KIT, library())
    assert (found.undefined, found.formed) == (True, name == "systolic")
    reads = expose_reads(tmp_path / "gold.json")
    comparison = Comparison.of(tmp_path, KIT, products=found.formed)
    graph = comparison.graph
    given = {x: 2 * node for x, node in zip(graph.inputs, graph.input_nodes, strict=True)}
    machine = Machine.read(tmp_path / "gold.aig")
    pairs, _ = machine.possible(given, [], TRUE, graph.both, graph.either)
    outside = graph.any_of(
        graph.both(*(pairs[f"{read}[{i}]"][~word >> i & 1] for i in (0, 1)))
        for read, word in reads.items()
    )
    registers: dict[str, list[int]] = {}
    for full, literal in comparison.undefined.items():
        registers.setdefault(re.sub(r"(\[\d+\])+$", "", full), []).append(literal)
    undefined = {x: graph.any_of(bits) for x, bits in registers.items()}
    can_be = {x for x, literal in undefined.items() if satisfied(graph, literal) is not False}
    assert all(any(x.endswith(end) for end in UNDEFINED[name]) for x in can_be)
    assert len(can_be) == len(UNDEFINED[name])
    inside = graph.both(graph.any_of(undefined.values()), outside ^ 1)
    assert satisfied(graph, inside) is False


def expose_reads(file):
    """Make the address of each read an output; give the word that does not exist by its name."""
    content = json.loads(file.read_text())
    module = content["modules"]["gold"]
    found = {}
    for cell in module["cells"].values():
        if cell["type"] == "$bmux" and "x" in cell["connections"]["A"]:
            address, words = (cell["connections"][pin] for pin in "SA")
            assert len(address) == 2
            name = f"read:{len(found)}"
            module["ports"][name] = {"direction": "output", "bits": address}
            found[name] = words.index("x") * 4 // len(words)
    file.write_text(json.dumps(content))
    assert found
    return found


@slow
@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize(
    ("new", "right"),
    [
        pytest.param("raddr[1'd0] == 2'd3 ? 16'hBEEF : regs[raddr[1'd0]];", True, id="no-word"),
        pytest.param("regs[raddr[1'd0]] ^ 16'(raddr[1'd0] == 2'd2);", False, id="word"),
    ],
)
def test_words_of_an_engine(name, new, right, tmp_path):
    """A netlist that reads a wrong word is refuted; one that has a number for no word is not."""
    module = translation(catalog.find(name).configure(32), "rtl")
    changed = f"rdata[1'd0] = {new}"
    netlist_of_another(module.text, module.top, tmp_path, REGISTER_FILE, changed)
    if right:
        assert proved_equal(tmp_path, module.top, KIT, library()).undefined
        return
    with pytest.raises(NotProved) as error:
        proved_equal(tmp_path, module.top, KIT, library())
    assert error.value.differing
    assert "undefined" not in "".join(error.value.differing)
