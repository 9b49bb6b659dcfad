"""ELF files: allowed files load, all others are refused in one line."""

import re
import sys
from pathlib import Path
from struct import pack_into, unpack_from

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rsaxcel.proc.elf import ProgramError, load_elf
from rsaxcel.proc.isa import MEMORY_NBYTES
from tests.proc.harness import FAST_SETUPS, run_simulator, run_system
from tests.proc.programs import HELLO, compile_plain


@pytest.fixture(scope="module")
def hello(tmp_path_factory):
    return compile_plain(tmp_path_factory.mktemp("elf") / "hello.elf", HELLO)


@pytest.mark.parametrize(
    "flags", [(), ("-Wl,-Ttext=0x200",), ("-Wl,-Ttext=0", "-Wl,-Tdata=0x8000"), ("-Wl,-N",)]
)
def test_plain_program_runs_wherever_it_is_linked(flags, tmp_path):
    image = load_elf(compile_plain(tmp_path / "hello.elf", HELLO, *flags))
    outcome = run_simulator(image)
    assert (outcome.messages, outcome.end.exit_status) == ((41, 3), 5)


def test_start_elsewhere_costs_one_jump(hello, tmp_path):
    at_reset_vector = compile_plain(tmp_path / "hello.elf", HELLO, "-Wl,-Ttext=0x200")
    direct, jumped = (run_simulator(load_elf(path)) for path in (at_reset_vector, hello))
    assert (direct.instructions, jumped.instructions) == (13, 14)


def test_start_elsewhere_with_something_at_the_reset_vector(tmp_path):
    text = HELLO.replace("ecall", "ecall\n.space 1024")
    path = compile_plain(tmp_path / "hello.elf", text, "-Wl,-Ttext=0")
    refused(path, "starts at 0x0", "-Wl,-Ttext=0x200")


def test_image_has_what_the_file_says(hello):
    image = load_elf(hello, 1 << 18)
    assert len(image.memory) == 1 << 18
    start = image.symbols["_start"].address
    assert start > 0x10000
    assert image.memory[start : start + 4] == 0x00080137.to_bytes(4, "little")


def refused(path, *words):
    with pytest.raises(ProgramError) as caught:
        load_elf(path)
    text = str(caught.value)
    assert text.startswith(f"{path}: ")
    assert "\n" not in text
    for word in words:
        assert word in text


@pytest.mark.parametrize("contents", [b"", b"\x7fEL", b"#!/bin/sh\n", bytes(4096)])
def test_no_elf_file(contents, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(contents)
    refused(path, "not an ELF file")


def test_program_of_this_machine():
    path = Path(sys.executable).resolve()
    refused(path, "64 bits", "RISC-V, 32 bits")


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("-march=rv64im", "-mabi=lp64"), "EM_RISCV, 64 bits"),
        (("-march=rv32imc",), "compressed instructions"),
        (("-march=rv32imf", "-mabi=ilp32f"), "passes numbers in floating-point registers"),
        (("-march=rv32imafd", "-mabi=ilp32d"), "-march=rv32im -mabi=ilp32"),
        (("-c",), "not a linked executable"),
        (("-Wl,-Ttext=0x100000",), "outside the memory, which ends at 0xfffff"),
        (("-Wl,-Tbss=0xfffff0",), "outside the memory"),
    ],
)
def test_unfit_executables(flags, words, tmp_path):
    refused(compile_plain(tmp_path / "program.elf", HELLO, *flags), words)


def test_cut_off_file(hello, tmp_path):
    whole = hello.read_bytes()
    path = tmp_path / "cut.elf"
    for length in (5, 20, 52, 60, len(whole) // 2):
        path.write_bytes(whole[:length])
        refused(path, "damaged ELF file")


def test_missing_file_and_folder(tmp_path):
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(OSError, match=re.escape(str(path))):
            load_elf(path)


def test_places_in_the_code(tmp_path):
    """``place`` names functions and labels, also local ones; other addresses have no place."""
    text = Path(__file__).with_name("places.S").read_text("utf-8")
    image = load_elf(compile_plain(tmp_path / "places.elf", text, "-Wl,-Ttext=0x200"))
    places = ["_start", "_start+0x4", "inner", "inner+0x4", "helper", "helper+0x4", "", ""]
    assert [image.place(0x200 + 4 * i) for i in range(8)] == places
    assert image.place(0x1FC) == image.place(image.symbols["_start"].address - 0x200) == ""


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.integers(4, 160), st.integers(0, 255)), min_size=1, max_size=4))
def test_damage_is_refused_or_harmless(hello, tmp_path_factory, changes):
    """A file with changed headers is refused or gives an image; no other error occurs."""
    damaged = bytearray(hello.read_bytes())
    for position, value in changes:
        damaged[position] = value
    path = tmp_path_factory.getbasetemp() / "damaged.elf"
    path.write_bytes(damaged)
    try:
        image = load_elf(path)
    except ProgramError as error:
        message = str(error)
    else:
        assert len(image.memory) == MEMORY_NBYTES
        return
    assert message.startswith(f"{path}: ")
    assert "\n" not in message


@pytest.mark.parametrize("setup", FAST_SETUPS)
def test_system_runs_it_from_the_reset_vector(setup, tmp_path):
    path = compile_plain(tmp_path / "hello.elf", HELLO, "-Wl,-Ttext=0x200")
    outcome = run_system(setup, load_elf(path))
    assert outcome == run_simulator(load_elf(path))
    assert outcome.messages == (41, 3)


