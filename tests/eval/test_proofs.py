"""Proofs about circuits, and planted faults, which are refuted."""

import json
import random
from dataclasses import replace

import pytest

import catalog
from eval.proofs.aig import FALSE, Aig
from eval.proofs.answer import Verdict
from eval.proofs.blocks import BLOCKS
from eval.proofs.claim import TOP, Counterexample, Proof
from eval.proofs.design import CheckedDesign
from eval.proofs.enumeration import decide
from eval.proofs.functions import FunctionClaim
from eval.proofs.netlists import NetlistClaim
from eval.proofs.products import REMAINDER, ProductClaim
from eval.proofs.reading import read_machine
from eval.proofs.responses import ResponseClaim, StatusClaim
from eval.proofs.secrecy import SecrecyClaim
from eval.proofs.signals import signals_of, write_vcd
from eval.proofs.solver import satisfied
from eval.proofs.study import claims_of
from eval.proofs.unrolled import SweptAig
from fl.status import Status
from flow.nodes.synthesis import synthesize
from sim.runners import translation
from tests.vcd import VCDVCD

slow = pytest.mark.slow
SECONDS = 60


def test_one_wrong_assignment_of_thousands_is_found():
    """Enumeration finds the only assignment, among 2^13, for which a graph is true."""
    draw = random.Random(5)
    for _ in range(4):
        graph = Aig()
        inputs = [graph.add_input(f"x[{i}]") for i in range(13)]
        wanted = [draw.getrandbits(1) for _ in inputs]
        root = graph.all_of(x ^ 1 ^ bit for x, bit in zip(inputs, wanted, strict=True))
        found = decide(graph, 1, root, graph.inputs, SECONDS)
        assert found.verdict is Verdict.REFUTED
        assert [found.frames[0][name] for name in graph.inputs] == wanted
        excluded = decide(graph, root ^ 1, root, graph.inputs, SECONDS)
        assert excluded.verdict is Verdict.PROVEN
        answer = satisfied(graph, root)
        assert [answer[name] for name in graph.inputs] == wanted
        assert satisfied(graph, graph.both(root, inputs[3] ^ wanted[3])) is False


def test_functions_of_secret_inputs_are_compared_by_truth_tables():
    graph = SweptAig(8, 2)
    x, y = (graph.add(name, 0, secret=True) for name in "xy")
    other = graph.add("other", 0)
    either = graph.either(graph.both(x, y), graph.either(graph.both(x, y ^ 1), x ^ 1))
    assert either == 1
    xor = graph.differ(x, y)
    assert graph.differ(y ^ 1, x) == xor ^ 1
    assert graph.both(graph.differ(x, xor), y ^ 1) == FALSE
    assert graph.support(graph.both(xor, other)) == {"x", "y", "other"}


def test_the_specification_divides():
    """Long division in the specification gives Python's remainder, for all numbers of 7 bits."""
    top = "module top(input clk, input [6:0] x, input [2:0] m, output [2:0] r);"
    text = REMAINDER + top + "remainder #(.X(7), .N(3)) unit(.x(x), .m(m), .r(r)); endmodule"
    machine = read_machine(text, "top")
    frames = [
        {f"x[{i}]": x >> i & 1 for i in range(7)} | {f"m[{i}]": m >> i & 1 for i in range(3)}
        for x in range(128)
        for m in range(1, 8)
    ]
    signals, _ = signals_of(machine, frames)
    expected = [x % m for x in range(128) for m in range(1, 8)]
    assert signals["r"] == expected


QUICK = ("mont_mul", "mul_rem", "ssmm")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, id=name, marks=[] if name in QUICK else [slow])
        for name in (*catalog.multipliers(), *catalog.REDUCERS)
    ],
)
def test_products(name):
    entry = catalog.find(name)
    nbits = max(3, entry.widths[0])
    proof = ProductClaim(entry.configure(nbits)).prove(SECONDS)
    assert (proof.verdict, proof.counterexample) == (Verdict.PROVEN, None)


