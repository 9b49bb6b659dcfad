"""The page on users' programs: its example, built by its commands only."""

import json
import re
import shutil
import subprocess
import zlib
from pathlib import Path

import pytest

from rsaxcel.proc.isa import CSRS
from tests.cli.sim_runs import levels
from tests.docs.commands import blocks
from tests.proc.programs import COMPILER, is_the_programs_compiler
from tools.programs import compiler

ROOT = Path(__file__).parents[2]
REGISTERS = (ROOT / "docs/reference/registers.md").read_text()
COMMANDS, OUTPUT, BUILD_FAULT, FAULT, *_ = (
    block.text for block in blocks(ROOT / "docs/how-to/programs.md")
)

TEXT = "12 0x1f, -7;x9 0xg 4294967295,abc 0xFFFF  3- 007 --5 65536;-0x10 0x"
WORD = 1 << 32


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    """Example as the page builds it, in a folder with links to the two folders that it names."""
    if shutil.which(COMPILER) is None:
        pytest.skip(f"no {COMPILER}")
    folder = tmp_path_factory.mktemp("programs")
    for name in ("proc", "docs"):
        (folder / name).symlink_to(ROOT / name)
    # Debian's GCC 15 has no stdint.h of its own.
    for commands in (COMMANDS.replace(" -O2 ", " -O2 -nostdinc "), COMMANDS):
        subprocess.run(["bash", "-ec", commands], cwd=folder, check=True, timeout=120)
    return folder / "build" / "kernels" / "kernels.elf"


def randoms(state=1):
    """Numbers of the example's random generator."""
    while True:
        state = (state * 1664525 + 1013904223) % WORD
        yield state


def signed(value, nbits):
    return value - (1 << nbits) if value >> nbits - 1 else value


def value_of(token):
    """Number of a word in the text; 0 if the word is not a number."""
    match = re.fullmatch(r"(-?)(?:0x([0-9a-fA-F]+)|([0-9]+))", token)
    if not match:
        return 0
    number = int(match[2], 16) if match[2] else int(match[3])
    return -number if match[1] else number


def answers():
    """Expected results of the kernels, by Python's sort, integers, CRC and expressions."""
    draws = randoms()
    numbers = sorted(signed(next(draws), 32) for _ in range(200))
    yield "sort", sum(place * number for place, number in enumerate(numbers, 1)) % WORD
    entries = [signed(next(draws) >> 16, 16) for _ in range(200)]
    a, b = (
        [[entries[2 * (10 * i + j) + which] for j in range(10)] for i in range(10)]
        for which in (0, 1)
    )
    answer = 0
    for row in a:
        for column in zip(*b, strict=True):
            answer = answer * 31 + sum(x * y for x, y in zip(row, column, strict=True))
    yield "matrix", answer % WORD
    yield "crc", zlib.crc32(bytes(next(draws) >> 24 for _ in range(300)))
    yield "strings", sum(map(value_of, re.split("[ ,;]+", TEXT))) % WORD
    yield "code", 123450


@levels
def test_example_gives_known_answers(kernels, level, rsaxcel):
    done = rsaxcel("run", kernels, "--system", "proc_null", "--level", level, "--text", "--json")
    assert (done.status, done.err) == (0, "")
    record = json.loads(done.out)
    assert record["compiler"].startswith(compiler())
    lines = dict(line.split() for line in record["text"].splitlines())
    expected = {name: str(answer) for name, answer in answers()}
    assert {name: lines[name] for name in expected} == expected
    # Two reads of counters are not measured.
    assert 0 < int(lines["instructions"]) - record["measured_instructions"] < 10
    assert (record["cycles"] == record["instructions"]) == (level == "fl")
    if level == "rtl" and is_the_programs_compiler():
        shown = rsaxcel("run", kernels, "--system", "proc_null", "--level", level, "--text").out
        assert shown == OUTPUT.partition("\n")[2]


@pytest.mark.parametrize("level", ["fl", pytest.param("rtl", marks=pytest.mark.slow)])
def test_fault_is_told_as_the_page_says(level, kernels, rsaxcel, monkeypatch):
    subprocess.run(["bash", "-ec", BUILD_FAULT], cwd=kernels.parent, check=True, timeout=120)
    monkeypatch.chdir(kernels.parent)
    done = rsaxcel("run", "fault.elf", "--system", "proc_null", "--level", level)
    said = (done.out + done.err).splitlines()
    page = FAULT.splitlines()[1:]
    assert done.status == 3
    assert "misaligned" in done.err
    if not is_the_programs_compiler():
        return
    assert "(sum+0x14): lw a4, 0(a5): misaligned" in done.err
    if level == "rtl":
        before = page.index("...")
        assert said[:before] == page[:before]
    assert said[-1] == page[-1]


def test_text_of_the_example():
    assert f'"{TEXT}"' in (ROOT / "docs" / "programs" / "kernels.c").read_text()


def test_page_has_every_control_register():
    for csr in CSRS.values():
        known = f"`{csr.name}`" in REGISTERS and f"{csr.address:#x}" in REGISTERS
        assert known or csr.name.startswith("xcel"), csr.name
    header = (ROOT / "proc" / "programs" / "csr.h").read_text()
    numbers = dict(re.findall(r"#define CSR_(\w+) (0x\w+)", header))
    named = {name.lower(): int(number, 16) for name, number in numbers.items()}
    assert named.pop("xcel") == CSRS["xcel0"].address
    assert named == {name: CSRS[name].address for name in named}
    assert set(named) >= {"cycle", "cycleh", "instret", "instreth", "proc2mngr", "mngr2proc"}
