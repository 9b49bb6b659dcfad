"""Constants of the modulus that the C driver computes on the processor for its accelerator."""

import random
from dataclasses import replace
from functools import cache

import pytest

from rsaxcel import catalog
from rsaxcel.course.testing.cases import draw_modulus
from rsaxcel.fl.status import Status
from rsaxcel.fl.xcel import Register, XcelRegisters
from rsaxcel.proc.operands import EXIT_REFUSED, join_words, write_operands
from rsaxcel.proc.programs.build import build
from rsaxcel.proc.run import Devices, run_fl
from rsaxcel.proc.systems import find_system
from rsaxcel.sim.system import open_circuit
from rsaxcel.sim.system_run import SystemRequest
from tests.shared.harness import HOSTED_FIRST, built_once

WIDTHS = (32, 64, 256)
OPCODE_LUI, OPCODE_AUIPC = 0x37, 0x17


class Overheard(XcelRegisters):
    """Golden registers that record the words of constants."""

    def __init__(self, configuration):
        super().__init__(configuration)
        self.words = []

    def write(self, address, data):
        if address == Register.CONSTANTS:
            self.words.append(data)
        super().write(address, data)


@cache
def system_of(name, nbits, **params):
    """System by name; hashable arguments, one object per session."""
    return find_system(name, nbits, **params)


def drive(system, operands, constants):
    """Run the driver; return the run and the words of constants that it wrote."""
    image = build("xcel", constants)
    write_operands(image, *operands)
    registers = Overheard(system.configuration)
    return run_fl(image, Devices(registers)), registers.words


def check(system, operands):
    """Check that constants equal the configuration's, and the result ``pow``."""
    done, words = drive(system, operands, system.constants)
    assert words == system.configuration.constant_words(operands[-1])
    assert (done.end.exit_status, join_words(done.messages)) == (0, pow(*operands))


