"""The page on public cores: what is measured, in which order it stands, and whether it is new."""

import json
import time

import pytest

from rsaxcel import catalog
from rsaxcel.catalog.registry import named
from rsaxcel.eval.studies.designs import WHERE
from rsaxcel.store.errors import UserError
from tests.cores.test_described import make
from tests.shared.programs import program
from tools import public_cores, public_exam, readme
from tools.figure_table import FigureTable

TABLE = FigureTable.read(readme.FIGURES)
FLOW = {"cell_count": 9, "area_um2": 1000.0, "min_period_ns": 1.0, "energy_nj": 5.0, "notes": []}
CORE = {
    **{"name": "first", "nbits": 32, "title": "t", "source": "s", "licence": "MIT", "claims": {}},
    **{"language": "Verilog", "operation": "mod_exp", "protocol": "words", "constants": []},
    **{"limits": ["even moduli"], "check": {"wrong": ""}, "primes": False},
    "flow": {**FLOW, "cycles": 4000},
    "leak": {"time": {"exponent": True, "base": False}, "energy": {"exponent": [12.3, 5.8]}},
    "fault": {"faults": 2000, "correct": 1000, "refused": 0, "wrong": 500, "no_answer": 500},
}


@pytest.fixture(scope="module")
def facts():
    return readme.AskedFacts(readme.read_kept(), TABLE)


def page_of(facts, rows, monkeypatch, tmp_path):
    monkeypatch.setattr(readme, "CORES", tmp_path / "cores.json")
    readme.CORES.write_text(json.dumps(rows))
    return readme.render(facts, readme.TEMPLATES / "records/public-cores.md.j2")


def test_the_least_area_by_time_stands_first(facts, monkeypatch, tmp_path):
    """Of ours, a line has only what is the best without constants from the host, or with them."""
    fast = {**CORE, "name": "fast", "flow": {**FLOW, "cycles": 200}, "source": "this project"}
    worse = {**fast, "name": "worse", "flow": {**FLOW, "cycles": 201}}
    hosted = {**fast, "constants": ["R"], "flow": {**FLOW, "cycles": 100}}
    alone = {**fast, "choices": "m_prime=inversion", "flow": {**FLOW, "cycles": 150}}
    small = {
        **fast,
        "name": "small",
        "flow": {**FLOW, "cycles": 3000, "area_um2": 500.0, "activity": "zero"},
        "leak": {"time": {}, "energy": {"exponent": [4.0, 6.7, 1024]}},
    }
    wrong = {**CORE, "name": "wrong", "check": {"wrong": "1 * 1 is 2; 1 of 9 answers are wrong"}}
    unmeasured = {**CORE, "name": "wide", "flow": {"told": "no end in 900 s"}, "leak": {"told": ""}}
    rows = [unmeasured, CORE, wrong, fast, small, worse, hosted, alone]
    text = page_of(facts, rows, monkeypatch, tmp_path)
    lines = [x for x in text.splitlines() if x.count("|") == 11]
    assert lines[2:] == [
        "|`fast` |9|1,000|1.000|100|0.100|100|5.0|exponent |25 |",
        "|`fast`* |9|1,000|1.000|150|0.150|150|5.0|exponent |25 |",
        "|`small` |9|500|1.000|3,000|3.000|1,500|5.0 or more|nothing |25 |",
        "|first |9|1,000|1.000|4,000|4.000|4,000|5.0|exponent |25 |",
        "|wrong |9|1,000|1.000|4,000|4.000|4,000|5.0|exponent |25 |",
    ]
    assert "value of t is 4.0 or more" in text
    assert "|first |s |MIT |0 |" in text
    assert "|wrong |s |MIT |1/9 |" in text


def test_fronts_are_of_ours_alone(tmp_path):
    ours = {**CORE, "name": "ours", "source": "this project"}
    hosted = {**ours, "name": "hosted", "constants": ["R"], "flow": {**FLOW, "cycles": 100}}
    primes = {**hosted, "name": "primes", "flow": {**FLOW, "cycles": 50}, "primes": True}
    worse = {**ours, "name": "worse", "flow": {**FLOW, "cycles": 5000}}
    rows = [CORE, ours, hosted, worse, primes]
    found = public_cores.fronts(public_cores.points_of(rows))
    assert [[*x["name"]] for x in found.values()] == [["ours"], ["hosted"], ["primes"]]
    public_cores.draw(rows, tmp_path / "fronts.png")
    assert (tmp_path / "fronts.png").read_bytes().startswith(b"\x89PNG")


