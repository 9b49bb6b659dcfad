"""What Verilog of others has: ROMs, memories, initial values, clocks, drivers."""

import subprocess
from pathlib import Path

import pytest

from rsaxcel.catalog.described import describe
from rsaxcel.cores import front_end
from rsaxcel.cores.errors import DescriptionError
from rsaxcel.cores.verilog import Sources
from tests.cores.test_described import make, told_of
from tests.shared.planted import planted
from tests.shared.tables import each_row

USED = ("sum          <= 0;", "sum <= {WIDTH{q == 5 && modulus_reg == 0}};")


def core(folder, text, files=(), declared="reg [7:0] q;", beside=""):
    """Write a core with a register ``q`` that its result depends on, as tools see it."""
    make(folder)
    registers = ("  reg             squares;", f"{declared}\n  reg squares;")
    power = planted((folder / "power.v").read_text("utf-8"), USED, registers)
    head, _, tail = power.rpartition("endmodule")
    (folder / "power.v").write_text(f"{head}{text}\nendmodule{tail}{beside}")
    for name, content in dict(files).items():
        (folder / name).write_text(content)
    return folder


def elaborated(folder, nbits=8):
    return describe(folder).configure(nbits).described


ROM = "reg [7:0] q; reg [7:0] rom [0:3];"
READ = "always @(posedge clk) q <= q ^ rom[base[1:0]];"


@pytest.mark.quick_cases("*rom.hex*rom, 2*")
@pytest.mark.parametrize(
    ("initial", "content", "value"),
    [
        ('$readmemh("rom.hex", rom);', "01 0a // one\nff\n", "8'h1, 8'ha, 8'hff, 8'h0"),
        ('$readmemb("rom.hex", rom, 2);', "1 1_0", "8'h0, 8'h0, 8'h1, 8'h2"),
        ('if (WIDTH > 4) $readmemh("rom.hex", rom); else rom[0] = 1;', "@3 7 /*8*/", "8'h0, 8'h7"),
        ("for (i = 0; i < 4; i = i + 1) rom[i] = i * i;", "", "8'h0, 8'h1, 8'h4, 8'h9"),
    ],
)
def test_a_rom_is_a_constant(tmp_path, initial, content, value):
    text = f"integer i; initial begin {initial} end {READ}"
    found = elaborated(core(tmp_path / "core", text, {"rom.hex": content}, ROM))
    assert value in found.text(8)
    assert "initial" not in found.text(8)
    assert any("memory rom: 4 words of 8 bits, 32 bits, constants" in x for x in found.notes(8))


@pytest.mark.quick_cases("*genvar*")
@each_row(__file__, "blocks", "initial", "value")
def test_all_blocks_give_their_values(tmp_path, initial, value):
    folder = core(tmp_path / "core", f"initial {initial} {READ}", {"rom.hex": "1 2 3 4"}, ROM)
    assert f"assign rom = '{{{value}}};" in elaborated(folder).text(8)


@pytest.mark.quick_cases("*case*")
@each_row(__file__, "no_values", "text", "told")
def test_values_that_cannot_be_told(tmp_path, text, told):
    more = "\nmodule beside(input c); reg q; endmodule\nmodule wider #(parameter N = 1)();\n" + (
        "reg [3:0] w; genvar k; for (k = 0; k < N; k = k + 1) initial w[k] = 1; endmodule"
    )
    folder = core(tmp_path / "core", f"{text} {READ}", {"rom.hex": "1"}, ROM, more)
    assert f"power.v:{told}" in told_of(folder)


@pytest.mark.slow
def test_another_content_is_another_circuit(tmp_path):
    text = f'initial $readmemh("rom.hex", rom); {READ}'
    folder = core(tmp_path / "core", text, {"rom.hex": "1"}, ROM)
    assert folder / "rom.hex" in elaborated(folder).files
    before = describe(folder).configure(8).key
    (folder / "rom.hex").write_text("2")
    assert describe(folder).configure(8).key != before