def moduli(nbits):
    """Odd moduli of many lengths: around words, the shortest and the longest."""
    rng = random.Random(nbits)
    lengths = {2, 31, 32, 33, 64, 65, nbits // 2 + 1, nbits - 1, nbits}
    drawn = (draw_modulus(rng, length) for length in sorted(lengths) if 1 < length <= nbits)
    return [3, *drawn, (1 << nbits) - 1, (1 << nbits - 1) + 1]


@pytest.mark.slow_cases("*-33", "*-64", "*-256")
@pytest.mark.parametrize("nbits", [8, 33, *WIDTHS, 1024])
@pytest.mark.parametrize("name", HOSTED_FIRST)
def test_any_length_of_modulus(name, nbits):
    """The operands have as many words as the accelerator, or fewer."""
    if nbits not in catalog.get(name).widths:
        pytest.skip("the design has other widths")
    for modulus in moduli(nbits):
        check(system_of(name, nbits), (modulus - 1 - (modulus > 3), 5, modulus))


@pytest.mark.parametrize(
    ("name", "params"),
    [
        *(("systolic_l2r_always", {"radix_nbits": k}) for k in (4, 7, 31, 32)),
        ("systolic_l2r_always", {"final_subtraction": "on"}),
        *(("digit_serial_r2l", {"digit_nbits": s}) for s in (8, 64)),
    ],
)
def test_parameters_that_change_them(name, params):
    for modulus in moduli(64):
        check(system_of(name, 64, **params), (2, 77, modulus))


def test_longest_operands():
    """Operands of the greatest length that a program has space for."""
    system = system_of("systolic_l2r_always", 4096, exponent_nbits=2)
    for modulus in ((1 << 4096) - 1, 3):
        check(system, (2, 3, modulus))


REFUSED = {
    "zero": ((5, 3, 0), Status.MODULUS_TOO_SMALL),
    "zero, long": ((1 << 63, 3, 0), Status.MODULUS_TOO_SMALL),
    "one": ((0, 3, 1), Status.MODULUS_TOO_SMALL),
    "even": ((5, 3, 1 << 32), Status.MODULUS_EVEN),
    "base": (((1 << 64) - 1, 3, 77), Status.BASE_TOO_LARGE),
    "wide base": ((1 << 64, 3, 77), Status.OPERAND_TOO_WIDE),
    "wide exponent": ((2, 1 << 128, 77), Status.OPERAND_TOO_WIDE),
    "wide modulus": ((2, 3, 1 << 64 | 1), Status.OPERAND_TOO_WIDE),
    "widest": ((2, 3, (1 << 4096) - 1), Status.OPERAND_TOO_WIDE),
}


@pytest.mark.parametrize(("operands", "status"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("name", HOSTED_FIRST)
def test_the_accelerator_decides(name, operands, status):
    """The accelerator, not the driver, refuses operands, even moduli without constants."""
    system = system_of(name, 64)
    if status is Status.MODULUS_EVEN and not system.configuration.odd_modulus:
        pytest.skip("the design takes even moduli")
    done, words = drive(system, operands, system.constants)
    assert (done.end.exit_status, done.messages) == (EXIT_REFUSED + status, ())
    if operands[-1] != 1:  # constants modulo 1 may be longer than those of allowed moduli
        assert len(words) == len(system.configuration.constant_words(3))


@pytest.mark.parametrize("name", HOSTED_FIRST)
def test_exponent_longer_than_the_accelerator(name):
    """An exponent wider than the modulus sets the length of all operands."""
    wide = {"exponent_nbits": 64} if name == "systolic_l2r_always" else {}
    system = system_of(name, 32, **wide)
    exponent = (1 << system.exponent_nbits) - 3
    check(system, (123456789, exponent, 0xFFFFFFFB))
    check(system, (5, exponent, 7))


@pytest.mark.parametrize("name", HOSTED_FIRST)
def test_too_few(name):
    """A driver built for fewer constants is refused with ``constants_missing``."""
    system = system_of(name, 40)
    done, words = drive(system, (5, 3, 0xFFF1), system.constants[:-1])
    assert done.end.exit_status == EXIT_REFUSED + Status.CONSTANTS_MISSING
    assert len(words) == len(system.configuration.constant_words(3)) - 3


@pytest.mark.parametrize("nbits", [14, 16])
def test_longer_than_declared(nbits):
    """If a constant is wider than declared, none is written, and the accelerator refuses."""
    system = system_of("systolic_l2r_always", 64)
    constants = [replace(constant, nbits=nbits) for constant in system.constants]
    assert nbits == 16 or -pow(0xFFF1, -1, 1 << 16) % (1 << 16) >> nbits
    done, words = drive(system, (5, 3, 0xFFF1), constants)
    if nbits == 16:
        assert words == system.configuration.constant_words(0xFFF1)
        assert done.end.exit_status == 0
    else:
        assert words == []
        assert done.end.exit_status == EXIT_REFUSED + Status.CONSTANTS_MISSING


@pytest.mark.parametrize("name", HOSTED_FIRST)
def test_computed_before_the_measured_region(name):
    """A longer modulus takes more instructions, but not in the measured region."""
    system = system_of(name, 256)
    rows = [(1, 1 << 255, modulus) for modulus in (3, (1 << 256) - 189)]
    short, long = (drive(system, row, system.constants)[0] for row in rows)
    assert long.instructions > short.instructions + 100
    assert long.measured_instructions == short.measured_instructions


def test_each_costs_as_much_to_hand_over():
    """Each constant costs the same number of measured instructions, however many there are."""
    system = system_of("systolic_l2r_always", 64)
    constant = system.constants[0]
    counts = (2, 3, 4, 40, 400)
    done = [drive(system, (1, 1, 5), [constant] * count) for count in counts]
    assert [len(words) for _, words in done] == [3 * count for count in counts]
    first, second = (run.measured_instructions for run, _ in done[:2])
    each = second - first
    expected = [first + each * (count - counts[0]) for count in counts]
    assert [run.measured_instructions for run, _ in done] == expected


@pytest.mark.parametrize("count", [0, 1, 3, 40, 400])
def test_one_instruction_reaches_each_variable(count):
    """Measured functions have no lui or auipc: one instruction reaches each variable."""
    constants = system_of("systolic_l2r_always", 64).constants[:1] * count
    image = build("xcel", constants)
    for name in ("check_operands", "modexp_word", "modexp_words"):
        symbol = image.symbols[name]
        code = image.memory[symbol.address : symbol.address + symbol.nbytes]
        assert len(code) >= 16
        assert all(code[i] & 0x7F not in (OPCODE_LUI, OPCODE_AUIPC) for i in range(0, len(code), 4))


def test_software_beside_such_an_accelerator():
    """Software takes the same cycles beside an accelerator that needs constants."""
    plain = find_system("proc_null").image("naive", 5, 3, 77)
    beside = find_system("systolic_l2r_always").image("naive", 5, 3, 77)
    assert run_fl(plain).measured_cycles == run_fl(beside).measured_cycles


@built_once("proc-{name}", "{nbits}")
@pytest.mark.quick_cases("systolic_l2r_always-64")
@pytest.mark.parametrize("nbits", [32, 64])
@pytest.mark.parametrize("name", HOSTED_FIRST)
def test_on_the_circuit(name, nbits):
    """The circuit agrees with the simulator, also in the number of instructions."""
    system = find_system(name, nbits)
    circuit = open_circuit(system)
    rows = [(modulus - 2, 0xB5, modulus) for modulus in moduli(nbits)]
    rows += [(5, 3, 0), (0, 3, 1), (5, 3, 8), (9, 3, 7), (2, 3, 1 << nbits | 1)]
    for row in rows:
        golden = run_fl(system.image("xcel", *row), system.devices())
        run = circuit.run(SystemRequest(system.image("xcel", *row), 100_000))
        status = system.configuration.rules.status(*row)
        assert run.end == golden.end
        assert run.end.exit_status == (EXIT_REFUSED + status if status else 0)
        assert run.instructions == golden.instructions
        if not status:
            assert join_words(run.messages) == pow(*row)
