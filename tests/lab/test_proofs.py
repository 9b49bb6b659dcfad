"""Proofs about circuits, and planted faults, which are refuted."""

import json
import random
from dataclasses import replace

import pytest

from rsaxcel import catalog
from rsaxcel.catalog.described import describe
from rsaxcel.course import new
from rsaxcel.flow.errors import ToolFailure
from rsaxcel.flow.nodes.synthesis import synthesize
from rsaxcel.lab.proofs import netlists, study
from rsaxcel.lab.proofs.aig import FALSE, Aig, Machine
from rsaxcel.lab.proofs.blocks import BLOCKS
from rsaxcel.lab.proofs.claim import Counterexample, Proof
from rsaxcel.lab.proofs.functions import FunctionClaim
from rsaxcel.lab.proofs.netlists import NetlistClaim
from rsaxcel.lab.proofs.products import REMAINDER, ProductClaim, decide
from rsaxcel.lab.proofs.reading import check_simulated, read_machine
from rsaxcel.lab.proofs.signals import signals_of, write_vcd
from rsaxcel.lab.proofs.solver import ProofVerdict, satisfied
from rsaxcel.lab.proofs.study import proof_of
from rsaxcel.lab.proofs.unrolled import SweptAig
from rsaxcel.sim.runners import translation
from rsaxcel.sim.traces import prepare
from tests.lab.wrapped import SECONDS, refuted, wrapped
from tests.shared.planted import planted
from tests.shared.tables import each_row
from tests.shared.vcd import VCDVCD

slow = pytest.mark.slow


def test_one_wrong_assignment_of_thousands_is_found():
    """Enumeration finds the only assignment, among 2^13, for which a graph is true."""
    draw = random.Random(5)
    for _ in range(4):
        graph = Aig()
        inputs = [graph.add_input(f"x[{i}]") for i in range(13)]
        wanted = [draw.getrandbits(1) for _ in inputs]
        root = graph.any_of(x ^ bit for x, bit in zip(inputs, wanted, strict=True)) ^ 1
        found = decide(graph, 1, root, graph.inputs, SECONDS)
        assert found.verdict is ProofVerdict.REFUTED
        assert [found.frames[0][name] for name in graph.inputs] == wanted
        excluded = decide(graph, root ^ 1, root, graph.inputs, SECONDS)
        assert excluded.verdict is ProofVerdict.PROVEN
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


COUNTS = """module top(
  input clk, input reset, input [2:0] x, input [2:0] y, output logic [2:0] sum);
  logic [2:0] sum_reg;
  always_ff @(posedge clk) sum_reg <= reset ? 0 : sum_reg + x;
  assign sum = OUT;
endmodule
"""


@pytest.mark.slow_cases("bit", "order")
@pytest.mark.parametrize(
    ("out", "other"),
    [
        pytest.param("sum_reg + y", "sum_reg - y", id="operator"),
        pytest.param("sum_reg & y", "{y[2:1], y[0]} & sum_reg & 3'd6", id="bit"),
        pytest.param("x == 7 ? y : sum_reg", "sum_reg", id="rare"),
        pytest.param("sum_reg", "{sum_reg[0], sum_reg[2:1]}", id="order"),
    ],
)
def test_a_graph_that_is_not_its_verilog_is_refused(out, other):
    """The graph that Yosys makes is compared with Verilator's simulation."""
    text = COUNTS.replace("OUT", out)
    assert check_simulated(read_machine(text, "top"), text, "top") > 1000
    with pytest.raises(ToolFailure, match=r"the graph of top is not its Verilog, sum\["):
        check_simulated(read_machine(COUNTS.replace("OUT", other), "top"), text, "top")


def test_a_graph_that_loses_a_gate_is_refused(monkeypatch):
    """Each graph is compared when it is built."""

    def read(path):
        machine = own(path)
        return replace(
            machine, outputs={x: y ^ (x == "sum[1]") for x, y in machine.outputs.items()}
        )

    own = Machine.read
    monkeypatch.setattr(Machine, "read", read)
    with pytest.raises(ToolFailure, match=r"sum\[1\] differs from the simulation in cycle 0"):
        read_machine(COUNTS.replace("OUT", "x ^ y"), "top")


