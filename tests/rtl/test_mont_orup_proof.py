"""Proof that a MontOrup lane keeps its bounds and computes the right sums, for all inputs.

Yosys proves that

- the rows of an iteration add up to ``a * B + q * M2`` plus a constant, and trees of adders keep
  the sum of their rows modulo a power of two;
- in the whole lane, after a reset and for all inputs, no adder loses a carry, so that sums are
  exact; the running sum stays within the golden model's bound; digits are signed digits; and a
  result is the value of the running sum and the digits below it;
- no result is overwritten before it is complete.

One assumption on inputs: a product as an integer loads its addend, which is below the modulus."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, sext, update, zext

from rsaxcel.fl.multipliers.mont_orup import PIPELINES, MontOrup
from rsaxcel.rtl.lib.carry_save import CarrySaveTree
from rsaxcel.rtl.multipliers.mont_orup.booth import BoothDigits
from rsaxcel.rtl.multipliers.mont_orup.control import LaneControl
from rsaxcel.rtl.multipliers.mont_orup.mont_orup import MontOrup as Lane
from rsaxcel.rtl.multipliers.mont_orup.rows import ProductRows
from rsaxcel.sim.translate import translate


class AnyTree(Component):
    """A carry-save tree; ``wrong``: sums of inputs and outputs differ modulo ``2**nbits``."""

    def construct(s, nbits, rows, left):
        Row = mk_bits(nbits)
        s.rows = [InPort(Row) for _ in range(rows)]
        carries = min(rows - left, 2)
        s.carry_in = [InPort(1) for _ in range(carries)]
        s.wrong = OutPort(1)
        s.tree = CarrySaveTree(nbits, rows, left)
        for i in range(rows):
            s.tree.rows[i] //= s.rows[i]
        for i in range(carries):
            s.tree.carry_in[i] //= s.carry_in[i]
        s.sum_in = Wire(Row)
        s.sum_out = Wire(Row)

        @update
        def comb_sum_in():
            s.sum_in @= 0
            for i in range(rows):
                s.sum_in @= s.sum_in + s.rows[i]
            for i in range(carries):
                s.sum_in @= s.sum_in + zext(s.carry_in[i], Row)

        @update
        def comb_sum_out():
            s.sum_out @= 0
            for i in range(left):
                s.sum_out @= s.sum_out + s.tree.sums[i]

        @update
        def comb_wrong():
            s.wrong @= s.sum_in != s.sum_out


class AnyRows(Component):
    """Rows for any digits, B and M2; ``wrong``: their sum is not a * B + q * M2 + constant."""

    def construct(s, nbits, residue_nbits, digit_nbits):
        Digit, Sum = mk_bits(digit_nbits), mk_bits(residue_nbits + digit_nbits + 2)
        count, constant = digit_nbits + 1, (1 << digit_nbits) - 1 << residue_nbits
        s.b = InPort(residue_nbits)
        s.m2 = InPort(nbits)
        s.a_digit = InPort(Digit)
        s.below = InPort(1)
        s.q_digit = InPort(Digit)
        s.wrong = OutPort(1)
        s.a = BoothDigits(digit_nbits)
        s.q = BoothDigits(digit_nbits)
        s.a.digit //= s.a_digit
        s.a.below //= s.below
        s.q.digit //= s.q_digit
        s.q.below //= 0
        s.rows = ProductRows(nbits, residue_nbits, digit_nbits)
        s.rows.b //= s.b
        s.rows.m2 //= s.m2
        for part in ("one", "two", "negative"):
            for name, digits in (("a", s.a), ("q", s.q)):
                port = getattr(s.rows, f"{name}_{part}")
                port //= getattr(digits, part)
        s.total = Wire(Sum)
        s.expected = Wire(Sum)

        @update
        def comb_total():
            s.total @= 0
            for i in range(count):
                s.total @= s.total + zext(s.rows.rows[i], Sum)

        @update
        def comb_expected():
            s.expected @= (
                (sext(s.a_digit, Sum) + zext(s.below, Sum)) * sext(s.b, Sum)
                + sext(s.q_digit, Sum) * zext(s.m2, Sum)
                + constant
            )

        @update
        def comb_wrong():
            s.wrong @= s.total != s.expected


PROVED = "SUCCESS!"
INDUCTION = "-tempinduct -maxsteps 10"
QUICK = (4, 4, "rows4", 2)

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


def digits_value(name: str, count: int) -> str:
    """Verilog expression for the value of a part's registers of radix-4 digits."""
    terms = []
    for j in range(count):
        one, two, negative = (f"circuit.{name}.{x}_reg[{j}]" for x in ("one", "two", "negative"))
        magnitude = f"$signed({{1'b0, {two}, {one}}})"
        terms.append(f"({negative} ? -{magnitude} : {magnitude}) * {4**j}")
    return " + ".join(terms)


