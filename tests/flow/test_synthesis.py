"""Synthesis: netlists are complete, small and meet the clock; faulty designs are refused."""

import json
import re
from collections import Counter
from contextlib import ExitStack

import pytest

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.nodes.synthesis import Attempt, _targets
from rsaxcel.flow.opensta import OpenSta
from rsaxcel.flow.synthesizer import mapping
from rsaxcel.flow.synthesizer.interface import MappingSource
from rsaxcel.flow.synthesizer.mapping import abc_script
from tests.flow.flow_circuits import ENABLED, KIT, build, synthesized
from tests.shared.harness import built_once

pytestmark = built_once("netlist", 8)

REGISTER = """
module {name} (input logic clk, reset, d, en, output logic q, input logic unused);
  {body}
endmodule
"""


def instances(circuit) -> list[tuple[str, str]]:
    """Cell type and name of every instance, read from the Verilog."""
    text = (circuit.folder / "netlist.v").read_text()
    return re.findall(r"^  ([A-Z]\w*_X\d+) \\?(\S+) +\(", text, re.MULTILINE)


def areas() -> dict[str, float]:
    """Area of each cell, read from the Liberty text."""
    found = re.findall(
        r"^\s*cell \((\w+)\).*?^\s*area\s*:\s*([\d.]+)", KIT.liberty.read_text(), re.M | re.S
    )
    return {name: float(area) for name, area in found}


def test_area_is_the_sum_of_the_cells(circuit):
    area = areas()
    cells = instances(circuit)
    assert len(cells) == circuit.summary["cell_count"] > 100
    total = sum(area[kind] for kind, _ in cells)
    assert circuit.summary["area_um2"] == pytest.approx(total)


def test_area_by_module_has_all_that_lies_below(circuit):
    area = areas()
    own = Counter()
    for kind, name in instances(circuit):
        own[name.rpartition(".")[0]] += area[kind]
    found = circuit.summary["area_by_module"]
    for path, value in found.items():
        below = sum(a for p, a in own.items() if p == path or p.startswith(f"{path}."))
        assert value == pytest.approx(below, abs=1e-3)
    # a multiplier per lane, or one word-serial circuit for all lanes, or one digit lane
    lanes = [path for path in found if re.search(r"store\.(lanes__\d+|engine|bank\d\.lane)$", path)]
    assert len(lanes) == {"mulrem_r2l": 2, "mont_r2l": 5}.get(circuit.module.top, len(lanes)) > 0
    assert len({found[lane] for lane in lanes if lane.startswith("core.")}) == 1


def test_a_unit_with_constant_operands_becomes_smaller_than_its_siblings(circuits):
    areas = circuits("mont_r2l").summary["area_by_module"]
    core, by_one = (areas[f"{unit}.store.lanes__0"] for unit in ("core", "convert_out"))
    assert by_one < 0.95 * core


def test_flip_flops_bear_the_names_of_registers(circuit):
    flip_flops = [name for kind, name in instances(circuit) if kind.startswith("DFF")]
    assert circuit.summary["flip_flop_count"] == len(flip_flops)
    assert len(flip_flops) == len(set(flip_flops))
    assert all(re.search(r"(regs?|first)(\[\d+\])*_ff$", name) for name in flip_flops)
    assert "core.sequencer.scan.exponent_reg[0]_ff" in flip_flops


def test_the_netlist_meets_the_clock(circuit):
    attempts = circuit.summary["attempts"]
    if circuit.configuration.multiplier.classes.name == "direct":
        # The operator % becomes an array of subtractors, which faster adders may speed up.
        assert len(attempts) == (1 if attempts[0]["min_period_ns"] <= 3.0 else 2)
    else:
        assert [attempt["min_period_ns"] <= 3.0 for attempt in attempts] == [True]