QUICK_BLOCKS = ("add_red_rows", "booth_row", "divider", "carry_save_tree", "product_rows")
QUICK_BLOCKS += ("brent_kung_adder",)


@pytest.mark.quick_cases("mont_mul", "mul_rem", "ssmm")
@pytest.mark.parametrize("name", [*catalog.multipliers(), *catalog.REDUCERS])
def test_products(name):
    entry = catalog.find(name)
    nbits = max(3, entry.widths[0])
    proof = ProductClaim(entry.configure(nbits)).prove(SECONDS)
    assert (proof.verdict, proof.counterexample) == (ProofVerdict.PROVEN, None)


@each_row(__file__, "products", "old", "new", "told")
def test_a_wrong_product_is_refuted(old, new, told, tmp_path):
    """The counterexample has operands to replay, and a waveform that shows them."""
    configuration = catalog.find("mont_mul").configure(4)
    text = translation(configuration, "rtl").text
    assert old in text
    at = text.rindex(old) if old.startswith("send") else text.index(old)
    wrong = text[:at] + new + text[at + len(old) :]
    example = refuted(ProductClaim(configuration, wrong), told)
    assert set(example.vectors[0]) == {"a", "b", "n"}
    write_vcd(tmp_path / "wrong.vcd", example)
    prepare(tmp_path / "wrong.vcd")
    assert "@28\nchecked." in (tmp_path / "wrong.gtkw").read_text()
    waves = VCDVCD(str(tmp_path / "wrong.vcd"))
    shown = next(waves[name] for name in waves.signals if name.startswith("checked.a["))
    assert int(shown[0], 2) == int(example.vectors[0]["a"], 16)


INNER = "\n  inner unit(.send__val(offered), .*);"
AGAIN = """
  logic [4:0] since;  // cycles since the response
  always_ff @(posedge clk) since <= reset ? 0 : offered ? 1 : since + (since != 0);
  assign send__val = offered | since == {cycles};
"""
LATER = """
  logic waits;
  always_ff @(posedge clk) waits <= ~reset & (waits | recv__val & recv__rdy);
  assign send__val = offered;
"""


@pytest.mark.slow_cases("*-2", "*-16")
@pytest.mark.parametrize("cycles", [1, 2, 16])
@pytest.mark.parametrize(
    "claim",
    [
        pytest.param(ProductClaim(catalog.find("mont_mul").configure(4)), id="product"),
        pytest.param(FunctionClaim(BLOCKS["divider"], 4), id="divider"),
        pytest.param(FunctionClaim(BLOCKS["divider"], 4, {"skip_nbits": 2}), id="skipping"),
    ],
)
def test_a_second_response_is_refuted(claim, cycles):
    wrong = wrapped(claim.module, AGAIN.format(cycles=cycles) + INNER)
    refuted(replace(claim, verilog=wrong))


@pytest.mark.parametrize(
    ("late", "verdict"),
    [
        pytest.param("recv__msg", ProofVerdict.PROVEN, id="taken-at-once"),
        pytest.param("waits ? recv__msg : 0", ProofVerdict.REFUTED, id="in-the-next-cycle"),
        pytest.param("waits & recv__msg[0]", ProofVerdict.REFUTED, id="one-bit"),
    ],
)
def test_an_operand_that_is_read_after_the_acceptance_is_refuted(late, verdict):
    """Here the answer changes with the message in the cycle of the response."""
    claim = FunctionClaim(BLOCKS["divider"], 4)
    width = claim.module.response.width
    body = f"wire [{width} - 1:0] answer; assign send__msg = answer ^ {width}'({late});"
    if verdict is ProofVerdict.PROVEN:
        body = body.replace(f" ^ {width}'({late})", "")
    inner = INNER.replace(".*", ".send__msg(answer), .*")
    wrong = wrapped(claim.module, LATER + body + inner)
    assert replace(claim, verilog=wrong).prove(SECONDS).verdict is verdict


