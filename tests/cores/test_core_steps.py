"""What `check` measures of a core beside its results."""

import json
from pathlib import Path

import pytest

from rsaxcel.catalog.described import describe
from rsaxcel.sim.check.handshakes import check_start, handshakes
from rsaxcel.sim.check.hints import hint
from rsaxcel.sim.check.plan import check_cycles, check_outside
from rsaxcel.sim.check.refused import Refused
from rsaxcel.sim.check.steps import check_widths, claimed
from tests.shared.planted import planted

#: Counts down from `CYCLES, and gives `RESULT; the right one is power.
CORE = Path(__file__).with_name("quick.v").read_text("utf-8")
TOML = Path(__file__).with_name("quick.toml").read_text("utf-8")
PROTOCOL = Path(__file__).with_name("quick_protocol.toml").read_text("utf-8")


def quick(folder, cycles="9", hangs="0", result="power", more="", protocol=PROTOCOL):
    folder.mkdir(exist_ok=True)
    (folder / "quick.v").write_text(CORE)
    defines = f"defines = {{ CYCLES = '{cycles}', HANGS = '{hangs}', RESULT = '{result}' }}\n"
    (folder / "core.toml").write_text(f"{TOML}{defines}{more}{protocol}")
    return describe(folder)


@pytest.mark.parametrize(
    ("cycles", "told"),
    [
        ("9", "cycles: constant (10)"),
        ("9 + $countones(e)", "on the weight (number of ones) of the exponent: "),
        ("$clog2(n + 1)", "on the length of the modulus: "),
        ("b[0] ? 9 : 3", "on the value of the base: 4 to 10"),
        ("e == 0 ? 2 : 9", "on whether the exponent is small (0: 3; else 10)"),
    ],
)
def test_it_is_told_on_what_cycles_depend(tmp_path, cycles, told):
    assert told in check_cycles(quick(tmp_path, cycles).configure(8), 0, 0)


def test_what_is_declared_of_cycles_is_compared(tmp_path):
    more = "secrecy = { exponent_dependent = false }\n"
    circuit = quick(tmp_path, "9 + e", more=more).configure(8)
    with pytest.raises(Refused, match="exponent_dependent = false is declared, but") as caught:
        check_cycles(circuit, 0, 0)
    assert caught.value.kind == "declared"
    assert "rsaxcel sim quick_core" in caught.value.replay


def test_what_is_outside_of_the_rules_is_told(tmp_path):
    more = "rules = { odd_modulus = true, full_modulus = true, positive_exponent = true }\n"
    entry = quick(
        tmp_path, hangs="n == 0 || e == 0", result="n > 1 && b >= n ? ~power : power", more=more
    )
    first, *lines = check_outside(entry.configure(8), 0, 0).split("\n")
    assert first == "what is not judged:"
    told = dict(x.split(": ", 1) for x in lines)
    assert told["modulus 0"].startswith("no answer in 4 of 4 (base=")
    assert told["modulus 1"] == "right in 4 of 4"
    assert told["even modulus"].startswith("right in ")
    assert "wrong" not in told["modulus shorter than the width"]
    assert told["base not below the modulus"].startswith("wrong in 13 of 13 (base=")
    assert told["exponent 0"].startswith("no answer in 12 of 12 (base=")


def test_a_width_that_is_only_claimed_is_told(tmp_path):
    """The core computes with the lowest 6 bits: it is right at 5 bits, and wrong at 16."""
    cut = "W > 6 && n >> 6 != 0 ? power & 63 : power"
    entry = quick(tmp_path, result=cut)
    assert check_widths(entry, {}, [4], entry.configure(5), 0, 0) == "4 bits are right"
    with pytest.raises(Refused, match=r"16 bits, base=0x.* of at most 4 bits"):
        check_widths(entry, {}, [4, 16], entry.configure(5), 0, 0)
    assert claimed(range(2, 65)) == [2, 3, 33, 64]
    assert claimed([16, 32]) == [16, 32]


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ("power == 0 ? n : power", "results that are 0 are wrong: the core gives the modulus"),
        ("n[W-1] ? ~power : power", "results are wrong where the modulus has its full length ("),
        pytest.param(
            "{<<{power}}", "results are right if bits are reversed of the result", marks=SLOW
        ),
        pytest.param("last", "each result is that of the operation before", marks=SLOW),
        pytest.param("n < 128 ? power + n : power", "a last reduction is missing", marks=SLOW),
        pytest.param("n >> 4 ? ~power : power", "operands of at most 4 bits", marks=SLOW),
    ],
)
def test_what_wrong_results_have_in_common(tmp_path, result, told):
    assert told in hint(quick(tmp_path, result=result).configure(8), 0)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [('b = "b", e = "e"', 'b = "e", e = "b"', "e where b belongs, b where e belongs")],
)
def test_operands_are_exchanged(tmp_path, old, new, told):
    entry = quick(tmp_path, protocol=planted(PROTOCOL, (old, new)))
    assert told in hint(entry.configure(8), 0)


