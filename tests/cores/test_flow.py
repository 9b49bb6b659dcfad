"""Cores with resets of every kind go through the flow."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from rsaxcel.catalog.registry import named
from rsaxcel.cli.show import _in_shell
from rsaxcel.flow import shells
from rsaxcel.flow.answers import NetlistAnswer, answers
from rsaxcel.flow.kit import DEFAULT_LIBRARY, Kit
from rsaxcel.flow.libraries import plain_kit
from rsaxcel.flow.library import kept_library
from rsaxcel.flow.nodes.record import _with_macros
from rsaxcel.flow.nodes.synthesis import synthesize
from rsaxcel.flow.run import run_flow
from rsaxcel.flow.subjects import find_target
from rsaxcel.flow.synthesizer.interface import MappingSource
from rsaxcel.sim.batch import SimulationTimeout
from rsaxcel.sim.translate import VerilogModule
from tests.cores.test_described import _forgotten, make  # noqa: F401
from tests.shared.planted import plant

RESET = 'reset = "reset"  # synchronous and active high'
POWER = SimpleNamespace(keys=("base", "exp", "n"), values=lambda row: row)
ASYNCHRONOUS = 'reset = { port = "reset", active = "low", synchronous = false }'


def measure(folder, reset):
    make(folder, "start_done", [(RESET, reset)])
    for file in folder.glob("*.v"):
        text = file.read_text("utf-8")
        assert reset == RESET or "posedge clk)" in text or file.name == "core.v"
        if reset != RESET:
            text = text.replace("posedge clk)", "posedge clk or negedge reset)")
            text = text.replace("if (reset)", "if (!reset)")
        file.write_text(text)
    record = run_flow(
        find_target(named(str(folder)), 8, {}), activity="zero", directory=folder / "flow"
    )
    assert record.checked["operations"] > 1000
    return record


@pytest.mark.slow
def test_an_asynchronous_reset_takes_no_cycles(tmp_path):
    from rsaxcel.catalog.registry import GIVEN

    found = {}
    for name, reset in (("no", RESET), ("yes", ASYNCHRONOUS)):
        found[name] = measure(tmp_path / name, reset)
        GIVEN.clear()
    cycles = {x.operations["decrypt"].cycles for x in found.values()}
    assert len(cycles) == 1
    areas = {name: x.area_um2 for name, x in found.items()}
    assert areas["yes"] == pytest.approx(areas["no"], rel=0.1)


@pytest.mark.slow
def test_figures_are_those_of_the_core_alone(rsaxcel, objects, here):
    """The shell is counted if that is asked."""
    make(here / "core", "start_done", [])
    asked = ("flow", here / "core", "--nbits", 8, "--activity", "zero")
    alone = rsaxcel(*asked)
    counted = rsaxcel(*asked, "--with-shell", "--json")
    assert alone.status == counted.status == 0
    (core, *_) = (x for x in alone.out.splitlines() if x.startswith("shell"))
    assert "left out: figures are those of skeleton_core alone; its shell has" in core
    both = json.loads(counted.out)
    assert both["shell"] == "counted"
    areas = both["area_by_module"]
    assert areas["shell"] == both["shell_area_um2"]
    assert areas["skeleton_core"] + areas["shell"] == pytest.approx(both["area_um2"], rel=0.01)
    shown = json.loads(rsaxcel(*asked, "--json").out)
    assert shown["shell"] == "left_out"
    assert shown["area_by_module"]["skeleton_core"] == shown["area_um2"]
    assert shown["area_um2"] == pytest.approx(areas["skeleton_core"], rel=0.02)
    assert shown["shell_area_um2"] == pytest.approx(areas["shell"], rel=0.05)
    assert shown["cycles"] == both["cycles"]
    assert shown["energy_nj"] < both["energy_nj"]
    for operation in shown["operations"].values():  # nothing of the shell is measured
        assert {x.partition(".")[0] for x in operation["by_module"]} == {"", "skeleton_core"}
    rows = objects("results")
    assert {x["point"].partition(",")[2] for x in rows} == {"", "shell=counted"}
    assert {x["kind"] for x in rows} == {"measured"}


def test_a_kept_shell_is_renewed_with_the_code_that_maps_it(monkeypatch, tmp_path):
    names = []
    monkeypatch.setattr(shells, "keep", lambda _, name, __: names.append(name) or tmp_path)
    module = VerilogModule("module top; endmodule", "top", ())
    for code in ("old", "new", "new"):
        monkeypatch.setattr(shells, "code_of", lambda _, code=code: code)
        shells._synthesized(module, SimpleNamespace(digest="kit"))
    assert names[0] != names[1] == names[2]


def test_a_drawing_has_core_and_shell():
    """The component of a shell has the core in it, also where the record is of the core alone."""
    alone = {"own": 90.0, "own.part": 5.0}
    assert _in_shell(alone, "own", 90.0, 10.0) == {"": 100.0, "pins": 90.0}
    areas = {"own": 92.0, "shell": 11.0, "shell.front": 6.0}
    assert _in_shell(areas, "own", 103.0, None) == {"": 103.0, "pins": 92.0, "front": 6.0}


MEMORIES = Path(__file__).with_name("memories.v").read_text("utf-8")


def test_a_macro_stands_for_the_flip_flops_of_each_memory(tmp_path):
    kit = Kit.read(plain_kit(DEFAULT_LIBRARY))
    source = MappingSource(tmp_path / "design.v", "top", kit)
    source.verilog.write_text(MEMORIES)
    found = synthesize(source, 1.0, tmp_path, tmp_path / "work", memories=["kept", "gone"])
    each = kept_library(kit.liberty).cells["DFF_X1"].area_um2
    assert found["memories"]["gone"] == {"instances": 0, "flip_flops_um2": 0}
    kept = found["memories"]["kept"]
    assert kept["instances"] == 2
    assert kept["flip_flops_um2"] == pytest.approx((32 + 16) * each, abs=0.01)  # z[8] is 0
    with_macros = found["area_um2"] - kept["flip_flops_um2"] + 2 * 50
    assert _with_macros({"kept": 50.0, "gone": 7.0}, found) == pytest.approx(with_macros, abs=0.01)
    assert _with_macros({"gone": 7.0}, found) is None


#: The operands in the order {base, modulus}; the last fault is one of the operation after.
FAULTS = Path(__file__).with_name("faults.v").read_text("utf-8")


@pytest.mark.slow
def test_a_core_that_is_wrong_is_measured(rsaxcel, objects, here):
    """Its netlist is as wrong as its Verilog is: both are told, and the record is kept."""
    folder = make(here / "core", "start_done", [])
    plant(
        folder / "core.v",
        ("  wire busy;\n", f"  wire busy;\n{FAULTS}"),
        (".base(base)", ".base(base ^ wrong)"),
        ("start && !busy", "start && !busy && !hangs"),
    )
    about = folder / "core.toml"
    written = about.read_text("utf-8")
    about.write_text(f'cycles = 5\n{written}\n[macros]\nkept = "100 + nbits"\n', "utf-8")
    asked = ("flow", folder, "--nbits", 8, "--activity", "zero")
    done = rsaxcel(*asked)
    assert done.status == 1, done
    assert "in Verilog and netlist alike" in done.out
    assert "is measured, but its results are wrong" in done.err
    again = rsaxcel(*asked, "--json")
    assert again.status == 1
    record = json.loads(again.out)
    assert record["faults"]["count"] > 250
    assert "instead of result" in record["faults"]["first"]
    assert record["area_um2"] > 0
    assert record["cycles"] > 100  # as at RTL; the formula of the description is wrong, too
    assert record["macros"] == {"kept": 108.0}
    assert "area_with_macros_um2" not in record  # nothing reads the memory
    assert "kept: a macro of 108.0 um2 could stand for it" in done.out
    assert any("memory kept: 4 words of 8 bits, 32 bits" in x for x in record["notes"])
    (row,) = objects("results")
    assert row["kind"] == "wrong results"


def test_answers_of_a_circuit_that_hangs(monkeypatch):
    """The operations after one without an answer are run after a reset; a fourth one is refused."""
    asked = []

    def run(_, rows):
        asked.append(rows)
        if any(hangs := [row[0] == 0 for row in rows]):
            at = hangs.index(True)
            raise SimulationTimeout("core", 9, 9, at + 1, at, len(rows))
        return [((row[0], 0), 7) for row in rows]

    monkeypatch.setattr("rsaxcel.sim.runners.answers_of", run)
    circuit = SimpleNamespace(shelled=True)
    monkeypatch.setattr("rsaxcel.flow.answers.operation", lambda _: POWER)
    rows = [(x, 1, 5) for x in (1, 0, 2, 0, 0)]

    def right(row):
        return row[0] % 2, 0

    found = answers(circuit, rows, right, may_hang=True)
    assert [x.response for x in found] == [(1, 0), (), (2, 0), (), ()]
    assert [bool(x.fault) for x in found] == [False, True, True, True, True]
    assert found[1].fault.startswith("base=0x0, exp=0x1, n=0x5: no response instead of")
    with pytest.raises(SimulationTimeout):
        answers(circuit, rows, right)
    with pytest.raises(SimulationTimeout):
        answers(circuit, [*rows, rows[1]], right, may_hang=True)


def test_an_answer_may_depend_on_operations_before():
    """A netlist may answer as its circuit does in the same order, and in no other way."""
    answer = NetlistAnswer((0, 0, 0), (1, 0), 7)

    def after(rows):
        return NetlistAnswer(rows[-1], (len(rows), 0), 7)

    assert answer.after([0, 0], None, (1, 0), 7) == ""
    assert "instead of" in answer.after([0, 0], None, (2, 0), 7)
    assert answer.after([0, 0], after, (2, 0), 7) == ""
    assert "instead of" in answer.after([0, 0], after, (3, 0), 7)
    assert answer.after([0, 0], after, (2, 0), 8)
