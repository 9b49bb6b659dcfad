"""What notebooks show: tables whose text cannot become markup, and drawings."""

import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

import rsaxcel
from rsaxcel.eval import display
from rsaxcel.flow.layout import Layout
from tests.eval import made_up_records

HOSTILE = "<img src=x onerror=alert(1)>&"


@pytest.fixture
def record():
    target = rsaxcel.design("mulrem_r2l", 8)
    return made_up_records.run(target, "freepdk-45nm", 2.0)


def cells(text: str) -> list[list[str]]:
    rows = ElementTree.fromstring(text).iter("tr")
    return [["".join(cell.itertext()) for cell in row] for row in rows]


def test_a_record_shows_its_figures(record):
    shown = cells(display.record_html(record))
    (area,) = (x[1] for x in shown if x[0] == "area")
    assert area.startswith(f"{record.area_um2:,.1f} µm², {record.cell_count:,} cells")
    for name, operation in record.operations.items():
        (row,) = (x for x in shown if x[0] == name)
        assert row[1:3] == [f"{operation.exponent:#x}", f"{operation.cycles:,.1f}"]
        assert float(row[4]) == pytest.approx(operation.energy_nj, rel=1e-3)


def test_names_are_text(record):
    """A core in Verilog, whose modules have any name, may be somebody else's."""
    areas = {**record.area_by_module, HOSTILE: record.area_um2 / 2}
    text = display.record_html(replace(record, design=HOSTILE, area_by_module=areas))
    assert "<img" not in text
    assert [HOSTILE] == [x for row in cells(text) for x in row if x == HOSTILE]


@pytest.mark.parametrize(
    ("circuit", "depend"),
    [
        (rsaxcel.design("mulrem_r2l", 8), "exponent"),
        (rsaxcel.design("montmul_r2l", 8, schedule="window"), "no exponent or base"),
        (rsaxcel.multiplier("mont_mul", 8), "no operands"),
    ],
    ids=["design", "window", "multiplier"],
)
def test_a_circuit_shows_its_parameters(circuit, depend):
    rows = dict(cells(display.circuit_html(circuit)))
    assert rows.pop("cycles depend on") == depend
    assert rows == {name: str(value) for name, value in circuit.params.items()}


def test_a_drawing_is_shown_and_written(record, tmp_path):
    drawing = rsaxcel.picture(record, "areas")
    assert ElementTree.fromstring(drawing._repr_svg_().encode()).tag.endswith("svg")
    drawing.save(tmp_path / "areas.svg")
    assert "mulrem_r2l" in (tmp_path / "areas.svg").read_text()


@pytest.mark.parametrize(
    ("kind", "told"),
    [("chip", "kind='chip': allowed: modules, "), ("modules", "kind='modules': .* without places")],
)
def test_pictures_that_cannot_be_drawn(record, kind, told):
    with pytest.raises(ValueError, match=told):
        rsaxcel.picture(record, kind)


def test_files_of_the_placement_are_gone(record, here):
    with pytest.raises(
        rsaxcel.FlowError, match="mulrem_r2l_8: the files of its placement are gone"
    ):
        rsaxcel.picture(replace(record, stage=Layout("placed").stage))