B = "assign unit__recv__msg.b = recv__msg.b;"


@pytest.mark.slow_cases("zeros", "bit*", "once", "undriven", "case")
@each_row(__file__, "undefined", "text", "verdict")
def test_an_undefined_value_is_arbitrary(text, verdict):
    """No optimization chooses a value for it that suits the claim."""
    configuration = catalog.find("mont_mul").configure(4)
    own = translation(configuration, "rtl").text
    assert own.count(B) == 1
    changed = own.replace(B, text.format(B=B.removesuffix(";")))
    assert ProductClaim(configuration, changed).prove(SECONDS).verdict == ProofVerdict(verdict)


def test_a_product_that_is_wrong_once_is_refuted():
    """A fault for only one pair of operands, at one modulus, is found with these operands."""
    configuration = catalog.find("mul_rem").configure(5)
    body = """
  wire [4:0] product;
  inner unit(.send__msg(product), .*);
  assign send__msg = product ^ 5'(last == {5'd9, 5'd17, 5'd23});"""
    wrong = wrapped(translation(configuration, "rtl"), body)
    assert refuted(ProductClaim(configuration, wrong)).vectors == [{"a": "9", "b": "11", "n": "17"}]


@pytest.mark.parametrize(
    ("name", "nbits", "params"),
    [
        pytest.param(
            block.name,
            max(block.least_nbits, 8 if "modulus" in {**block.params, **params} else 4),
            params,
            id="-".join([block.name, *(f"{k}_{v}" for k, v in params.items())]),
            marks=[] if block.name in QUICK_BLOCKS else [slow],
        )
        for block in BLOCKS.values()
        for params in block.variants
    ],
)
def test_blocks(name, nbits, params):
    proof = FunctionClaim(BLOCKS[name], nbits, params).prove(SECONDS)
    assert (proof.verdict, proof.counterexample) == (ProofVerdict.PROVEN, None)


@slow
@pytest.mark.parametrize("name", [pytest.param(x, id=x) for x in BLOCKS])
def test_no_claim_about_a_block_is_empty(name):
    """The inverted specification is refuted: there are legal inputs, and their outputs are seen."""
    block = BLOCKS[name]
    nbits = 8 if "modulus" in block.params else max(4, block.least_nbits)

    def at(nbits, **params):
        found = block.at(nbits, **params)
        return replace(found, right=f"!({found.right})")

    refuted(FunctionClaim(replace(block, at=at), nbits))


def divided(low, divisor):
    """Quotient and remainder as RISC-V defines them, of numbers of 4 bits."""
    return divmod(low, divisor) if divisor else (15, low)


@each_row(__file__, "blocks", "name", "old", "new")
def test_a_wrong_block_is_refuted(name, old, new, tmp_path):
    """The counterexample has the inputs and the wrong outputs; its waveform shows them."""
    claim = FunctionClaim(BLOCKS[name], 4)
    example = refuted(replace(claim, verilog=planted(claim.module.text, (old, new))))
    given, _, got = example.text.partition(": ")
    values = dict(x.split(" = ") for x in f"{given}, {got}".split(", "))
    if name == "divider":
        at = [int(values[x]) for x in ("high", "low", "divisor", "quotient", "remainder")]
        assert divided(at[0] << 4 | at[1], at[2]) != (at[3], at[4])
    write_vcd(tmp_path / "wrong.vcd", example)
    assert VCDVCD(str(tmp_path / "wrong.vcd")).signals


def synthesize_wrong(source, clock_ns, folder, work):
    """Synthesize, then replace one gate of the netlist by its opposite."""
    synthesize(source, clock_ns, folder, work)
    other = {"XOR2_X1": "XNOR2_X1", "XNOR2_X1": "XOR2_X1"}
    netlist = json.loads((folder / "netlist.json").read_text())
    (module,) = (x for x in netlist["modules"].values() if len(x["cells"]) > 20)
    gate = next(cell for cell in module["cells"].values() if cell["type"] in other)
    gate["type"] = other[gate["type"]]
    (folder / "netlist.json").write_text(json.dumps(netlist))