@slow
def test_products_of_nine_bits():
    proof = ProductClaim(catalog.find("mont_mul").configure(9)).prove(SECONDS)
    assert proof.verdict is Verdict.PROVEN


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        pytest.param("compress__carry_in = subtract;", "compress__carry_in = 0;", "r = ", id="sum"),
        pytest.param(
            "ends = index_reg == 2'( __const__last_index_at_comb_count );",
            "ends = index_reg == 2'd0;",
            "another cycle than the cycle model's",
            id="cycles",
        ),
        pytest.param("send__val = ", "send__val = 1'b0 & ", "no response", id="no-response"),
    ],
)
def test_a_wrong_product_is_refuted(old, new, told, tmp_path):
    """The counterexample has operands to replay, and a waveform that shows them."""
    configuration = catalog.find("mont_mul").configure(4)
    text = translation(configuration, "rtl").text
    assert old in text
    at = text.rindex(old) if old.startswith("send") else text.index(old)
    wrong = text[:at] + new + text[at + len(old) :]
    proof = ProductClaim(configuration, wrong).prove(SECONDS)
    assert proof.verdict is Verdict.REFUTED
    example = proof.counterexample
    assert told in example.text
    assert set(example.replay) == {"a", "b", "n"}
    write_vcd(tmp_path / "wrong.vcd", example)
    waves = VCDVCD(str(tmp_path / "wrong.vcd"))
    shown = next(waves[name] for name in waves.signals if name.startswith("checked.a["))
    assert int(shown[0], 2) == int(example.replay["a"], 16)


def test_a_product_that_is_wrong_once_is_refuted():
    """A fault for only one pair of operands, at one modulus, is found with these operands."""
    configuration = catalog.find("mul_rem").configure(5)
    text = translation(configuration, "rtl").text
    top = f"module {configuration.name}"
    inner = text.replace(top, "module inner")
    ports = "input clk, input reset, input recv__val, input [14:0] recv__msg, output recv__rdy"
    ports += ", output send__val, output [4:0] send__msg, input send__rdy"
    wrapped = f"""{inner}
module {configuration.name}({ports});
  wire [4:0] product; logic [14:0] held;
  always_ff @(posedge clk) if (recv__val & recv__rdy) held <= recv__msg;
  inner unit(.send__msg(product), .*);
  assign send__msg = product ^ 5'(held == {{5'd9, 5'd17, 5'd23}});
endmodule
"""
    proof = ProductClaim(configuration, wrapped).prove(SECONDS)
    assert proof.verdict is Verdict.REFUTED
    assert proof.counterexample.replay == {"a": "9", "b": "11", "n": "17"}


@pytest.mark.parametrize(
    ("name", "nbits", "params"),
    [
        pytest.param(
            block.name,
            max(block.least_nbits, 8 if "modulus" in {**block.params, **params} else 4),
            params,
            id="-".join([block.name, *(f"{k}_{v}" for k, v in params.items())]),
            marks=[] if block.name in ("add_red_rows", "booth_row", "divider") else [slow],
        )
        for block in BLOCKS.values()
        for params in block.variants
    ],
)
def test_blocks(name, nbits, params):
    proof = FunctionClaim(BLOCKS[name], nbits, params).prove(SECONDS)
    assert (proof.verdict, proof.counterexample) == (Verdict.PROVEN, None)


@slow
@pytest.mark.parametrize("name", [pytest.param(x, id=x) for x in BLOCKS])
def test_no_claim_about_a_block_is_empty(name):
    """The inverted specification is refuted: there are legal inputs, and their outputs are seen."""
    block = BLOCKS[name]
    nbits = 8 if "modulus" in block.params else max(4, block.least_nbits)

    def at(nbits, **params):
        found = block.at(nbits, **params)
        return replace(found, right=f"!({found.right})")

    proof = FunctionClaim(replace(block, at=at), nbits).prove(SECONDS)
    assert proof.verdict is Verdict.REFUTED


def divided(low, divisor):
    """Quotient and remainder as RISC-V defines them, of numbers of 4 bits."""
    return divmod(low, divisor) if divisor else (15, low)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        pytest.param("add_red_select", "addend = addend_odd", "addend = addend_even", id="adder"),
        pytest.param("divider", "] >= ", "] > ", id="stream"),
        pytest.param("quotient_digit", "half_carry = sum & carry", "half_carry = sum", id="late"),
        pytest.param(
            *("muldiv", "( a_negative ^ b_negative ) & ", "a_negative & "),
            id="processor",
            marks=slow,
        ),
    ],
)
def test_a_wrong_block_is_refuted(name, old, new, tmp_path):
    """The counterexample has the inputs and the wrong outputs; its waveform shows them."""
    claim = FunctionClaim(BLOCKS[name], 4)
    text = claim.module.text
    assert old in text
    proof = replace(claim, verilog=text.replace(old, new)).prove(SECONDS)
    assert proof.verdict is Verdict.REFUTED
    given, _, got = proof.counterexample.text.partition(": ")
    values = dict(x.split(" = ") for x in f"{given}, {got}".split(", "))
    if name == "divider":
        at = [int(values[x]) for x in ("high", "low", "divisor", "quotient", "remainder")]
        assert divided(at[0] << 4 | at[1], at[2]) != (at[3], at[4])
    write_vcd(tmp_path / "wrong.vcd", proof.counterexample)
    assert VCDVCD(str(tmp_path / "wrong.vcd")).signals


