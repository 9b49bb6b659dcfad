"""Proof that a MontOrup lane keeps its bounds and computes the right sums, for all inputs.

Yosys proves that

- in the whole lane, after a reset and for all inputs, no adder loses a carry, so that sums are
  exact; the running sum stays within the golden model's bound; digits are signed digits; and a
  result is the value of the running sum and the digits below it;
- no result is overwritten before it is complete.

One assumption on inputs: a product as an integer loads its addend, which is below the modulus."""

import re
from itertools import combinations
from pathlib import Path

import pytest

from rsaxcel.fl.multipliers import ORUP_PIPELINES, MontOrup
from rsaxcel.rtl.multipliers.mont_orup.booth import MAGNITUDES
from rsaxcel.rtl.multipliers.mont_orup.control import LaneControl
from rsaxcel.rtl.multipliers.mont_orup.mont_orup import MontOrup as Lane
from rsaxcel.sim.translate import translate
from tests.shared.yosys import run_yosys

PROVED = "SUCCESS!"
INDUCTION = "-tempinduct -maxsteps 10"

LANE = Path(__file__).with_name("checked_lane.sv").read_text("utf-8")

CONTROL = Path(__file__).with_name("checked_control.sv").read_text("utf-8")


def checked(component, top: str, text: str, **given: object) -> str:
    """Verilog of a component and of the properties to prove."""
    module = translate(component, top, check=lambda component: None)
    header = module.text[module.text.rindex(f"module {top}") :].partition(");")[0]
    ports = re.findall(r"(input|output)\s+(logic [^,]*?\w+)\s*(?:,|$)", header)
    inputs = ", ".join(f"input {port}" for way, port in ports if way == "input")
    outputs = "".join(f"  {port};\n" for way, port in ports if way == "output")
    return module.text + text.format(inputs=inputs, outputs=outputs, **given)


def digits_value(name: str, radix: int, count: int) -> str:
    """Verilog expression for the value of a part's registers of recoded digits."""
    terms = []
    for j in range(count):
        magnitude = " + ".join(
            f"$signed({{3'b0, circuit.{name}.{x}_reg[{j}]}}) * {i}"
            for i, x in enumerate(MAGNITUDES[radix], 1)
        )
        negative = f"circuit.{name}.negative_reg[{j}]"
        terms.append(f"({negative} ? -({magnitude}) : ({magnitude})) * {radix**j}")
    return " + ".join(terms)


