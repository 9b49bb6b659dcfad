"""The power analysis against OpenSTA 2.0.17 on a mapped netlist, at one uniform activity."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pyparsing as pp
import pytest

from rsaxcel.flow.errors import PowerError
from rsaxcel.flow.power.boolean import BooleanFunction
from rsaxcel.flow.power.liberty import FALL, RISE, InternalPower, Pin
from rsaxcel.flow.power.liberty_reader import liberty_file
from rsaxcel.flow.power.netlist import Instance, Netlist
from rsaxcel.flow.power.slews import Slews
from tests.flow.flow_circuits import KIT
from tests.flow.opensta_scripts import run_opensta
from tests.flow.power_netlists import Mapped, analyse, map_to_gates, near, uniform_activity

# One worker makes what all of these tests use.
pytestmark = pytest.mark.xdist_group("power-opensta")


@dataclass(frozen=True)
class OpenStaPower:
    """Power in watts per instance name."""

    internal_w: dict[str, float]
    switching_w: dict[str, float]
    leakage_w: dict[str, float]


def opensta_power(
    netlist: Netlist, slews: Slews, *, activity: float, period_ns: float
) -> OpenStaPower:
    """Return the powers of `report_power` after ``set_power_activity -global -activity``."""
    functions = _functions()
    period_s = period_ns * 1e-9
    result = OpenStaPower({}, {}, {})
    for instance in netlist.instances:
        internal = switching = 0.0
        for pin in instance.cell.pins.values():
            bit = instance.nets.get(pin.name)
            load = netlist.load_f.get(bit, 0.0) if pin.is_output else 0.0
            toggles = _toggles(netlist, instance, pin.name, activity)
            if pin.is_output:
                switching += load * netlist.library.nominal_v**2 / 2 * toggles / period_s
            function = functions.get((instance.cell.name, pin.name))
            for power in pin.internal_powers:
                duty = _duty(netlist, instance, pin, power, function, activity)
                related = power.related_pin or pin.name
                both = sum(
                    power.energy_j(edge, slews.slew_s(instance.name, related, edge), load)
                    for edge in (RISE, FALL)
                )
                internal += duty * toggles / period_s * float(both)
        result.internal_w[instance.name] = internal
        result.switching_w[instance.name] = switching
        result.leakage_w[instance.name] = instance.cell.leakage_w
    return result


def _toggles(netlist: Netlist, instance: Instance, pin: str, activity: float) -> float:
    return 2.0 if instance.nets.get(pin) in netlist.clock_nets else activity


def _duty(
    netlist: Netlist,
    instance: Instance,
    pin: Pin,
    power: InternalPower,
    function: _Operation | str | None,
    activity: float,
) -> float:
    """Return the factor by which OpenSTA weights a group."""
    if power.when is not None:
        # Q and QN count as independent, each 1 half of the time.
        return float(power.when.probability(dict.fromkeys(power.when.pins, 0.5)))
    related = power.related_pin
    if related is not None and function is not None:
        other = _other_operand(function, related)
        if other is not None:
            toggles = _toggles(netlist, instance, pin.name, activity)
            share = _toggles(netlist, instance, related, activity) / toggles
            condition = BooleanFunction.parse(str(other))
            return share * float(condition.probability(dict.fromkeys(condition.pins, 0.5)))
    return 1.0 if instance.nets.get(related or pin.name) in netlist.clock_nets else 0.5


@dataclass(frozen=True)
class _Operation:
    """An operator of one or two operands: operations, pin names, or the constants 0 and 1."""

    operator: str
    operands: tuple

    @classmethod
    def from_tokens(cls, tokens: pp.ParseResults) -> _Operation:
        group = tokens[0]
        if group[0] == "!":
            return cls("!", (group[1],))
        result = group[0]
        for operator, operand in zip(group[1::2], group[2::2], strict=True):
            result = cls(operator, (result, operand))
        return result

    def __str__(self) -> str:
        sign = "!" if len(self.operands) == 1 else ""
        return f"({sign}{self.operator.join(map(str, self.operands))})"


_OPERATORS = [("!", 1, pp.OpAssoc.RIGHT), *((o, 2, pp.OpAssoc.LEFT) for o in "^&|")]
_GRAMMAR = pp.infix_notation(
    pp.Word(pp.alphanums + "_"),
    [(pp.Literal(o), arity, side, _Operation.from_tokens) for o, arity, side in _OPERATORS],
)


def _other_operand(function: _Operation | str, pin: str) -> _Operation | str | None:
    """Infer a condition from the outermost operator, if the pin is one of its two operands."""
    if isinstance(function, str):
        return "1" if function == pin else None
    if function.operator == "!":
        return _other_operand(function.operands[0], pin)
    left, right = function.operands
    for this, that in ((left, right), (right, left)):
        if this in (pin, _Operation("!", (pin,))):
            return that if function.operator == "&" else _Operation("!", (that,))
    return None


def _functions() -> dict[tuple[str, str], _Operation | str]:
    """Parse the functions of all pins; operators of equal rank associate to the left."""
    functions = {}
    with liberty_file(KIT.liberty) as top:
        for cell in top.groups("cell"):
            for pin in cell.groups("pin"):
                if text := pin.get("function"):
                    parsed = _GRAMMAR.parse_string(text, parse_all=True)
                    functions[cell.names()[0], pin.names()[0]] = parsed[0]
    return functions


PERIOD_NS = 3.0
ACTIVITY = 0.1

#: Multiply-accumulate lanes and a bit-serial Montgomery product, with registers of all kinds:
#: without reset, with synchronous and asynchronous reset, with asynchronous preset, and both. And
#: the library's adder cells, which have two outputs.
SOURCE = Path(__file__).with_name("lanes.v").read_text("utf-8")


@dataclass(frozen=True)
class Reported:
    """OpenSTA's report in watts: totals, and internal power per instance."""

    internal_w: float
    switching_w: float
    leakage_w: float
    instances_w: dict[str, float]


