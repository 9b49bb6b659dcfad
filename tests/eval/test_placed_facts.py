"""Facts of placed circuits: their figures, their stage, and measurements at a stage."""

from dataclasses import replace

import pytest

from rsaxcel.eval.facts.points import tabulate
from rsaxcel.eval.facts.quantities import QUANTITIES
from rsaxcel.eval.facts.records import record_facts
from rsaxcel.eval.facts.table import Facts, read_facts, to_frame
from rsaxcel.eval.measure.flows import at_activity, at_layout, flow, outline
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.flow.layout import PLACED, SYNTHESIZED, Layout
from rsaxcel.flow.record import Record
from tests.eval.made_up_records import operation, record

PHYSICAL = {
    **{"tool": "embedded", "seed": 1, "wire_length_mm": 2.5, "overflow": 0, "skew_ns": 0.02},
    **{"insertion_delay_ns": 0.1, "hold_slack_ns": 0.01, "clock_area_um2": 40.0},
    **{"clock_buffers": 5, "hold_buffers": 2},
}


def synthesized() -> Record:
    return record("ssmm_r2l", 8, 1.0, 0.9, {"": 700.0}, {"decrypt": operation(5, 90, 1.0, 0.1)})


def placed() -> Record:
    bare = synthesized()
    own = {"stage": PLACED, "core_area_um2": 1000.0, "utilisation": 0.72, "physical": PHYSICAL}
    return replace(bare, area_um2=720.0, min_period_ns=1.1, hash="placed", **own)


def facts_of(*records: Record) -> Facts:
    return Facts(fact for x in records for fact in record_facts(x, "ssmm_r2l"))


def test_a_placed_circuit_has_facts_of_its_layout():
    found = {x.quantity: x.value for x in record_facts(placed(), "ssmm_r2l") if not x.part}
    assert found["core_area_um2"] == 1000.0
    assert found["utilisation_percent"] == pytest.approx(72.0)
    for name in ("wire_length_mm", "skew_ns", "hold_slack_ns", "clock_area_um2", "clock_buffers"):
        assert found[name] == PHYSICAL[name]
    assert QUANTITIES["wire_length_mm"].unit == "mm"
    bare = {x.quantity for x in record_facts(synthesized(), "ssmm_r2l")}
    assert not bare & {"core_area_um2", "skew_ns", "utilisation_percent"}


def test_stages_are_rows_of_their_own():
    points = tabulate(facts_of(synthesized(), placed()))
    rows = points.set_index("stage")
    assert {*rows.index} == {SYNTHESIZED, PLACED}
    assert rows.area_um2.to_dict() == {SYNTHESIZED: 700.0, PLACED: 720.0}
    assert rows.core_area_um2[PLACED] == 1000.0
    assert rows.core_area_um2.isna()[SYNTHESIZED]
    time_ms = rows.cycles[PLACED] * 1.1 / 1e6
    assert rows.core_area_time_um2_ms[PLACED] == pytest.approx(1000.0 * time_ms)
    assert rows.area_time_um2_ms[PLACED] == pytest.approx(720.0 * time_ms)


def test_facts_are_found_by_their_stage():
    facts = facts_of(synthesized(), placed())
    about = {"subject": "ssmm_r2l", "nbits": 8, "quantity": "area_um2"}
    for stage, area in ((SYNTHESIZED, 700.0), (PLACED, 720.0)):
        assert facts.value({**about, "stage": stage}, printed=False) == area


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_tables_of_earlier_versions_name_the_stage_otherwise(tmp_path, ending):
    frame = to_frame(facts_of(synthesized()))
    frame["stage"] = frame["stage"].replace(SYNTHESIZED, "synthesis")
    path = tmp_path / f"facts.{ending}"
    if ending == "csv":
        frame.to_csv(path, index=False)
    else:
        frame.to_parquet(path, index=False)
    assert {x.stage for x in read_facts(path)} == {SYNTHESIZED}


def test_a_flow_can_be_measured_at_another_stage():
    usual = flow("ssmm_r2l", 8)
    layout = Layout(PLACED, utilisation=0.6)
    for measurement in (usual, at_activity(usual, "zero"), at_activity(usual, "timed", 99)):
        job = at_layout(measurement, layout).job
        assert job.arguments[-1] == layout
        assert len(job.arguments) == 7
        assert job.arguments[:-1][: len(measurement.job.arguments)] == measurement.job.arguments
        assert job.name == f"{measurement.job.name}, {layout}"
    for asked in (("zero",), ("timed", 99)):  # in the other order, too
        first = at_layout(at_activity(usual, *asked), layout).job.arguments
        assert at_activity(at_layout(usual, layout), *asked).job.arguments == first
    assert at_layout(usual, Layout()) == usual
    area = outline("ssmm_r2l", 8, DEFAULT_LIBRARY)
    assert at_layout(area, layout) is area
