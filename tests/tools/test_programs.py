"""The kept assembly of rsaxcel's own programs is what the named compiler makes of the C code."""

from pathlib import Path

import pytest

from rsaxcel.proc.elf import load_elf
from rsaxcel.proc.operands import join_words, write_operands
from rsaxcel.proc.programs import build
from rsaxcel.proc.programs.build import assemble
from rsaxcel.proc.run import run_fl
from rsaxcel.proc.systems import find_system
from rsaxcel.store.tools import ToolError
from tests.proc.programs import is_the_programs_compiler, skip_without_compiler
from tools import programs


def test_one_file_for_each_program():
    assert {x.stem for x in build.ASSEMBLY.iterdir()} == set(build.KEPT)
    assert len({programs.kept(name)[1] for name in build.KEPT}) == 1


@pytest.mark.parametrize("name", build.KEPT)
def test_the_sources_are_those_of_the_assembly(name):
    """Where this fails, the C code has changed since `make programs`."""
    assert programs.digest(name) == programs.kept(name)[0]


@pytest.mark.parametrize(
    ("name", "flags"),
    # GCC 15 of Debian has no stdint.h of its own.
    [*((name, ()) for name in build.KEPT), ("naive", ("-nostdinc",)), ("crt", ("-nostdinc",))],
)
def test_the_compiler_makes_the_same_assembly(name, flags):
    skip_without_compiler()
    if not is_the_programs_compiler():
        pytest.skip("another compiler than the assembly's")
    assert programs.assembly(name, flags) == (build.ASSEMBLY / f"{name}.S").read_text()


@pytest.mark.parametrize("name", ["crt", "naive_printed", "constants"])
def test_the_assembly_is_the_linked_program(name, tmp_path):
    """Memory, functions and variables of an ELF file are those of its assembly."""
    skip_without_compiler()
    script = "constants.ld" if name in build.CONSTANTS else "link.ld"
    programs.compile_program(
        tmp_path / "x.elf", [build.FOLDER / x for x in build.KEPT[name]], script
    )
    elf, own = load_elf(tmp_path / "x.elf"), assemble(programs.assembly(name), name)
    start = own.code[0]
    assert own.memory[start:] == elf.memory[start:]
    assert own.labels == elf.labels
    assert all(elf.symbols[x] == own.symbols[x] for x in own.symbols)


@pytest.mark.parametrize("flag", ["-O1", "-O3", "-Os"])
def test_any_compiler_gives_the_same_answers(flag, tmp_path):
    """Other options stand for another compiler: other instructions, equal results."""
    skip_without_compiler()
    null, key = find_system("proc_null", 64), (0x7B, 65537, 0xC0000001_00000007)
    for name in ("naive", "montgomery"):
        kept = build.build(name)
        other = assemble(programs.assembly(name, [flag]), name)
        assert [other.word(x) for x in other.code] != [kept.word(x) for x in kept.code]
        runs = []
        for image in (kept, other):
            write_operands(image, *key)
            runs.append(run_fl(image, null.devices()))
        assert len({(x.messages, x.end.exit_status) for x in runs}) == 1
        assert join_words(runs[0].messages) == pow(*key)


def test_errors_of_the_compiler_are_shown(tmp_path):
    skip_without_compiler()
    source = tmp_path / "wrong.c"
    source.write_text("int main(void) { return wrong; }")
    with pytest.raises(ToolError, match="'wrong' undeclared"):
        programs.compile_program(tmp_path / "wrong", [source])


def test_another_compiler_is_refused(monkeypatch, capsys):
    monkeypatch.setattr(programs, "compiler", lambda: "GCC: (other) 99.1.0")
    monkeypatch.setattr("sys.argv", ["programs"])
    with pytest.raises(SystemExit, match=r"this compiler is GCC: \(other\) 99.1.0: cycles may"):
        programs.main()


def test_without_a_compiler(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.argv", ["programs"])
    with pytest.raises(SystemExit, match=r"riscv64-unknown-elf-gcc is missing; install it with: "):
        programs.main()
    assert build.build("naive").code


DATA = Path(__file__).with_name("data.S").read_text("utf-8")


def test_data():
    image = assemble(DATA, "data")
    assert image.memory[0x100:0x108] == bytes([4, 3, 2, 1, 5, 6, 7, 0])
    assert {x: (y.address, y.nbytes) for x, y in image.symbols.items()} == {
        "first": (0x100, 7),
        "second": (0x200, 0),
    }