def checked_lane(
    nbits: int, k: int, pipeline: str, radix: int, whole_digits: int, bound: int = 0
) -> str:
    """Verilog of a lane and its properties; ``bound``: of the running sum, by default golden."""
    golden = MontOrup(nbits, k, pipeline, radix)
    residue_nbits, width, late = golden.residue_nbits, golden.sum_nbits, golden.row_registers
    # Nothing is assumed about 3 M2, which has two bits more than M2.
    addend_nbits = nbits + 2 if radix == 8 else nbits
    bound = bound or golden.sum_bound(1 << residue_nbits - 1, (1 << addend_nbits) - 1)
    offset, half = 1 << width - 1, 1 << k - 1
    trees = {"tree": late or golden.rows, "row_tree": golden.rows - late if late else 0}
    adders = [
        f"circuit.running_sum.{x}.adders__{i}" for x, count in trees.items() for i in range(count)
    ]
    digits, wrong_digits = [], []
    for name, part, base, count in (
        ("a", "operand_digits", 4, k // 2),
        ("q", "quotient_digit", radix, golden.quotient_digits),
    ):
        digits.append(f"wire signed [{k + 5}:0] {name} = {digits_value(part, base, count)};")
        pairs = combinations([f"circuit.{part}.{x}_reg" for x in MAGNITUDES[base]], 2)
        both = " | ".join(f"({x} & {y}) != 0" for x, y in pairs)
        wrong_digits.append(f"{both} | {name} > {half} | {name} < -{half}")
    tail = f"circuit.b_first[{residue_nbits - 1}:{nbits}]"
    return checked(
        Lane(nbits, k, pipeline, radix, doubles=bool(whole_digits), whole_digits=whole_digits),
        "lane",
        LANE,
        residue=residue_nbits - 1,
        low=golden.quotient_delay * k,
        k=k,
        sum=width - 1,
        least=f"{width + 1}'h{offset - bound:x}",
        most=f"{width + 1}'h{offset + bound:x}",
        dropped=" | ".join(f"{adder}.majority[{width - 1}]" for adder in adders),
        digits="\n  ".join(digits),
        wrong_digits=" | ".join(wrong_digits),
        fits=f"~circuit.control.takes_m_as_b | {tail} == 0" if whole_digits else "1",
    )


def prove(folder, verilog: str, top: str, sat: str) -> str:
    """Output of Yosys's ``sat`` on the claim that ``wrong`` stays 0."""
    steps = ["proc", "flatten", "opt -full -nosdff", "dffunmap", "opt_clean"]
    steps += [f"sat -prove wrong 0 {sat} {top}"]
    return run_yosys(verilog, top, folder, steps, "--no-implicit-memories")


@pytest.mark.parametrize(
    ("nbits", "k", "pipeline", "radix", "whole_digits"),
    [
        *((4, 4, x, radix, 2) for x in ORUP_PIPELINES for radix in (4, 8)),
        *((4, 4, pipeline, 4, 0) for pipeline in ORUP_PIPELINES),
        (8, 8, "rows6", 8, 2),
        (9, 6, "quotient", 4, 3),
        (32, 8, "rows4", 4, 8),
        (64, 16, "rows6", 4, 8),
        (64, 18, "rows6", 8, 8),
    ],
)
@pytest.mark.quick_cases("4-4-rows4-4-2", "4-4-none-8-2")
@pytest.mark.timeout(1800)
def test_lanes(nbits, k, pipeline, radix, whole_digits, tmp_path):
    verilog = checked_lane(nbits, k, pipeline, radix, whole_digits)
    assert PROVED in prove(tmp_path, verilog, "checked", INDUCTION)


def test_a_lane_with_copies_of_digits(tmp_path, monkeypatch):
    monkeypatch.setattr(MontOrup, "digit_copies", 2)
    verilog = checked_lane(4, 4, "rows4", 4, 2)
    assert "unone_reg" in verilog
    assert PROVED in prove(tmp_path, verilog, "checked", INDUCTION)


@pytest.mark.parametrize("pipeline", ["none", pytest.param("rows4", marks=pytest.mark.slow)])
def test_a_bound_that_does_not_hold(pipeline, tmp_path):
    """A bound of nine tenths fails in a run from a reset, not only in the induction step."""
    golden = MontOrup(4, 4, pipeline, 4)
    bound = golden.sum_bound(1 << golden.residue_nbits - 1, 15) * 9 // 10
    found = prove(tmp_path, checked_lane(4, 4, pipeline, 4, 0, bound), "checked", INDUCTION)
    assert "model found for base case" in found
    assert PROVED not in found


@pytest.mark.parametrize(
    ("pipeline", "radix"), [("none", 4), ("quotient", 4), ("rows4", 4), ("rows4", 8)]
)
def test_control(pipeline, radix, tmp_path):
    control = LaneControl(MontOrup(4, 4, pipeline, radix), True, 2)
    verilog = checked(control, "control", CONTROL)
    assert PROVED in prove(tmp_path, verilog, "checked", INDUCTION)


def test_a_contract_that_is_broken(tmp_path):
    """Without its load, a product as an integer overwrites an incomplete result with m."""
    text = CONTROL.replace("loads | whole", "loads")
    verilog = checked(LaneControl(MontOrup(4, 4, "none", 4), True, 2), "control", text)
    found = prove(tmp_path, verilog, "checked", "-tempinduct -maxsteps 30")
    assert "model found for base case" in found
