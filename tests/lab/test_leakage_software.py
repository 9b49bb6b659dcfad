"""Side channels of software: what varies is found and named, and what is constant is not."""

import json
import random
import shutil
from itertools import permutations
from pathlib import Path

import pytest

from rsaxcel.cli.main import cli, guard
from rsaxcel.flow.errors import FlowError
from rsaxcel.lab.leakage.software import (
    addresses,
    contradictions_of,
    first_difference,
    operands_of,
    programs_of,
    software_tests,
)
from rsaxcel.plan.halves import Halves
from rsaxcel.proc.elf import load_elf
from rsaxcel.proc.programs import build
from rsaxcel.proc.systems import find_system
from rsaxcel.sim.system import open_circuit
from tests.proc.programs import SEND, compile_plain, skip_without_compiler
from tests.shared.planted import plant
from tools.programs import assembly

null_group = pytest.mark.xdist_group("proc-null")
NULL = find_system("proc_null")

PLANTED = Path(__file__).with_name("planted.S").read_text("utf-8")
LOOKUP = """
    la a4, table
    slli a3, a3, 2
    add a4, a4, a3
look: lw a1, 0(a4)"""
EARLY_END = """
    li a4, 2
compare: bltu a3, a4, done
    addi a1, a3, 1"""
MASKED = """
    la a4, table
    lw a1, 0(a4)
    xor a1, a1, a3"""
STORE = """
    la a4, table
    add a4, a4, a3
keep: sb a3, 0(a4)"""


def planted(path, leak, secret):
    """Load a program that depends on a secret word in one place."""
    image = load_elf(compile_plain(path / "planted", PLANTED.format(leak=leak, send=SEND)))
    at = image.symbols["secret"].address
    image.memory[at : at + 4] = secret.to_bytes(4, "little")
    return image


@pytest.mark.parametrize(
    ("leak", "secrets", "found"),
    [
        (LOOKUP, (0, 3), ("address", "look", "lw")),
        (LOOKUP, (2, 2), None),
        (STORE, (1, 2), ("address", "keep", "sb")),
        (EARLY_END, (1, 2), ("branch", "compare", "bltu")),
        (EARLY_END, (2, 3), None),
        (MASKED, (0, 3), None),
    ],
    ids=["lookup", "same-secret", "store", "early-end", "same-branch", "masked"],
)
def test_planted_leaks(tmp_path, leak, secrets, found):
    images = [planted(tmp_path, leak, secret) for secret in secrets]
    one, other = (addresses(NULL, image, 1000) for image in images)
    difference = first_difference(images[0], one, other)
    told = difference and (difference.what, difference.place, difference.instruction)
    assert told == found


def test_a_program_without_a_result(tmp_path):
    image = planted(tmp_path, "wait: nop\n    j wait", 0)
    with pytest.raises(FlowError, match="no result within 1,000 instructions"):
        addresses(NULL, image, 1000)


@null_group
def test_software_on_the_processor():
    """Plain software tells everything, software by the primes nothing."""
    found = {(x.program, x.operand): x for x in software_tests(NULL, open_circuit(NULL), 1, 4)}
    assert set(found) == {
        (program, operand)
        for program in ("naive", "montgomery", "crt")
        for operand in ("exponent", "base", "modulus")
    }
    for (program, operand), timing in found.items():
        assert timing.count == 4
        if program == "crt":
            assert not timing.varies
            assert timing.difference is None
        elif operand == "exponent":
            assert timing.varies
            assert timing.difference.what == "branch"
    assert contradictions_of(list(found.values())) == []


CRT = "proc_crt_window"
crt_group = pytest.mark.xdist_group("proc-crt-window")


@pytest.mark.slow
@crt_group
def test_driver_of_a_design_of_constant_time():
    """The driver hides exponent, base and primes, also in what it computes before the call."""
    system = find_system(CRT, 32)
    found = {x.operand: x for x in software_tests(system, open_circuit(system), 2, 4)}
    assert set(found) == {"exponent", "base", "modulus"}
    for timing in found.values():
        assert not timing.varies
        assert not timing.varies_outside
        assert timing.difference is None
        assert timing.outside_least > 10_000
    assert found["exponent"].declared is False
    assert found["modulus"].declared is None


CORRECTION = "add_multiple(number, modulus, borrow - top, words);"
"""Statement of half_constants.c that runs many times, with secret numbers."""
SECRETS = {
    "branch": "if (borrow != top) add_multiple(number, modulus, 1, words);",
    "address": "(void)*((volatile uint32_t *)scratch + number[0] % 8); " + CORRECTION,
    "division": 'uint32_t x; __asm__ volatile("divu %0, %1, %2" : "=r"(x) : "r"(number[0]), '
    '"r"(modulus[0])); ' + CORRECTION,
    "nothing": f"{{ {CORRECTION} }}",
}
"""Replacements of the statement: how each one depends on a secret number."""


