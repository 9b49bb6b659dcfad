"""Cores in VHDL: GHDL makes Verilog of them, with the places and names of VHDL."""

import re
import shutil
from itertools import product
from pathlib import Path

import pytest

from rsaxcel.catalog.described import describe
from rsaxcel.cores import vhdl
from rsaxcel.cores.errors import DescriptionError
from rsaxcel.cores.verilog import Sources
from rsaxcel.sim.translate import VerilogModule
from rsaxcel.store.code import code_digest
from rsaxcel.store.tools import ToolError
from tests.cores.test_described import told_of
from tests.shared.planted import planted
from tests.shared.tables import each_row
from tests.shared.yosys import through_yosys

needs_ghdl = pytest.mark.skipif(not shutil.which("ghdl"), reason="ghdl is not installed")

VHDL = Path(__file__).parents[2] / "course/core_skeleton/vhdl"
HERE = Path(__file__).parent


def make(folder, changes=(), of_core=()):
    """Write the core that `rsaxcel new core --language vhdl` writes, with changes."""
    folder.mkdir()
    for file, changed in (("core.toml", changes), ("core.vhd", of_core)):
        text = (VHDL / file).read_text("utf-8")
        (folder / file).write_text(planted(text, *changed), "utf-8")
    return folder


def core_of(folder, nbits=8):
    return describe(folder).configure(nbits).described.core(nbits)


@needs_ghdl
def test_a_new_core_works(rsaxcel, tmp_path):
    """Its cycles depend on the width alone: two products of n + 1 cycles for each bit."""
    made = rsaxcel(
        "new", "core", "own_vhdl", "--protocol", "streams", "--language", "vhdl", "-o", tmp_path
    )
    assert made.status == 0, made
    for nbits in (8, 13, 40):
        done = rsaxcel("sim", tmp_path / "own_vhdl", "--nbits", nbits, "--random", 100)
        assert "mismatches   0" in done.out
        cycles = 2 * nbits * (nbits + 2) + 2
        assert f"min {cycles:,}, mean {cycles:,}.0, max {cycles:,} " in done.out


@pytest.mark.slow
@needs_ghdl
@pytest.mark.parametrize("standard", ["2008", "1993"])
def test_a_new_core_is_checked_and_synthesized(rsaxcel, tmp_path, standard):
    name = f"vhdl_{standard}"
    changes = [('"skeleton"', f'"{name}"'), ("files = ", f'vhdl = "{standard}"\nfiles = ')]
    core = make(tmp_path / "core", changes)
    done = rsaxcel("check", core, "--nbits", 8, "--random", 50)
    assert "nothing wrong found" in done.out + done.err
    assert rsaxcel("flow", core, "--nbits", 8, "--activity", "zero").status == 0


@needs_ghdl
def test_operands_that_are_not_kept_are_missed(rsaxcel, tmp_path):
    moved = ('msgin_data = "b"', 'msgin_data = "b", key_e_d = "e", key_n = "n"')
    none = ('kept = { key_e_d = "e", key_n = "n" }  # until the result is taken\n', "")
    core = make(tmp_path / "core", [('"skeleton"', '"not_kept"'), moved, none])
    done = rsaxcel("check", core, "--nbits", 8, "--random", 50, "--only", "circuit")
    assert done.status == 1
    assert "WRONG" in done.out


@needs_ghdl
def test_words_of_verilog_are_names(tmp_path):
    """Files are in the wrong order; memory, registers and choices are as in VHDL."""
    for file, name in (("odd.vhd", "a.vhd"), ("odd_constants.vhd", "b.VHDL")):
        shutil.copy(HERE / file, tmp_path / name)
    text = '[protocol]\nkind = "start_done"\nstart = "always_"\noperands = { output_ = "b" }\n'
    text += 'done = "wire_"\nresult = "wire_"\n'
    head = 'name = "odd_vhdl"\nfiles = ["*"]\ntop = "ODD"\nwidths = [4]\nclock = "clk"\n'
    (tmp_path / "core.toml").write_text(head.replace('["*"]', '["*.vhd", "*.VHDL"]') + text)
    described = describe(tmp_path).configure(4).described
    verilog = described.text(4)
    assert "module ODD\n" in verilog
    for name in ("reg_", "module_", "wire_", "output_", "always_"):
        assert name in verilog
    assert "default: n22_o = 2'b00;" in verilog  # which GHDL 2.0 leaves out
    notes = described.notes(4)
    assert "names that are words of Verilog get an underscore: " in notes[0]
    told = "\n".join(notes)
    assert ("GHDL 2 makes 0 of constants" in told) == ("GHDL 2." in vhdl.ghdl_version())
    assert "a.vhd:9: memory module_: 4 words of 4 bits, 16 bits, as flip-flops" in told
    assert "a.vhd:10: reg_q has an initial value" in told


