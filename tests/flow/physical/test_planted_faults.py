"""Each fault that is planted in a step's result fails the step's node, in one line."""

import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import klayout.db as db
import numpy as np
import pytest

from rsaxcel.flow.errors import NoRoom
from rsaxcel.flow.layout import OPENSTA, usual_timer
from rsaxcel.flow.physical.array_netlist import FN, FS, ArrayNetlist, N, S
from rsaxcel.flow.physical.embedded import finish, tool
from rsaxcel.flow.physical.embedded.session import Session
from rsaxcel.flow.physical.embedded.tool import Checkpoint
from rsaxcel.flow.physical.embedded.wires import wires_of
from rsaxcel.flow.physical.lef import geometry
from tests.flow.physical.adder_circuits import pin_of
from tests.flow.physical.klayout_def import ANGLES, read
from tests.flow.physical.layouts import clocked
from tests.flow.physical.netlists import KIT
from tests.flow.physical.steps import NODES, Failed, job_for, prepare, run

PLACE, REPAIR, CLOCK_TREE, REPAIR_TIMING = "place", "repair", "clock-tree", "repair-timing"
WIRES, TIMING = "wires", "placed-timing"
BY_NAME = {node.name: node for node in NODES}
KINDS = {kind.name: number for number, kind in enumerate(geometry(KIT).kinds)}


def netlist():
    """Clock gates with copies, and registers that take data of others at once."""
    made = clocked(90, 1, 3, logic=60)
    for index in range(0, 30, 2):
        made.move(f"core.r{index}", "D", f"q{index + 1}")
    return made


@pytest.fixture(scope="module")
def clean(tmp_path_factory):
    """Folder with the files of all nodes, which pass."""
    folder = prepare(netlist(), tmp_path_factory.mktemp("planted") / "clean")
    run(NODES, job_for(folder), folder)
    return folder


def illegal_places(path: Path) -> set[str]:
    """Tell what KLayout, and the file's own rows, find wrong with the places of all cells."""
    layout, found = read(path), set()
    (top,) = layout.top_cells()
    (outline,) = (x for x in layout.layer_indexes() if layout.get_info(x).name == "OUTLINE")
    pattern = r"ROW \S+ \S+ (\d+) (\d+) (N|FS) DO (\d+) BY 1 STEP (\d+) 0 ;"
    rows = {
        int(y): (int(first), turn, int(count), int(step))
        for first, y, turn, count, step in re.findall(pattern, path.read_text())
    }
    boxes = db.Region()
    for cell in top.each_inst():
        box = cell.bbox(outline)
        if box.empty():
            continue  # a via
        boxes.insert(box)
        first, turn, count, step = rows.get(box.bottom, (0, "N", 0, 1))
        if box.bottom not in rows or (box.left - first) % step:
            found.add("off its site")
        elif box.left < first or box.right > first + count * step:
            found.add("outside of its row")
        elif (cell.trans.angle, cell.trans.is_mirror()) not in [
            ANGLES[x] for x in ((N, FN) if turn == "N" else (FS, S))
        ]:
            found.add("upside down")
    if not boxes.merged(False, 2).is_empty():
        found.add("overlap")
    return found


def test_klayout_finds_the_finished_layout_legal(clean):
    assert illegal_places(clean / "placed.def") == set()


@pytest.fixture
def refused(clean, tmp_path, monkeypatch):
    """Return a function that runs the nodes from one on with a patch; it gives node and error."""

    def check(first: str, patch: Callable[[pytest.MonkeyPatch], None]) -> tuple[str, Exception]:
        folder = tmp_path / "run"
        shutil.copytree(clean, folder, symlinks=True)
        names = [node.name for node in NODES]
        later = NODES[names.index(first) :]

        def spoil_and_go_on():
            with monkeypatch.context() as patched:
                patch(patched)
                run(later[:1], job_for(folder), folder)
            run(later[1:], job_for(folder), folder)

        with pytest.raises(Failed) as failure:
            spoil_and_go_on()
        (line,) = str(failure.value.error).splitlines()
        assert line
        return failure.value.node, failure.value.error

    return check


def after_legalization(spoil: Callable[[Checkpoint], None]):
    """Patch a step so that its result is spoiled at its end."""
    original = tool._legalize

    def spoiled(work, state, *rest, **choices):
        original(work, state, *rest, **choices)
        state.netlist = replace(state.netlist)  # without cached properties
        spoil(state)

    return lambda patch: patch.setattr(tool, "_legalize", spoiled)


def of_kind(design: ArrayNetlist, start: str) -> int:
    """First instance whose kind begins so."""
    found = [design.kinds[kind].name.startswith(start) for kind in design.kind]
    return found.index(True)


