"""Pictures of placed circuits: what is drawn, and that its sums are those of the record."""

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from rsaxcel.cli import flow
from rsaxcel.eval.pictures import drawings, floor
from rsaxcel.eval.pictures.drawings import (
    PICTURES,
    PowerMap,
    bin_areas,
    bins,
    capacity_map,
    draw,
    power_map,
    squarify,
    treemap,
)
from rsaxcel.eval.pictures.floor import floor_data
from rsaxcel.eval.pictures.placed import (
    LEAST_SHARE,
    MOST_GROUPS,
    OTHERS,
    ClockTree,
    Placed,
    group_of,
    module_groups,
)
from rsaxcel.eval.pictures.style import save
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.physical.array_netlist import read_array_netlist
from rsaxcel.flow.physical.lef import geometry
from tests.eval.placed_files import ENERGY_NJ, GATES, INPUTS_NJ, SINKS, netlist, placed_files
from tests.flow.physical.netlists import KIT

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def placed(tmp_path_factory) -> Placed:
    return Placed(*placed_files(tmp_path_factory.mktemp("placed")))


def svg(figure, path) -> ElementTree.Element:
    save(figure, path)
    return ElementTree.parse(path).getroot()


def elements(root, start: str) -> dict[str, ElementTree.Element]:
    """Elements of a drawing whose names begin in a way."""
    return {x.get("id"): x for x in root.iter() if x.get("id", "").startswith(start)}


#: Areas of modules with all that is in them: a shell, two large parts, and many small ones.
AREAS = {
    **{"": 1000.0, "core": 990.0, "core.rows": 600.0, "core.store": 380.0},
    **{"core.store.lane": 300.0, "core.store.lane.control": 10.0},
    **{f"core.rows.row__{index}": 18.0 for index in range(32)},
}


def test_groups_divide_the_modules_where_the_area_is():
    groups = module_groups(AREAS)
    assert [group.label for group in groups] == [
        "core.rows",
        "core.store, the rest",
        "core.store.lane",
        OTHERS,
    ]
    paths = [path for group in groups for path in group.own]
    assert sorted(paths) == sorted(AREAS)
    assert group_of(groups)["core.rows.row__3"] == 0
    assert group_of(groups)["core.store.lane.control"] == 2
    assert groups[-1].own == {"", "core"}


def test_shells_do_not_count_as_groups():
    """Through five shells to two parts, beside nine others: as many groups as are shown."""
    areas = {"": 1000.0, **{f"u{index}": 60.0 for index in range(9)}}
    path = "shell"
    for depth in range(5):
        areas[path] = 460.0 - depth
        path += ".shell"
    areas |= {f"{path}.lane__{index}": 225.0 for index in range(2)}
    areas[path] = 455.0
    labels = [group.label for group in module_groups(areas)]
    assert len(labels) == 12
    assert f"{path}.lane__1" in labels


@pytest.mark.parametrize("count", [1, 4, 11, 30])
def test_groups_are_few_and_none_is_tiny(count):
    areas = {"": 100.0, **{f"u{index}": 100.0 / count for index in range(count)}}
    groups = module_groups(areas)
    assert len(groups) <= MOST_GROUPS + 1
    for group in groups:
        if group.label != OTHERS:
            assert sum(areas[path] for path in group.own) >= LEAST_SHARE * 100


def test_cells_have_the_area_of_the_record(placed):
    areas = placed.sizes[:, 0] * placed.sizes[:, 1]
    assert areas.sum() == pytest.approx(placed.record.area_um2)
    own = areas[[path == "core.a" for path in placed.modules]].sum()
    assert own == pytest.approx(placed.record.area_by_module["core.a"])
    assert len(placed.names) == len(netlist().cells)


def test_pins_lie_where_the_design_has_them(placed):
    """The places of all pins follow from place, orientation and geometry of the cells."""
    design = read_array_netlist(placed.file("placed.json"), "top", geometry(KIT).kinds)
    where = {name: at for at, name in enumerate(placed.names)}
    for at in np.flatnonzero(~design.is_port):
        own = where[design.names[at]]
        design.x[at], design.y[at] = (2000 * x[own] for x in (placed.x, placed.y))
        design.orient[at] = placed._places.orient[own]
    assert len(set(design.orient)) > 1
    x, y = design.pin_places()
    for pin in np.flatnonzero(~design.is_port[design.pin_instance]):
        name = "/".join(design.pin_name(pin))
        assert placed.pin(name) == pytest.approx((x[pin] / 2000, y[pin] / 2000)), name
    with pytest.raises(FlowError, match="no cell or port of the pin nowhere/Z"):
        placed.pin("nowhere/Z")


