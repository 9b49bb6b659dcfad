"""DEF files, read back by KLayout, which shares nothing with the writer."""

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import klayout.db as db
import numpy as np
import pytest

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.physical.def_file import def_name, in_units, read_places, write_def
from rsaxcel.flow.physical.floorplan import fill_gaps, fixed_cells, make_core
from rsaxcel.flow.physical.lef import geometry
from rsaxcel.flow.physical.ports import port_layer, spread_ports
from rsaxcel.flow.physical.power_grid import power_grid
from tests.flow.physical.klayout_def import ANGLES, read
from tests.flow.physical.netlists import KIT, random_netlist, small
from tests.flow.physical.placements import place


@dataclass
class Written:
    netlist: object
    core: object
    fixed: object
    fillers: object
    text: str
    layout: object


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> Written:
    """A legal layout as a file, and as KLayout reads it."""
    folder = tmp_path_factory.mktemp("def")
    netlist = random_netlist(400, 7)
    for name, cell in small().cells.items():
        pins = {
            pin: net if net in ("a[0]", "clk") else f"{net}/[x]" for pin, net in cell[1].items()
        }
        netlist.cells[name] = (cell[0], pins)
    design = netlist.design(folder)
    core = make_core(design, KIT, 0.7)
    fixed = fixed_cells(core, KIT)
    place(design, core, fixed)
    spread_ports(design, core, KIT)
    fillers = fill_gaps(design, core, KIT, fixed)
    path = folder / "placed.def"
    write_def(path, design, core, KIT, fixed, fillers)
    return Written(design, core, fixed, fillers, path.read_text(), read(path))


def shapes(layout, name: str) -> list[db.Shape]:
    (top,) = layout.top_cells()
    found = [x for x in layout.layer_indexes() if layout.get_info(x).name == name]
    return [shape for layer in found for shape in top.shapes(layer).each()]


def expected(written) -> dict[str, tuple]:
    """Kind, place, size and orientation by name."""
    design, cells = written.netlist, {}
    for at in np.flatnonzero(~design.is_port).tolist():
        kind = design.kinds[design.kind[at]]
        place = int(design.x[at]), int(design.y[at]), kind.width, kind.height
        cells[design.names[at]] = (kind.name, place, ANGLES[int(design.orient[at])])
    for others, word in ((written.fixed, "TAP_"), (written.fillers, "FILLER_")):
        for number in range(others.count):
            kind = others.kinds[others.kind[number]]
            place = int(others.x[number]), int(others.y[number]), kind.width, kind.height
            cells[f"{word}{number}"] = (kind.name, place, ANGLES[int(others.orient[number])])
    return cells


def test_every_cell_has_its_place_and_orientation(written):
    layout = written.layout
    (top,) = layout.top_cells()
    assert top.name == "top"
    outline = next(x for x in layout.layer_indexes() if layout.get_info(x).name == "OUTLINE")
    found = {}
    for cell in top.each_inst():
        if cell.property("name") is None:
            continue  # a via
        box = cell.bbox(outline)
        place = box.left, box.bottom, box.width(), box.height()
        name = re.sub(r"\\(.)", r"\1", cell.property("name"))
        assert name not in found
        found[name] = (cell.cell.name, place, (cell.trans.angle, cell.trans.is_mirror()))
    assert found == expected(written)


def test_ports_have_their_places_layers_and_nets(written):
    design, core = written.netlist, written.core
    ports = {}
    for layer in geometry(KIT).layers:
        for shape in shapes(written.layout, f"{layer.name}.PIN"):
            assert shape.property("net") not in ports
            ports[shape.property("net")] = (layer, shape.bbox())
    assert len(ports) == design.is_port.sum() + 2
    assert {"VDD", "VSS"} <= set(ports)
    die = db.Box(0, 0, core.width, core.height)
    for at in np.flatnonzero(design.is_port).tolist():
        layer, box = ports[design.names[at]]
        x, y = int(design.x[at]), int(design.y[at])
        assert layer == port_layer(core, KIT, x, y)[0]
        assert box.inside(die)
        assert box.contains(db.Point(x, y))
        across, along = (box.height(), box.width())[:: 1 if layer.is_horizontal else -1]
        assert (across, along) == (layer.width, 2 * layer.width)


def test_rails_straps_and_vias_are_there(written):
    grid = power_grid(written.core, KIT)
    for name in ("metal1", "metal8", "metal9"):
        found = {shape.bbox() for shape in shapes(written.layout, name)}
        own = {db.Box(*strap.shape) for strap in grid.straps if strap.layer == name}
        assert found == own
        assert own
    (top,) = written.layout.top_cells()
    found = Counter(
        (cell.cell.name, cell.trans.disp.x, cell.trans.disp.y)
        for cell in top.each_inst()
        if cell.property("name") is None
    )
    assert found == Counter(
        (f"VIA_{grid.arrays[at].name}", crossing.x, crossing.y)
        for crossing in grid.crossings
        for at in crossing.arrays
    )


def test_vias_have_their_cuts(written):
    layout = written.layout
    layers = {layout.get_info(x).name: x for x in layout.layer_indexes()}
    for array in power_grid(written.core, KIT).arrays:
        via = layout.cell(f"VIA_{array.name}")
        for name in (array.lower, array.upper):
            (metal,) = (x for x in layers if x.startswith(name) and via.shapes(layers[x]).size())
            assert via.bbox(layers[metal]).width() == array.width
        (cuts,) = (
            x for x in layers if x.startswith(array.cut.layer) and via.shapes(layers[x]).size()
        )
        assert {shape.bbox() for shape in via.shapes(layers[cuts]).each()} == {
            db.Box(*cut) for cut in array.cuts()
        }


