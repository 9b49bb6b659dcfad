"""Areas of instances: what they are is said by the labels of a target, and parts add up."""

import pytest

from rsaxcel import catalog
from rsaxcel.eval.facts.areas import breakdown, labels_of, multipliers, role_of, system
from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.table import Facts
from rsaxcel.eval.report.plots import _bars
from rsaxcel.eval.report.spec import Column, Parts
from tests.eval.made_up_records import flow
from tests.shared.verilog_core import ENTRY
from tests.shared.verilog_core import NAME as CORE

NAME = "mulrem_r2l"
OURS = labels_of(NAME, 32, {})


@pytest.mark.parametrize("name", ["mulrem_r2l", "mont_r2l"])
def test_parts_add_up_to_the_whole(name):
    record = flow(catalog.get(name).configure(32), "freepdk-45nm", 3.0)
    labels = labels_of(name, 32, {})
    parts = breakdown(record.area_by_module, record.area_um2, labels)
    assert sum(part.area_um2 for part in parts) == pytest.approx(record.area_um2)
    count = {"mulrem_r2l": 2, "mont_r2l": 5}[name]
    assert [part.kind for part in parts].count("multiplier") == count
    assert multipliers(record.area_by_module, labels)["multipliers"] == count
    if name == "mont_r2l":
        parts = {part.path: part for part in parts}
        assert parts["convert_in.constant_units__0"].area_um2 == 1300
        assert parts["core.store.lanes__1"].label == "core: multiplier 1"
        assert parts["convert_in"].area_um2 == pytest.approx(33000 - 15000 - 15100 - 1300)


def test_hierarchy_without_lanes_has_no_multipliers():
    assert multipliers({"core": 10.0}, OURS) == {}
    parts = [(part.label, part.area_um2) for part in breakdown({"core": 10.0}, 12.0, OURS)]
    assert parts == [("core", 10.0), ("top level", 2.0)]


def test_engine_of_a_store_of_words_is_a_part_of_its_own():
    areas = {"core": 10.0, "core.store": 9.0, "core.store.engine": 7.0, "core.store.engine.x": 3.0}
    parts = [(part.label, part.kind, part.area_um2) for part in breakdown(areas, 10.0, OURS)]
    assert parts == [("core: engine", "multiplier", 7.0), ("core: control, registers", "rest", 3.0)]


def test_parts_of_systems_of_every_kind():
    null, xcel, axi = (labels_of(x, 32, {}) for x in ("proc_null", f"proc_{NAME}", f"axi_{NAME}"))
    areas = {"xcel": 9.0, "xcel.exponentiator": 7.0, "xcel.exponentiator.core": 6.0}
    found = system({"proc": 4.0, "proc.alu": 2.0, **areas, "xcel.base": 1}, xcel)
    assert found == {
        **{"processor_area_um2": 4.0, "accelerator_area_um2": 9.0},
        **{"exponentiator_area_um2": 7.0, "registers_area_um2": 2.0},
    }
    areas = {"accelerator": 9.0, "accelerator.slave": 2.0, "accelerator.accelerator": 6.5}
    areas |= {"bridge": 0.5, "accelerator.accelerator.exponentiator": 5.0}
    assert [*system({**areas, "proc": 4.0}, axi).values()] == [4.0, 9.5, 5.0, 1.5]
    found = system({"proc": 4.0, "xcel": 0.5}, null)
    assert found == {"processor_area_um2": 4.0, "accelerator_area_um2": 0.5}
    assert system({"core": 4.0}, OURS) == {}


INSTANCES = ("proc", "engine", "exponentiator", "lanes__0", "lanes__1", "constant_units__0")
"""Names that somebody else's instances can have."""


@pytest.mark.parametrize("about", [(CORE, {}), ("gone", {}), (CORE, {"verilog": "gone"})])
def test_names_of_instances_say_nothing_of_circuits_of_others(monkeypatch, about):
    monkeypatch.setitem(catalog.GIVEN, CORE, ENTRY)
    name, params = about
    areas = {"store": 9.0, **dict.fromkeys(INSTANCES, 2.0)}
    areas |= {f"{path}.{x}": 1.0 for path in ("store", "proc") for x in INSTANCES}
    labels = labels_of(name, 8, params)
    assert multipliers(areas, labels) == system(areas, labels) == {}
    assert {part.kind for part in breakdown(areas, 25.0, labels)} == {"rest"}
    assert {role_of(path, labels) for path in areas} == {"rest"}


def test_a_circuit_of_others_in_a_system_is_a_core_in_its_shell(monkeypatch):
    monkeypatch.setitem(catalog.GIVEN, CORE, ENTRY)
    core = "xcel.exponentiator"
    areas = {"proc": 4.0, "xcel": 9.0, core: 7.0, **{f"{core}.{x}": 1.0 for x in INSTANCES}}
    labels = labels_of(f"proc_{CORE}", 8, {})
    assert [*system(areas, labels).values()] == [4.0, 9.0, 7.0, 2.0]
    assert multipliers(areas, labels) == {}
    assert [x.path for x in breakdown(areas, 13.0, labels)] == ["proc", "xcel"]
    assert {x for x in areas if role_of(x, labels) != "rest"} == {"proc"}


def test_what_is_in_a_multiplier_is_a_part_of_it():
    """A multiplier of others in a lane can have instances of any name."""
    lane = "core.store.lanes__0"
    areas = {"core": 10.0, lane: 6.0, f"{lane}.store": 5.0, f"{lane}.store.engine": 4.0}
    areas[f"{lane}.store.lanes__1"] = 1.0
    assert multipliers(areas, OURS)["multipliers"] == 1
    assert [x.area_um2 for x in breakdown(areas, 10.0, OURS)] == [6.0, 4.0]


def test_bars_are_those_of_the_parameters_that_are_asked_for():
    where = {"nbits": 32, "clock_ns": 3.0}
    areas = {"": (30e3, 9e3), "lanes=1": (20e3, 5e3)}
    given = [
        Fact("a", "area_um2", value, "measured", choices=choices, part=part, **where)
        for choices, values in areas.items()
        for part, value in zip(("", "core"), values, strict=True)
    ]
    columns = [
        Column("a", {"subject": "a"}),
        Column("b", {"subject": "a", "choices": {"lanes": 1}}),
    ]
    figure = _bars(Parts("k", "T", "", columns, where), Facts(given), {"a": "#111", "b": "#222"})
    assert [bar.get_width() for bar in figure.axes[0].patches] == [9, 21, 5, 15]