def test_bins_divide_a_cell_among_them(placed):
    values = np.arange(1.0, len(placed.x) + 1)
    found = bins(placed, values)
    assert found.sum() == pytest.approx(values.sum())
    one = np.zeros(len(placed.x))
    widest = int(placed.sizes[:, 0].argmax())
    one[widest] = 1.0
    narrow = bins(placed, one, most=1000)
    row = int(placed.y[widest] // 2.8)
    width = placed.width / narrow.shape[1]
    left = placed.x[widest] / width
    assert narrow[row].sum() == pytest.approx(1.0)
    share = (np.floor(left) + 1 - left) * width / placed.sizes[widest, 0]
    assert narrow[row, int(left)] == pytest.approx(min(1.0, share))


def mapped_mw(power: PowerMap, placed) -> float:
    return (power.density * bin_areas(placed, power.density.shape)).sum() / 1e6


def test_power_is_that_of_the_record(placed):
    found = power_map(placed, "encrypt")
    figures = placed.record.operations["encrypt"]
    to_mw = figures.power_mw / figures.energy_nj
    assert found.whole_mw == pytest.approx(figures.power_mw)
    assert found.whole_mw - mapped_mw(found, placed) == pytest.approx(INPUTS_NJ * to_mw)
    height = 1.4 * 2
    assert found.density.max() * height * placed.width / found.density.shape[1] >= (
        1e6 * ENERGY_NJ * to_mw / 2
    )
    glitches = power_map(placed, "encrypt", glitches=True)
    assert mapped_mw(glitches, placed) == pytest.approx(GATES * ENERGY_NJ / 5 * to_mw)
    assert mapped_mw(glitches, placed) == pytest.approx(glitches.whole_mw)
    with pytest.raises(FlowError, match="'decrypt' is unknown; allowed: encrypt"):
        power_map(placed, "decrypt")


def test_capacity_by_hand(placed):
    """Upper left: 6 of 4 tracks to the right; lower left: 1 of 4, and 2 of 4 upwards."""
    found = capacity_map(placed)
    assert found.utilisation == pytest.approx(np.array([[0.5, 0.75], [1.5, 1.5]]))
    assert found.overflow == 2.0
    assert found.demand == pytest.approx(12 / 16)


def test_levels_of_the_clock_tree_by_hand(placed):
    tree = ClockTree(placed)
    assert tree.inner == {"rb0": 0, "core.b.gate": 1}
    assert (tree.buffers, tree.gates) == (["rb0"], ["core.b.gate"])
    branches = list(tree.branches())
    sinks = {placed.pin(name) for name in SINKS if "gate" not in name}
    assert sorted((x.level, x.sink in sinks) for x in branches) == [
        (0, False),
        (1, False),
        (1, True),
        (2, True),
        (2, True),
    ]
    assert sinks <= {x.sink for x in branches}
    (root,) = (x for x in branches if x.level == 0)
    assert root.source == placed.pin("clk")
    points, latency_ns = tree.flip_flops
    assert len(points) == 3
    assert sorted(latency_ns) == [0.09, 0.1, 0.11]


def test_rectangles_of_a_treemap_are_as_large_as_their_values():
    values = [6.0, 6.0, 4.0, 3.0, 2.0, 2.0, 1.0]
    tiles = squarify(values, (1.0, 2.0, 6.0, 4.0))
    for value, (x, y, width, height) in zip(values, tiles, strict=True):
        assert width * height == pytest.approx(value)
        assert 1 <= x <= x + width <= 7 + 1e-9
        assert 2 <= y <= y + height <= 6 + 1e-9
        assert max(width / height, height / width) < 4
    for one, other in combinations(tiles, 2):
        across = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
        down = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
        assert min(across, down) < 1e-9


def test_tiles_lie_in_the_tiles_around_them():
    tiles = {tile.path: tile for tile in treemap(AREAS)}
    assert set(tiles) == set(AREAS)
    for path, tile in tiles.items():
        around = path.rpartition(".")[0]
        if path:
            x, y, width, height = tile.shape
            left, top, wide, high = tiles[around].shape
            assert left < x < x + width < left + wide
            assert top < y < y + height < top + high
            assert tile.depth == tiles[around].depth + 1
    assert {
        path for path, tile in tiles.items() if not any(x.startswith(f"{path}.") for x in tiles)
    } >= {"core.rows.row__7"}


def test_modules_are_drawn_cell_by_cell(placed, tmp_path):
    root = svg(draw("modules", placed.record, lambda: placed), tmp_path / "x.svg")
    drawn = elements(root, "module|")
    assert set(drawn) == {f"module|{group.label}" for group in placed.groups}
    for index, group in enumerate(placed.groups):
        (path,) = drawn[f"module|{group.label}"].iter(f"{SVG}path")
        assert path.get("d").count("M") == (placed.group == index).sum()
    texts = " ".join(" ".join(root.itertext()).split())
    for part in ("top, 8 bits, placed", "core.a", "core.b", "critical path, 0.750 ns"):
        assert part in texts
    (line,) = elements(root, "critical path").values()
    assert line.find(f".//{SVG}path").get("d").count("L") == 2 * GATES
    areas = [float(x.replace(",", "")) for x in re.findall(r"([\d,]+) µm²", texts)]
    assert sum(areas) == pytest.approx(placed.record.area_um2, abs=len(areas))


def test_many_cells_become_an_image(placed, tmp_path, monkeypatch):
    monkeypatch.setattr(drawings, "MOST_VECTORS", 3)
    monkeypatch.setattr(drawings.cells_patch, "__defaults__", (3,))
    root = svg(draw("modules", placed.record, lambda: placed), tmp_path / "x.svg")
    assert not elements(root, "module|")
    assert len(list(root.iter(f"{SVG}image"))) == 1


def test_overflow_is_marked(placed, tmp_path):
    root = svg(draw("capacity", placed.record, lambda: placed), tmp_path / "x.svg")
    assert sum(x.get("id") == "overflow" for x in root.iter()) == 2
    assert "75 % of the tracks used, overflow 2" in " ".join(root.itertext())


def test_clock_tree_is_drawn_by_level(placed, tmp_path):
    root = svg(draw("clock", placed.record, lambda: placed), tmp_path / "x.svg")
    counts = {name: len(list(x.iter(f"{SVG}path"))) for name, x in elements(root, "level ").items()}
    assert counts == {"level 0": 1, "level 1": 2, "level 2": 2}
    texts = " ".join(root.itertext())
    assert "latency of the 3 flip-flops (ps)" in texts
    assert "1 clock gates" not in texts
    assert "1 clock gate" in texts


def test_treemap_has_the_areas_of_the_record(placed, tmp_path):
    bare = replace(placed.record, stage="synthesized")
    root = svg(draw("areas", bare, lambda: pytest.fail("no places needed")), tmp_path / "x.svg")
    assert set(elements(root, "area|")) == {"area|", "area|core", "area|core.a", "area|core.b"}
    text = f"area by module, {placed.record.area_um2:,.0f} µm²"
    assert text in " ".join(root.itertext())


@pytest.mark.parametrize("kind", PICTURES)
def test_the_same_circuit_gives_the_same_picture(placed, tmp_path, kind):
    paths = [tmp_path / f"{name}.svg" for name in "ab"]
    for path in paths:
        save(draw(kind, placed.record, lambda: placed), path)
    first, second = (path.read_bytes() for path in paths)
    assert len(first) > 4000
    assert first == second


@pytest.mark.parametrize(("ending", "begin"), [(".png", b"\x89PNG"), (".pdf", b"%PDF")])
def test_other_formats(placed, tmp_path, ending, begin):
    path = tmp_path / f"x{ending}"
    save(draw("areas", placed.record, lambda: placed), path)
    assert path.read_bytes().startswith(begin)


def test_options_know_the_pictures():
    assert tuple(PICTURES) == flow.KINDS
    assert {x for x, about in PICTURES.items() if about.operation} == {*flow.OF_OPERATIONS}
    assert {x for x, about in PICTURES.items() if not about.places} == {*flow.WITHOUT_PLACES}


def test_a_missing_file_is_named(placed):
    fewer = {name: path for name, path in placed.files.items() if name != "capacity.npz"}
    bare = Placed(placed.record, fewer)
    with pytest.raises(FlowError, match=r"top: its run has no file capacity\.npz"):
        draw("capacity", placed.record, lambda: bare)


def test_figures_of_groups_add_up_to_the_record(placed):
    figures = floor_data(placed, "encrypt")["groups"]
    record, encrypt = placed.record, placed.record.operations["encrypt"]
    assert sum(x["area_um2"] for x in figures) == pytest.approx(record.area_um2, rel=1e-4)
    assert sum(x["cells"] for x in figures) == len(placed.names)
    energies = [x["energies"]["encrypt"] for x in figures]
    assert sum(energy for energy, _ in energies) == pytest.approx(encrypt.energy_nj, rel=1e-4)
    lost = sum(energy * share / 100 for energy, share in energies)
    assert lost == pytest.approx(encrypt.energy_nj - encrypt.energy_lower_nj, rel=1e-3)


def covered(data) -> float:
    """Area in um2 that a picture on the page covers."""
    across, up = data["unit"]
    return sum(across * up * sum(group["runs"][2::3]) for group in data["groups"])


def test_the_page_draws_the_area_of_all_cells(placed):
    data = floor_data(placed, "encrypt")
    assert covered(data) == pytest.approx(placed.record.area_um2, rel=1e-3)
    assert len(data["path"]) == 2 * (2 * GATES + 1)
    assert [len(x) // 4 for x in data["clock"]["levels"]] == [1, 2, 2]
    assert data["maps"]["capacity"]["values"] == [50, 75, 150, 150]
    assert data["maps"]["capacity"]["overflow"] == 2
    assert set(data["maps"]) == {"capacity", "energy", "glitches"}


def test_the_page_draws_places_instead_of_many_cells(placed, monkeypatch):
    monkeypatch.setattr(floor, "MOST_CELLS", 3)
    data = floor_data(placed, "encrypt")
    assert 0 < covered(data) <= placed.width * placed.height * 1.001
    assert sum(len(group["runs"]) for group in data["groups"]) > 0
