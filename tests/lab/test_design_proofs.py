"""Proofs about designs: the exponent cannot be seen, statuses, responses; planted faults."""

import pytest

from rsaxcel import catalog
from rsaxcel.fl.status import Status
from rsaxcel.lab.proofs.claim import TOP
from rsaxcel.lab.proofs.design import CheckedDesign
from rsaxcel.lab.proofs.reading import read_machine
from rsaxcel.lab.proofs.responses import ResponseClaim, StatusClaim
from rsaxcel.lab.proofs.secrecy import SecrecyClaim
from rsaxcel.lab.proofs.signals import signals_of, write_vcd
from rsaxcel.lab.proofs.solver import ProofVerdict
from rsaxcel.lab.proofs.study import claims_of
from rsaxcel.sim.runners import translation
from tests.lab.wrapped import SECONDS, field_of, refuted, wrapped
from tests.shared.planted import planted
from tests.shared.tables import each_row
from tests.shared.vcd import VCDVCD

slow = pytest.mark.slow

LADDER = {"schedule": "ladder"}
CHECK = {"check": "public_exponent"}
BLINDED = {"blinding": "both"}
DUMMIES = {"dummies": "squares"}
MEASURES = {**CHECK, **BLINDED, "states": "doubled"}
CHECKED = "first request after a reset, public_exponent = 65537, "


@pytest.mark.parametrize(
    ("name", "nbits", "params", "scope"),
    [
        pytest.param("montmul_r2l", 8, LADDER, "every request", id="ladder"),
        pytest.param("orup_window", 8, {}, "first request", id="orup_window", marks=slow),
        pytest.param("systolic_l2r_always", 8, {}, "first request", id="systolic", marks=slow),
        pytest.param("crt_window", 8, {}, "every request", id="crt_window", marks=slow),
        pytest.param("crt_window_shared", 8, {}, "every request", id="crt_shared", marks=slow),
        pytest.param("crt_window", 8, CHECK, "every request", id="crt_window-check", marks=slow),
        pytest.param("crt_window_shared", 8, CHECK, "every request", id="shared-check", marks=slow),
        pytest.param("crt_window", 8, BLINDED, "every request", id="blinded", marks=slow),
        pytest.param("crt_window", 8, DUMMIES, "every request", id="dummies", marks=slow),
        pytest.param("crt_window", 8, MEASURES, CHECKED, id="measures", marks=slow),
    ],
)
@pytest.mark.timeout(1200)
def test_the_exponent_cannot_be_seen(name, nbits, params, scope):
    configuration = catalog.get(name).configure(nbits, **params)
    claim = SecrecyClaim(configuration)
    assert claim.declared
    proof = claim.prove(SECONDS)
    assert proof.verdict is ProofVerdict.PROVEN
    assert proof.scope.startswith(scope)


@slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", ["montmul_r2l", "dm_r2l", "mont_r2l"])
def test_an_exponent_that_can_be_seen_is_refuted(name, tmp_path):
    """A design that declares that its cycles depend on the exponent."""
    claim = SecrecyClaim(catalog.get(name).configure(8))
    assert not claim.declared
    example = refuted(claim, seconds=4 * SECONDS)
    assert example.signals["b"] == example.signals["other.b"]
    assert example.signals["m"] == example.signals["other.m"]
    assert example.signals["e"] != example.signals["other.e"]
    write_vcd(tmp_path / "seen.vcd", example)
    assert VCDVCD(str(tmp_path / "seen.vcd")).signals


@pytest.mark.slow_cases("check")
@pytest.mark.parametrize(
    ("name", "params", "port"),
    [
        pytest.param("montmul_r2l", LADDER, "e", id="ladder"),
        pytest.param("crt_window", CHECK, "e_0", id="check"),
    ],
)
def test_a_leak_that_is_planted_is_refuted(name, params, port):
    """A request is accepted one cycle later if bit 3 of an exponent is 1."""
    configuration = catalog.get(name).configure(8, **params)
    e = field_of(configuration, "e")
    wrong = _wrapped(
        configuration,
        f"""
  logic waited, ready;
  wire passes = waited | ~recv__msg[{e.lsb + 3}];
  always_ff @(posedge clk) waited <= ~reset & recv__val & ready & ~passes;
  assign recv__rdy = ready & passes;
  inner unit(.recv__val(recv__val & passes), .recv__rdy(ready), .*);""",
    )
    example = refuted(SecrecyClaim(configuration, wrong), "ready = ")
    assert example.signals[port] != example.signals[f"other.{port}"]


