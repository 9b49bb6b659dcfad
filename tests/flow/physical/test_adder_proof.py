"""The proof of adder cells: a wrong replacement is refused."""

from dataclasses import replace

import numpy as np
import pytest

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.physical.embedded import tool
from rsaxcel.flow.physical.embedded.tool import Checkpoint
from rsaxcel.flow.physical.equivalence import check_equivalent
from tests.flow.physical.adder_circuits import BITS, pin_of, rows, with_adders
from tests.flow.physical.netlists import KIT, library
from tests.flow.physical.steps import NODES, Failed, job_for, prepare, run

# One worker makes what the tests share; others would wait for it.
pytestmark = pytest.mark.xdist_group("adder-proof")

REPAIR = "repair"


@pytest.fixture
def replaced(tmp_path):
    """A netlist with adder cells, the list of them, and the synthesized netlist."""
    netlist = rows()
    design, adders, _, _ = with_adders(netlist, tmp_path, 5.0)
    return design, adders, netlist.design(tmp_path)


def swap_outputs(design, adders):
    one, two = (pin_of(design, first(adders), name) for name in ("S", "CO"))
    design.pin_net[[one, two]] = design.pin_net[[two, one]]


def first(adders) -> str:
    return sorted(adders)[0]


def swap_list(design, adders):
    gates = adders[first(adders)]
    gates["S"], gates["CO"] = gates["CO"], gates["S"]


def wrong_input(design, adders):
    """An input of another register, which the gates do not read."""
    other = next(x for x in range(design.count) if design.names[x] == "core.s5")
    at = int(design.pin_start[other])
    pins = [x.name for x in design.kinds[design.kind[other]].pins]
    design.pin_net[pin_of(design, first(adders), "A")] = design.pin_net[at + pins.index("Q")]


def same_input(design, adders):
    """Two inputs of the same signal."""
    name = first(adders)
    design.pin_net[pin_of(design, name, "A")] = design.pin_net[pin_of(design, name, "B")]


def inverted_input(design, adders):
    """An inverter of which nobody knows stands before an input."""
    name = first(adders)
    at = design.names.index(name)
    inverter = [kind.name for kind in design.kinds].index("INV_X1")
    here = pin_of(design, name, "CI")
    net, new = int(design.pin_net[here]), len(design.nets)
    design.pin_net[here] = new
    design.nets.append("wrong")
    design.names.insert(at, "wrong")
    start = int(design.pin_start[at])
    design.kind = np.insert(design.kind, at, inverter)
    design.pin_net = np.insert(design.pin_net, start, [net, new]).astype(np.int32)
    for array in ("x", "y", "orient"):
        setattr(design, array, np.insert(getattr(design, array), at, 0))


def other_gate(design, adders):
    names = sorted(adders)
    adders[names[0]]["S"] = adders[names[1]]["S"]


def no_gate(design, adders):
    adders[first(adders)]["S"] = "core.r00"


def unlisted(design, adders):
    del adders[first(adders)]


def own_output(design, adders):
    name = first(adders)
    design.pin_net[pin_of(design, name, "A")] = design.pin_net[pin_of(design, name, "CO")]


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (
            swap_outputs,
            r"pin D of core\.\w+ is connected to|has the complement|is not the function",
        ),
        (swap_list, r"output \w+ of adder cell \S+ is not the function of core\.fa\d+\.\w+$"),
        (wrong_input, r"core\.\w+ is not between an adder cell and the gate that it replaces$"),
        (same_input, r"core\.\w+ is not between an adder cell|is not the function of"),
        (
            inverted_input,
            r"pin D of core\.\w+ has the complement of its signal|is not the function",
        ),
        (other_gate, r"core\.\w+ is not between an adder cell and the gate that it replaces$"),
        (no_gate, r"output S of \S+ replaces core\.r00, which is no gate$|is not between"),
        (
            unlisted,
            r"cell \S+ is not in the synthesized netlist, and no buffer, inverter or listed",
        ),
        (own_output, r"adder cell \S+ reads its own output$"),
    ],
)
def test_a_wrong_adder_is_refused(replaced, fault, told):
    design, adders, reference = replaced
    check_equivalent(design, reference, library(), None, adders)
    design = replace(design)  # without cached properties
    fault(design, adders)
    design = replace(design)
    with pytest.raises(FlowError, match=told):
        check_equivalent(design, reference, library(), None, adders)


def test_a_listed_adder_that_is_missing_is_told(replaced):
    design, adders, reference = replaced
    adders = {**adders, "nothing": adders[first(adders)]}
    with pytest.raises(FlowError, match=r"the listed adder cell nothing is missing \(1 in all\)"):
        check_equivalent(design, reference, library(), None, adders)


def test_the_node_refuses_a_wrong_adder(tmp_path, monkeypatch):
    """Sum and carry of an adder cell are swapped in the result of the step."""
    folder = prepare(rows(), tmp_path / "run")
    job = job_for(folder, clock_ns=3.0)
    names = [node.name for node in NODES]
    at = names.index(REPAIR)
    run(NODES[: at + 1], job, folder)
    right = Checkpoint.read(folder / f"{REPAIR}.db", KIT)
    assert len(right.adders) == right.counts["adder_cells"] == BITS
    original = tool._legalize

    def spoiled(work, state, *rest, **choices):
        original(work, state, *rest, **choices)
        state.netlist = replace(state.netlist)
        swap_outputs(state.netlist, state.adders)

    monkeypatch.setattr(tool, "_legalize", spoiled)
    with pytest.raises(Failed) as failure:
        run(NODES[at : at + 1], job, folder)
    assert failure.value.node == REPAIR
    assert len(str(failure.value.error).splitlines()) == 1
    monkeypatch.undo()
    run(NODES[at:], job, folder)  # and the layout with adder cells passes all checks
