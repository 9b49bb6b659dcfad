"""Geometry from LEF files: values copied by hand, and what is said of files that do not suffice."""

import re
from dataclasses import replace

import pytest

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.kit import PlacementSettings
from rsaxcel.flow.libraries import find_kit
from rsaxcel.flow.physical import lef
from rsaxcel.flow.physical.array_netlist import CellKind, KindPin
from rsaxcel.store.errors import SetupError
from tests.flow.physical.netlists import KIT, library
from tests.shared.tables import each_row


def test_layers_of_the_default_library():
    layers = lef.geometry(KIT).layers
    assert [layer.name for layer in layers] == [f"metal{number}" for number in range(1, 11)]
    assert [layer.is_horizontal for layer in layers] == [True, False] * 5
    metal3, metal4, metal9 = layers[2], layers[3], layers[8]
    assert (metal3.pitch, metal3.offset, metal3.width, metal3.spacing) == (280, 140, 140, 140)
    assert (metal4.pitch, metal4.offset, metal4.width, metal4.spacing) == (560, 190, 280, 280)
    assert (metal9.pitch, metal9.width, metal9.spacing) == (3200, 1600, 1600)
    assert [layer.via_ohm for layer in layers] == [5, 5, 5, 3, 3, 3, 1, 1, 0.5, 0]


def test_vias_and_spacings_of_the_default_library():
    layers = lef.geometry(KIT).layers
    assert layers[0].cut == lef.CutLayer("via1", 140, 160)
    assert layers[7].cut == lef.CutLayer("via8", 800, 880)
    assert layers[9].cut is None
    metal8 = layers[7]
    widths = (800, 1000, 1001, 1800, 1801, 3001)
    assert [metal8.spacing_to(x) for x in widths] == [800, 800, 1000, 1000, 1800, 3000]


def test_resistance_and_capacitance_of_wires():
    metal3, metal5 = lef.geometry(KIT).layers[2], lef.geometry(KIT).layers[4]
    assert (metal3.ohm_per_square, metal5.ohm_per_square) == (0.25, 0.21)
    assert metal3.area_ff_per_um2 == pytest.approx(2.7745e-2)
    assert metal3.edge_ff_per_um == pytest.approx(2.5157e-2)


def test_site_and_rails_of_the_default_library():
    about = lef.geometry(KIT)
    assert about.site == ("FreePDK45_38x28_10R_NP_162NW_34O", 380, 2800)
    assert about.rails == lef.Rails("VSS", "VDD", True, "metal1", 340)


def test_cells_of_the_default_library():
    cells = {kind.name: kind for kind in lef.geometry(KIT).kinds}
    assert len(cells) == 135
    # Rectangles: A1 0.06 0.525 0.185 0.7, A2 0.25 0.525 0.38 0.7, ZN 0.61 0.19 0.7 1.25.
    pins = (
        KindPin("A1", False, 245, 1225),
        KindPin("A2", False, 630, 1225),
        KindPin("ZN", True, 1310, 1440),
    )
    assert cells["AND2_X1"] == CellKind("AND2_X1", 1520, 2800, pins)
    assert cells["WELLTAP_X1"] == CellKind("WELLTAP_X1", 760, 2800, ())
    # The long bar of an L: 0.905 0.825 2.66 0.895.
    assert cells["FA_X1"].pins[0] == KindPin("A", False, 3565, 1720)


def test_cells_agree_with_the_liberty_file():
    for kind in lef.geometry(KIT).kinds:
        if (cell := library().cells.get(kind.name)) is None:
            assert kind.name.startswith(("FILLCELL", "WELLTAP"))
            continue
        own = {(pin.name, pin.is_output) for pin in kind.pins}
        assert own == {(pin.name, pin.is_output) for pin in cell.pins.values()}, kind.name
        assert kind.width * kind.height / 4e6 == pytest.approx(cell.area_um2), kind.name


def test_a_pin_lies_on_its_metal():
    (low, _, _, _), *_ = lef._slices([(0, 0), (10, 0), (10, 2), (2, 2), (2, 30), (0, 30)])
    assert low == 0
    shapes = list(lef._slices([(0, 0), (10, 0), (10, 2), (2, 2), (2, 30), (0, 30)]))
    assert max(shapes, key=lef._area) == (0, 0, 2, 30)


def test_the_other_library():
    try:
        kit = find_kit("osu018")
    except SetupError as missing:
        pytest.skip(str(missing))
    about = lef.geometry(kit)
    assert about.site == ("core", 1600, 20000)
    assert about.rails == lef.Rails("gnd", "vdd", True, "metal1", 1200)
    metal2 = about.layers[1]
    assert (metal2.pitch, metal2.offset, metal2.width, metal2.spacing) == (1600, 800, 600, 600)
    assert metal2.ohm_per_square == 0.08
    assert metal2.cut == lef.CutLayer("via2", 400, 600)
    # Largest rectangles: A 0.2 3.3 0.6 4.1, B 1.3 4.9 1.7 5.7, Y 2.7 1.6 3.0 9.4.
    assert about.kind("AND2X1") == CellKind(
        "AND2X1",
        6400,
        20000,
        (
            KindPin("A", False, 800, 7400),
            KindPin("B", False, 3000, 10600),
            KindPin("Y", True, 5700, 11000),
        ),
    )


def test_a_kit_without_lef_files():
    kit = replace(KIT, name="my90", layout=PlacementSettings())
    with pytest.raises(FlowError) as refusal:
        lef.geometry(kit)
    assert str(refusal.value) == "library my90 has no LEF geometry: placement is not possible"


@each_row(__file__, "wrong", "old", "new", "what")
def test_wrong_lef_files_are_named(tmp_path, old, new, what):
    technology, cells = KIT.layout.lef
    path = tmp_path / "wrong.lef"
    path.write_text(technology.read_text().replace(old, new))
    kit = replace(KIT, layout=replace(KIT.layout, lef=(path, cells)))
    with pytest.raises(FlowError) as refusal:
        lef.geometry(kit)
    assert str(refusal.value).startswith(f"{path}, {cells}: not the LEF files of a library (")
    assert what in str(refusal.value)


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.999])
def test_half_a_file_is_told(tmp_path, part):
    technology, cells = KIT.layout.lef
    for whole, other in ((technology, cells), (cells, technology)):
        path = tmp_path / "half.lef"
        path.write_text((text := whole.read_text())[: int(len(text) * part)])
        kit = replace(KIT, layout=replace(KIT.layout, lef=(path, other)))
        if "END LIBRARY" in path.read_text():
            continue
        lef._read.cache_clear()
        with pytest.raises(FlowError) as refusal:
            lef.geometry(kit)
        assert str(refusal.value) == f"{path}: cut off: it does not end with END LIBRARY"


@pytest.mark.parametrize("shape", ["RECT inf 0 1 1", "RECT nan 0 0 1 1", "POLYGON 0 0 0 1 1 nan"])
def test_shapes_are_of_numbers(tmp_path, shape):
    technology, cells = KIT.layout.lef
    path = tmp_path / "wrong.lef"
    first = re.compile(r"(?s)(PIN A1\b.*?)(?:RECT|POLYGON) [^;]*")
    path.write_text(first.sub(rf"\1{shape} ", cells.read_text(), count=1))
    kit = replace(KIT, layout=replace(KIT.layout, lef=(technology, path)))
    with pytest.raises(FlowError, match="not the LEF files of a library"):
        lef.geometry(kit)