@pytest.mark.slow_cases("undriven", "index")
@pytest.mark.parametrize(
    "body",
    [
        pytest.param("assign send__val = offered & 1'bx;", id="handshake"),
        pytest.param("wire none; assign send__val = offered & none;", id="undriven"),
        pytest.param(
            "wire [2:0] ones = 7; assign send__val = offered & ones[last[1:0]];", id="index"
        ),
    ],
)
def test_an_undefined_handshake_is_refuted(body):
    """An undefined value may be another one for another exponent."""
    configuration = catalog.get("montmul_r2l").configure(8, **LADDER)
    inner = "inner unit(.send__val(offered), .*);"
    refuted(SecrecyClaim(configuration, _wrapped(configuration, f"{body} {inner}")), "valid = ")


@pytest.mark.quick_cases("mulrem_r2l")
@pytest.mark.parametrize("name", catalog.DESIGNS)
def test_statuses(name):
    proof = StatusClaim(catalog.get(name).configure(8)).prove(SECONDS)
    assert proof.verdict is ProofVerdict.PROVEN


def test_requests_with_measures_are_complete():
    """The wrapper sends public exponent and random numbers, and its rules are the golden ones."""
    configuration = catalog.get("crt_window").configure(8, **MEASURES)
    module = translation(configuration, "rtl")
    width = module.request.width
    stub = f"""module {module.top}(
  input clk, input reset, input recv__val, input [{width - 1}:0] recv__msg, output recv__rdy,
  output send__val, output [15:0] send__msg, input send__rdy);
  logic [{width - 1}:0] seen_reg;
  always_ff @(posedge clk) seen_reg <= recv__msg;
  assign {{recv__rdy, send__val, send__msg}} = 18'(^seen_reg);  // reads all bits
endmodule
"""
    design = CheckedDesign(configuration, module.with_text(stub))
    runs = [*design.requests(100, legal=True), *design.requests(100, legal=False)]
    changed = [{**run, name: 0} for run, name in zip(runs, 20 * [*design.widths], strict=False)]
    runs += changed
    frames = [
        {
            f"{port}[{i}]" if n > 1 else port: run[port] >> i & 1
            for port, n in design.widths.items()
            for i in range(n)
        }
        for run in runs
    ]
    signals, _ = signals_of(read_machine(design.text, TOP), frames)
    assert signals["expected"] == [design.status(run) for run in runs]
    assert {Status.OK, Status.CONSTANTS_MISSING} <= set(signals["expected"])
    e = field_of(configuration, "e")
    seen = [x >> e.lsb & (1 << e.width) - 1 for x in signals["circuit.seen_reg"][1:]]
    assert seen == [design.operands(run)[1] for run in runs[:-1]]
    kinds = {x.kind for x in claims_of(configuration)}
    assert kinds == {"secrecy", "status", "netlist"}


@slow
@pytest.mark.parametrize(
    "params",
    [pytest.param({k: MEASURES[k]}, id=k) for k in MEASURES] + [pytest.param(MEASURES, id="all")],
)
def test_statuses_with_measures(params):
    proof = StatusClaim(catalog.get("crt_window").configure(8, **params)).prove(SECONDS)
    assert proof.verdict is ProofVerdict.PROVEN


def test_a_wrong_status_is_refuted():
    configuration = catalog.get("mulrem_r2l").configure(8)
    body = """
  wire [15:0] answer;
  inner unit(.send__msg(answer), .*);
  assign send__msg = answer[7:0] == 3 ? {answer[15:8], 8'd1} : answer;"""
    wrong = _wrapped(configuration, body)
    told = "status modulus_too_small, expected base_too_large"
    example = refuted(StatusClaim(configuration, wrong), told)
    assert {"base", "exp", "n"} == set(example.vectors[0])


