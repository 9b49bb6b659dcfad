"""Self-tests of claims: faults are planted in circuits, and claims have to refute them."""

from collections import Counter
from dataclasses import replace

import pytest

from rsaxcel import catalog
from rsaxcel.flow.errors import ToolFailure
from rsaxcel.lab.proofs.blocks import BLOCKS
from rsaxcel.lab.proofs.circuits_alike import proved_equal, seen_apart
from rsaxcel.lab.proofs.exchanges import exchange_claims
from rsaxcel.lab.proofs.functions import FunctionClaim
from rsaxcel.lab.proofs.netlists import NetlistClaim
from rsaxcel.lab.proofs.products import ProductClaim
from rsaxcel.lab.proofs.reading import read_machine
from rsaxcel.lab.proofs.responses import ResponseClaim, StatusClaim
from rsaxcel.lab.proofs.secrecy import SecrecyClaim
from rsaxcel.lab.proofs.self_test import PlantedFault, SelfTest, fate_of, faults_in, plant
from rsaxcel.lab.proofs.surroundings import EXCHANGES

slow = pytest.mark.slow
SECONDS = 60
LADDER = catalog.get("montmul_r2l").configure(8, schedule="ladder")


def test_faults_of_all_kinds_are_drawn_by_a_seed():
    module = FunctionClaim(BLOCKS["divider"], 4).module
    faults = plant(module, 20, 7)
    assert faults == plant(module, 20, 7)
    assert faults != plant(module, 20, 8)
    assert len({fault.verilog for fault in faults}) == len(faults) == 20
    kinds = Counter(fault.kind for fault in faults)
    assert {*kinds} == {"gate", "register", "handshake", "operator"}


def test_a_text_that_no_tool_reads_is_not_refuted():
    """Otherwise, a text that is written wrong would be a success."""
    claim = FunctionClaim(BLOCKS["add_halve"], 4)
    with pytest.raises(ToolFailure):
        fate_of([claim], PlantedFault("gate", "", claim.module.text + "\nmodule"), SECONDS)


@slow
def test_what_no_surroundings_do_has_no_effect():
    """The adapter takes a response before it has sent a request: there is none."""
    claims = exchange_claims(EXCHANGES["xcel_adapter"])
    text = claims[0].module.text
    old = "exponentiator__send__rdy = started_reg & ("
    assert old in text
    for new, fate in (("(", "equal"), ("~started_reg & (", "refuted")):
        fault = PlantedFault("handshake", "", text.replace(old, old.split("=")[0] + "= " + new))
        assert fate_of(claims, fault, SECONDS) == fate


def test_planted_texts_have_no_cells_of_yosys():
    claim = ResponseClaim(catalog.get("systolic_l2r_always").configure(8))
    assert not any("\\$" in fault.verilog for fault in faults_in([claim], 4, 1))


HALVES = """
module {top}(input clk, input reset, input [7:0] given, output [1:0] found);
  reg [7:0] one_reg, other_reg;
  always @(posedge clk) one_reg <= one_reg + given;
  always @(posedge clk) other_reg <= other_reg ^ given;
  assign found = {{^other_reg, &one_reg}};
endmodule
"""


@pytest.mark.parametrize("read", [0, 1])
def test_faults_are_in_what_the_claim_reads(read):
    module = FunctionClaim(BLOCKS["divider"], 4).module
    halves = module.with_text(HALVES.format(top=module.top))
    registers = [
        {name for name in ("one_reg", "other_reg") if name in fault.text}
        for fault in plant(halves, 40, 1, read=[f"found_{read}"])
    ]
    assert {x for found in registers for x in found} == {("one_reg", "other_reg")[read]}


KEEPS = """
module top(input clk, input reset, input takes, input given, output found);
  {body}
endmodule
"""
WORDS = """logic [1:0][0:0] kept;
  always_ff @(posedge clk) if (takes) kept[1] <= given;
  always_ff @(posedge clk) kept[0] <= kept[1];
  assign found = ^kept;"""
BITS = """reg [1:0] kept;
  always @(posedge clk) if (takes) kept[1:1] <= given;
  always @(posedge clk) kept[0:0] <= kept[1];
  assign found = {found};"""


@pytest.mark.parametrize(("found", "same"), [("^kept", True), ("|kept", False)])
def test_circuits_that_are_compared_begin_with_the_same_contents(tmp_path, found, same):
    """No reset sets the registers, which have the same names in both texts, and other cells."""
    words, bits = (KEEPS.format(body=x) for x in (WORDS, BITS.format(found=found)))
    assert proved_equal(words, bits, "top", tmp_path / "pair", 10) is same
    assert seen_apart(read_machine(words, "top"), read_machine(bits, "top"), 10) is not same


def self_test(claims, seed):
    """Plant faults in the circuit of claims; try them until one claim refutes the fault."""
    faults = faults_in(claims, 16, seed)
    return SelfTest(claims, [(fault, fate_of(claims, fault, SECONDS)) for fault in faults])


@slow
def test_a_weak_claim_lets_faults_survive():
    """The remainder of a division is not compared: its faults are listed."""
    block = BLOCKS["divider"]

    def at(nbits, **params):
        found = block.at(nbits, **params)
        return replace(found, right="REMAINDER < DIVISOR || DIVISOR == 0")

    strong = self_test([FunctionClaim(block, 4)], 1)
    weak = self_test([FunctionClaim(replace(block, at=at), 4)], 1)
    assert strong.share == 1
    assert weak.share < 0.9
    assert weak.surviving


@slow
@pytest.mark.parametrize(
    "claims",
    [
        pytest.param([ProductClaim(catalog.find("mont_mul").configure(3))], id="product"),
        pytest.param([FunctionClaim(BLOCKS["add_halve"], 4)], id="function"),
        pytest.param([StatusClaim(catalog.get("mulrem_r2l").configure(8))], id="status"),
        pytest.param([ResponseClaim(catalog.get("orup_window").configure(8))], id="response"),
        pytest.param([SecrecyClaim(LADDER)], id="secrecy"),
        pytest.param(exchange_claims(EXCHANGES["xcel_adapter"]), id="exchange"),
        pytest.param([NetlistClaim(catalog.find("mont_mul").configure(4))], id="netlist"),
    ],
)
def test_claims_refute_planted_faults(claims):
    found = self_test(claims, 3)
    assert len(found.found) >= 12
    assert found.count("refuted") > 0
    assert found.share >= 0.95, [fault.text for fault, _ in found.surviving]
