"""Faults in the handshakes of cores with addresses, and in what a description says of them."""

import shutil

import pytest

from rsaxcel.catalog.described import describe
from rsaxcel.sim.check.handshakes import check_start
from rsaxcel.sim.check.hints import hint
from rsaxcel.sim.check.refused import Refused
from tests.cores.test_described import make
from tests.shared.own_cores import OTHERS, SKELETON
from tests.shared.tables import each_row

SLOW = pytest.mark.slow


def changed(folder, protocol, changes, nbits=8):
    """Write a core of a protocol, change its files, and configure it."""
    if protocol in ("axi4_lite", "xcel"):
        folder.mkdir()
        shutil.copy(SKELETON / "words/core.v", folder / "words.v")
        shutil.copy(SKELETON / "power.v", folder)
        shutil.copy(OTHERS / f"{protocol}.v", folder / "core.v")
        shutil.copy(OTHERS / f"{protocol}.toml", folder / "core.toml")
    else:
        make(folder, protocol)
    for old, new in changes:
        files = [x for x in folder.iterdir() if old in x.read_text("utf-8")]
        assert files, old
        for file in files:
            file.write_text(file.read_text("utf-8").replace(old, new))
    return describe(folder).configure(nbits)


@SLOW
def test_cores_without_a_fault_are_right(tmp_path):
    for protocol in ("axi4_lite", "xcel", "words"):
        told = check_start(changed(tmp_path / protocol, protocol, ()), 0, 0)
        assert "cycle" not in told.replace("until cycle", ""), told


@pytest.mark.quick_cases("*rvalid says goes*", "*type 0*", "words*")
@each_row(__file__, "handshakes", "protocol", "changes", "told")
def test_handshakes_that_are_wrong_are_told(tmp_path, protocol, changes, told):
    with pytest.raises(Refused, match=told) as caught:
        check_start(changed(tmp_path / "core", protocol, changes), 0, 0)
    assert caught.value.kind == "protocol"


@SLOW
@each_row(__file__, "hints", "protocol", "changes", "told")
def test_what_is_wrong_is_named(tmp_path, protocol, changes, told):
    assert told in hint(changed(tmp_path / "core", protocol, changes), 0)


@SLOW
@pytest.mark.parametrize("nbits", [33, 64])
def test_words_of_one_operand_in_the_other_order(tmp_path, nbits):
    old = 'operand = "n", order = "most significant first"'
    circuit = changed(tmp_path / "core", "words", [(old, 'operand = "n"')], nbits)
    assert "words of 32 bits come in the other order of n" in hint(circuit, 0)


@pytest.mark.quick_cases("done")
@pytest.mark.parametrize("busy", [False, True], ids=["done", "busy"])
def test_an_end_that_is_told_too_early(tmp_path, busy):
    changes = [("output wire [WIDTH-1:0] result", "output reg [WIDTH-1:0] result")]
    changes += [(".result(result)", ".result(own)")]
    late = "wire [WIDTH-1:0] own; always @(posedge clk) if (!busy) result <= own;\n"
    changes += [("  skeleton_power", late + "  skeleton_power")]
    if busy:
        changes += [("  wire busy;", ""), ("output wire             done,", "output done, busy,")]
        changes += [
            ('done = "done"', 'busy = "busy"'),
            ("sampled = true", "settles = 2\nlevel = false"),
        ]
    told = hint(changed(tmp_path / "core", "start_done", changes), 0)
    assert "the end is told 1 cycle too early: result is right 1 cycle after it" in told


@pytest.mark.slow_cases("flow")
@pytest.mark.parametrize("where", ["line", "flow"])
def test_a_loop_of_logic_is_told_with_its_line(rsaxcel, tmp_path, where):
    loop = "  wire busy, x, y;\n  assign x = y ^ start;\n  assign y = x & busy;\n"
    changes = [("  wire busy;\n", loop), (".start(start && !busy)", ".start(start && !busy | y)")]
    circuit = changed(tmp_path / "core", "start_done", changes)
    told = circuit.explained("Warning: found logic loop in module m$core: x, y (log: l)")
    if where == "flow":
        told = rsaxcel("flow", tmp_path / "core", "--nbits", 8, "--activity", "zero").err
    assert "core.v:14: a loop of combinational logic through x, y; a flip-flop in it" in told