@needs_ghdl
@each_row(__file__, "refused", "changes", "of_core", "told")
def test_one_line_tells_it(tmp_path, changes, of_core, told):
    core = make(tmp_path / "core", changes, of_core)
    (core / "more.v").write_text("module rsa_core; endmodule\n")
    assert told in told_of(core)


@pytest.mark.slow
@needs_ghdl
def test_a_loop_without_an_end(tmp_path):
    loop = "function f return integer is begin while true loop end loop; return 1; end function;\n"
    use = "constant k : integer := f;\nbegin\n  done"
    core = make(
        tmp_path / "core",
        (),
        [("begin\n  done", f"{loop}{use}"), ("when left = 0", "when left = k")],
    )
    with pytest.raises(
        DescriptionError, match=r"GHDL (takes more than 20 s|\d\S* ends by a fault)"
    ):
        core_of(core)


@needs_ghdl
def test_wide_constants(tmp_path):
    """GHDL 2.0 writes constants of more than 32 bits in Verilog as it does in VHDL."""
    sources = Sources(HERE, "core", (HERE / "wide.vhd",), (), ())
    verilog, notes = vhdl.to_verilog(sources, "wide", {}, "2008")
    assert f"a ^ 40'b1{'0' * 36}101;" in verilog
    assert f"= 40'b{'1' * 40};" in verilog
    assert f"= 40'bX{'1' * 39};" in verilog
    assert re.search(r"= (\{40\{1'b0\}\}|40'b0);", verilog)  # Z, by GHDL 2 and 5
    assert "Z is 0 in r" in notes


@needs_ghdl
def test_what_nothing_drives(tmp_path):
    """Without a driver, or with one that gives Z, a netlist has 0; a bus stays a fault."""
    port = "    msgout_valid : out std_logic;\n"
    driver = "  msgout_data  <= power"
    bus = "".join(f"{driver} when state = {x} else (others => 'Z');\n" for x in ("answers", "idle"))
    free = [(port, f"{port}    free : out std_logic;\n")]
    core = make(tmp_path / "core", (), [*free, (f"{driver};\n", bus.partition("\n")[0])])
    described = describe(core).configure(40).described
    assert "Z is 0 in free, msgout_data" in described.notes(40)
    assert "bz" not in described.text(40).lower()
    described.check_netlist(40)
    shared = make(tmp_path / "bus", (), [*free, (f"{driver};\n", bus)])
    with pytest.raises(DescriptionError, match=r"several drivers|GHDL 5\S* ends by a fault"):
        describe(shared).configure(40).described.check_netlist(40)


@needs_ghdl
@pytest.mark.parametrize(("mark", "is_refused"), [("?", True), ("", False)])
def test_choices_with_any_bit(tmp_path, mark, is_refused):
    """In a case without a question mark, such a choice is no bit's."""
    file = tmp_path / "choice.vhd"
    file.write_text((HERE / file.name).read_text("utf-8").replace("?", mark))
    sources = Sources(tmp_path, "core", (file,), (), ())
    if is_refused:
        with pytest.raises(DescriptionError, match=r"core/choice.vhd:6: .* a choice with -"):
            vhdl.to_verilog(sources, "choice", {}, "2008")
    else:
        assert "module choice" in vhdl.to_verilog(sources, "choice", {}, "2008")[0]


@needs_ghdl
def test_messages_without_an_end(tmp_path):
    """GHDL prints while it elaborates: what it prints is as limited as its Verilog."""
    text = "1" * 4000
    loop = f'for i in 0 to 10000000 loop report "{text}"; end loop; return 1; end function;\n'
    told = f"function f return integer is begin {loop}constant k : integer := f;\nbegin\n  done"
    core = make(
        tmp_path / "core", (), [("begin\n  done", told), ("when left = 0", "when left = k")]
    )
    with pytest.raises(DescriptionError, match="more than 32 MB of Verilog or of messages"):
        core_of(core)


def test_without_ghdl(tmp_path, monkeypatch):
    monkeypatch.setattr(vhdl, "program", _missing)
    with pytest.raises(ToolError, match="GHDL is missing"):
        core_of(make(tmp_path / "core"))


@needs_ghdl
def test_results_depend_on_ghdl(tmp_path, monkeypatch):
    """Results of a core are made anew where another GHDL has made its Verilog."""
    entry = describe(make(tmp_path / "core"))
    before = code_digest(entry.configure(8).sources)
    assert before == code_digest(entry.configure(8).sources)
    monkeypatch.setattr(vhdl, "ghdl_version", lambda: "GHDL 99.0")
    assert before != code_digest(entry.configure(8).sources)


