"""Adder cells replace gates where there is slack; a wrong replacement is refused."""

import random
from dataclasses import replace

import numpy as np
import pytest

from flow.errors import FlowError
from flow.physical.design import Design
from flow.physical.embedded import tool
from flow.physical.embedded.checkpoint import Checkpoint
from flow.physical.embedded.session import Clock, session
from flow.physical.equivalence import check_equivalent
from tests.flow.physical.layouts import analyse, laid_out
from tests.flow.physical.netlists import KIT, Netlist, library
from tests.flow.physical.steps import NODES, Failed, job_for, prepare, run

REPAIR = "repair"
BITS = 12


def xors(name: str, a: str, b: str, c: str) -> dict[str, tuple[str, dict[str, str]]]:
    return {
        f"{name}.x": ("XOR2_X1", {"A": a, "B": b, "Z": f"{name}.x"}),
        f"{name}.sum": ("XOR2_X1", {"A": f"{name}.x", "B": c, "Z": f"{name}.s"}),
    }


def nands(name: str, a: str, b: str, c: str):
    """Carry of three NANDs."""
    return xors(name, a, b, c) | {
        f"{name}.n1": ("NAND2_X1", {"A1": a, "A2": b, "ZN": f"{name}.n1"}),
        f"{name}.n2": ("NAND2_X1", {"A1": c, "A2": f"{name}.x", "ZN": f"{name}.n2"}),
        f"{name}.carry": ("NAND2_X1", {"A1": f"{name}.n1", "A2": f"{name}.n2", "ZN": f"{name}.c"}),
    }


def multiplexer(name: str, a: str, b: str, c: str):
    """Sum of XNORs, carry of a multiplexer, and a buffer on the way."""
    return {
        f"{name}.x": ("XNOR2_X1", {"A": a, "B": b, "ZN": f"{name}.xn"}),
        f"{name}.buf": ("BUF_X1", {"A": f"{name}.xn", "Z": f"{name}.xb"}),
        f"{name}.sum": ("XNOR2_X1", {"A": f"{name}.xb", "B": c, "ZN": f"{name}.s"}),
        f"{name}.carry": ("MUX2_X1", {"A": c, "B": a, "S": f"{name}.xb", "Z": f"{name}.c"}),
    }


def complements(name: str, a: str, b: str, c: str):
    """The outputs are complements, which are inverted again."""
    return {
        f"{name}.x": ("XOR2_X1", {"A": a, "B": b, "Z": f"{name}.x"}),
        f"{name}.sum": ("XNOR2_X1", {"A": f"{name}.x", "B": c, "ZN": f"{name}.sn"}),
        f"{name}.and": ("AND2_X1", {"A1": a, "A2": b, "ZN": f"{name}.g"}),
        f"{name}.or": ("OR2_X1", {"A1": a, "A2": b, "ZN": f"{name}.p"}),
        f"{name}.carry": (
            "AOI21_X1",
            {"A": f"{name}.g", "B1": c, "B2": f"{name}.p", "ZN": f"{name}.cn"},
        ),
        f"{name}.i0": ("INV_X1", {"A": f"{name}.sn", "ZN": f"{name}.s"}),
        f"{name}.i1": ("INV_X1", {"A": f"{name}.cn", "ZN": f"{name}.c"}),
    }


STYLES = (nands, multiplexer, complements)


def rows(bits: int = BITS) -> Netlist:
    """Full adders of several styles between registers; the carry is kept one bit higher."""
    made = Netlist({"clk": 1, "a": 3}, {"y": 1})
    for bit in range(bits):
        for k in range(3):
            data = f"a[{k}]" if bit == 0 else f"q{bit - 1}s"
            pins = {"D": data, "CK": "clk", "Q": f"q{bit}{k}"}
            made.cells[f"core.r{bit}{k}"] = ("DFF_X1", pins)
        made.cells |= STYLES[bit % 3](f"core.fa{bit}", *(f"q{bit}{k}" for k in range(3)))
        for out in "sc":
            pins = {"D": f"core.fa{bit}.{out}", "CK": "clk", "Q": f"q{bit}{out}"}
            made.cells[f"core.{out}{bit}"] = ("DFF_X1", pins)
    made.cells["out"] = ("XOR2_X1", {"A": f"q{bits - 1}c", "B": f"q{bits - 2}c", "Z": "y"})
    return made


