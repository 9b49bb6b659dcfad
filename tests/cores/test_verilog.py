"""What is done to the Verilog of a core before tools read it."""

from pathlib import Path

from rsaxcel.catalog.described import describe
from rsaxcel.cores.verilog import without_output
from tests.cores.test_described import make

MORE = Path(__file__).with_name("more.sv").read_text("utf-8")


def test_prints_are_left_out():
    text = 'initial begin $display("x ; )", f(1)); $finish; a = "$stop;"; end'
    assert without_output(text) == 'initial begin ; ; a = "$stop;"; end'


def test_what_the_top_needs_is_kept_and_the_rest_is_told(tmp_path):
    folder = make(tmp_path / "core")
    (folder / "more.sv").write_text(MORE)
    text = (folder / "core.v").read_text("utf-8")
    extra = "  wire q, w;\n  latched l(start, more::ONE[0], q, w);\nendmodule"
    (folder / "core.v").write_text(text.replace("endmodule", extra))
    file = folder / "core.toml"
    file.write_text(file.read_text("utf-8").replace('["*.v"]', '["*.v", "more.sv"]'))
    entry = describe(folder)
    text = entry.configure(8).text
    assert "test_bench" not in text
    assert "$display" not in text
    assert "`ADD" not in text
    assert text.index("package more") < text.index("module skeleton_core")
    assert entry.configure(8).notes == (
        "more.sv:3: nothing drives it, and a netlist has 0: undriven output port 'w'",
        "more.sv:3: a latch: q; the flow takes flip-flops alone",
    )


def test_a_latch_is_refused_by_the_name_of_its_signal(rsaxcel, tmp_path):
    folder = make(tmp_path / "core")
    text = (folder / "core.v").read_text("utf-8")
    extra = "  reg kept;\n  always @* if (start) kept = reset;\nendmodule"
    (folder / "core.v").write_text(text.replace("endmodule", extra))
    done = rsaxcel("sim", folder, "--nbits", 8, "--random", 5)
    assert done.status
    line = text.count("\n", 0, text.index("endmodule")) + 2
    assert f"{folder}/core.v:{line}: kept keeps its value on some path" in done.err
