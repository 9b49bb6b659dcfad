"""`rsaxcel fault`: one JSON object, text, and one line for each error."""

import json

import pytest

FAULT = ("fault", "mulrem_r2l", "--nbits", "8", "--clock-ns", "4")


@pytest.mark.xdist_group("rsaxcel-flow")
def test_figures_and_text(rsaxcel):
    done = rsaxcel(*FAULT, "--kind", "skip", "--count", "200", "--seed", "2", "--json")
    assert done.status == 0
    (line,) = done.out.splitlines()
    figures = json.loads(line)
    assert (figures["design"], figures["nbits"], figures["faults"]) == ("mulrem_r2l", 8, 200)
    outcomes = [figures[x] for x in ("correct", "refused", "wrong", "no_answer")]
    assert sum(outcomes) == 200
    assert set(figures["by_kind"]) == {"skip"}
    text = rsaxcel(*FAULT, "--kind", "skip", "--count", "200", "--seed", "2").out
    assert f"200 drawn from {figures['space']:,}, seed 2" in text
    assert f"{100 * figures['wrong'] / 200:.2f} %" in text


@pytest.mark.parametrize(
    ("args", "told"),
    [
        pytest.param(
            ("mulrem_r2l", "--kind", "laser"),
            "kind=laser: flip, stuck, skip, transient, all are allowed",
            id="kind",
        ),
        pytest.param(("mulrem_r2l", "--count", "0"), "--count=0: at least 1", id="count"),
        pytest.param(
            ("mulrem_r2l", "--count", "5", "--exhaustive"),
            "--exhaustive and --count: one of them is allowed",
            id="exhaustive-count",
        ),
        # Refused before the netlist is made, which would be told on standard error.
        pytest.param(
            ("montmul_r2l", "--nbits", "64", "--exhaustive"),
            "exhaustive: more than 2,469,888 faults; up to 2,000,000 are allowed",
            id="too-many",
        ),
        pytest.param(
            ("proc_mulrem_r2l",), "proc_mulrem_r2l is a system; designs are allowed", id="system"
        ),
        pytest.param(
            ("axi_mulrem_r2l",), "axi_mulrem_r2l is a system; designs are allowed", id="bus"
        ),
        pytest.param(("ssmm",), "design 'ssmm' is a multiplier", id="multiplier"),
        pytest.param(("no_such",), "no_such", id="unknown"),
        pytest.param(("mulrem_r2l", "--nbits", "9999"), "nbits=9999: 8 to 4096", id="too-wide"),
        pytest.param(("mulrem_r2l", "--nbits", "4"), "nbits=4: 8 to 4096", id="too-narrow"),
    ],
)
def test_errors(rsaxcel, args, told):
    done = rsaxcel("fault", *args)
    assert (done.status, done.out) == (2, "")
    (line,) = done.err.splitlines()
    assert line.startswith("rsaxcel: error: ")
    assert told in line