@pytest.mark.slow
def test_a_file_whose_name_is_computed(tmp_path):
    text = f'localparam DIR = "data"; initial $readmemh({{DIR, "/rom.hex"}}, rom); {READ}'
    folder = core(tmp_path / "core", text, declared=ROM)
    (folder / "data").mkdir()
    (folder / "data/rom.hex").write_text("1")
    assert "power.v:73: the name of the file 'data/rom.hex' is computed" in told_of(folder)
    with (folder / "core.toml").open("a") as file:
        file.write('# "data/rom.hex"\n')
    assert folder / "data/rom.hex" in elaborated(folder).files
    assert "assign rom = '{8'h1, " in elaborated(folder).text(8)


@pytest.mark.quick_cases("*no.hex*", "*n100-*", "*forever*", "*<=*")
@each_row(__file__, "no_rom", "call", "content", "told")
def test_a_rom_that_is_none(tmp_path, call, content, told):
    folder = core(tmp_path / "core", f"initial {call};\n{READ}", {"rom.hex": content}, ROM)
    assert told in told_of(folder)


COUNTED = """integer k; reg [7:0] x;
always @(posedge clk) for (k = 0; k < 8; k = k + 1) x[k] <= base[7 - k];
always @(posedge clk) begin q <= 0; for (k = 0; k < 8; k = k + 1) q[k] <= x[7 - k]; end"""
HALVES = """integer k;
always @(posedge clk) for (k = 0; k < 4; k = k + 1) q[k] <= base[k];
always @(posedge clk) for (k = 4; k < 8; k = k + 1) q[k] <= base[k];"""


@pytest.mark.slow_cases("*flow*")
@pytest.mark.parametrize("text", [COUNTED, HALVES], ids=["bits", "halves"])
@pytest.mark.parametrize("how", ["text", "flow"])
def test_a_counter_of_loops_that_processes_share(rsaxcel, tmp_path, text, how):
    folder = core(tmp_path / "core", text)
    described = elaborated(folder)
    described.check_netlist(8)
    assert described.netlist_text(8).count("integer k;") == 3
    if how == "flow":
        assert rsaxcel("flow", folder, "--nbits", 8, "--activity", "zero").status == 0


def test_a_counter_that_is_used_elsewhere_has_several_drivers(tmp_path):
    told = told_of(core(tmp_path / "core", f"{COUNTED}\nwire w = k[0];"), netlist=True)
    assert "power.v:73: several drivers of k (" in told


@pytest.mark.slow
def test_contents_of_a_memory_that_is_written(tmp_path):
    text = f'initial $readmemh("rom.hex", rom); {READ} always @(posedge clk) rom[0] <= base;'
    folder = core(tmp_path / "core", text, {"rom.hex": "1"}, ROM)
    assert "an ASIC has no initial contents; a ROM is allowed" in told_of(folder)


@pytest.mark.quick_cases("wire gated*", "reg*ram*", "IBUF*", "*begin q = 0; for*", "*while*")
@each_row(__file__, "refused", "text", "told")
def test_what_no_command_takes(tmp_path, text, told):
    assert told in told_of(core(tmp_path / "core", text))


def test_functions_of_constants_may_loop(tmp_path):
    functions = (
        "function automatic int halves(int x); while (x > 1) begin x = x / 2; halves++; end "
        "endfunction\n"
        "function automatic int all_to(int x); return x == 0 ? 0 : x + all_to(x - 1); endfunction\n"
    )
    folder = core(
        tmp_path / "core", f"{functions} always @(posedge clk) q <= halves(64) + all_to(4);"
    )
    assert elaborated(folder).core(8)


def test_one_file_may_have_a_time_scale(tmp_path):
    folder = core(
        tmp_path / "core",
        "part p(); always @(posedge clk) q <= base;",
        beside="`timescale 1ns/1ps\nmodule part; endmodule\n",
    )
    assert elaborated(folder).core(8)


@pytest.mark.quick_cases("wire n*", "wire w*")
@each_row(__file__, "no_netlist", "text", "told")
def test_what_no_netlist_takes(tmp_path, text, told):
    assert told in told_of(core(tmp_path / "core", text), netlist=True)


