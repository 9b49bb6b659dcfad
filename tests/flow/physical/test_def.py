"""DEF files, read back by KLayout, which shares nothing with the writer."""

import re
from dataclasses import dataclass

import klayout.db as db
import numpy as np
import pytest

from flow.physical.def_file import instance_name, net_name, write_def
from flow.physical.design import DBU_PER_UM, FN, FS, N, S
from flow.physical.floorplan import fill_gaps, fixed_cells, make_core
from flow.physical.lef import geometry
from flow.physical.ports import port_layer, spread_ports
from flow.physical.power_grid import power_grid
from tests.flow.physical.netlists import KIT, random_netlist, small
from tests.flow.physical.placements import place

ANGLES = {N: (0, False), S: (2, False), FS: (0, True), FN: (2, True)}
"""KLayout's turns by 90 degrees, after a flip about the x axis, of each orientation."""


@dataclass
class Written:
    design: object
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


def read(path):
    options = db.LoadLayoutOptions()
    config = options.lefdef_config
    config.read_lef_with_def = False
    config.lef_files = [str(lef) for lef in KIT.layout.lef]
    config.dbu = 1 / DBU_PER_UM
    config.macro_resolution_mode = 1  # cells from LEF, not from a layout that FOREIGN names
    config.instance_property_name = "name"
    config.pin_property_name = config.net_property_name = "net"
    layout = db.Layout()
    layout.read(str(path), options)
    return layout


def shapes(layout, name: str) -> list[db.Shape]:
    (top,) = layout.top_cells()
    found = [x for x in layout.layer_indexes() if layout.get_info(x).name == name]
    return [shape for layer in found for shape in top.shapes(layer).each()]


def expected(written) -> dict[str, tuple]:
    """Kind, place, size and orientation by name."""
    design, cells = written.design, {}
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
        box = cell.bbox(outline)
        place = box.left, box.bottom, box.width(), box.height()
        name = re.sub(r"\\(.)", r"\1", cell.property("name"))
        assert name not in found
        found[name] = (cell.cell.name, place, (cell.trans.angle, cell.trans.is_mirror()))
    assert found == expected(written)


def test_ports_have_their_places_layers_and_nets(written):
    design, core = written.design, written.core
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


def test_rails_and_straps_are_there(written):
    wires = {"metal1": 0, "metal8": 0, "metal9": 0}
    grid = power_grid(written.core, KIT)
    for name in wires:
        found = {shape.bbox() for shape in shapes(written.layout, name)}
        own = {db.Box(*strap.shape) for strap in grid.straps if strap.layer == name}
        assert found == own
        assert own
    assert re.search(r"- VSS \( \* VSS \)\n(.*\n)*?  \+ USE GROUND ;", written.text)


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
    design = written.design
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
            own.add(("PIN", net_name(cell)) if port else (instance_name(cell), pin_name))
        assert found[net_name(name)] == own


def test_names_are_escaped():
    assert instance_name("top/aoi.u[3]") == r"top\/aoi.u\[3\]"
    assert instance_name("plain_1") == "plain_1"
    assert net_name("a[3]") == "a[3]"
    assert net_name("x[1].y[3]") == r"x\[1\].y[3]"
    assert net_name("n/[x]") == r"n\/\[x\]"
    assert net_name("back\\slash") == r"back\\slash"


def test_the_same_layout_gives_the_same_file(written, tmp_path):
    path = tmp_path / "again.def"
    write_def(path, written.design, written.core, KIT, written.fixed, written.fillers)
    assert path.read_text() == written.text