@pytest.mark.slow_cases("mont*", "crt*")
@each_row(__file__, "statuses", "name", "old", "new", "told")
def test_an_accepted_request_that_breaks_a_rule_is_refuted(name, old, new, told):
    """The request takes another number of cycles than those that are refused."""
    configuration = catalog.get(name).configure(8)
    text = planted(translation(configuration, "rtl").text, (old, new))
    refuted(StatusClaim(configuration, text), f"status {told}")


def test_a_request_that_breaks_a_rule_and_gets_no_response_is_refuted():
    configuration = catalog.get("mulrem_r2l").configure(8)
    m = field_of(configuration, "m")
    body = f"""
  assign send__val = offered & (last[{m.lsb + 7}:{m.lsb}] != 0);
  inner unit(.send__val(offered), .*);"""
    refuted(StatusClaim(configuration, _wrapped(configuration, body)), "m = 0", ": no response in ")


@pytest.mark.parametrize(
    ("condition", "request_told"),
    [pytest.param("1", "", id="all"), pytest.param("last[M] == 0", "m = 0", id="some")],
)
def test_a_refusal_in_another_cycle_is_refuted(condition, request_told):
    configuration = catalog.get("mulrem_r2l").configure(8)
    m = field_of(configuration, "m")
    late = _late(configuration, condition.replace("M", f"{m.lsb + 7}:{m.lsb}"))
    (cycles,) = {configuration.cycles(b, 1, m) for b, m in ((0, 0), (0, 1), (9, 9), (99, 3))}
    told = f"a response after {cycles + 1} cycles, {cycles} by the cycle model"
    refuted(StatusClaim(configuration, late), told, request_told)


@pytest.mark.slow_cases("ResponseClaim-*")
@pytest.mark.parametrize("late", [pytest.param("1", id="all"), pytest.param("{base}", id="some")])
@pytest.mark.parametrize("kind", [StatusClaim, ResponseClaim])
def test_a_late_acceptance_is_refuted(kind, late):
    """The first request after a reset waits for a cycle: each, or that of an odd base."""
    design, params = ("mulrem_r2l", {}) if kind is StatusClaim else ("mont_r2l", LADDER)
    configuration = catalog.get(design).configure(8, **params)
    b = field_of(configuration, "b")
    body = f"""
  logic ready, began;
  always_ff @(posedge clk) began <= ~reset;
  wire passes = began | ~{late.format(base=f"recv__msg[{b.lsb}]")};
  inner unit(.recv__val(recv__val & passes), .recv__rdy(ready), .send__val(offered), .*);
  assign recv__rdy = ready & passes;
  assign send__val = offered;"""
    claim = kind(configuration, _wrapped(configuration, body))
    refuted(claim, "accepted in cycle 2, in cycle 1 by the cycle model")


@slow
@pytest.mark.parametrize(
    ("name", "params"),
    [
        *(pytest.param(x, {}, id=x) for x in ("systolic_l2r_always", "orup_window", "crt_window")),
        pytest.param("crt_window", BLINDED, id="blinded"),
        pytest.param("crt_window", DUMMIES, id="dummies"),
    ],
)
def test_responses(name, params):
    claim = ResponseClaim(catalog.get(name).configure(8, **params))
    assert claim.prove(SECONDS).verdict is ProofVerdict.PROVEN


@slow
@pytest.mark.parametrize("schedule", ["ladder", "l2r_always", "r2l_always"])
def test_cycles_that_the_modulus_decides(schedule):
    """The circuit computes R**2 mod m in cycles that depend on m: it is unrolled for each m."""
    configuration = catalog.get("montmul_r2l").configure(8, schedule=schedule)
    cycles = {configuration.cycles(0, 0, m) for m in range(3, 256, 2)}
    scope = f"each of 127 moduli, {min(cycles)} to {max(cycles)} cycles"
    claim = ResponseClaim(configuration)
    assert f"after {min(cycles)} to {max(cycles)} cycles, as the modulus" in claim.statement
    proof = claim.prove(SECONDS)
    assert proof.verdict is ProofVerdict.PROVEN
    assert proof.scope == f"first request after a reset, {scope}"
    secret = SecrecyClaim(configuration).prove(SECONDS)
    assert secret.verdict is ProofVerdict.PROVEN
    if schedule == "l2r_always":
        assert secret.scope.startswith(proof.scope)


