"""What comes from somebody else cannot fill, stop or leave a command: it gets one line."""

import os
import subprocess
import time

import pytest

from rsaxcel.catalog.described import describe
from rsaxcel.cores import front_end, verilog
from rsaxcel.cores.errors import DescriptionError
from tests.cores.test_described import make, told_of

LESS_DEEP = "something is nested too deep"


@pytest.mark.parametrize(
    "text",
    [
        "generate " + "if (1) begin " * 20_000 + "end " * 20_000 + "endgenerate",
        "struct packed { " * 20_000 + "logic a; " + "} b; " * 20_000,
        "assert property (" + "not " * 50_000 + "1);",
        "always @(" + "clk or " * 100_000 + "clk) ;",
        "initial @" + "(" * 100_000 + "clk" + ")" * 100_000 + ";",
    ],
    ids=lambda x: x[:15],
)
def test_what_is_nested_too_deep(tmp_path, text):
    folder = make(tmp_path / "core")
    (folder / "more.v").write_text(f"module more(input clk); {text} endmodule")
    assert LESS_DEEP in told_of(folder)


@pytest.mark.parametrize(
    "text",
    [
        "`define A0 x x x x x x x x x x\n"
        + "".join(f"`define A{i + 1} {f'`A{i} ' * 10}\n" for i in range(9))
        + "`A9",
        '`include "more.v"\n`include "more.v"\n',
        "module more; " + "more m(), n();" + " endmodule",
    ],
    ids=["macros", "included", "module"],
)
def test_what_grows_without_an_end(tmp_path, monkeypatch, text):
    monkeypatch.setattr(front_end, "_WAITED", 0.8)
    folder = make(tmp_path / "core")
    (folder / "more.v").write_text(text)
    file = folder / "core.v"
    file.write_text(file.read_text("utf-8").replace("endmodule", "more m(); endmodule"))
    assert "reading the Verilog takes more than" in told_of(folder)


@pytest.mark.slow
def test_time_of_the_processors_is_limited(tmp_path):
    folder = make(tmp_path / "core")
    (folder / "more.v").write_text('`include "more.v"\n`include "more.v"\n')
    assert "reading the Verilog takes more than" in told_of(folder)


def test_long_numbers_and_keys(tmp_path):
    file = tmp_path / "core.toml"
    for text, told in (
        (f"name = 1{'0' * 5000}", "a number with more digits than 4096 bits have"),
        (f"defines = {{ A = 0x{'f' * 2000} }}", "core.toml:1: defines.A: a number of more than"),
        (".".join(["a"] * 50_000) + " = 1", "no TOML: more than 2000 dots in a line"),
        (f"[{'.'.join(['a'] * 50_000)}]", "no TOML: more than 2000 dots in a line"),
    ):
        file.write_text(text)
        begin = time.process_time()
        with pytest.raises(DescriptionError, match=told):
            describe(file)
        assert time.process_time() - begin < 5


def test_a_description_that_leads_out(tmp_path):
    (tmp_path / "core.toml").symlink_to("/etc/passwd")
    with pytest.raises(DescriptionError, match="the link leads out of its folder"):
        describe(tmp_path)


def test_patterns_look_through_a_limited_number_of_files(tmp_path, monkeypatch):
    folder = make(tmp_path / "core")
    for name in ("a", "b", "c", "d", "e", "f"):
        (folder / name).symlink_to(".")
    (folder / "out").symlink_to("/")
    (folder / "gone.v").symlink_to("gone.v")
    os.mkfifo(folder / "pipe.v")
    begin = time.process_time()
    found = {x.name for x in verilog.matching(folder, "[a-f]/" * 30 + "*.v")}
    assert found == {"core.v", "power.v"} == {x.name for x in verilog.matching(folder, "**/*.v")}
    assert time.process_time() - begin < 5
    with pytest.raises(ValueError, match="out leads out of the folder"):
        verilog.matching(folder, "out/*/*")
    monkeypatch.setattr(verilog, "_MOST_ENTRIES", 5)
    with pytest.raises(ValueError, match="more than 5 files and folders; a narrower pattern"):
        verilog.matching(folder, "**/*.v")
    assert verilog.matching(folder, "core.v") == [folder / "core.v"]


def test_files_beside_are_checked_and_known(tmp_path):
    folder = make(tmp_path / "core")
    (folder / "more.v").write_text('`include "more.vh"\n')
    (folder / "more.vh").write_text("// nothing")
    assert folder / "more.vh" in describe(folder).described.files
    with (folder / "more.vh").open("wb") as file:
        file.truncate(1 << 30)
    with pytest.raises(DescriptionError, match="more than 16 MB of Verilog"):
        describe(folder)


def test_steps_of_repeats_are_counted(tmp_path):
    pulses = ", ".join(["{ pulse = 0 }"] * 190)
    repeats = f"{{ repeat = 1, steps = [{pulses}] }}, " * 3
    folder = make(tmp_path / "core", "words", [("  { read = 4 },", f"{repeats}{{ read = 4 }},")])
    assert "steps with those of repeats; 200 are allowed" in told_of(folder)
    nested = "{ repeat = 1, steps = [" * 99 + "{ pulse = 0 }" + "] }" * 99
    folder = make(tmp_path / "two", "words", [("  { read = 4 },", f"{nested}, {{ read = 4 }},")])
    assert "steps: a repeat in a repeat; other steps are allowed" in told_of(folder)


def test_numbers_of_what_is_listed(tmp_path):
    macros = ", ".join(f"A{i} = 1" for i in range(501))
    constants = ", ".join(f"c{i} = {{ value = '2**nbits mod n' }}" for i in range(33))
    for text, told in (
        (f"defines = {{ {macros} }}", "more than 500 macros"),
        (f"constants = {{ {constants} }}", "more than 32 constants"),
    ):
        assert told in told_of(make(tmp_path / "core", changes=[("clock = ", f"{text}\nclock = ")]))


def test_a_wait_has_an_end(tmp_path):
    change = ('"3 * nbits**2 + 8"', '"2**62"')
    told = told_of(make(tmp_path / "core", "words", [change]))
    assert "operation[5].cycles: 4611686018427387904; at most 524288 is allowed" in told


def test_an_answer_of_the_front_end_is_read_alone(tmp_path, monkeypatch):
    folder = make(tmp_path / "core")
    done = subprocess.CompletedProcess([], 0, b"", b"")
    monkeypatch.setattr(front_end.subprocess, "run", lambda *_, **__: done)
    assert LESS_DEEP in told_of(folder)
