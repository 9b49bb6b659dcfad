"""Netlists of circuits that are not this project's run on operands drawn after synthesis."""

import pytest

from rsaxcel.flow.errors import WrongNetlist
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.run import run_flow
from rsaxcel.flow.subjects.circuits import ExponentiatorSubject
from rsaxcel.sim.runners import open_component, translation
from tests.flow.cheats import NAME, READ, REFUSED, cheating, honest, honest_design
from tests.flow.flow_circuits import library, synthesized

CHEATS = {**REFUSED, **READ}


def netlist_of(text, folder):
    synthesized(text, NAME, folder)
    return Netlist.from_yosys_json(folder / "netlist.json", library(), top=NAME)


@pytest.mark.quick_cases("x")
@pytest.mark.parametrize("undefined", CHEATS.values(), ids=CHEATS)
def test_a_netlist_that_knows_the_workload_is_wrong(undefined, here):
    """At RTL, the circuit is right."""
    given = cheating(undefined)
    rows = [(b, 5, 141) for b in range(40)]
    batch = open_component(given, "rtl", "native").run([given.request(*row) for row in rows])
    assert batch.responses == [given.outcome(*row) for row in rows]
    netlist = netlist_of(given.text, here)
    with pytest.raises(WrongNetlist, match=r"base=0x\w+, exp=0x\w+, n=0x\w+ .*instead of result"):
        ExponentiatorSubject(given).run_fresh(netlist, translation(given, "rtl"))


def test_every_base_with_every_modulus(here):
    """An honest netlist computes all pairs at 8 bits; each check draws other operands."""
    given = honest_design()
    netlist = netlist_of(given.text, here)
    checked = [
        ExponentiatorSubject(given).run_fresh(netlist, translation(given, "rtl")) for _ in range(2)
    ]
    assert all(x.operations > sum(range(2, 256)) for x in checked)
    assert checked[0].seed != checked[1].seed


def test_what_is_checked():
    """Our own circuits have tests."""
    assert ExponentiatorSubject(honest_design()).is_foreign
    assert not ExponentiatorSubject(honest()[0]).is_foreign


@pytest.mark.slow
def test_the_flow_refuses_the_netlist(tmp_path):
    with pytest.raises(WrongNetlist, match="drawn after synthesis"):
        run_flow(cheating(REFUSED["x"]), activity="zero", directory=tmp_path)


@pytest.mark.slow
def test_the_record_has_the_seed(tmp_path):
    record = run_flow(honest_design(), activity="zero", directory=tmp_path)
    assert record.checked["seed"] >= 0
    assert record.checked["operations"] > 30_000
    again = run_flow(honest_design(), activity="zero", directory=tmp_path)
    assert again == record