@pytest.fixture(scope="session")
def mapped(tmp_path_factory) -> Mapped:
    return map_to_gates(SOURCE, "top", tmp_path_factory.mktemp("mapped"))


_SCRIPT = Path(__file__).with_name("power.tcl").read_text("utf-8")


@pytest.fixture(scope="session")
def folder(mapped, tmp_path_factory) -> Path:
    """Let OpenSTA compute slews, and the same powers with its own accounting."""
    folder = tmp_path_factory.mktemp("sta")
    given = {"liberty": KIT.liberty, "period": PERIOD_NS, "activity": ACTIVITY}
    run_opensta(_SCRIPT.format(verilog=mapped.verilog, **given), folder)
    return folder


@pytest.fixture(scope="session")
def slews(folder) -> Slews:
    return Slews.from_file(folder / "slews.txt")


@pytest.fixture(scope="session")
def reported(folder) -> Reported:
    (total,) = [
        line for line in (folder / "total.txt").read_text().splitlines() if line[:5] == "Total"
    ]
    internal, switching, leakage = (float(number) for number in total.split()[1:4])
    rows = [line.split() for line in (folder / "instances.txt").read_text().splitlines()[3:]]
    instances = {row[4].replace("\\", ""): float(row[0]) for row in rows}
    return Reported(internal, switching, leakage, instances)


def test_design_is_rich_enough(mapped):
    """The netlist has thousands of cells, and registers with and without reset pins."""
    types = {instance.cell.name for instance in mapped.netlist.instances}
    assert len(mapped.netlist.instances) > 3000
    assert {"DFF_X1", "DFFR_X1", "DFFS_X1", "DFFRS_X1"} <= types
    assert {"XOR2_X1", "MUX2_X1", "NAND2_X1", "INV_X1", "OAI21_X1", "FA_X1", "HA_X1"} <= types
    assert len(types) > 20


