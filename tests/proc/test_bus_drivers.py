"""Programs that use the accelerator on the bus: golden simulator, cycle models and circuits."""

import random
import re
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from rsaxcel.fl.keys import seeded_key
from rsaxcel.fl.status import Status
from rsaxcel.proc.bus.entropy import entropy
from rsaxcel.proc.elf import load_elf
from rsaxcel.proc.operands import EXIT_NO_ACCELERATOR, EXIT_NO_OPERANDS, EXIT_REFUSED, join_words
from rsaxcel.proc.programs import build as builder
from rsaxcel.proc.run import run_fl
from rsaxcel.proc.systems import find_system
from rsaxcel.sim.system import open_circuit, open_cycle_model
from rsaxcel.sim.system_run import SystemRequest
from tests.proc.programs import compile_own
from tests.shared.harness import HOSTED_FIRST

DRIVERS = ("axi", "axi_interrupt", "axi_loaded", "axi_interrupt_loaded")
CYCLES = 100_000


def run(system, program, *operands):
    return run_fl(system.image(program, *operands), system.devices())


@pytest.mark.quick_cases("mulrem_r2l-*")
@pytest.mark.parametrize("nbits", [32, 96])
@pytest.mark.parametrize("design", ["mulrem_r2l", HOSTED_FIRST[0]])
def test_drivers_on_the_simulator(design, nbits):
    """Drivers on the simulator: several bases, and moduli shorter than the accelerator."""
    system = find_system(f"axi_{design}", nbits)
    draw = random.Random(f"{design}/{nbits}")
    for length in (3, 17, nbits):
        modulus = draw.getrandbits(length) | 1 << length - 1 | 1
        for base in (0, 1, modulus - 1, draw.randrange(1 << length // 2)):
            operands = (base, draw.getrandbits(nbits), modulus)
            for program in DRIVERS:
                done = run(system, program, *operands)
                assert (program, operands, done.end.exit_status) == (program, operands, 0)
                assert join_words(done.messages) == pow(*operands)


REFUSED = [
    ((5, 3, 4), Status.MODULUS_EVEN),
    ((5, 3, 1), Status.MODULUS_TOO_SMALL),
    ((7, 3, 5), Status.BASE_TOO_LARGE),
    ((0x700, 3, 5), Status.MESSAGE_TOO_LONG),
    ((5, 3, 1 << 32 | 1), Status.MESSAGE_TOO_LONG),
    ((5, 1 << 32, 77), Status.OPERAND_TOO_WIDE),
]


@pytest.mark.parametrize(("operands", "status"), REFUSED)
def test_refusals_are_those_of_the_bus(operands, status):
    """Drivers report the bus's statuses: a base longer than the modulus is too long a message."""
    for program in DRIVERS:
        done = run(find_system("axi_mont_r2l"), program, *operands)
        assert (done.end.exit_status, done.messages) == (EXIT_REFUSED + status, ())


@pytest.mark.parametrize("design", ["mont_r2l", HOSTED_FIRST[0]])
def test_drivers_that_belong_elsewhere(design):
    """Drivers on a system of another kind end with ``EXIT_NO_ACCELERATOR``."""
    bus, beside = (find_system(prefix + design) for prefix in ("axi_", "proc_"))
    for program in DRIVERS:
        done = run_fl(beside.image(program, 5, 3, 77), beside.devices())
        assert done.end.exit_status == EXIT_NO_ACCELERATOR
    for program in ("xcel", "xcel_loaded"):
        done = run_fl(bus.image(program, 5, 3, 77), bus.devices())
        assert done.end.exit_status == EXIT_NO_ACCELERATOR
    for program in DRIVERS:
        done = run_fl(builder.build(program), bus.devices())
        assert done.end.exit_status == EXIT_NO_OPERANDS


@pytest.mark.parametrize("design", ["mont_r2l", HOSTED_FIRST[0]])
def test_loaded_key_is_not_measured(design):
    """With the suffix _loaded, loading the key is outside the measured region."""
    for prefix, program in (("proc_", "xcel"), ("axi_", "axi"), ("axi_", "axi_interrupt")):
        system = find_system(prefix + design, 64)
        operands = (1 << 40, 65537, (1 << 64) - 59)
        whole, loaded = (run(system, program + end, *operands) for end in ("", "_loaded"))
        assert join_words(whole.messages) == join_words(loaded.messages) == pow(*operands)
        written = 4 + len(system.configuration.constant_words(operands[-1]))
        assert whole.measured_instructions - loaded.measured_instructions >= written


@cache
def cycle_model(name, nbits):
    return open_cycle_model(find_system(name, nbits))


@pytest.mark.parametrize("program", ["axi", "axi_interrupt"])
def test_cycle_model_does_what_the_simulator_does(program):
    """Polling takes more instructions on the cycle model, waiting takes equally many."""
    system = find_system("axi_mulrem_r2l", 8)
    for operands in ((0xB5, 0x2F, 0xF1), (7, 3, 5)):
        image = system.image(program, *operands)
        done = cycle_model("axi_mulrem_r2l", 8).run(SystemRequest(image, CYCLES))
        golden = run(system, program, *operands)
        assert (done.end, done.messages) == (golden.end, golden.messages)
        more = done.instructions - golden.instructions
        assert more > 0 if program == "axi" else more == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("design", "nbits"),
    [
        pytest.param(design, nbits, marks=pytest.mark.xdist_group(f"axi-{design}"))
        for design, nbits in (("mulrem_r2l", 32), (HOSTED_FIRST[0], 64))
    ],
)
def test_circuit_does_what_the_simulator_does(design, nbits):
    """Every driver, with good and refused operands, and with several memory latencies."""
    system = find_system(f"axi_{design}", nbits)
    circuit = open_circuit(system)
    draw = random.Random(design)
    modulus = draw.getrandbits(nbits) | 1 << nbits - 1 | 1
    rows = [(draw.randrange(modulus), draw.getrandbits(nbits), modulus) for _ in range(3)]
    rows += [(5, 3, 4), (7, 3, 5), (5, 0, 77), (1 << nbits, 3, modulus)]
    for operands in rows:
        for program in DRIVERS:
            golden = run(system, program, *operands)
            for latency in (1, 3):
                image = system.image(program, *operands)
                done = circuit.run(SystemRequest(image, CYCLES, latency=latency))
                assert (done.end, done.messages) == (golden.end, golden.messages)
                if "interrupt" in program:
                    assert done.instructions == golden.instructions
    image = system.image("axi_interrupt", *rows[0])
    first = circuit.run(SystemRequest(image, CYCLES))
    for cycle in range(0, first.cycles, 5):
        again = circuit.run(SystemRequest(image, CYCLES, reset_at=cycle, power_up_seed=cycle + 1))
        assert (again.end, again.messages) == (first.end, first.messages)


PADDED = Path(__file__).with_name("padded.c").read_text("utf-8")


@pytest.mark.parametrize(
    "level", ["fl", pytest.param("rtl", marks=[pytest.mark.slow, pytest.mark.xdist_group("axi")])]
)
def test_padding_by_the_source_on_the_chip(level, tmp_path):
    """A message is encrypted and decrypted; its padding has the entropy source's bytes."""
    nbits, message = 96, 0xCA
    key, system = seeded_key(nbits), find_system("axi_mulrem_r2l", nbits)
    numbers = {
        name: ", ".join(f"{value >> i & 0xFFFFFFFF:#x}" for i in range(0, nbits, 32))
        for name, value in (("modulus", key.n), ("d", key.d))
    }
    (tmp_path / "padded.c").write_text(PADDED % {**numbers, "e": key.e, "message": message})
    start = Path(builder.__file__).with_name("crt0.S")
    image = load_elf(compile_own(tmp_path / "padded.elf", start, tmp_path / "padded.c"))
    if level == "fl":
        done = run_fl(image, system.devices())
    else:
        done = open_circuit(system).run(SystemRequest(image, CYCLES))
    status, length, *cipher, again, back, found = done.messages
    assert (status, length, again, back, found) == (0, nbits // 8, 0, 1, message)
    padding = islice((byte for byte in entropy() if byte), 8)
    block = bytes([0, 2, *padding, 0, message])
    assert join_words(cipher) == pow(int.from_bytes(block, "big"), key.e, key.n)


ROW = re.compile(r"^\| .* \| `(\w+)` \| (\d+) / (\d+) \| (\d+) / (\d+) \|$", re.M)
RECORD = Path(__file__).parents[2] / "docs/records/documents.md"


@pytest.mark.slow
def test_cycles_of_the_record():
    """Every figure of the record's table of calls equals a run."""
    base, modulus, exponents = 0x75BCD15, 0x80123423, (0x10001, 0x3A48D459)
    rows = ROW.findall(RECORD.read_text(encoding="utf-8"))
    printed = {}
    for program, *cycles in rows:
        printed |= {program: cycles[:2], f"{program}_loaded": cycles[2:]}
    assert printed.keys() == {*DRIVERS, "xcel", "xcel_loaded"}
    for program, both in printed.items():
        system = find_system("proc_mont_r2l" if program.startswith("xcel") else "axi_mont_r2l")
        circuit = open_circuit(system)
        for e, cycles in zip(exponents, both, strict=True):
            image = system.image(program, base, e, modulus)
            done = circuit.run(SystemRequest(image, CYCLES))
            assert join_words(done.messages) == pow(base, e, modulus)
            assert (program, done.measured_cycles) == (program, int(cycles))