def test_a_wrong_netlist_is_refuted(monkeypatch, tmp_path):
    """A gate of the netlist is replaced; the state for which it matters, and a waveform, follow."""
    other = {"XOR2_X1": "XNOR2_X1", "XNOR2_X1": "XOR2_X1"}

    def synthesize_wrong(source, clock_ns, folder, work):
        synthesize(source, clock_ns, folder, work)
        netlist = json.loads((folder / "netlist.json").read_text())
        (module,) = (x for x in netlist["modules"].values() if len(x["cells"]) > 50)
        gate = next(cell for cell in module["cells"].values() if cell["type"] in other)
        gate["type"] = other[gate["type"]]
        (folder / "netlist.json").write_text(json.dumps(netlist))

    claim = NetlistClaim(catalog.find("mont_mul").configure(4))
    monkeypatch.setattr("eval.proofs.netlists.synthesize", synthesize_wrong)
    proof = claim.prove(SECONDS)
    assert proof.verdict is Verdict.REFUTED
    assert "in the netlist" in proof.counterexample.text
    write_vcd(tmp_path / "wrong.vcd", proof.counterexample)
    assert VCDVCD(str(tmp_path / "wrong.vcd")).signals


def test_a_netlist_with_undefined_values_is_proven():
    """The proof says that it covers what the Verilog defines."""
    proof = NetlistClaim(catalog.find("digit_serial").configure(16)).prove(SECONDS)
    assert proof.verdict is Verdict.PROVEN
    assert proof.scope.startswith("all states, where the Verilog defines a value, ")


LADDER = {"schedule": "ladder"}


@pytest.mark.parametrize(
    ("name", "nbits", "params", "scope"),
    [
        pytest.param("montmul_r2l", 8, LADDER, "every request", id="ladder"),
        pytest.param("orup_window", 8, {}, "first request", id="orup_window", marks=slow),
        pytest.param("systolic_l2r_always", 8, {}, "first request", id="systolic", marks=slow),
        pytest.param("crt_window", 8, {}, "first request", id="crt_window", marks=slow),
        pytest.param("crt_window_shared", 8, {}, "first request", id="crt_shared", marks=slow),
    ],
)
@pytest.mark.timeout(1200)
def test_the_exponent_cannot_be_seen(name, nbits, params, scope):
    configuration = catalog.get(name).configure(nbits, **params)
    claim = SecrecyClaim(configuration)
    assert claim.declared
    proof = claim.prove(SECONDS)
    assert proof.verdict is Verdict.PROVEN
    assert proof.scope.startswith(scope)


@slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    "name", [pytest.param(x, id=x) for x in ("montmul_r2l", "dm_r2l", "mont_r2l")]
)
def test_an_exponent_that_can_be_seen_is_refuted(name, tmp_path):
    """A design that declares that its cycles depend on the exponent."""
    claim = SecrecyClaim(catalog.get(name).configure(8))
    assert not claim.declared
    proof = claim.prove(4 * SECONDS)
    assert proof.verdict is Verdict.REFUTED
    example = proof.counterexample
    assert example.signals["b"] == example.signals["other.b"]
    assert example.signals["m"] == example.signals["other.m"]
    assert example.signals["e"] != example.signals["other.e"]
    write_vcd(tmp_path / "seen.vcd", example)
    assert VCDVCD(str(tmp_path / "seen.vcd")).signals