def test_what_is_told(tmp_path):
    text = "reg [7:0] ram [0:15]; reg [3:0] none; always @(posedge clk) begin\n" + (
        "ram[q] <= base; q <= ram[q] ^ none; end wire c = clk; always @(posedge c) more <= q;"
    )
    folder = core(tmp_path / "core", text, declared="reg [7:0] q = 3; reg [7:0] more;")
    found = elaborated(folder)
    found.check_netlist(8)
    assert found.notes(8) == (
        "power.v:73: memory ram: 16 words of 8 bits, 128 bits, as flip-flops, for an ASIC without "
        "a macro",
        "power.v:22: q has an initial value, which an ASIC does not have",
        "power.v:73: nothing drives it, and a netlist has 0: variable 'none' is never assigned a "
        "value",
    )
    assert "assign none = '0;" in found.netlist_text(8)
    assert "assign none" not in found.text(8)


def test_z_is_0_in_a_netlist(tmp_path):
    """Patterns of choices and comparisons stay."""
    text = "wire [7:0] bus = start ? base : 8'bz; always @* begin more = 'z; casez (base)\n"
    text += "8'b1zzz_zzzz: more = base[1:0] ==? 2'bz1; endcase end"
    found = elaborated(core(tmp_path / "core", text, declared="reg [7:0] q; reg more;"))
    told = "Z, and a netlist has 0"
    assert found.notes(8)[:2] == (f"power.v:73: {told}",) * 2
    netlist = text.replace("8'bz;", "8'b0;").replace("'z;", "'0;")
    assert netlist.partition("\n")[0] in found.netlist_text(8)
    assert netlist.partition("\n")[2] in found.netlist_text(8)
    assert "8'bz;" in found.text(8)


@pytest.mark.slow
def test_a_test_bench_in_the_core_does_no_harm(tmp_path):
    text = 'initial begin $dumpfile("x.vcd"); $dumpvars; end initial forever #5 $display("x");'
    assert "initial" not in elaborated(core(tmp_path / "core", text)).text(8)


@pytest.mark.slow
def test_a_rom_in_gates(rsaxcel, here):
    text = f'initial $readmemh("rom.hex", rom); wire none; {READ}'
    text = text.replace("^ rom", "^ none ^ rom")
    core(here / "core", text, {"rom.hex": "1 2 3 4"}, ROM)
    done = rsaxcel("flow", "core", "--nbits", 8, "--activity", "zero")
    assert done.status == 0, done.err


TABLE = "".join(f"4'd{x}: steps <= 4'd{x - 1}; " for x in range(1, 16))
LEAVES_OUT = "4'd0, 4'd1, 4'd2: steps <= steps - 1'b1;"


@pytest.mark.slow
@pytest.mark.parametrize(
    "changed",
    [
        f"case (steps) {TABLE} default: steps <= 4'd15; endcase",
        f"case (steps) {LEAVES_OUT} endcase if (steps > 4'd2) steps <= steps - 1'b1;",
    ],
    ids=["a table, which the front end makes a ROM of", "values are left out"],
)
def test_a_case_in_gates(rsaxcel, here, changed):
    folder = make(here / "core")
    power = (folder / "power.v").read_text("utf-8")
    assert "steps  <= steps - 1'b1;" in power
    (folder / "power.v").write_text(power.replace("steps  <= steps - 1'b1;", changed))
    done = rsaxcel("flow", folder, "--nbits", "8", "--activity", "zero")
    assert done.status == 0, done.err


def test_the_flow_is_refused_before_a_tool_runs(tmp_path):
    folder = core(tmp_path / "core", "always @(negedge clk) q <= q ^ base;")
    with pytest.raises(DescriptionError, match=r"power\.v:73: flip-flops at the falling edge"):
        describe(folder).configure(8).shelled.alone("top")


@pytest.mark.slow
def test_nothing_is_read_by_tools(tmp_path):
    folder = core(tmp_path / "core", f'initial $readmemh("rom.hex", rom); {READ}', {}, ROM)
    subprocess.run(["mkfifo", folder / "rom.hex"], check=True)
    assert "there is no 'rom.hex' in the folder" in told_of(folder)