def with_adders(netlist: Netlist, folder, period_ns: float):
    layout = laid_out(netlist, folder)
    with session(layout.design, KIT) as opened:
        before = opened.time(period_ns)
        after = opened.repair(period_ns, limit=False, adders=True)
        design, copies = opened.read()
        assert not copies
        return design, opened.adders, before, after


def data(design: Design, seed: int) -> dict[str, int]:
    """Data of all registers and ports for 64 random states and inputs, by the cells' functions."""
    start, pins = design.net_pins
    cells = library().cells
    known: dict[int, int] = {}

    def value(net: int) -> int:
        if net not in known:
            name, pin = design.pin_name(int(pins[start[net]]))
            at = int(design.pin_instance[pins[start[net]]])
            cell = cells.get(design.kinds[design.kind[at]].name)
            if cell is None or cell.sequential:
                word = random.Random(f"{seed} {name}").getrandbits(64)
                known[net] = word ^ ((1 << 64) - 1 if pin == "QN" else 0)
            else:
                function = cell.pins[pin].function
                given = {
                    p.name: value(int(design.pin_net[int(design.pin_start[at]) + i]))
                    for i, p in enumerate(design.kinds[design.kind[at]].pins)
                    if not p.is_output
                }
                known[net] = sum(
                    int(function.table[tuple(given[x] >> bit & 1 for x in function.pins)]) << bit
                    for bit in range(64)
                )
        return known[net]

    found = {}
    for pin in np.flatnonzero(~design.pin_is_output):
        name, own = design.pin_name(int(pin))
        if own == "D" or design.is_port[design.pin_instance[pin]]:
            found[f"{name}/{own}"] = value(int(design.pin_net[pin]))
    return found


def test_gates_of_every_style_are_replaced(tmp_path):
    netlist = rows()
    design, adders, before, after = with_adders(netlist, tmp_path, 5.0)
    assert len(adders) == after.adders == BITS
    assert after.area < before.area - 0.5 * BITS
    kinds = [design.kinds[kind].name for kind in design.kind]
    assert kinds.count("FA_X1") == BITS
    assert "NAND2_X1" not in kinds
    assert "XNOR2_X1" not in kinds
    assert {name.rpartition(".")[0] for name in adders} <= {
        "core",
        *(f"core.fa{b}" for b in range(BITS)),
    }
    reference = netlist.design(tmp_path)
    check_equivalent(design, reference, library(), None, adders)
    assert data(design, 1) == data(reference, 1)
    assert data(design, 1) != data(design, 2)


def one_adder(gates: dict[str, tuple[str, dict[str, str]]], outs: tuple[str, str]) -> Netlist:
    """A full adder of registers ``q0`` to ``q2``, whose outputs go to registers."""
    made = Netlist({"clk": 1, "a": 3}, {"y": 1}, dict(gates))
    for k in range(3):
        made.cells[f"r{k}"] = ("DFF_X1", {"D": f"a[{k}]", "CK": "clk", "Q": f"q{k}"})
    for name, out in zip("sc", outs, strict=True):
        made.cells[name] = ("DFF_X1", {"D": out, "CK": "clk", "Q": f"q{name}"})
    made.cells["out"] = ("NAND2_X1", {"A1": "qs", "A2": "qc", "ZN": "y"})
    return made


