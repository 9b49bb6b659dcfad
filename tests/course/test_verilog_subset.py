"""The Verilog that `rsaxcel rank` takes has no undefined values, and nothing hides in comments."""

from pathlib import Path

import pytest

from rsaxcel.course.rank.verilog import check_verilog
from rsaxcel.sim.check.refused import Refused
from tests.shared.tables import tables

CIRCUIT = Path(__file__).with_name("verilog_subset.v").read_text("utf-8")
HONEST, CHEATS = tables(__file__).values()


@pytest.mark.parametrize("line", HONEST)
def test_what_is_defined_is_allowed(line):
    text = check_verilog(CIRCUIT.format(f"/* a // comment */ {line} // end /*"))
    assert "comment" not in text
    assert text.count("/*") == text.count("/* verilator split_var */;") == 1
    assert check_verilog(text) == text


LONG = {
    "a_chain": "assign r = w" + " + w" * 50_000 + ";",
    "brackets": "assign r = " + "(" * 5000 + "w" + ")" * 5000 + ";",
    "conditions": f"always_comb begin {'if ( k[0] ) r = w; else ' * 50_000} r = a; end",
    # A regular expression would look for the end of each of these comments.
    "comments": "/* verilator " * 200_000,
}


@pytest.mark.parametrize(
    ("kind", "line"), [pytest.param(kind, x, id=kind) for kind in CHEATS for x in CHEATS[kind]]
)
def test_cheats_are_refused(kind, line):
    with pytest.raises(Refused) as refused:
        check_verilog(CIRCUIT.format(line))
    assert refused.value.kind == "verilog"
    assert "\n" not in refused.value.reason
    assert "is not allowed" in refused.value.reason or kind != "words"


@pytest.mark.timeout(30)
@pytest.mark.parametrize("kind", LONG)
def test_what_is_endless_is_refused_in_a_few_words(kind):
    with pytest.raises(Refused) as refused:
        check_verilog(CIRCUIT.format(LONG[kind]))
    assert len(refused.value.reason) < 200
