"""Private operations by the primes on the processor: constants of halves, drivers, circuits."""

import random
from math import gcd

import pytest

from rsaxcel.fl.blinded_key import Variation, blinded_key
from rsaxcel.fl.keys import balanced_key, seeded_key
from rsaxcel.fl.status import Status
from rsaxcel.proc.operands import EXIT_REFUSED, join_words, write_operands
from rsaxcel.proc.programs.build import build
from rsaxcel.proc.run import Devices, run_fl
from rsaxcel.proc.systems import find_system
from rsaxcel.sim.system import open_circuit
from rsaxcel.sim.system_run import SystemRequest
from tests.proc.test_host_constants import Overheard
from tests.shared.harness import built_once, response_of

NBITS, HALF_NBITS = 130, 65  #: halves of three words, messages of five


def systems(**params):
    """Yield systems with the accelerator beside the processor and on the bus, and programs."""
    prefixes = {"proc_": ("xcel", "xcel_loaded"), "axi_": ("axi", "axi_interrupt_loaded")}
    for prefix, programs in prefixes.items():
        system = find_system(f"{prefix}crt_window", NBITS, half_nbits=HALF_NBITS, **params)
        yield from ((system, program) for program in programs)


def rows(halves):
    """Yield operands with halves of many lengths; one pair of moduli shares a factor."""
    rng = random.Random(1)
    pairs = [(9, 15)]
    for lengths in ((65, 65), (64, 65), (2, 65), (65, 2), (33, 32), (32, 31), (65, 33), (3, 4)):
        p, q = ((1 << n) - 1 for n in lengths)
        while gcd(p, q) > 1:
            p, q = (p - 2, q) if p > q else (p, q - 2)
        pairs.append((p, q))
    pairs += [tuple(rng.getrandbits(n) | 1 << n - 1 | 1 for n in (65, 60)) for _ in range(4)]
    for p, q in pairs:
        exponents = halves.joined(rng.getrandbits(HALF_NBITS), rng.getrandbits(HALF_NBITS))
        yield rng.randrange(p * q), exponents, halves.joined(p, q)


REFUSED = {
    "zero": ((0, 0), Status.MODULUS_TOO_SMALL),
    "no q": ((7, 0), Status.MODULUS_TOO_SMALL),
    "p of 1": ((1, 7), Status.MODULUS_TOO_SMALL),
    "even p": ((6, 7), Status.MODULUS_EVEN),
    "even q": ((7, 1 << 40), Status.MODULUS_EVEN),
    "wide p": ((1 << 65 | 1, 7), Status.OPERAND_TOO_WIDE),
    "wide q": ((7, 1 << 65 | 1), Status.OPERAND_TOO_WIDE),
    "more words": ((7, 1 << 96 | 1), Status.OPERAND_TOO_WIDE),
}


def test_constants_on_the_simulator():
    """The driver's constants equal the configuration's, zeros for refused moduli."""
    system = next(systems())[0]
    halves = system.configuration.rules.halves
    refused = [(5, 3, halves.joined(*pair)) for pair, _ in REFUSED.values()]
    for row in (*rows(halves), *refused):
        image = build("xcel", system.constants)
        write_operands(image, *row)
        registers = Overheard(system.configuration)
        done = run_fl(image, Devices(registers))
        result, status = response_of(system.configuration, row)
        assert (row, registers.words) == (row, system.configuration.constant_words(row[-1]))
        assert done.end.exit_status == (EXIT_REFUSED + status if status else 0)
        if not status and gcd(*halves.split(row[-1])) == 1:
            assert join_words(done.messages) == result


@pytest.mark.parametrize(("pair", "status"), REFUSED.values(), ids=REFUSED)
def test_refusals(pair, status):
    """Every driver's exit status has the accelerator's status."""
    for system, program in systems():
        modulus = system.configuration.rules.halves.joined(*pair)
        done = run_fl(system.image(program, 0, 3, modulus), system.devices())
        assert (done.end.exit_status, done.messages) == (EXIT_REFUSED + status, ())


def test_a_checked_result():
    """Drivers hand the public exponent over as a word of the exponent, and tell the status."""
    key = balanced_key(NBITS)
    p, q, *exponents = key.halves(key.d)
    message = 0x123456789 << 60
    for system, program in systems(check="public_exponent"):
        halves = system.configuration.rules.halves
        for public, status in (
            (key.e, Status.OK),
            (key.e + 2, Status.FAULT_DETECTED),
            (0, Status.CONSTANTS_MISSING),
        ):
            joined = halves.joined_exponents(*exponents, public)
            image = system.image(program, key.encrypt(message), joined, halves.joined(p, q))
            done = run_fl(image, system.devices())
            assert done.end.exit_status == (EXIT_REFUSED + status if status else 0)
            assert done.messages == () if status else join_words(done.messages) == message