def test_flip_flops_give_complements(tmp_path):
    """Both outputs are inverted: an adder of the inverted inputs has them without inverters."""
    cells = complements("fa", "q0", "q1", "q2")
    for name in ("fa.i0", "fa.i1"):
        del cells[name]
    netlist = one_adder(cells, ("fa.sn", "fa.cn"))
    design, adders, _, _ = with_adders(netlist, tmp_path, 5.0)
    assert len(adders) == 1
    kinds = [design.kinds[kind].name for kind in design.kind]
    assert not {"INV_X1", "XOR2_X1", "AOI21_X1"} & {*kinds}
    driven = {design.pin_name(int(x)) for x in np.flatnonzero(design.pin_net >= 0)}
    assert {(f"r{k}", "QN") for k in range(3)} <= driven
    reference = netlist.design(tmp_path)
    check_equivalent(design, reference, library(), None, adders)
    # The plain outputs in place of the complementary ones are found.
    wrong = replace(design)
    both = [pin(design, "r0", name) for name in ("Q", "QN")]
    wrong.pin_net[both] = wrong.pin_net[both[::-1]]
    with pytest.raises(FlowError, match=r"is not the function of"):
        check_equivalent(replace(wrong), reference, library(), None, adders)


def test_a_gate_that_only_an_adder_reads_gets_the_complement_s_kind(tmp_path):
    """The adder needs the complement of an AND, for which a NAND is smaller."""
    cells = {
        "and": ("AND2_X1", {"A1": "q0", "A2": "a[0]", "ZN": "p"}),
        "x": ("XNOR2_X1", {"A": "p", "B": "q1", "ZN": "xn"}),
        "sum": ("XOR2_X1", {"A": "xn", "B": "q2", "Z": "sum"}),
        "carry": ("MUX2_X1", {"A": "q1", "B": "q2", "S": "xn", "Z": "carry"}),
    }
    netlist = one_adder(cells, ("sum", "carry"))
    design, adders, _, _ = with_adders(netlist, tmp_path, 5.0)
    assert sorted(adders) == ["adder0", "not0"]
    assert adders["not0"] == {"ZN": "and"}
    kinds = {name: design.kinds[k].name for name, k in zip(design.names, design.kind, strict=True)}
    assert kinds["not0"] == "NAND2_X1"
    assert not {"and", "x", "sum", "carry"} & {*kinds}
    reference = netlist.design(tmp_path)
    check_equivalent(design, reference, library(), None, adders)
    found = data(design, 3)
    assert found == data(reference, 3)
    design.kind[design.names.index("not0")] = [k.name for k in design.kinds].index("NOR2_X1")
    with pytest.raises(FlowError, match="output ZN of adder cell not0 is not the function of and"):
        check_equivalent(replace(design), reference, library(), None, adders)


def test_adder_cells_have_the_times_of_opensta(tmp_path):
    design, _, _, after = with_adders(rows(), tmp_path, 5.0)
    timing = analyse(design, Clock(), 5.0, tmp_path)
    own_ns, ends = 5.0 - after.worst_ns, {point.pin.rpartition("/")[2] for point in timing.points}
    assert {"S", "CO"} & ends
    # OpenSTA has no clock tree here, either, but slews of the clock of its own.
    assert own_ns == pytest.approx(timing.min_period_ns, rel=0.05)


def test_no_adder_cells_where_there_is_no_slack(tmp_path):
    _, adders, _, after = with_adders(rows(), tmp_path, 0.2)
    assert not adders
    assert after.adders == 0


def test_a_chain_keeps_its_period(tmp_path):
    """In a chain of adders, a part is replaced, as far as the period allows."""
    netlist = rows(1)
    carry = "core.fa0.c"
    for bit in range(1, 24):
        netlist.cells |= STYLES[bit % 2](f"core.fa{bit}", f"a[{bit % 3}]", f"q0{bit % 3}", carry)
        carry = f"core.fa{bit}.c"
        netlist.cells[f"core.s{bit}"] = (
            "DFF_X1",
            {"D": f"core.fa{bit}.s", "CK": "clk", "Q": f"q{bit}s"},
        )
    netlist.cells["core.last"] = ("DFF_X1", {"D": carry, "CK": "clk", "Q": "last"})
    netlist.cells["out"] = ("XOR2_X1", {"A": "last", "B": "q23s", "Z": "y"})
    layout = laid_out(netlist, tmp_path)
    with session(layout.design, KIT) as opened:
        longest_ns = 10 - opened.time(10.0).worst_ns
    found = {}
    for slack_ns in (0.0, 0.1, 5.0):
        _, adders, _, after = with_adders(netlist, tmp_path, longest_ns + slack_ns)
        assert after.worst_ns > -1e-4
        found[slack_ns] = len(adders)
    assert found[0.0] < found[0.1] <= found[5.0]
    assert found[5.0] >= 22


