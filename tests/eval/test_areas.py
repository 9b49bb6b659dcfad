"""Areas of instances: multipliers are found by the names of lanes, and parts add up."""

import pytest

from rsaxcel import catalog
from rsaxcel.eval.facts.areas import SystemAreas, breakdown, multipliers, system
from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.facts.table import Facts
from rsaxcel.eval.report.plots import _bars
from rsaxcel.eval.report.spec import Column, Parts
from tests.eval.made_up_records import flow


@pytest.mark.parametrize("name", ["mulrem_r2l", "mont_r2l"])
def test_parts_add_up_to_the_whole(name):
    record = flow(catalog.get(name).configure(32), "freepdk-45nm", 3.0)
    parts = breakdown(record.area_by_module, record.area_um2)
    assert sum(part.area_um2 for part in parts) == pytest.approx(record.area_um2)
    count = {"mulrem_r2l": 2, "mont_r2l": 5}[name]
    assert [part.kind for part in parts].count("multiplier") == count
    assert multipliers(record.area_by_module).count == count
    if name == "mont_r2l":
        parts = {part.path: part for part in parts}
        assert parts["convert_in.constant_units__0"].area_um2 == 1300
        assert parts["core.store.lanes__1"].label == "core: multiplier 1"
        assert parts["convert_in"].area_um2 == pytest.approx(33000 - 15000 - 15100 - 1300)


def test_hierarchy_without_lanes_has_no_multipliers():
    assert multipliers({"core": 10.0}) is None
    parts = [(part.label, part.area_um2) for part in breakdown({"core": 10.0}, 12.0)]
    assert parts == [("core", 10.0), ("top level", 2.0)]


def test_engine_of_a_store_of_words_is_a_part_of_its_own():
    areas = {"core": 10.0, "core.store": 9.0, "core.store.engine": 7.0, "core.store.engine.x": 3.0}
    parts = [(part.label, part.kind, part.area_um2) for part in breakdown(areas, 10.0)]
    assert parts == [("core: engine", "multiplier", 7.0), ("core: control, registers", "rest", 3.0)]


def test_parts_of_systems_of_every_kind():
    xcel = {"xcel": 9.0, "xcel.exponentiator": 7.0, "xcel.exponentiator.core": 6.0, "xcel.base": 1}
    bus = {"bridge": 0.5, "a": 9.0, "a.slave": 2.0, "a.b": 6.5, "a.b.exponentiator": 5.0}
    assert system({"proc": 4.0, "proc.alu": 2.0, **xcel}) == SystemAreas(4.0, 9.0, 7.0, 2.0)
    assert system({**bus, "proc": 4.0}) == SystemAreas(4.0, 9.5, 5.0, 1.5)
    assert system({"proc": 4.0, "xcel": 0.5}) == SystemAreas(4.0, 0.5)
    assert system({"core": 4.0}) is None


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