@SLOW
def test_all_steps_run_after_a_fault(rsaxcel, tmp_path):
    """Of a core that is wrong for one operand, all else can be known, too."""
    quick(tmp_path, result="power + (power == 3)")
    asked = "check", tmp_path, "--nbits", 8, "--random", 20, "--json"
    first, kept = (rsaxcel(*asked, *more) for more in ((), ("--keep-going",)))
    assert (first.status, kept.status) == (1, 1)
    steps = [json.loads(x) for x in kept.out.splitlines()]
    assert len(steps) > len(first.out.splitlines()) == 1
    told = {x["step"]: x for x in steps if x["nbits"] == 8}
    assert told["circuit"]["verdict"] == "wrong"
    assert told["cycles"]["told"] == "cycles: constant (10)"


@SLOW
def test_the_level_of_the_reset_is_tried(rsaxcel, tmp_path):
    quick(tmp_path)
    text = (tmp_path / "core.toml").read_text("utf-8")
    new = 'reset = { port = "rst", active = "low" }'
    (tmp_path / "core.toml").write_text(text.replace('reset = "rst"', new))
    done = rsaxcel("check", tmp_path, "--nbits", 8, "--only", "circuit", "--random", 100)
    assert done.status == 1
    assert 'with active = "high" of the reset in the description, results are right' in done.out


# A stream in front of the same counter; `VALID and `DATA are those of the answer.
STREAMS = Path(__file__).with_name("quick_streams.v").read_text("utf-8")
STREAM_PROTOCOL = Path(__file__).with_name("quick_streams_protocol.toml").read_text("utf-8")


def streamed(folder, valid="full", data="result"):
    quick(folder, protocol=STREAM_PROTOCOL)
    (folder / "streams.v").write_text(STREAMS)
    file = folder / "core.toml"
    text = file.read_text("utf-8").replace('top = "quick"', 'top = "streams"')
    file.write_text(
        text.replace("defines = { ", f"defines = {{ VALID = '{valid}', DATA = '{data}', ")
    )
    return describe(folder).configure(8)


@pytest.mark.parametrize(
    ("valid", "data", "told"),
    [
        ("full || again", "result", "it answers twice: valid is 1 after its answer was taken"),
        ("full", "since > 1 ? ~result : result", "its answer changes from 0x"),
        pytest.param("full && since < 2", "result", "its answer goes away", marks=SLOW),
        pytest.param("full || !busy", "result", "it answers before it was asked", marks=SLOW),
    ],
)
def test_handshakes_that_are_wrong_are_told(tmp_path, valid, data, told):
    with pytest.raises(Refused, match=told) as caught:
        check_start(streamed(tmp_path, valid, data), 0, 0)
    assert caught.value.kind == "protocol"


def test_start_values_are_told_by_name(tmp_path):
    told = check_start(streamed(tmp_path), 0, 0)
    assert told.startswith("after the reset, ports have start values: q until cycle ")
    assert "qv until" not in told
    assert handshakes(streamed(tmp_path)) == ""


def test_a_second_run_by_a_level_of_start_is_told(tmp_path):
    """The core takes a start whenever it is idle, also in the cycle of its end."""
    level = PROTOCOL.replace("sampled = true", "level = true")
    told = check_start(quick(tmp_path, hangs="busy", protocol=level).configure(8), 0, 0)
    assert "it ends once more, without a start" in told
    assert "with level, start is still 1 in the cycle of the end" in told