def test_the_ground_is_told_from_the_supply(written):
    section = written.text.partition("\nSPECIALNETS 2 ;\n- ")[2].partition("\nEND SPECIALNETS")[0]
    uses = {net.split()[0]: net.split()[-2] for net in section.split("\n- ")}
    assert uses == {"VSS": "GROUND", "VDD": "POWER"}
    assert re.search(r"- VSS \+ NET VSS \+ SPECIAL \+ DIRECTION INOUT \+ USE GROUND", written.text)


def test_rows_tracks_and_die(written):
    core, text = written.core, written.text
    assert f"DIEAREA ( 0 0 ) ( {core.width} {core.height} ) ;" in text
    rows = re.findall(r"ROW \S+ FreePDK45_38x28_10R_NP_162NW_34O 0 (\d+) (N|FS) DO (\d+) ", text)
    assert rows == [
        (str(row * 2800), ("N", "FS")[row % 2], str(core.sites)) for row in range(core.rows)
    ]
    for axis, start, count, step, name in re.findall(
        r"TRACKS ([XY]) (\d+) DO (\d+) STEP (\d+) LAYER (\S+) ;", text
    ):
        layer = next(layer for layer in geometry(KIT).layers if layer.name == name)
        assert (int(start), int(step)) == (layer.offset, layer.pitch)
        length = core.width if axis == "X" else core.height
        assert length - layer.pitch < int(start) + (int(count) - 1) * int(step) <= length


def test_nets_connect_what_the_netlist_connects(written):
    design = written.netlist
    section = written.text.partition("\nNETS ")[2].partition("\nEND NETS")[0]
    count, *nets = re.split(r"\n- ", section)
    assert int(count.split()[0]) == len(nets) == len(design.nets)
    found = {}
    for net in nets:
        words = net.replace("(", " ").replace(")", " ").split()
        own = words[1 : words.index("+")]
        found[words[0]] = set(zip(own[::2], own[1::2], strict=True))
    start, pins = design.net_pins
    for number, name in enumerate(design.nets):
        own = set()
        for pin in pins[start[number] : start[number + 1]].tolist():
            cell, pin_name = design.pin_name(pin)
            port = design.is_port[design.pin_instance[pin]]
            own.add(("PIN", cell) if port else (def_name(cell), pin_name))
        is_bit = bool(re.fullmatch(r"[ay]\[\d\]", name))
        assert found[def_name(name, is_bit=is_bit)] == own


def test_names_are_escaped():
    assert def_name("top/aoi.u[3]") == r"top\/aoi.u\[3\]"
    assert def_name("plain_1") == "plain_1"
    assert def_name("a[3]") == r"a\[3\]"
    assert def_name("a[3]", is_bit=True) == "a[3]"
    assert def_name("x[1].y[3]", is_bit=True) == r"x\[1\].y[3]"
    assert def_name("back\\slash") == r"back\\slash"


def test_only_bits_of_ports_have_indices(written):
    assert "- a[3] + NET a[3] + DIRECTION INPUT" in written.text
    assert "\n- a[3] ( PIN a[3] )" in written.text
    assert "\n- " + r"q\/\[x\] ( state_reg\[0\] Q )" in written.text


def test_places_are_read_back(written, tmp_path):
    path = tmp_path / "x.def"
    path.write_text(written.text)
    found, design = read_places(path), written.netlist
    assert (found.top, found.width, found.height) == (
        design.top,
        written.core.width,
        written.core.height,
    )
    own = np.flatnonzero(~design.is_port).tolist()
    assert sorted(found.names) == sorted(design.names[at] for at in own)
    where = {name: at for at, name in enumerate(found.names)}
    for at in own:
        back = where[design.names[at]]
        assert found.kinds[back] == design.kinds[design.kind[at]].name
        assert (found.x[back], found.y[back]) == (design.x[at], design.y[at])
        assert found.orient[back] == design.orient[at]
    ports = {
        design.names[at]: (design.x[at], design.y[at]) for at in np.flatnonzero(design.is_port)
    }
    assert ports.items() <= found.ports.items()
    halved = re.sub(r"UNITS DISTANCE MICRONS \d+", "UNITS DISTANCE MICRONS 4000", written.text)
    path.write_text(halved)
    assert read_places(path).width == written.core.width // 2


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("DIEAREA", "AREA"), "x.def: no DEF file with units, die area and components"),
        (("+ PLACED (", "+ UNPLACED ("), "x.def: no place in a row: - "),
        ((") FS ;", ") W ;"), "x.def: no place in a row: - "),
    ],
)
def test_files_without_places_are_refused(written, tmp_path, change, told):
    path = tmp_path / "x.def"
    path.write_text(written.text.replace(*change))
    with pytest.raises(FlowError, match=re.escape(told)):
        read_places(path)


SECTIONS = Path(__file__).with_name("coarse.def").read_text("utf-8")


def test_units_of_a_coarser_lef_file():
    wanted = Path(__file__).with_name("fine.def").read_text("utf-8")
    assert in_units(SECTIONS.format(y=7560), 1000) == wanted
    # Half a unit cannot be written.
    odd = SECTIONS.format(y=7561)
    assert in_units(odd, 1000) == odd