def checked_lane(nbits: int, k: int, pipeline: str, whole_digits: int, bound: int = 0) -> str:
    """Verilog of a lane and its properties; ``bound``: of the running sum, by default golden."""
    golden = MontOrup(nbits, k, pipeline)
    residue_nbits, width, late = golden.residue_nbits, golden.sum_nbits, golden.row_registers
    bound = bound or golden.sum_bound(1 << residue_nbits - 1, (1 << nbits) - 1)
    offset, half = 1 << width - 1, 1 << k - 1
    trees = {"tree": late or k + 1, "row_tree": k + 1 - late if late else 0}
    adders = [
        f"circuit.running_sum.{x}.adders__{i}" for x, count in trees.items() for i in range(count)
    ]
    digits, wrong_digits = [], []
    for name, part in (("a", "operand_digits"), ("q", "quotient_digit")):
        digits.append(f"wire signed [{k + 3}:0] {name} = {digits_value(part, k // 2)};")
        both = f"(circuit.{part}.one_reg & circuit.{part}.two_reg) != 0"
        wrong_digits.append(f"{both} | {name} > {half} | {name} < -{half}")
    tail = f"circuit.b_first[{residue_nbits - 1}:{nbits}]"
    return checked(
        Lane(nbits, k, pipeline, doubles=bool(whole_digits), whole_digits=whole_digits),
        "lane",
        LANE,
        residue=residue_nbits - 1,
        low=golden.quotient_delay * k,
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
    (folder / "proved.sv").write_text(verilog)
    script = "import sys\nfrom pyosys import libyosys as ys\nd = ys.Design()\n"
    script += "for command in sys.argv[1:]:\n    ys.run_pass(command, d)\n"
    commands = [
        f"read_slang --no-implicit-memories --top {top} proved.sv",
        "proc",
        "flatten",
        "opt -full -nosdff",
        "dffunmap",
        "opt_clean",
        f"sat -prove wrong 0 {sat} {top}",
    ]
    done = subprocess.run(
        [sys.executable, "-c", script, *commands], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.mark.parametrize("fixed", ["-set q_digit 0 -set m2 0", "-set a_digit 0 -set b 0"])
@pytest.mark.parametrize(
    "widths",
    [(4, 12, 4), *(pytest.param(x, marks=pytest.mark.slow) for x in ((3, 20, 4), (6, 16, 6)))],
)
def test_rows(widths, fixed, tmp_path):
    """Rows are right for B alone and M2 alone: each bit of a row comes from only one of them."""
    module = translate(AnyRows(*widths), "rows", check=lambda component: None)
    assert PROVED in prove(tmp_path, module.text, "rows", fixed)


@pytest.mark.parametrize("shape", [(4, 7, 2), (4, 9, 4), (3, 11, 2)])
def test_trees(shape, tmp_path):
    module = translate(AnyTree(*shape), "tree", check=lambda component: None)
    assert PROVED in prove(tmp_path, module.text, "tree", "")


@pytest.mark.parametrize(
    ("nbits", "k", "pipeline", "whole_digits"),
    [
        pytest.param(*point, marks=[] if point == QUICK else [pytest.mark.slow])
        for point in (
            *((4, 4, pipeline, digits) for pipeline in PIPELINES for digits in (0, 2)),
            (8, 8, "rows6", 2),
            (9, 6, "quotient", 3),
            (32, 8, "rows4", 8),
            (64, 16, "rows6", 8),
        )
    ],
)
@pytest.mark.timeout(1800)
def test_lanes(nbits, k, pipeline, whole_digits, tmp_path):
    verilog = checked_lane(nbits, k, pipeline, whole_digits)
    assert PROVED in prove(tmp_path, verilog, "checked", INDUCTION)


@pytest.mark.parametrize("pipeline", ["none", pytest.param("rows4", marks=pytest.mark.slow)])
def test_a_bound_that_does_not_hold(pipeline, tmp_path):
    """A bound of nine tenths fails in a run from a reset, not only in the induction step."""
    golden = MontOrup(4, 4, pipeline)
    bound = golden.sum_bound(1 << golden.residue_nbits - 1, 15) * 9 // 10
    found = prove(tmp_path, checked_lane(4, 4, pipeline, 0, bound), "checked", INDUCTION)
    assert "model found for base case" in found
    assert PROVED not in found


@pytest.mark.parametrize("pipeline", ["none", "quotient", "rows4"])
def test_control(pipeline, tmp_path):
    control = LaneControl(MontOrup(4, 4, pipeline), True, 2)
    verilog = checked(control, "control", CONTROL)
    assert PROVED in prove(tmp_path, verilog, "checked", INDUCTION)


def test_a_contract_that_is_broken(tmp_path):
    """Without its load, a product as an integer overwrites an incomplete result with m."""
    text = CONTROL.replace("loads | whole", "loads")
    verilog = checked(LaneControl(MontOrup(4, 4, "none"), True, 2), "control", text)
    found = prove(tmp_path, verilog, "checked", "-tempinduct -maxsteps 30")
    assert "model found for base case" in found
