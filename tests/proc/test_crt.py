"""Software by the primes of a key: results, and cycles and addresses without secrets."""

import random
from math import gcd

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from rsaxcel.fl.keys import seeded_key
from rsaxcel.fl.status import Status
from rsaxcel.plan.halves import Halves
from rsaxcel.proc.elf import ProgramError
from rsaxcel.proc.isa import decode
from rsaxcel.proc.iss import Simulator
from rsaxcel.proc.operands import EXIT_REFUSED, halves_of, join_words, write_operands
from rsaxcel.proc.programs.build import BY_PRIMES, SOURCES, build
from rsaxcel.proc.run import run_fl
from rsaxcel.proc.systems import find_system
from rsaxcel.sim.system import open_circuit
from rsaxcel.sim.system_run import SystemRequest

WORD = 32
PUBLISHED = {1024: 13_100_000, 2048: 91_400_000}
"""Cycles of a published library's constant-time code for a private operation on this processor."""


def image_of(base, p, q, dp, dq, nbits=2048):
    """Program with operands; exponents and moduli are joined halves of ``nbits`` bits."""
    image, halves = build("crt"), Halves(nbits)
    write_operands(image, base, halves.joined(dp, dq), halves.joined(p, q), halves=halves)
    return image


def check(done, base, p, q, dp, dq):
    """Check that the result is below p * q and right modulo p and modulo q."""
    assert done.end.exit_status == 0
    result = join_words(done.messages)
    assert (result % p, result % q) == (pow(base, dp, p), pow(base, dq, q))
    assert result < p * q


def odd(draw, nbits):
    return draw.getrandbits(nbits) | 1 << nbits - 1 | 1


def moduli(draw, words):
    """Draw two coprime moduli; at least one has the full length."""
    while True:
        p = odd(draw, draw.choice((WORD * words, draw.randint(2, WORD * words))))
        q = odd(draw, WORD * words)
        p, q = draw.sample((p, q), 2)
        if min(p, q) > 2 and gcd(p, q) == 1:
            return p, q


def drawn(draw, words):
    """Draw operands with ``words`` words per half; corners are frequent."""
    p, q = moduli(draw, words)
    nbits = WORD * words
    ones = (1 << nbits) - 1
    dp, dq = (draw.choice((0, 1, ones, draw.getrandbits(nbits))) for _ in "pq")
    most = (1 << 2 * nbits) - 1
    multiple = p * draw.randrange(1, q), q * draw.randrange(1, p), p * q & most
    base = draw.choice((0, 1, most, *multiple, draw.getrandbits(2 * nbits)))
    return base, p, q, dp, dq


@pytest.mark.parametrize(("words", "count"), [(1, 20), (2, 8), (3, 4), (5, 2), (9, 1)])
def test_any_operands(words, count):
    draw = random.Random(words)
    for _ in range(count):
        row = drawn(draw, words)
        check(run_fl(image_of(*row)), *row)


def test_corners():
    """Short moduli with any base, and moduli next to a power of two."""
    top = (1 << WORD) - 5
    for p, q in ((3, 5), (7, 3), (3, top), (top, 3), (top - 12, top), ((1 << WORD - 1) + 1, 5)):
        for base, dp, dq in ((0, 0, 1), (p * q, p - 2, 0), ((1 << 2 * WORD) - 1, 5, q - 1)):
            row = base, p, q, dp, dq
            check(run_fl(image_of(*row)), *row)


def test_a_key_both_ways():
    key = seeded_key(128)
    halves = key.halves(key.d)
    for message in (1, 12345, key.p, key.n - 1):
        done = run_fl(image_of(key.encrypt(message), *halves))
        assert join_words(done.messages) == message


@pytest.mark.parametrize(
    ("p", "q", "refusal"),
    [
        (1, 5, Status.MODULUS_TOO_SMALL),
        (5, 0, Status.MODULUS_TOO_SMALL),
        (0, 1, Status.MODULUS_TOO_SMALL),
        (2, 1 << 40 | 1, Status.MODULUS_TOO_SMALL),
        (1 << 40, 1, Status.MODULUS_TOO_SMALL),
        (1 << 40, 5, Status.MODULUS_EVEN),
        (5, 6, Status.MODULUS_EVEN),
        (6, 4, Status.MODULUS_EVEN),
    ],
)
def test_moduli_that_are_refused(p, q, refusal):
    done = run_fl(image_of(7, p, q, 1, 1))
    assert (done.end.exit_status, done.messages) == (EXIT_REFUSED + refusal, ())