def insert(state: Checkpoint, kind: str, name: str, nets: dict[str, int]) -> None:
    """Insert an instance in a gap of the rows."""
    design, core = state.netlist, state.core
    number = KINDS[kind]
    own = design.kinds[number]
    free = np.ones((core.rows, core.sites), bool)
    fixed = tool.fixed_cells(core, KIT)
    for cells, there in ((design, ~design.is_port), (fixed, np.ones(fixed.count, bool))):
        for x, y, width in zip(cells.x[there], cells.y[there], cells.width[there], strict=True):
            first = x // core.site_width
            free[y // core.row_height, first : first + width // core.site_width] = False
    sites = own.width // core.site_width
    gaps = np.lib.stride_tricks.sliding_window_view(free, sites, axis=1).all(axis=2)
    row, site = np.argwhere(gaps)[0]
    ports = int(np.flatnonzero(design.is_port)[0])
    at = int(design.pin_start[ports])
    pins = [nets.get(x.name, -1) for x in own.pins]
    state.netlist = replace(
        design,
        names=[*design.names[:ports], name, *design.names[ports:]],
        kind=np.insert(design.kind, ports, number),
        pin_net=np.insert(design.pin_net, at, pins),
        x=np.insert(design.x, ports, site * core.site_width),
        y=np.insert(design.y, ports, row * core.row_height),
        orient=np.insert(design.orient, ports, row % 2),
    )


def net_of(design: ArrayNetlist, cell: str, name: str) -> int:
    return int(design.pin_net[pin_of(design, cell, name)])


def new_net(state: Checkpoint, name: str) -> int:
    state.netlist.nets.append(name)
    return len(state.netlist.nets) - 1


def overlap(state):
    design = state.netlist
    design.x[1], design.y[1], design.orient[1] = design.x[0], design.y[0], design.orient[0]


def open_pin(state):
    state.netlist.pin_net[pin_of(state.netlist, "core.r3", "D")] = -1


def swapped(state):
    """B1 and A of an AOI21, which are no equal pins."""
    design = state.netlist
    at = design.names[of_kind(design, "AOI21")]
    one, two = pin_of(design, at, "A"), pin_of(design, at, "B1")
    assert design.pin_net[one] != design.pin_net[two]
    design.pin_net[[one, two]] = design.pin_net[[two, one]]


def unreached(state):
    design = state.netlist
    design.pin_net[pin_of(design, "core.r4", "CK")] = net_of(design, "core.r5", "Q")


def inverted_clock(state):
    design = state.netlist
    design.kind[of_kind(design, "CLKBUF")] = KINDS["INV_X1"]


def inverted_data(state):
    """The buffers of hold's repair invert."""
    design = state.netlist
    found = [at for at, kind in enumerate(design.kind) if design.kinds[kind].name == "BUF_X1"]
    design.kind[found[0]] = KINDS["INV_X1"]


def wrong_gate(state):
    """A copy of the clock gate opens with data."""
    design = state.netlist
    copy = next(iter(state.copies))
    assert state.copies[copy] == "core.gate0"
    design.pin_net[pin_of(design, copy, "E")] = net_of(design, "core.r7", "Q")


def copy_register(state, data_of: str):
    design = state.netlist
    nets = {name: net_of(design, "core.r8", name) for name in ("D", "CK")}
    if data_of != "core.r8":
        nets["D"] = net_of(design, data_of, "D")
    moved = net_of(design, "core.r8", "Q")
    out = new_net(state, "copied")
    sinks = np.flatnonzero((design.pin_net == moved) & ~design.pin_is_output)
    design.pin_net[sinks[0]] = out
    insert(state, "DFF_X1", "core.r8_copy", {**nets, "Q": out})
    state.copies["core.r8_copy"] = "core.r8"


def wrong_register(state):
    copy_register(state, "core.r9")


def unknown_register(state):
    copy_register(state, "core.r8")
    del state.copies["core.r8_copy"]


def late_clock(state):
    """The clock reaches a register through 12 more buffers."""
    at = "core.r10"
    net = net_of(state.netlist, at, "CK")
    for number in range(12):
        out = new_net(state, f"late{number}")
        insert(state, "CLKBUF_X1", f"late_buf{number}", {"A": net, "Z": out})
        net = out
    state.netlist.pin_net[pin_of(state.netlist, at, "CK")] = net


#: One fault for each check of a step; test_checks.py and test_equivalence.py have all others.
OF_CONNECTIONS = {
    open_pin: "input pin D of core.r3 is not connected",
    swapped: "pin [AB1]+ of .* is connected to .* instead of",
    unreached: "clock pin CK of core.r4 is not reached by the clock",
}


@pytest.mark.parametrize(
    ("step", "fault", "told"),
    [
        *((x, overlap, "overlaps") for x in (PLACE, REPAIR, CLOCK_TREE, REPAIR_TIMING)),
        *((step, *x) for step in (REPAIR, CLOCK_TREE) for x in OF_CONNECTIONS.items()),
        (CLOCK_TREE, inverted_clock, "clock pin CK of .* gets the inverted clock"),
        (REPAIR_TIMING, inverted_data, "pin D of .* has the complement of its signal, behind"),
        (CLOCK_TREE, wrong_gate, "pin E of core.gate0_copy0 is connected to"),
        (REPAIR_TIMING, wrong_register, "pin D of core.r8_copy is connected to"),
        (REPAIR_TIMING, unknown_register, "core.r8_copy is not in the synthesized netlist"),
        (CLOCK_TREE, late_clock, r"skew is 0\.\d+ ns, and at most 0\.25 ns is allowed"),
    ],
)
def test_a_layout_with_a_fault_is_refused(refused, step, fault, told):
    node, error = refused(step, after_legalization(fault))
    assert node == step
    assert re.search(told, str(error))


def test_a_true_copy_of_a_register_passes(clean, tmp_path, monkeypatch):
    folder = tmp_path / "run"
    shutil.copytree(clean, folder, symlinks=True)
    after_legalization(lambda state: copy_register(state, "core.r8"))(monkeypatch)
    run([BY_NAME[REPAIR_TIMING]], job_for(folder), folder)
    assert Checkpoint.read(folder / "repair-timing.db", KIT).copies["core.r8_copy"] == "core.r8"


def no_hold_repair(patch):
    """Registers that take their neighbours' data at once get no buffers."""
    original = Session.repair_hold
    patch.setattr(Session, "repair_hold", lambda own, period_ns, *_: original(own, period_ns, -1.0))


def test_a_hold_violation_is_refused(refused):
    node, error = refused(REPAIR_TIMING, no_hold_repair)
    assert node == REPAIR_TIMING
    assert re.fullmatch(r"hold times are not kept: \d+\.\d ps are lacking", str(error))


def test_a_hold_violation_is_found_by_opensta(clean, tmp_path):
    """The layout was repaired for no uncertainty."""
    folder = tmp_path / "run"
    shutil.copytree(clean, folder, symlinks=True)
    with pytest.raises(Failed, match=r"^placed-timing: hold time of core\.r\d+/D is not kept: "):
        run([BY_NAME[TIMING]], job_for(folder, uncertainty_ns=0.2), folder)


def overflow(patch):
    original = finish.congestion
    patch.setattr(finish, "congestion", lambda *of: replace(original(*of), overflow=7.0))


def test_overflow_is_refused(refused):
    node, error = refused(WIRES, overflow)
    assert node == WIRES
    assert isinstance(error, NoRoom)
    assert str(error) == (
        "overflow: 7 tracks are lacking at a utilisation of 0.6; wires fit at a lower one"
    )


def in_spef(change: Callable[[str], str]):
    """Patch the writer of wires so that its file is changed."""
    original = finish.write_wires

    def write(path, *rest):
        original(path, *rest)
        text = path.read_text()
        path.write_text(change(text))
        assert path.read_text() != text

    return lambda patch: patch.setattr(finish, "write_wires", write)


def without_a_net(text: str) -> str:
    head, _, *others = text.split("*D_NET ")
    return "*D_NET ".join([head, *others])


def more_ff(text: str) -> str:
    """The first net has another total than its parts."""
    return re.sub(r"(\*D_NET \S+) \S+", r"\1 99", text, count=1)


def of_another_net(text: str) -> str:
    """A net of the name map has another name."""
    return re.sub(r"^(\*\d+) q1$", r"\1 no_such_net", text, count=1, flags=re.MULTILINE)


def to_another_pin(text: str) -> str:
    return re.sub(r"(\*I \*\d+):A1\b", r"\1:NONE", text, count=1)


def without_its_end(text: str) -> str:
    return text[: int(0.7 * len(text))]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (without_a_net, r"placed\.spef: 1 nets have no wires, the first is "),
        (more_ff, "but a total of 99 fF"),
        (of_another_net, "no_such_net"),
        pytest.param(
            to_another_pin,
            "wires that OpenSTA does not use: ",
            marks=pytest.mark.skipif(usual_timer() != OPENSTA, reason="OpenSTA is missing"),
        ),
        (without_its_end, "its end is missing|is no number|add up|total of|no wires"),
    ],
)
def test_corrupted_wires_are_refused(refused, change, told):
    node, error = refused(WIRES, in_spef(change))
    assert node == TIMING
    assert re.search(told, str(error))


def heavy_wires(patch):
    """Wires with 30 times the resistance and the capacitance."""
    usual = wires_of(KIT)
    heavy = replace(
        usual,
        signal_ff_per_um=30 * usual.signal_ff_per_um,
        lower_ohm_per_um=30 * usual.lower_ohm_per_um,
    )
    patch.setattr(finish, "wires_of", lambda kit: heavy)


def test_slow_slews_are_refused(refused):
    node, error = refused(WIRES, heavy_wires)
    assert node == TIMING
    assert re.fullmatch(
        r"slew at pin \S+ is 0\.\d+ ns, and at most 0\.1985 ns is allowed \(\d+ in all\)",
        str(error),
    )