def test_switching_and_leakage_agree_with_opensta(mapped, slews, reported):
    """Switching and leakage equal OpenSTA's, which excludes clock and input nets."""
    activity = uniform_activity(mapped.netlist, toggles_per_cycle=ACTIVITY)
    energy = analyse(mapped.netlist, activity, slews, period_ns=PERIOD_NS)
    power_mw = energy.items_mw()
    # The acceptance limit is 0.5 %; the rest is due to OpenSTA's single-precision sums.
    assert power_mw["switching_mw"] == near(reported.switching_w * 1e3, rel=1e-4)
    assert power_mw["leakage_mw"] == near(reported.leakage_w * 1e3, rel=1e-4)


def test_imitated_accounting_reproduces_opensta(mapped, slews, reported):
    """With OpenSTA's accounting, our internal power equals OpenSTA's, cell by cell."""
    imitated = opensta_power(mapped.netlist, slews, activity=ACTIVITY, period_ns=PERIOD_NS)
    assert imitated.internal_w.keys() == reported.instances_w.keys()
    assert imitated.internal_w == near(reported.instances_w, rel=1e-4)
    # The acceptance limit is 1 %.
    assert sum(imitated.internal_w.values()) == near(reported.internal_w, rel=1e-4)
    assert sum(imitated.switching_w.values()) == near(reported.switching_w, rel=1e-4)
    assert sum(imitated.leakage_w.values()) == near(reported.leakage_w, rel=1e-4)


def test_proper_accounting_is_below_opensta(mapped, slews, reported):
    """OpenSTA charges a rise and a fall per toggle, about twice too much."""
    activity = uniform_activity(mapped.netlist, toggles_per_cycle=ACTIVITY)
    energy = analyse(mapped.netlist, activity, slews, period_ns=PERIOD_NS)
    internal_w = energy.items.internal_j / energy.time_s
    assert 0.4 * reported.internal_w < internal_w < 0.7 * reported.internal_w


def test_magnitudes_are_those_of_a_45_nm_library(mapped, slews):
    """A few fJ per toggle, under ten per flip-flop and cycle, tens of nanowatts per cell."""
    cycles = 1000.0
    netlist = mapped.netlist
    activity = uniform_activity(netlist, toggles_per_cycle=ACTIVITY, cycles=cycles)
    items = analyse(netlist, activity, slews, period_ns=PERIOD_NS).items
    flip_flops = sum(instance.cell.sequential is not None for instance in netlist.instances)
    gates = len(netlist.instances) - flip_flops
    assert 1e-15 < items.switching_j / (len(netlist.instances) * ACTIVITY * cycles) < 5e-15
    assert 1e-15 < items.internal_combinational_j / (gates * ACTIVITY * cycles) < 5e-15
    assert 5e-15 < items.clock_pins_j / (flip_flops * cycles) < 12e-15
    leakage_w = items.leakage_j / (cycles * PERIOD_NS * 1e-9)
    assert 10e-9 < leakage_w / len(netlist.instances) < 60e-9


def test_energy_of_modules_adds_up(mapped, slews):
    activity = uniform_activity(mapped.netlist, toggles_per_cycle=ACTIVITY)
    energy = analyse(mapped.netlist, activity, slews, period_ns=PERIOD_NS)
    assert list(energy.by_module) == ["", "l0", "l1", "mont"]
    total_j = sum(items.total_j for items in energy.by_module.values())
    assert total_j == near(energy.items.total_j)
    # The lanes are two copies of one module.
    lane_j = energy.by_module["l0"].internal_sequential_j
    assert energy.by_module["l1"].internal_sequential_j == near(lane_j, rel=0.05)
    assert all(items.leakage_j > 0 for items in energy.by_module.values())


def test_unknown_pin_has_no_slew(slews):
    with pytest.raises(PowerError, match="no slew is known for pin Z of cell ghost"):
        slews.slew_s("ghost", "Z", "rise")