def test_a_changed_synthesizer_makes_a_proof_anew(monkeypatch, here):
    """The key of a proof is that of its netlist: the stored proof is not one of another netlist."""
    claim = NetlistClaim(catalog.find("mont_mul").configure(3))
    assert proof_of(claim, SECONDS).verdict is ProofVerdict.PROVEN
    monkeypatch.setattr("rsaxcel.lab.proofs.netlists.code_of", lambda node: "changed")
    monkeypatch.setattr("rsaxcel.lab.proofs.netlists.synthesize", synthesize_wrong)
    assert claim.read is None  # the code of the flow has changed
    monkeypatch.setattr("rsaxcel.lab.proofs.netlists.cache_root", lambda: here)
    proof = proof_of(claim, SECONDS)
    assert proof.verdict is ProofVerdict.REFUTED
    assert "in the netlist" in proof.counterexample.text
    write_vcd(here / "wrong.vcd", proof.counterexample)
    assert VCDVCD(str(here / "wrong.vcd")).signals


@slow
def test_a_core_is_equal_to_its_netlist_with_its_shell(tmp_path):
    """The core keeps its boundary in the netlist; its registers are compared all the same."""
    for file, text in new.core("mine", "verilog", "start_done").items():
        (tmp_path / file).write_text(text)
    proof = NetlistClaim(describe(tmp_path / "core.toml").configure(4)).prove(SECONDS)
    assert proof.verdict is ProofVerdict.PROVEN
    assert int(proof.scope.split()[2]) > 16  # base, exponent, modulus and result


def test_what_a_netlist_is_read_with_is_in_its_key(monkeypatch, tmp_path):
    """Another netlist, another library, another prepared design: each gives another key."""
    monkeypatch.setattr("rsaxcel.lab.proofs.netlists.cache_root", lambda: tmp_path)
    monkeypatch.setattr("rsaxcel.lab.proofs.netlists.synthesize", write_texts("one", "two"))
    claim = NetlistClaim(catalog.find("mont_mul").configure(3))
    claim.make()
    before = claim.read, study._name(claim)
    kit = netlists._kit()
    liberty = tmp_path / "other.lib"
    liberty.write_text(kit.liberty.read_text().replace("!(A1 & A2)", "!(A1 | A2)"))
    corners = tuple((name, liberty) for name, _ in kit.corners)
    monkeypatch.setattr("rsaxcel.lab.proofs.netlists._kit", lambda: replace(kit, corners=corners))
    assert claim.read is None  # the netlist was made for another library
    names = {before[1]}
    for number, made in enumerate([("one", "two"), ("other", "two"), ("one", "other")]):
        root = tmp_path / str(number)
        monkeypatch.setattr("rsaxcel.lab.proofs.netlists.cache_root", lambda root=root: root)
        monkeypatch.setattr("rsaxcel.lab.proofs.netlists.synthesize", write_texts(*made))
        claim.make()
        names.add(study._name(claim))
    assert len(names) == 4


def write_texts(netlist, prepared):
    """Make a synthesis that writes two texts."""

    def synthesize(source, clock_ns, folder, work):
        work.mkdir()
        (folder / "netlist.json").write_text(netlist)
        (work / "prepared.il").write_text(prepared)

    return synthesize


@slow
def test_a_netlist_with_undefined_values_is_proven():
    """The proof says that it covers what the Verilog defines."""
    proof = NetlistClaim(catalog.find("digit_serial").configure(16)).prove(SECONDS)
    assert proof.verdict is ProofVerdict.PROVEN
    assert proof.scope.startswith("all states, where the Verilog defines a value, ")


def test_a_proof_passes_through_json():
    example = Counterexample("a = 1", {"a": "1"}, {"a": [1, 0]}, {"a": 1})
    proof = Proof(ProofVerdict.REFUTED, "SAT", "all", 1.5, example)
    assert Proof.from_json(json.loads(json.dumps(proof.as_json()))) == proof