def _missing(tool):
    raise ToolError(f"{tool.name} is missing")


OPERATORS = {
    "std_logic_vector(ua + ub)": lambda a, b: a + b,
    "std_logic_vector(ua - ub)": lambda a, b: a - b,
    "std_logic_vector(resize(ua * ub, 8))": lambda a, b: a * b,
    "std_logic_vector(resize(sa * sb, 8))": lambda a, b: _signed(a) * _signed(b),
    "std_logic_vector(shift_right(ua, low))": lambda a, b: a >> b % 8,
    "std_logic_vector(shift_right(sa, low))": lambda a, b: _signed(a) >> b % 8,
    "std_logic_vector(shift_left(ua, low))": lambda a, b: a << b % 8,
    "std_logic_vector(rotate_left(ua, low))": lambda a, b: a << b % 8 | a >> 8 - b % 8,
    "std_logic_vector(rotate_right(ua, low))": lambda a, b: a >> b % 8 | a << 8 - b % 8,
    'std_logic_vector(ua / (ub or x"01"))': lambda a, b: a // (b | 1),
    'std_logic_vector(sa / (sb or x"01"))': lambda a, b: _quotient(_signed(a), _signed(b | 1)),
    'std_logic_vector(sa rem (sb or x"01"))': lambda a, b: (
        _signed(a) - _quotient(_signed(a), _signed(b | 1)) * _signed(b | 1)
    ),
    'std_logic_vector(sa mod (sb or x"01"))': lambda a, b: _signed(a) % _signed(b | 1),
    "std_logic_vector(to_signed((to_integer(sa) - 1) mod 10, 8))": lambda a, b: (
        (_signed(a) - 1) % 10
    ),
    "std_logic_vector(to_signed((to_integer(sa) - 1) mod 16, 8))": lambda a, b: (
        (_signed(a) - 1) % 16
    ),
    "std_logic_vector(to_signed(to_integer(sa) / 3, 8))": lambda a, b: _quotient(_signed(a), 3),
    "std_logic_vector(abs sa)": lambda a, b: abs(_signed(a)),
    "std_logic_vector(-sa)": lambda a, b: -a,
    "std_logic_vector(resize(sa(3 downto 0), 8))": lambda a, b: (a & 15) - 2 * (a & 8),
    "std_logic_vector(to_unsigned((3 * to_integer(ua) + low) mod 256, 8))": lambda a, b: (
        3 * a + b % 8
    ),
    "(a nand b) xor (a nor b)": lambda a, b: ~(a & b) ^ ~(a | b),
    "(0 => a(low), 1 => xor a, 2 => and b, others => '0')": lambda a, b: (
        a >> b % 8 & 1 | (a.bit_count() & 1) << 1 | (b == 255) << 2
    ),
    "(0 => '1', others => '0') when sa < sb else (others => '0')": lambda a, b: (
        _signed(a) < _signed(b)
    ),
    "chosen": lambda a, b: {0: b, 1: ~b, 3: ~b}.get(a % 8, b & 0x66),
}


def _signed(x):
    return x - 2 * (x & 128)


def _quotient(a, b):
    """VHDL rounds to zero, Python down."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


@needs_ghdl
def test_operators_are_those_of_vhdl(tmp_path):
    """GHDL 2.0 loses `others` of a case, and writes some operators otherwise than VHDL has them."""
    names = [f"q{i}" for i in range(len(OPERATORS))]
    values = [f"{x} <= {y};" for x, y in zip(names, OPERATORS, strict=True)]
    changes = ("results :", f"{', '.join(names)} :"), ("-- values", "\n".join(values))
    file = tmp_path / "operators.vhd"
    file.write_text(planted((HERE / file.name).read_text("utf-8"), *changes))
    verilog, _ = vhdl.to_verilog(
        Sources(tmp_path, "core", (file,), (), ()), "operators", {}, "2008"
    )
    corners = [0, 1, 3, 127, 128, 254, 255, 0b10110100]
    pairs = [*product(corners, corners)]
    shown = " ".join(f"-show {x}" for x in names)
    steps = [f"tee -a values eval -set a 8'd{a} -set b 8'd{b} {shown}" for a, b in pairs]
    module = VerilogModule(verilog, "operators", {})
    through_yosys(module, tmp_path, ["proc", *steps])
    found = re.findall(r"Eval result: \\(q\d+) = 8'([01]+)", (tmp_path / "values").read_text())
    wanted = [
        (name, f"{int(value(a, b)) & 255:08b}")
        for a, b in pairs
        for name, value in zip(names, OPERATORS.values(), strict=True)
    ]
    assert found == wanted