def test_all_files_of_a_name_are_known(tmp_path):
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / "m.v").write_text('initial $readmemh("r.hex", rom);')
        (tmp_path / name / "r.hex").write_text("1")
    files = tuple(tmp_path / x / "m.v" for x in "ab")
    found = Sources(tmp_path, "core", files, (), ()).data_files([])
    assert found == (tmp_path / "a/r.hex", tmp_path / "b/r.hex")


@pytest.mark.slow
def test_a_file_that_is_too_large(tmp_path):
    folder = core(tmp_path / "core", f'initial $readmemh("rom.hex", rom); {READ}', declared=ROM)
    with (folder / "rom.hex").open("w") as file:
        file.truncate(17 << 20)
    assert told_of(folder) == "rom.hex: more than 16 MB for a ROM; less is allowed"


def test_a_busy_machine_is_no_fault_of_the_verilog(tmp_path, monkeypatch):
    monkeypatch.setattr(front_end, "_WAITED", 0.01)
    folder = make(tmp_path / "core")
    with pytest.raises(DescriptionError, match="the machine does too much else"):
        elaborated(folder).core(8)


@pytest.mark.slow
def test_a_text_with_other_bytes_than_utf_8(tmp_path):
    text = f"initial rom[0] = 1; wire none; {READ}".replace("^ rom", "^ none ^ rom")
    folder = core(tmp_path / "core", f"// {chr(0xE9) * 9}\n{text}", declared=ROM)
    file = folder / "power.v"
    file.write_bytes(file.read_text("utf-8").encode("latin-1"))
    found = elaborated(folder)
    assert "assign rom = '{8'h1, 8'h0, 8'h0, 8'h0}; wire none;" in found.text(8)
    assert "wire none; assign none = '0;" in found.netlist_text(8)


@pytest.mark.slow
def test_a_rom_that_two_modules_include(tmp_path):
    more = '\nmodule more(input c);\nreg [7:0] rom [0:3];\n`include "rom.vh"\nendmodule'
    files = {"rom.vh": "initial begin rom[0] = 1; rom[1] = 2; end\n"}
    text = f'more m(clk);\n`include "rom.vh"\n{READ}'
    found = elaborated(core(tmp_path / "core", text, files, ROM, more)).text(8)
    assert found.count("assign rom = '{8'h1, 8'h2, 8'h0, 8'h0};") == 2
    folder = core(tmp_path / "other", text, files, ROM, more.replace("[7:0]", "[8:0]"))
    assert "rom.vh:1: included by several modules, which need other constants" in told_of(folder)


@pytest.mark.slow
def test_a_rom_beside_a_core_by_a_relative_path(here):
    folder = core(Path("core"), f'initial $readmemh("rom.hex", rom); {READ}', declared=ROM)
    (folder / "rtl").mkdir()
    for name in ("power.v", "core.v"):
        (folder / name).rename(folder / "rtl" / name)
    (folder / "rtl/rom.hex").write_text("1")
    file = folder / "core.toml"
    file.write_text(file.read_text("utf-8").replace('["*.v"]', '["rtl/*.v"]'))
    assert "assign rom = '{8'h1, " in elaborated(folder).text(8)


def test_a_name_with_a_dollar_is_no_call(tmp_path):
    folder = core(tmp_path / "core", "wire a$display = 1; wire a$b = a$display;")
    assert "wire a$display = 1; wire a$b = a$display;" in elaborated(folder).text(8)


def test_below_instances_that_are_alike(tmp_path):
    """What slang has analyzed once is there twice: registers with a start, memories and ROMs."""
    below = Path(__file__).with_name("alike.v").read_text("utf-8")
    use = "alike one (clk, base[1:0], squares, p[0]); alike two (clk, base[1:0], p[0], p[1]);"
    use += " always @(posedge clk) q <= p;"
    folder = core(tmp_path / "core", use, declared="wire [1:0] p; reg [7:0] q;", beside=below)
    told = "\n".join(elaborated(folder).notes(8))
    assert "memory words: 2 times 4 words of 8 bits" in told
    assert "memory rom: 4 words of 8 bits" in told
    assert "k has an initial value" in told
    assert "l has an initial value" in told