def test_a_short_clock_gets_faster_adders_and_the_best_of_what_was_tried(circuits, tmp_path):
    relaxed = circuits("mulrem_r2l")
    hurried = build("mulrem_r2l", tmp_path / "hurried", 1.0)
    tried = hurried.summary["attempts"]
    assert {attempt["adders"] for attempt in tried} == {"ripple", "prefix", "fast"}
    timing = OpenSta().analyse(
        hurried.folder / "netlist.v", "mulrem_r2l", KIT, clock_ns=1.0, work_dir=tmp_path / "sta"
    )
    best = min(tried, key=lambda attempt: attempt["min_period_ns"] * attempt["area_um2"])
    assert timing.min_period_ns == pytest.approx(best["min_period_ns"], abs=1e-6)
    assert hurried.summary["area_um2"] == best["area_um2"]
    assert best["min_period_ns"] < relaxed.summary["attempts"][0]["min_period_ns"]
    assert not list((hurried.folder / "work").glob("*/netlist.*"))


@pytest.mark.parametrize(
    ("period_ns", "tried"), [(1.0, ()), (1.09, ("prefix",)), (1.11, ("prefix", "fast"))]
)
def test_the_last_resort_is_for_a_clock_that_is_missed_by_far(period_ns, tried):
    attempts: list[Attempt] = []
    for adders, target_ns in _targets(mapping.YosysSynthesizer(), 1.0, KIT, attempts):
        attempts.append(Attempt(adders, target_ns, period_ns, 100.0))
    assert [*dict.fromkeys(attempt.adders for attempt in attempts)] == ["ripple", *tried]


def test_a_register_and_its_constant_inputs(tmp_path):
    body = "logic q_reg; always_ff @(posedge clk) q_reg <= d & en & 1'b1; assign q = q_reg;"
    summary = synthesized(REGISTER.format(name="unit", body=body), "unit", tmp_path)
    assert summary["cells"] == {"AND2_X1": 1, "DFF_X1": 1}
    cells = json.loads((tmp_path / "netlist.json").read_text())["modules"]["unit"]["cells"]
    assert "q_reg_ff" in cells


def test_an_enable_of_a_wide_register_is_driven_in_time(tmp_path):
    narrow, wide = (enabled(tmp_path / str(nbits), nbits) for nbits in (512, 2048))
    # 16 and 64 clock gates; with one small driver for all, the larger took 0.23 ns more
    assert wide < narrow + 0.1


def enabled(folder, nbits: int) -> float:
    """Smallest period in ns of a register with an enable, in gates of 32 bits."""
    text = ENABLED.format(last=nbits - 1)
    summary = synthesized(text, "enabled", folder, 0.2)
    gates = [n for kind, n in summary["cells"].items() if kind.startswith("CLKGATE")]
    assert sum(gates) == nbits / 32
    return min(attempt["min_period_ns"] for attempt in summary["attempts"])


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("always_latch if (en) q = d;", "latch"),
        ("logic a; assign q = a & d;", "driver"),
        ("logic a, b; assign a = ~(b & d); assign b = ~(a & en); assign q = a;", "loop"),
        ("missing u (.d(d), .q(q));", "missing"),
        ("assign q = d", "expected"),
    ],
)
def test_what_cannot_become_a_netlist_is_refused(tmp_path, body, message):
    with pytest.raises(FlowError, match=message) as refusal:
        synthesized(REGISTER.format(name="unit", body=body), "unit", tmp_path)
    text = str(refusal.value)
    assert "\n" not in text
    assert re.search(r"\(log: (.+)\)", text)[1].startswith(str(tmp_path))
    assert not (tmp_path / "netlist.v").exists()


def test_a_net_of_too_many_loads_is_mapped_with_a_higher_gain(tmp_path, monkeypatch):
    """ABC tells that it has left nets without buffers, and goes on."""
    gains = []

    class Process:
        def __init__(self, *_):
            pass

        def close(self):
            pass

        def call(self, log, function, kit, target_ns, folder, adders, gain):
            gains.append(gain)
            told = f"Buffering could not be completed because the gain value ({gain}) is too low."
            log.write_text(told if gain < 500 else "")

    monkeypatch.setattr(mapping, "YosysProcess", Process)
    source = MappingSource(tmp_path / "design.v", "unit", KIT)
    with ExitStack() as processes:
        mapper = mapping._YosysMapper(source, tmp_path / "prepared.il", tmp_path, processes)
        mapper.map("ripple", 1.0, tmp_path)
    assert gains == [300, 600]
    assert "-G" not in abc_script(1.0, "ripple", 300)
    assert ",-G,600;" in abc_script(1.0, "ripple", 600)