def test_figures_of_ours_are_those_of_the_other_pages(facts):
    """The page is measured by itself, so that a changed design makes it older than its circuit."""
    ours = [x for x in readme.public_cores() if x["name"] in catalog.DESIGNS]
    for row in ours:
        where = {"subject": row["name"], "nbits": row["nbits"], **WHERE}
        where["choices"] = row.get("choices", "")
        for quantity in ("area_um2", "min_period_ns", "cycles"):
            if facts.has(quantity=quantity, **where):
                known = facts.find({"quantity": quantity, **where}, printed=False).value
                assert row["flow"][quantity] == pytest.approx(known, rel=1e-6)


def test_cores_are_measured_at_their_least_width_of_32_bits(tmp_path):
    core = make(tmp_path / "core")
    name = named(str(core))
    with pytest.raises(UserError, match="no core or design and width"):
        public_cores.asked_points(["nobody:8"])
    assert public_cores.asked_points([]) == [(name, 32, "")]
    assert public_cores.asked_points([f"{name}:8"]) == [(name, 8, "")]
    assert public_cores.told(name, 32)["limits"] == []


def test_a_design_of_ours_is_measured_with_choices(tmp_path):
    make(tmp_path / "core")
    named(str(tmp_path / "core"))
    choices = "r_squared=division,m_prime=inversion"
    (point,) = public_cores.asked_points([f"mont_mac_r2l_shared:16,{choices}"])
    assert point == ("mont_mac_r2l_shared", 16, choices)
    assert not public_cores.told(*point)["constants"]
    assert len(public_cores.told(*point[:2])["constants"]) == 2


def test_a_command_that_takes_too_long_ends_with_its_workers(tmp_path, monkeypatch):
    """A worker that goes on would keep the pipe, for which ``answers`` waits, open."""
    program(tmp_path / "rsaxcel", "#!/bin/sh\nsleep 60 &\nwait\n")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    began = time.monotonic()
    assert public_cores.answers(["flow"], 1) == "no end in 1 s"
    assert time.monotonic() - began < 30


def test_a_later_failure_leaves_the_earlier_figure():
    late, earlier = {"told": "no end in 1 s"}, {"cycles": 5}
    kept = public_cores.renewed(earlier, late)
    assert kept == {"cycles": 5, "later": "no end in 1 s"}
    assert public_cores.renewed(kept, {"cycles": 6}) == {"cycles": 6}
    assert public_cores.renewed({"told": "not measured"}, late) == late


def test_wide_cores_tell_by_a_check_what_their_cycles_depend_on():
    step = {"step": "cycles", "verdict": "right"}
    told = "cycles depend on the value of the base: 3 to 5; on whether the exponent is small (0: 3)"
    found = public_cores._leaked([{**step, "told": told}])["time"]
    assert found == {"base": True, "exponent": True, "modulus": False}
    found = public_cores._leaked([{**step, "told": "cycles: constant (5)"}])["time"]
    assert not any(found.values())


def test_what_an_exam_keeps():
    time = [{"kind": "time", "operand": "base", "least": 3, "most": 5, "varies": True}]
    energy = {"kind": "energy", "parts": {"run": {"t": 1.5}}, "threshold": 6.7, "traces": 1024}
    assert public_exam.kept_of("leak", [*time, energy]) == {
        "time": {"base": [3, 5]},
        **{"run_t": 1.5, "threshold": 6.7, "traces": 1024},
    }
    study = {"faults": 9, "correct": 4, "wrong": 5, "factors": 2}
    refused = {**study, "safe_error": None, "no_safe_error": "cycles depend on the exponent"}
    assert public_exam.kept_of("crt", [refused]) == {
        **{"faults": 9, "wrong": 5, "factors": 2, "not_tried": "cycles depend on the exponent"}
    }


@pytest.mark.slow
def test_a_core_is_measured(tmp_path):
    name = named(str(make(tmp_path / "core")))
    found = {x: public_cores.measured(x, (name, 8, ""), 300) for x in public_cores.COMMANDS}
    assert found["check"]["wrong"] == ""
    assert found["flow"]["cycles"] == 2 * 8**2 + 1
    assert found["leak"]["time"] == {"exponent": False, "base": False, "modulus": False}
    assert 1000 < found["fault"]["faults"] < 2000  # those in the shell do not count
    assert "no end in 0 s" in public_cores.measured("flow", (name, 16, ""), 0)["told"]
