"""`rsaxcel flow`: the record as JSON and as text, and errors without a record."""

import os
from pathlib import Path

import pytest

from rsaxcel.cli.flow import describe
from rsaxcel.fl.keys import seeded_key
from tests.eval.made_up_records import operation, record
from tests.shared.programs import program

ARGS = ["flow", "mulrem_r2l", "--nbits", "8", "--clock-ns", "4"]
KEYS = set(
    """
    design nbits params library clock_ns min_period_ns area_um2 area_by_module power_mw energy_nj
    cycles stage tools
""".split()
)


@pytest.mark.xdist_group("rsaxcel-flow")
def test_record(rsaxcel, objects):
    (record,) = objects(*ARGS)
    assert set(record) >= KEYS
    assert (record["design"], record["nbits"], record["clock_ns"]) == ("mulrem_r2l", 8, 4.0)
    params = {"bits_per_cycle": 1, "divider": "preloaded", "operands": "direct"}
    assert record["params"] == params
    period_ns = max(record["clock_ns"], record["min_period_ns"])
    energy_nj = record["power_mw"] * record["cycles"] * period_ns * 1e-3
    # The energy includes the cycle in which the response is taken.
    assert record["energy_nj"] == pytest.approx(energy_nj, rel=1.5 / record["cycles"])

    text = rsaxcel(*ARGS).out
    assert "mulrem_r2l, 8 bits, bits_per_cycle=1" in text
    assert f"{record['area_um2']:,.1f} um2" in text
    assert f"{record['energy_nj']:.3f}" in text
    assert "glitches" in text

    where = "--where", "clock_ns=4 and stage=synthesized"
    (row,) = objects("results", "mulrem_r2l", "--nbits", "8", *where)
    assert (row["area_um2"], row["provenance"]) == (record["area_um2"], record["hash"])
    assert row["encrypt_energy_nj"] == record["energy_nj"]


def test_build_folder_that_cannot_be_written(refused, here, monkeypatch):
    (here / "build").touch()
    monkeypatch.delenv("RSAXCEL_CACHE", raising=False)
    line = refused(*ARGS)
    assert line.startswith("rsaxcel: error: cannot write ")
    assert str(here / "build") in line


def test_missing_tool_is_told_with_its_package(refused, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    line = refused(*ARGS, "--timer", "opensta")
    assert "sta" in line
    assert "apt-get install opensta" in line


def test_stage_that_fails_is_no_bad_input(rsaxcel, monkeypatch):
    from rsaxcel.flow.errors import FlowError

    def fail(*args, **kwargs):
        raise FlowError("synthesis of x: out of\nmemory (log: y)")

    monkeypatch.setattr("rsaxcel.flow.run.run_flow", fail)
    finished = rsaxcel(*ARGS)
    assert finished.status == 1
    assert finished.err == "rsaxcel: error: synthesis of x: out of memory (log: y)\n"


def test_a_broken_tool_is_told_with_its_log(rsaxcel, here, monkeypatch):
    """The message names the log with the tool's output; the exit status is 2."""
    garbage = '#!/bin/sh\n[ "$1" = -version ] && echo 2.0.17 || echo garbage\n'
    program(here / "bin" / "sta", garbage)
    monkeypatch.setenv("PATH", str(here / "bin"), prepend=os.pathsep)
    finished = rsaxcel(*ARGS)
    assert (finished.status, finished.out) == (2, "")
    *stages, line = finished.err.splitlines()
    assert stages == ["translate", "synthesis"]
    assert line.startswith("rsaxcel: error: synthesis of mulrem_r2l_8-")
    log = Path(line.rpartition("(log: ")[2].rstrip(")"))
    assert log.read_text() == "garbage\n"


def test_a_clock_that_is_not_met_is_told_with_the_period_of_the_power():
    work = {"encrypt": operation(17, 100, 1.529, 1.25)}
    lines = describe(record("mulrem_r2l", 8, 0.5, 1.529, {"": 100.0}, work))
    (line,) = (x for x in lines if x.startswith("clock"))
    assert line.split(maxsplit=1)[1] == (
        "0.5 ns asked and not met: the design needs 1.529 ns, and its power is given at 1.529 ns"
    )


@pytest.mark.parametrize("command", ["optimize", "rank"])
def test_help_says_what_the_default_clock_is_for(rsaxcel, command):
    text = " ".join(rsaxcel(command, "--help").out.split())
    told = "0.5, which no design meets, so that the flow makes every design as fast as it can"
    assert f"nanoseconds. [default: {told}" in text


def test_the_output_says_what_the_workload_is(rsaxcel):
    text = rsaxcel(*ARGS).out
    (line,) = (x for x in text.splitlines() if x.startswith("workload"))
    key = seeded_key(8)
    for part in (f"encrypt {key.e}", f"decrypt {key.d}", "32 random bases", f"{key.n}"):
        assert part in line


@pytest.mark.xdist_group("rsaxcel-flow")
def test_a_multiplier_on_its_own(objects, shown):
    args = ["flow", "ssmm", "--nbits", "4", "--clock-ns", "4"]
    (record,) = objects(*args)
    assert (record["design"], list(record["operations"])) == ("ssmm", ["product"])
    text = shown(*args)
    lines = dict(line.split(maxsplit=1) for line in text.splitlines() if line)
    cycles, power_mw, energy_nj, *_ = lines["product"].split()
    assert f"{record['cycles']:.2f}" == cycles
    assert f"{record['power_mw']:.3f}" == power_mw
    # The energy of a product is some pJ.
    assert float(energy_nj) == pytest.approx(record["energy_nj"], rel=5e-3)
    assert lines["workload"] == "256 products of random a and b below the modulus, 15"
    assert "exponent" not in text
