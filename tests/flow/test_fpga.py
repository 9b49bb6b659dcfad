"""FPGA resources: small circuits whose resources are known, records, and the command."""

from pathlib import Path

import pytest

from rsaxcel import catalog
from rsaxcel.cli import fpga as fpga_command
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.fpga import run_fpga
from rsaxcel.flow.resources import FAMILIES, WIDE_COMPARE, count_resources
from rsaxcel.flow.yosys import Yosys, in_yosys
from tests.shared.harness import ANY_MODULUS

#: A register, a sum, a product, a memory of 32 words of 6 bits and a delay of 16 cycles.
CIRCUIT = Path(__file__).with_name("elements.sv").read_text("utf-8")


def count(verilog: str, family: str, folder) -> dict:
    """Resources of the module ``unit``."""
    (folder / "unit.v").write_text(verilog)
    return count_resources(folder / "unit.v", "unit", family, folder / "work")["resources"]


@pytest.mark.parametrize(
    ("family", "expected"),
    [
        # carries come in fours; the memory is one RAM32M of four LUTs, the delay one SRL16E
        ("xc7", {"flip_flops": 8, "carry_bits": 20, "dsp": 1, "memory_luts": 5}),
        ("cyclonev", {"flip_flops": 24, "dsp": 1, "memory_luts": 6}),
    ],
)
def test_known_circuit(family, expected, tmp_path):
    """Resources of a circuit with every kind of element are as counted by hand."""
    found = count(CIRCUIT, family, tmp_path)
    assert {name: found[name] for name in expected} == expected
    assert found["memory_blocks"] == 0
    if family == "xc7":
        assert 18 <= found["logic_luts"] <= 20
        assert found["luts"] == found["logic_luts"] + 5
    else:
        assert 18 <= found["carry_bits"] <= 21
        assert 12 <= found["alms"] <= 14  # nine or ten ALMs of the sum, three of the memory


#: Each operator with operands of equal and of different widths, signed ones, and a constant.
PAIRS = (
    ("a", "b"),
    ("a", "b[39:0]"),
    ("$signed(a)", "$signed(b)"),
    ("$signed(a[38:0])", "$signed(b)"),
    ("a", "41'h123456789ab"),
)
COMPARISONS = [f"{a} {operator} {b}" for operator in ("<", "<=", ">", ">=") for a, b in PAIRS]


def _map_comparisons(verilog: Path) -> None:
    """Prove that the map keeps functions, and makes chains as long as Yosys's own map does."""
    chains = []
    for file in (WIDE_COMPARE, "+/cmp2lcu.v"):
        yosys = Yosys()
        yosys.run(f"read_verilog -sv {verilog}", "hierarchy -auto-top")
        techmap = f"techmap -map {file} -D LUT_WIDTH=6"
        yosys.run(f"equiv_opt -assert {techmap}", "design -load postopt")
        cells = list(yosys.module("unit").cells_.values())
        assert not {x.type.str() for x in cells} & {"$lt", "$le", "$gt", "$ge"}
        chain = yosys.lib.IdString("\\P")
        chains.append(sorted(x.getPort(chain).size() for x in cells if x.type.str() == "$lcu"))
    assert chains[0] == chains[1]
    assert len(chains[0]) == len(COMPARISONS)


def test_wide_comparisons(tmp_path):
    ports = f"input [40:0] a, b, output [{len(COMPARISONS) - 1}:0] y"
    body = f"assign y = {{{', '.join(COMPARISONS)}}};"
    (tmp_path / "unit.v").write_text(f"module unit ({ports}); {body} endmodule")
    in_yosys(tmp_path / "unit.log", _map_comparisons, tmp_path / "unit.v")


def test_cells_without_a_column_are_told():
    with pytest.raises(FlowError, match="Xilinx 7 series: cells MYSTERY are not counted"):
        FAMILIES["xc7"].resources({"LUT2": 1, "MYSTERY": 1})


def test_what_yosys_refuses_has_a_reason_of_one_line(tmp_path):
    with pytest.raises(FlowError, match="missing") as refusal:
        count("module unit; missing u (); endmodule", "xc7", tmp_path)
    assert "\n" not in str(refusal.value)


def test_an_unknown_family():
    with pytest.raises(ValueError, match="family 'stratix': cyclonev, xc7 are allowed"):
        run_fpga(catalog.find("ssmm").configure(8), "stratix")


def test_the_command_offers_all_families():
    assert set(fpga_command.FAMILIES) == set(FAMILIES)


@pytest.mark.xdist_group("rsaxcel-fpga")
def test_a_record_is_made_once(tmp_path):
    """A second run does not start Yosys; another parameter gives another record."""
    lines: list[str] = []
    unit = catalog.find("ssmm").configure(8)
    record = run_fpga(unit, "cyclonev", progress=lines.append, directory=tmp_path)
    again = run_fpga(unit, "cyclonev", progress=lines.append, directory=tmp_path)
    assert again == record
    assert lines == ["translate", "fpga", "record of an earlier run"]
    # p and c have nine bits, b and the modulus have eight; the rest is control
    assert 36 <= record.resources["flip_flops"] <= 40
    other = catalog.find("ssmm").configure(8, bits_per_cycle=2)
    assert run_fpga(other, "cyclonev", directory=tmp_path).hash != record.hash


@pytest.mark.slow
def test_multiplier_blocks_of_the_systolic_row(tmp_path):
    """As in the document: two blocks for u, and one for each word, which is used twice."""
    record = run_fpga(catalog.find("systolic").configure(62), "xc7", directory=tmp_path)
    assert record.resources["dsp"] == 62 // 16 + 1 + 2


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", catalog.DESIGNS)
def test_every_design(name, family, tmp_path):
    """All cells are counted, and there are at least as many storage bits as the design needs."""
    record = run_fpga(catalog.get(name).configure(12), family, directory=tmp_path)
    # at least base, exponent, modulus and result; a LUT stores 16 bits or more
    operands = 3 if name not in ANY_MODULUS else 4  # residues of one modulus may have fewer bits
    assert record.resources["flip_flops"] + 16 * record.resources["memory_luts"] >= operands * 12
    assert record.resources["flip_flops"] >= 12
    assert record.resources["alms" if family == "cyclonev" else "luts"] > 12
