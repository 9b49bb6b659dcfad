"""Adder cells replace gates where there is slack, and compute the same."""

import random
from dataclasses import replace

import numpy as np
import pytest

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.physical.array_netlist import ArrayNetlist
from rsaxcel.flow.physical.embedded.session import Clock, session
from rsaxcel.flow.physical.equivalence import check_equivalent
from tests.flow.physical.adder_circuits import BITS, STYLES, complements, pin_of, rows, with_adders
from tests.flow.physical.layouts import analyse, laid_out
from tests.flow.physical.netlists import KIT, Netlist, library


def data(design: ArrayNetlist, seed: int) -> dict[str, int]:
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
    both = [pin_of(design, "r0", name) for name in ("Q", "QN")]
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
    own_ns, ends = 5.0 - after.worst_ns, {pin.rpartition("/")[2] for pin, _ in timing.points}
    assert {"S", "CO"} & ends
    # OpenSTA has no clock tree here, either, but slews of the clock of its own.
    assert own_ns == pytest.approx(timing.min_period_ns, rel=0.05)


def test_no_adder_cells_where_there_is_no_slack(tmp_path):
    _, adders, _, after = with_adders(rows(), tmp_path, 0.2)
    assert not adders
    assert after.adders == 0


def test_a_slow_path_elsewhere_does_not_cost_all_adder_cells(tmp_path):
    """The adders at one end load a path that is too slow; the others have slack."""
    netlist = rows()
    last = "q00"
    for at in range(60):
        netlist.cells[f"core.slow{at}"] = ("INV_X1", {"A": last, "ZN": f"slow{at}"})
        last = f"slow{at}"
    netlist.cells["core.end"] = ("DFF_X1", {"D": last, "CK": "clk", "Q": "end"})
    netlist.cells["out"] = ("XOR2_X1", {"A": "end", "B": f"q{BITS - 1}c", "Z": "y"})
    _, adders, before, after = with_adders(netlist, tmp_path, 0.6)
    assert before.worst_ns < -0.05
    assert after.worst_ns > before.worst_ns - 1e-4
    assert BITS / 2 < len(adders)


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
    with session(layout.netlist, KIT) as opened:
        longest_ns = 10 - opened.time(10.0).worst_ns
    found = {}
    for slack_ns in (0.0, 0.1, 5.0):
        _, adders, _, after = with_adders(netlist, tmp_path, longest_ns + slack_ns)
        assert after.worst_ns > -1e-4
        found[slack_ns] = len(adders)
    assert found[0.0] < found[0.1] <= found[5.0]
    assert found[5.0] >= 22


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