@pytest.fixture
def replaced(tmp_path):
    """A netlist with adder cells, the list of them, and the synthesized netlist."""
    netlist = rows()
    design, adders, _, _ = with_adders(netlist, tmp_path, 5.0)
    return design, adders, netlist.design(tmp_path)


def pin(design: Design, cell: str, name: str) -> int:
    at = design.names.index(cell)
    return int(design.pin_start[at]) + [x.name for x in design.kinds[design.kind[at]].pins].index(
        name
    )


def swap_outputs(design, adders):
    one, two = (pin(design, first(adders), name) for name in ("S", "CO"))
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
    design.pin_net[pin(design, first(adders), "A")] = design.pin_net[at + pins.index("Q")]


def same_input(design, adders):
    """Two inputs of the same signal."""
    name = first(adders)
    design.pin_net[pin(design, name, "A")] = design.pin_net[pin(design, name, "B")]


def inverted_input(design, adders):
    """An inverter of which nobody knows stands before an input."""
    name = first(adders)
    at = design.names.index(name)
    inverter = [kind.name for kind in design.kinds].index("INV_X1")
    here = pin(design, name, "CI")
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
    design.pin_net[pin(design, name, "A")] = design.pin_net[pin(design, name, "CO")]


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
        state.design = replace(state.design)
        swap_outputs(state.design, state.adders)

    monkeypatch.setattr(tool, "_legalize", spoiled)
    with pytest.raises(Failed) as failure:
        run(NODES[at : at + 1], job, folder)
    assert failure.value.node == REPAIR
    assert len(str(failure.value.error).splitlines()) == 1
    monkeypatch.undo()
    run(NODES[at:], job, folder)  # and the layout with adder cells passes all checks


GATES = {
    "XOR2_X1": ("A", "B", "Z"),
    "XNOR2_X1": ("A", "B", "ZN"),
    "NAND2_X1": ("A1", "A2", "ZN"),
    "AND2_X1": ("A1", "A2", "ZN"),
    "INV_X1": ("A", "ZN"),
    "BUF_X1": ("A", "Z"),
    "OAI21_X1": ("A", "B1", "B2", "ZN"),
    "MUX2_X1": ("A", "B", "S", "Z"),
}


def random_adders(seed: int) -> Netlist:
    """Full adders and gates at random, which read each other's inner signals, too."""
    draw = random.Random(seed)
    made = Netlist({"clk": 1, "a": 4}, {"y": 1})
    nets = [f"a[{k}]" for k in range(4)]
    for k in range(6):
        made.cells[f"r{k}"] = ("DFF_X1", {"D": "", "CK": "clk", "Q": f"q{k}", "QN": f"qn{k}"})
        nets += [f"q{k}", f"qn{k}"]
    for k in range(25):
        if draw.random() < 0.5:
            own = draw.choice(STYLES)(f"f{k}", *draw.sample(nets, 3))
            made.cells |= own
            nets += [pins.get("Z") or pins["ZN"] for _, pins in own.values() if draw.random() < 0.4]
            nets += [f"f{k}.s", f"f{k}.c"]
        else:
            kind, (*inputs, out) = draw.choice(list(GATES.items()))
            pins = {pin: draw.choice(nets[-24:]) for pin in inputs}
            made.cells[f"g{k}"] = (kind, {**pins, out: f"n{k}"})
            nets.append(f"n{k}")
    for k in range(6):
        made.move(f"r{k}", "D", draw.choice(nets[-12:]))
    made.cells["out"] = ("INV_X1", {"A": nets[-1], "ZN": "y"})
    return made


@pytest.mark.parametrize("seed", range(12))
def test_random_netlists_keep_their_values(tmp_path, seed):
    netlist = random_adders(seed)
    design, adders, before, after = with_adders(netlist, tmp_path, 9.0)
    assert adders
    assert after.area < before.area
    reference = netlist.design(tmp_path)
    check_equivalent(design, reference, library(), None, adders)
    assert data(design, seed) == data(reference, seed)