@pytest.mark.slow
@built_once("proc-crt_window", NBITS)
def test_on_the_circuit():
    """The circuit agrees with the simulator; cycles depend only on the number of words."""
    for system, program in list(systems())[::2]:
        circuit, measured = open_circuit(system), set()
        for row in list(rows(system.configuration.rules.halves))[::2]:
            golden = run_fl(system.image(program, *row), system.devices())
            run = circuit.run(SystemRequest(system.image(program, *row), 100_000))
            assert (run.end, run.messages) == (golden.end, golden.messages)
            if gcd(*system.configuration.rules.halves.split(row[-1])) == 1:
                assert join_words(run.messages) == response_of(system.configuration, row)[0]
            measured.add((-(-max(row).bit_length() // 32), run.measured_cycles))
        if program == "xcel":
            assert len(measured) == len({words for words, _ in measured})


@pytest.mark.slow
@pytest.mark.parametrize("name", ["crt_window", "crt_window_shared"])
def test_keys_in_use(name):
    """A decryption of 1024 bits, beside the processor."""
    system, key = find_system(name, 1024), seeded_key(1024)
    halves = system.configuration.rules.halves
    if max(key.p, key.q).bit_length() > halves.nbits:
        system = find_system(name, 1024, half_nbits=max(key.p, key.q).bit_length())
        halves = system.configuration.rules.halves
    p, q, *exponents = key.halves(key.d)
    message = 0x123456789 << 900
    row = (key.encrypt(message), halves.joined(*exponents), halves.joined(p, q))
    run = open_circuit(system).run(SystemRequest(system.image("xcel", *row), 50_000_000))
    assert join_words(run.messages) == message


def blinded_rows(halves):
    """Yield operands of a key with random numbers, with the message; the last row has none."""
    key, draw = balanced_key(NBITS), random.Random(1)
    p, q, *exponents = key.halves(key.d)
    modulus = halves.joined(p, q)
    public = key.e if halves.public_nbits else 0
    for message in (0, 1, 0x123456789 << 60):
        exponent = halves.blinded_exponents(modulus, *exponents, public, draw)
        yield (key.encrypt(message), exponent, modulus), message, Status.OK
    without = halves.joined_exponents(*exponents, public)
    yield (key.encrypt(2), without, modulus), None, Status.CONSTANTS_MISSING


RANDOM = {
    "blinding": {"blinding": "both"},
    "dummies": {"dummies": "squares"},
    "all-measures": {
        "blinding": "both",
        "dummies": "squares",
        "check": "public_exponent",
        "states": "doubled",
    },
}
"""Parameters of designs that take random numbers."""


@pytest.mark.slow_cases("blinding", "dummies")
@pytest.mark.parametrize("params", RANDOM.values(), ids=RANDOM.keys())
def test_random_numbers(params):
    """Drivers hand random numbers over as further words of the exponent."""
    for system, program in systems(**params):
        for row, message, status in blinded_rows(system.configuration.halves):
            done = run_fl(system.image(program, *row), system.devices())
            assert done.end.exit_status == (EXIT_REFUSED + status if status else 0)
            assert done.messages == () if status else join_words(done.messages) == message


def test_blinded_moduli():
    """Drivers take random multiples of primes as they are; whoever has n reduces the result."""
    key, draw = balanced_key(NBITS - 2 * 16), random.Random(2)
    for params in ({}, {"check": "public_exponent"}):
        for system, program in systems(**params):
            halves = system.configuration.halves
            blinded = blinded_key(key.p, key.q, key.e, Variation(16), draw)
            exponent = halves.joined_exponents(*blinded.private, key.e)
            message = draw.randrange(key.n)
            row = (key.encrypt(message), exponent, halves.joined(*blinded.moduli))
            done = run_fl(system.image(program, *row), system.devices())
            assert done.end.exit_status == 0
            assert blinded.reduced(join_words(done.messages)) == message


@pytest.mark.slow
@pytest.mark.parametrize("params", RANDOM.values(), ids=RANDOM.keys())
def test_random_numbers_on_the_circuit(params):
    """Adapter and bus hold as many words of the exponent as there are with random numbers."""
    for system, program in list(systems(**params))[::2]:
        circuit = open_circuit(system)
        for row, message, _ in list(blinded_rows(system.configuration.halves))[:3]:
            run = circuit.run(SystemRequest(system.image(program, *row), 100_000))
            assert join_words(run.messages) == message