COPIED = HELLO.replace(
    "    la a2, value\n",
    """
    la a3, __stored
    la a2, value
    la a4, __end
copy:
    lw a1, 0(a3)
    sw a1, 0(a2)
    addi a2, a2, 4
    addi a3, a3, 4
    bltu a2, a4, copy
    la a2, value
    """,
)
ROM_AND_RAM = Path(__file__).with_name("rom_and_ram.ld").read_text("utf-8")


def scripted(folder, script, text=COPIED):
    (folder / "link.ld").write_text(script)
    flags = ("-T", str(folder / "link.ld"), "-Wl,-N", "-Wl,--no-check-sections")
    return compile_plain(folder / "scripted.elf", text, *flags)


def with_headers(path, change):
    """A copy of an ELF file after ``change(headers)``; a header is a list of its eight fields."""
    whole = bytearray(path.read_bytes())
    start, count = *unpack_from("<I", whole, 28), *unpack_from("<H", whole, 44)
    headers = [[*unpack_from("<8I", whole, start + 32 * i)] for i in range(count)]
    change(headers)
    for i, header in enumerate(headers):
        pack_into("<8I", whole, start + 32 * i, *header)
    changed = path.with_name("changed.elf")
    changed.write_bytes(whole)
    return changed


def set_physical(address):
    return lambda headers: [x.__setitem__(3, address) for x in headers]


def test_data_that_start_up_code_copies_is_loaded_where_it_is_stored(tmp_path):
    path = scripted(tmp_path, ROM_AND_RAM)
    image = load_elf(path)
    assert image.memory[0x9000:0x9004] == bytes(4)
    assert image.memory[image.symbols["__stored"].address] == 41
    for setup in FAST_SETUPS:
        assert run_system(*setup.values, load_elf(path)).messages == (41, 3)


def test_overlays_run_at_one_address_and_are_stored_at_two(tmp_path):
    script = """
    SECTIONS {
      .text 0x200 : { *(.text) }
      OVERLAY 0x8000 : AT(0x1000) { .first { LONG(0x11) } .second { LONG(0x22) } }
      .data : { *(.data) __end = .; } __stored = __end;
    }
    """
    memory = load_elf(scripted(tmp_path, script)).memory
    stored = [memory[a] for a in (0x1000, 0x1004, 0x8000)]
    assert stored == [0x11, 0x22, 0]


def test_variable_for_operands_is_where_its_contents_are_stored(tmp_path):
    text = COPIED.replace("value:", ".globl value\nvalue:")
    image = load_elf(scripted(tmp_path, ROM_AND_RAM, text))
    assert image.symbols["value"] == image.symbols["__stored"]


def test_physical_addresses_that_the_linker_did_not_set(tmp_path):
    path = compile_plain(tmp_path / "hello.elf", HELLO, "-Wl,-Ttext=0x200")
    unset = with_headers(path, set_physical(0))
    assert load_elf(unset).memory[0x200:] == load_elf(path).memory[0x200:]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"0x9000": "0xffffe"}, "segment 0xffffe .. "),
        ({"> ram AT> rom": "> ram", ".data :": ".data : AT(0xffffe)"}, "as loaded, is outside"),
        ({"> ram AT> rom": "> ram", ".data :": ".data : AT(0x204)"}, "segments overlap: 0x200 .. "),
        ({"(.text) } > rom": "(.text) } > ram AT> rom"}, "0x9000, where nothing is loaded"),
    ],
)
def test_segments_that_cannot_be_loaded(changes, words, tmp_path):
    script = ROM_AND_RAM
    for before, after in changes.items():
        script = script.replace(before, after)
    refused(scripted(tmp_path, script), words)


def test_segments_that_overlap(tmp_path):
    path = compile_plain(tmp_path / "hello.elf", HELLO, "-Wl,-Ttext=0x200")
    refused(with_headers(path, set_physical(0x200)), "segments overlap")

    def zeros_over_code(headers):
        data = max(headers, key=lambda x: x[2])
        data[2] = data[3] = 0x1F0

    refused(with_headers(path, zeros_over_code), "segments overlap")


@pytest.mark.parametrize(
    ("at", "number", "words"),
    [
        (42, 56, "56 bytes for each program header; 32 are allowed"),
        (42, 0, "0 bytes for each program header"),
        (44, 0xFFF0, "program headers are cut off"),
        (28, 0xFFF0, "program headers are cut off"),
    ],
)
def test_headers_that_the_file_does_not_have(hello, at, number, words, tmp_path):
    damaged = bytearray(hello.read_bytes())
    pack_into("<H", damaged, at, number)
    path = tmp_path / "damaged.elf"
    path.write_bytes(damaged)
    refused(path, words)


@pytest.mark.parametrize("nbytes", [0, 3])
def test_contents_without_a_place(tmp_path, nbytes):
    """A segment that has more bytes in the file than in memory would lose some."""
    path = compile_plain(tmp_path / "hello.elf", HELLO, "-Wl,-Ttext=0x200")

    def shortened(headers):
        max(headers, key=lambda x: x[2])[5] = nbytes

    refused(with_headers(path, shortened), f"bytes in the file, but {nbytes} in memory")