@crt_group
@pytest.mark.parametrize("planted", SECRETS)
def test_a_driver_that_depends_on_the_primes(planted, tmp_path, monkeypatch):
    """Branches and addresses are named; a division is found by its cycles alone."""
    skip_without_compiler()
    programs = tmp_path / "programs"
    shutil.copytree(build.FOLDER, programs)
    plant(programs / "half_constants.c", (CORRECTION, SECRETS[planted]), once=True)
    kept = programs / build.ASSEMBLY.name
    (kept / "half_constants.S").write_text(assembly("half_constants", folder=programs))
    monkeypatch.setattr(build, "ASSEMBLY", kept)
    system = find_system(CRT, 32)
    (timing,) = software_tests(system, open_circuit(system), 2, 4, ["modulus"])
    assert not timing.varies
    if planted in ("branch", "address"):
        assert timing.difference.what == planted
    else:
        assert timing.difference is None
    assert timing.varies_outside == (planted in ("branch", "division"))


EXTREMES = [(1 << 63) + 1, (1 << 64) - 1, (1 << 64) - (1 << 32) + 1]
"""Halves with few ones, few zeros, and a word of zeros but for one bit."""


@pytest.mark.parametrize("name", [CRT, f"{CRT}_shared", "axi_crt_window"])
def test_addresses_of_unlike_primes(name):
    """Every driver accesses the same addresses for all halves of a length, even without a key."""
    system = find_system(name, 128)
    draw = random.Random(3)
    drawn = [draw.getrandbits(64) | 1 << 63 | 1 for _ in range(2)]
    for program in programs_of(system):
        first = None
        pairs = [*permutations(EXTREMES, 2), drawn, (drawn[0], drawn[0])]
        for p, q in pairs if program in ("xcel", "axi") else pairs[:2]:
            image = system.image(program, 5, 3, system.halves.joined(p, q))
            path = addresses(system, image, 1_000_000)
            first = path if first is None else first
            assert first_difference(image, first, path) is None, (program, hex(p), hex(q))
            assert len(path) == len(first)


def test_driver_of_a_design_whose_time_varies():
    system = find_system("proc_mont_r2l", 16)
    circuit = open_circuit(system)
    (timing,) = software_tests(system, circuit, 0, 6, ["exponent"])
    assert timing.varies
    assert timing.declared
    assert timing.difference is None


@pytest.mark.parametrize("program", ["naive", "crt"])
@pytest.mark.parametrize("operand", ["exponent", "base", "modulus"])
def test_one_operand_varies(program, operand):
    rows = operands_of(NULL, program, operand, 3, 12)
    place = ("base", "exponent", "modulus").index(operand)
    for number, column in enumerate(zip(*rows, strict=True)):
        assert (len(set(column)) > 6) if number == place else (len(set(column)) == 1)
    halves = Halves(16)
    for base, _, modulus in rows:
        if program == "crt":
            p, q = halves.split(modulus)
            assert p.bit_length() == q.bit_length() == 16
        else:
            assert base < modulus
            assert modulus % 2
            assert modulus.bit_length() == 32
    assert rows == operands_of(NULL, program, operand, 3, 12)


def test_exponents_of_a_design_that_checks_its_result():
    """Private exponents belong to the public one, or the design would refuse them."""
    system = find_system("proc_crt_window", 32, check="public_exponent", public_nbits=9)
    halves = system.halves
    for operand in ("base", "modulus"):
        for _, exponent, modulus in operands_of(system, "xcel", operand, 3, 6):
            (low, high), public, _ = halves.split_exponents(exponent)
            p, q = halves.split(modulus)
            assert (low * public % (p - 1), high * public % (q - 1)) == (1, 1)
            assert public == 257


def test_programs_that_are_tested():
    assert programs_of(NULL) == ["naive", "montgomery", "crt"]
    assert programs_of(find_system("axi_mont_r2l")) == ["axi", "axi_interrupt"]
    assert programs_of(find_system("proc_null", proc_isa="tinyrv2")) == []


@null_group
def test_command(capsys):
    asked = ["leak", "proc_null", "--runs", "3", "--test", "exponent", "--json"]
    assert guard(cli, "rsaxcel", asked) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [x["program"] for x in rows] == ["naive", "montgomery", "crt"]
    assert [x["varies"] for x in rows] == [True, True, False]
    assert rows[0]["difference"]["place"].startswith("modexp_word")
    assert rows[2]["least"] == rows[2]["most"] > 100_000
    assert rows[2]["outside_least"] == rows[2]["outside_most"] < 1000
    assert rows[2]["varies_outside"] is False


@pytest.mark.slow
def test_random_operands_are_right():
    """Operands of a narrow system, checked against Python by ``software_tests`` itself."""
    system = find_system("proc_montmul_r2l", random.Random(4).choice((8, 12)))
    for timing in software_tests(system, open_circuit(system), 9, 3):
        assert timing.least > 0