def test_a_leak_that_is_planted_is_refuted():
    """A request is accepted one cycle later if bit 3 of the exponent is 1."""
    configuration = catalog.get("montmul_r2l").configure(8, **LADDER)
    text = translation(configuration, "rtl").text
    top = f"module {configuration.name}"
    inner = text.replace(top, "module inner")
    request = translation(configuration, "rtl").request
    (e,) = (x for x in request.fields if x.name == "e")
    width = request.width
    wrapped = f"""{inner}
module {configuration.name}(
  input clk, input reset, input recv__val, input [{width - 1}:0] recv__msg, output recv__rdy,
  output send__val, output [15:0] send__msg, input send__rdy);
  logic waited, ready;
  wire passes = waited | ~recv__msg[{e.lsb + 3}];
  always_ff @(posedge clk) waited <= ~reset & recv__val & ~recv__rdy;
  assign recv__rdy = ready & passes;
  inner unit(.recv__val(recv__val & passes), .recv__rdy(ready), .*);
endmodule
"""
    proof = SecrecyClaim(configuration, wrapped).prove(SECONDS)
    assert proof.verdict is Verdict.REFUTED
    example = proof.counterexample
    assert "ready = " in example.text
    assert example.signals["e"] != example.signals["other.e"]


@pytest.mark.parametrize(
    "name",
    [pytest.param(x, id=x, marks=[] if x == "mulrem_r2l" else [slow]) for x in catalog.DESIGNS],
)
def test_statuses(name):
    proof = StatusClaim(catalog.get(name).configure(8)).prove(SECONDS)
    assert proof.verdict is Verdict.PROVEN


MEASURES = {"check": "public_exponent", "blinding": "both", "states": "doubled"}


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
    (e,) = (x for x in module.request.fields if x.name == "e")
    seen = [x >> e.lsb & (1 << e.width) - 1 for x in signals["circuit.seen_reg"][1:]]
    assert seen == [design.operands(run)[1] for run in runs[:-1]]
    kinds = {x.kind for x in claims_of(configuration)}
    assert kinds == {"status", "netlist"}


@slow
@pytest.mark.parametrize(
    "params",
    [pytest.param({k: MEASURES[k]}, id=k) for k in MEASURES] + [pytest.param(MEASURES, id="all")],
)
def test_statuses_with_measures(params):
    proof = StatusClaim(catalog.get("crt_window").configure(8, **params)).prove(SECONDS)
    assert proof.verdict is Verdict.PROVEN


def test_a_wrong_status_is_refuted():
    configuration = catalog.get("mulrem_r2l").configure(8)
    text = translation(configuration, "rtl").text
    top = f"module {configuration.name}"
    wrapped = f"""{text.replace(top, "module inner")}
module {configuration.name}(
  input clk, input reset, input recv__val, input [24:0] recv__msg, output recv__rdy,
  output send__val, output [15:0] send__msg, input send__rdy);
  wire [15:0] answer;
  inner unit(.send__msg(answer), .*);
  assign send__msg = answer[7:0] == 3 ? {{answer[15:8], 8'd1}} : answer;
endmodule
"""
    proof = StatusClaim(configuration, wrapped).prove(SECONDS)
    assert proof.verdict is Verdict.REFUTED
    assert "status modulus_too_small, expected base_too_large" in proof.counterexample.text
    assert {"base", "exp", "n"} == set(proof.counterexample.replay)


@slow
@pytest.mark.parametrize(
    "name", [pytest.param(x, id=x) for x in ("systolic_l2r_always", "orup_window", "crt_window")]
)
def test_responses(name):
    claim = ResponseClaim(catalog.get(name).configure(8))
    assert claim.prove(SECONDS).verdict is Verdict.PROVEN


@slow
def test_a_response_in_another_cycle_is_refuted():
    """The circuit offers each response one cycle late."""
    configuration = catalog.get("systolic_l2r_always").configure(8)
    module = translation(configuration, "rtl")
    top, width = f"module {configuration.name}", module.request.width
    wrapped = f"""{module.text.replace(top, "module inner")}
module {configuration.name}(
  input clk, input reset, input recv__val, input [{width - 1}:0] recv__msg, output recv__rdy,
  output send__val, output [{module.response.width - 1}:0] send__msg, input send__rdy);
  logic offered, late;
  always_ff @(posedge clk) late <= ~reset & offered & ~(send__val & send__rdy);
  assign send__val = offered & late;
  inner unit(.send__val(offered), .send__rdy(send__rdy & late), .*);
endmodule
"""
    proof = ResponseClaim(configuration, wrapped).prove(SECONDS)
    assert proof.verdict is Verdict.REFUTED
    assert "a response after 150 cycles, 149 by the cycle model" in proof.counterexample.text


def test_a_proof_passes_through_json():
    example = Counterexample("a = 1", {"a": "1"}, {"a": [1, 0]}, {"a": 1})
    proof = Proof(Verdict.REFUTED, "SAT", "all", 1.5, example)
    assert Proof.from_json(json.loads(json.dumps(proof.as_json()))) == proof