def test_a_late_response_for_one_modulus_is_refuted():
    configuration = catalog.get("montmul_r2l").configure(8, **LADDER)
    m = field_of(configuration, "m")
    late = _late(configuration, f"last[{m.lsb + m.width - 1}:{m.lsb}] == 7")
    cycles = configuration.cycles(0, 0, 7)
    found = f"m = 7, wide = 0: a response after {cycles + 1} cycles, {cycles} by the cycle model"
    (vector,) = refuted(ResponseClaim(configuration, late), found).vectors
    operands = (int(vector[x], 16) for x in ("base", "exp", "n"))
    assert configuration.rules.status(*operands, False) is Status.OK


@pytest.mark.slow_cases("*-mont_r2l")
@pytest.mark.parametrize("name", ["montmul_r2l", "mont_r2l"])
@pytest.mark.parametrize("port", ["e", "b"])
def test_a_wait_for_one_operand_is_refuted(name, port):
    """The response of one exponent, or of one base, comes a cycle late."""
    configuration = catalog.get(name).configure(8, **LADDER)
    field = field_of(configuration, port)
    late = _late(configuration, f"last[{field.lsb + field.width - 1}:{field.lsb}] == 2")
    example = refuted(ResponseClaim(configuration, late))
    (vector,) = example.vectors
    cycles = configuration.cycles(0, 0, int(vector["n"], 16))
    told = f"a response after {cycles + 1} cycles, {cycles} by the cycle model"
    assert told in example.text
    assert vector["exp" if port == "e" else "base"] == "2"
    secret = SecrecyClaim(configuration, late)
    if port == "b":
        assert secret.prove(SECONDS).verdict is ProofVerdict.PROVEN
    else:
        one, other = refuted(secret).vectors
        assert one["exp"] != other["exp"]
        assert "2" in (one["exp"], other["exp"])
        assert {**one, "exp": ""} == {**other, "exp": ""}


def test_nothing_is_claimed_of_moduli_that_are_too_many():
    """The cycles of one modulus are not those of another one."""
    claim = ResponseClaim(catalog.get("montmul_csa_r2l").configure(11, **LADDER))
    assert "in the model's cycle, as the modulus decides" in claim.statement
    proof = claim.prove(SECONDS)
    assert (proof.verdict, proof.seconds) == (ProofVerdict.OPEN, 0)


TWICE = "assign send__val = offered | had; assign send__msg = answer;"
LATER = "assign send__val = offered; assign send__msg = recv__msg == last ? answer : ~answer;"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        pytest.param(TWICE, "a second response after the first one is taken", id="twice"),
        pytest.param(LATER, "status ", id="later"),
    ],
)
@pytest.mark.slow_cases("StatusClaim-twice", "ResponseClaim-later")
@pytest.mark.parametrize("kind", [StatusClaim, ResponseClaim])
def test_responses_that_are_wrong_later(kind, body, found):
    """A response stays after it is taken; or it depends on operands after the acceptance."""
    configuration = catalog.get("mont_r2l").configure(8, **LADDER)
    wrong = _wrapped(
        configuration,
        f"""
  logic had;
  wire [15:0] answer;
  always_ff @(posedge clk) had <= ~reset & (had | offered);
  {body}
  inner unit(.send__val(offered), .send__msg(answer), .*);""",
    )
    refuted(kind(configuration, wrong), found)


def _late(configuration, condition):
    """Verilog that offers responses one cycle late if a condition on the last request holds."""
    return _wrapped(
        configuration,
        f"""
  logic late;
  always_ff @(posedge clk) late <= ~reset & offered & ~(send__val & send__rdy);
  wire passes = late | ~({condition});
  assign send__val = offered & passes;
  inner unit(.send__val(offered), .send__rdy(send__rdy & passes), .*);""",
    )


def _wrapped(configuration, body):
    return wrapped(translation(configuration, "rtl"), body)


@slow
def test_a_response_in_another_cycle_is_refuted():
    """The circuit offers each response one cycle late."""
    configuration = catalog.get("systolic_l2r_always").configure(8)
    claim = ResponseClaim(configuration, _late(configuration, "1"))
    refuted(claim, "a response after 150 cycles, 149 by the cycle model")
