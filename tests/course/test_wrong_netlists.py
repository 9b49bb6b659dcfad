"""`rsaxcel rank` and `check` refuse circuits whose netlists are wrong."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from rsaxcel.course.netlist import check_netlist, refute
from rsaxcel.course.rank import ranking
from rsaxcel.course.rank.verilog import check_verilog
from rsaxcel.flow.errors import WrongNetlist
from rsaxcel.flow.layout import NOT_PLACED
from rsaxcel.flow.subjects.circuits import CircuitSubject
from rsaxcel.sim.check.refused import Refused
from rsaxcel.sim.runners import translation
from tests.course.confinements import OPTIONS, needs_confinement
from tests.course.student_designs import NAME as STUDENT
from tests.course.student_designs import STUDENTS
from tests.flow.cheats import NAME, NBITS, READ, REFUSED, cheating, honest, honest_design, wrapper
from tests.flow.flow_circuits import KIT, synthesized

CHEAT = Path(__file__).with_name("cheat.txt").read_text("utf-8")


@pytest.mark.parametrize("kind", [*REFUSED, *READ])
def test_which_cheats_the_reader_sees(kind):
    given = cheating({**REFUSED, **READ}[kind])
    if kind in READ:
        check_verilog(given.text)
        return
    with pytest.raises(Refused, match=r"not allowed|by constant zero|may be 0"):
        check_verilog(given.text)


@pytest.mark.slow
@pytest.mark.parametrize("kind", READ)
def test_what_the_reader_does_not_see_is_seen_in_the_netlist(kind, here):
    how = {"library": "freepdk-45nm", "clock_ns": 0.5, "operation": None, "limits": None}
    how |= {"activity": "zero", "timed_cycles": 1, "layout": asdict(NOT_PLACED)}
    found = ranking.run_given(cheating(READ[kind]).as_json(), how)
    (told,) = ranking._facts(found, "cheat")
    assert (told.label, told.changed["kind"]) == ("cheat", "netlist")
    assert "drawn after synthesis, seed " in told.changed["reason"]
    assert ranking.run_given(honest_design().as_json(), how)["area_um2"] > 0


@pytest.mark.slow
def test_a_netlist_that_differs_is_refuted(tmp_path):
    """The proof tells which state is wrong, without any operand that shows it."""
    given = honest_design()
    synthesized(given.text, NAME, tmp_path)
    file = tmp_path / "netlist.json"
    assert refute(translation(given, "rtl"), file, KIT)
    netlist = json.loads(file.read_text())
    cells = netlist["modules"][NAME]["cells"].values()
    gate = next(cell for cell in cells if cell["type"] == "NAND2_X1")
    gate["type"] = "NOR2_X1"
    file.write_text(json.dumps(netlist))
    with pytest.raises(
        WrongNetlist, match=r"the netlist differs from the Verilog: .* in the netlist"
    ):
        refute(translation(given, "rtl"), file, KIT)


@pytest.mark.slow
def test_the_step_of_a_check(here, monkeypatch):
    """The step tells what it has run; a wrong netlist refuses the design with its operands."""
    told = check_netlist(honest()[0], 10, 0)
    assert "operations, seed" in told
    assert told.endswith("; equal to the Verilog in all states")

    run_fresh = CircuitSubject.run_fresh

    def expects_less(subject, netlist, interface):
        answers = subject.answers
        subject.answers = lambda rows: [replace(x, response=(0, 0)) for x in answers(rows)]
        return run_fresh(subject, netlist, interface)

    monkeypatch.setattr(CircuitSubject, "run_fresh", expects_less)
    with pytest.raises(Refused, match=r"8 bits: the netlist, for base=.* instead of") as refused:
        check_netlist(honest()[0], 10, 0)
    assert refused.value.kind == "netlist"


@pytest.mark.slow
@needs_confinement
@pytest.mark.timeout(1800)
def test_a_hand_in_with_a_table_of_the_workload(rsaxcel, here):
    """Its Verilog passes all checks at RTL; an honest design beside it is ranked."""
    folders = [STUDENTS["good"].write(here / name) for name in ("ann", "bob")]
    top = f"{STUDENT}_r2l"
    with (folders[1] / "__init__.py").open("a") as file:
        file.write("\n" + CHEAT.format(top=top, wrapper=wrapper(top, READ["element"])))
    finished = rsaxcel("rank", *folders, "--nbits", NBITS, "--random", 100, "--activity", "zero",
                       "--json", *OPTIONS)  # fmt: skip
    assert finished.status == 1, finished.err
    rows = {x["folder"]: x for x in map(json.loads, finished.out.splitlines())}
    assert rows[f"ann/{STUDENT}"]["rank"] == 1
    cheat = rows[f"bob/{STUDENT}"]
    assert (cheat["rank"], cheat["verdict"]) == (None, "netlist"), cheat["reason"]
    assert "drawn after synthesis" in cheat["reason"]