def test_operands_that_have_no_place():
    wide = 1 << 2048 | 1
    for values, message in (
        ((1 << 4096, 3, 5, 1, 1), "base of 4097 bits: up to 4096"),
        ((7, 3, wide, 1, 1), "^q of 2049 bits: up to 2048"),
        ((7, wide, 3, 1, 1), "p of 2049 bits"),
        ((7, 3, 5, 1, wide), "dq of 2049 bits"),
        ((7, 15, 21, 1, 1), "p and q share a factor, 0x3"),
    ):
        with pytest.raises(ValueError, match=message):
            image_of(*values, nbits=4096)
    image = build("crt")
    assert halves_of(image) == Halves(2048)
    with pytest.raises(ProgramError, match="takes p, q, dp and dq"):
        write_operands(image, 7, 3, 15)


def test_what_takes_halves_is_told_by_name_and_by_the_file():
    for name in SOURCES:
        assert (halves_of(build(name)) is not None) == (name in BY_PRIMES)


@pytest.mark.xdist_group("proc-null")
def test_cycles_are_the_same_for_all_keys_bases_and_exponents():
    """On the circuit, all keys, bases and exponents of a length take the same cycles."""
    circuit = open_circuit(find_system("proc_null"))
    draw = random.Random(7)
    for words, count in ((1, 12), (2, 3)):
        cycles = set()
        for _ in range(count):
            row = drawn(draw, words)
            done = circuit.run(SystemRequest(image_of(*row), 1_000_000))
            check(done, *row)
            cycles.add((done.cycles, done.measured_cycles))
        assert len(cycles) == 1


def accesses(image):
    """Addresses of executed instructions and of their accesses, up to the first result."""
    found, decoded, messages = [], {}, []
    simulator = Simulator(image.memory, image.entry, proc2mngr=messages.append)
    while not messages and simulator.end is None:
        pc = simulator.pc
        if pc not in decoded:
            word = int.from_bytes(image.memory[pc : pc + 4], "little")
            entry = decode(word)
            is_access = entry.instruction.unit in ("load", "store")
            decoded[pc] = (entry.rs1, entry.imm) if is_access else None
        place = decoded[pc]
        found.append(pc)
        if place:
            found.append(simulator.registers[place[0]] + place[1])
        simulator.run(simulator.instret + 1)
    return found


def test_no_branch_and_no_address_depends_on_a_secret():
    """Addresses of instructions and data depend on neither key nor base."""
    draw = random.Random(5)
    ones = (1 << WORD) - 1
    rows = [drawn(draw, 1), (0, 3, ones - 4, 0, ones)]
    first, second = (accesses(image_of(*row)) for row in rows)
    assert len(first) > 100_000
    assert first == second


@pytest.mark.slow
@pytest.mark.xdist_group("proc-null")
@pytest.mark.parametrize("nbits", [1024, 2048])
def test_keys_in_use_take_fewer_cycles_than_published_code(nbits):
    circuit = open_circuit(find_system("proc_null"))
    draw = random.Random(nbits)
    cycles = set()
    for _ in range(2):
        key = rsa.generate_private_key(65537, nbits).private_numbers()
        base = draw.randrange(key.public_numbers.n)
        row = base, key.p, key.q, key.dmp1, key.dmq1
        done = circuit.run(SystemRequest(image_of(*row), PUBLISHED[nbits]))
        check(done, *row)
        assert join_words(done.messages) == pow(base, key.d, key.public_numbers.n)
        cycles.add(done.measured_cycles)
    assert len(cycles) == 1
    assert 2 * cycles.pop() < PUBLISHED[nbits]


@pytest.mark.slow
@pytest.mark.xdist_group("proc-null")
def test_the_widest_key():
    circuit = open_circuit(find_system("proc_null"))
    key = rsa.generate_private_key(65537, 4096).private_numbers()
    row = (1 << 4096) - 1, key.p, key.q, key.dmp1, key.dmq1
    check(circuit.run(SystemRequest(image_of(*row), 1 << 32)), *row)
