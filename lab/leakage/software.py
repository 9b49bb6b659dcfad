"""Tests whether cycles, branches and addresses of programs depend on exponent, base or modulus."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any

import numpy as np

from rsaxcel.circuit import Halves, expected_power, is_checked
from rsaxcel.fl.keys import Key, balanced_primes
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.requests import workload_operands
from rsaxcel.flow.subjects.system import most_cycles
from rsaxcel.lab.leakage.operands import BASE, EXPONENT, MODULUS, TESTS
from rsaxcel.lab.leakage.timing import Spread
from rsaxcel.proc.elf import Image
from rsaxcel.proc.isa import Decoded, decode
from rsaxcel.proc.iss import Simulator
from rsaxcel.proc.programs.build import BY_PRIMES
from rsaxcel.proc.systems import NULL_SYSTEM, OVERHEAD, System
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.system_run import SystemEngine, SystemRequest, SystemRun

_ACCESSES = ("load", "store")
_LIMIT = 10  #: limit of a run, in units of most_cycles: programs by primes take longer than others


@dataclass(frozen=True)
class Difference:
    """First place at which two runs of a program differ."""

    what: str  #: "branch": another instruction follows; "address": another word is accessed
    place: str  #: label and offset, such as modexp+0x1c
    instruction: str


@dataclass(frozen=True, kw_only=True)
class SoftwareTiming(Spread):
    """Cycles in the measured region of a program, and its addresses, while one operand varies."""

    # Before the region, a driver computes constants of the modulus and may load a key; after it,
    # the result is sent.

    program: str
    outside_least: int  #: smallest number of cycles outside the region
    outside_most: int  #: largest number of cycles outside the region
    difference: Difference | None  #: first difference from the first run's addresses

    @property
    def varies_outside(self) -> bool:
        """Whether the cycles outside the measured region depend on the operand."""
        return self.outside_most > self.outside_least

    def as_json(self) -> dict[str, Any]:
        return {**super().as_json(), "varies_outside": self.varies_outside}


def programs_of(system: System) -> list[str]:
    """Programs that exponentiate on a system; on the processor alone, those by primes, too."""
    others = BY_PRIMES if system.design_name == NULL_SYSTEM else ()
    candidates = (*system.programs, *others)
    return [x for x in candidates if x != OVERHEAD and not system.lacks(x)]


def operands_of(
    system: System, program: str, operand: str, seed: int, count: int
) -> list[Operands]:
    """Draw operands, one of which varies while the other two do not.

    Exponents and bases have all bits drawn, or, every second one, a random length, so that leading
    zeros occur. Moduli are odd, and of one length. If an accelerator checks its result by the
    public exponent, moduli come with the private exponents of their keys.
    """
    halves = system.halves_of(program)
    draw = random.Random(f"{seed}/software/{program}/{operand}")
    _, exponent, modulus = workload_operands(system, 3, 1, halves)[0]
    whole = halves.nbits * 2 if halves else system.nbits
    below = modulus
    if halves:
        p, q = halves.split(modulus)
        below = p * q
    base = draw.getrandbits(whole - 2)
    if not is_checked(halves):
        exponent = _exponent(system, halves, draw, False)
    rows: list[Operands] = []
    for number in range(count):
        short = number % 2 == 1
        if operand == BASE:
            drawn = draw.randrange(below)
            drawn = drawn >> draw.randint(0, whole) if short else drawn
            rows.append((drawn, _reblinded(halves, exponent, modulus, draw), modulus))
            continue
        if operand == MODULUS:
            modulus, exponent = _modulus(system, halves, exponent, draw)
        else:
            exponent = _exponent(system, halves, draw, short)
        rows.append((base, _reblinded(halves, exponent, modulus, draw), modulus))
    return rows


def _reblinded(halves: Halves | None, exponent: int, modulus: int, draw: random.Random) -> int:
    """Return the exponent of a request, with new random numbers if the halves take any."""
    return halves.reblinded(exponent, modulus, draw) if halves and halves.blinds else exponent


def _modulus(
    system: System, halves: Halves | None, exponent: int, draw: random.Random
) -> tuple[int, int]:
    """Draw an odd modulus of all bits, or two coprime ones; return it with its exponent.

    A modulus with a public exponent has exponents of its own; otherwise the exponent stays the
    same.
    """
    if halves is None:
        return draw.getrandbits(system.nbits) | 1 << (system.nbits - 1) | 1, exponent
    if halves.public_nbits:
        return _key(halves, system.nbits, halves.split_exponents(exponent).public, draw)
    most = 1 << (halves.nbits - 1)
    while True:
        p, q = (draw.getrandbits(halves.nbits) | most | 1 for _ in "pq")
        if gcd(p, q) == 1:
            return halves.joined(p, q), exponent


def _key(halves: Halves, nbits: int, public: int, draw: random.Random) -> tuple[int, int]:
    """Draw two primes for a public exponent; return modulus and exponents of a request."""
    while True:
        key = Key.of_primes(*balanced_primes(nbits, draw.getrandbits(32)), public)
        if key:
            p, q, dp, dq = key.halves(key.d)
            return halves.joined(p, q), halves.joined_exponents(dp, dq, public)


def _exponent(system: System, halves: Halves | None, draw: random.Random, short: bool) -> int:
    def one(nbits: int) -> int:
        return draw.getrandbits(draw.randint(0, nbits) if short else nbits)

    if halves:
        return halves.joined_exponents(one(halves.nbits), one(halves.nbits))
    return one(system.exponent_nbits)


def addresses(system: System, image: Image, max_instructions: int) -> array[int]:
    """Run a program on the functional model; return the addresses of its accesses.

    For each instruction: its address, and the address of the word that it loads or stores (else
    its own once more), up to the first word of the result.
    """
    messages: list[int] = []
    devices = system.devices()
    simulator = Simulator(
        image.memory,
        image.entry,
        proc2mngr=messages.append,
        xcel_read=devices.registers.read,
        xcel_write=devices.registers.write,
        bus=devices.bus,
        instruction_set=system.instruction_set,
    )
    found, accesses = array("Q"), dict[int, Decoded | None]()
    while not messages:
        pc = simulator.pc
        if simulator.end is not None or simulator.instret >= max_instructions:
            raise FlowError(f"{image.name}: no result within {simulator.instret:,} instructions")
        if pc not in accesses:
            known = _instruction(image, pc)
            accesses[pc] = known if known and known.instruction.unit in _ACCESSES else None
        access = accesses[pc]
        found.append(pc)
        found.append(simulator.registers[access.rs1] + access.imm & 0xFFFFFFFF if access else pc)
        simulator.run(simulator.instret + 1)
    return found


def _instruction(image: Image, pc: int) -> Decoded | None:
    return decode(int.from_bytes(image.memory[pc : pc + 4], "little"))


def first_difference(image: Image, one: Sequence[int], other: Sequence[int]) -> Difference | None:
    """Compare two results of ``addresses``; the program is in ``image``."""
    length = min(len(one), len(other))
    differ = np.flatnonzero(np.asarray(one[:length]) != np.asarray(other[:length]))
    if not len(differ):
        return None
    place, is_address = divmod(int(differ[0]), 2)
    pc = one[2 * place] if is_address else one[2 * place - 2]
    known = _instruction(image, pc)
    name = known.name if known else "?"
    return Difference("address" if is_address else "branch", image.place(pc) or hex(pc), name)


def left_out(system: System, program: str, operand: str) -> str:
    """Reason why an operand of a program cannot vary alone; empty if it can."""
    if operand == MODULUS and system.constant_modulus:
        return "there is one modulus only"
    if operand == EXPONENT and is_checked(system.halves_of(program)):
        return "private exponents follow from the primes and the public exponent"
    return ""


def software_tests(
    system: System,
    circuit: SystemEngine,
    seed: int,
    count: int,
    tests: Sequence[str] = TESTS,
    advance: Callable[[int], object] = lambda runs: None,
) -> Iterator[SoftwareTiming]:
    """Run all programs of a system while one operand varies, on its circuit and its models.

    Cycles are those of the circuit, addresses those of the functional models.
    """
    max_cycles = _LIMIT * most_cycles(system)
    configuration = system.configuration
    declared: dict[str, bool | None] = dict.fromkeys(TESTS)
    if configuration:
        declared |= {EXPONENT: configuration.exponent_dependent, BASE: configuration.base_dependent}
    for program in programs_of(system):
        for operand in tests:
            if left_out(system, program, operand):
                continue
            cycles, outside, difference, first = [], [], None, None
            for row in operands_of(system, program, operand, seed, count):
                done = _run(system, circuit, program, row, max_cycles)
                cycles.append(done.measured_cycles)
                outside.append(done.cycles - done.measured_cycles)
                if difference is None:
                    image = _image(system, program, row)
                    path = addresses(system, image, max_cycles)
                    first = path if first is None else first
                    difference = first_difference(image, first, path)
                advance(1)
            yield SoftwareTiming(
                program=program,
                operand=operand,
                declared=declared[operand],
                count=count,
                least=min(cycles),
                most=max(cycles),
                outside_least=min(outside),
                outside_most=max(outside),
                difference=difference,
            )


def _image(system: System, program: str, row: Operands) -> Image:
    return system.image(program, *row, halves=system.halves_of(program))


def _run(
    system: System, circuit: SystemEngine, program: str, row: Operands, max_cycles: int
) -> SystemRun:
    """Run a program on the circuit, and check its result."""
    base, exponent, modulus = row
    done = circuit.run(SystemRequest(_image(system, program, row), max_cycles))
    told = f"{program} with base, exponent, modulus {base:#x}, {exponent:#x}, {modulus:#x}"
    if done.end is None:
        raise FlowError(f"{told}: no end within {max_cycles:,} cycles")
    result = system.result(done.messages)
    if done.end.exit_status or result != expected_power(*row, system.halves_of(program)):
        raise FlowError(f"{told}: wrong result {result:#x}, exit status {done.end.exit_status}")
    return done


def contradictions_of(found: Sequence[SoftwareTiming]) -> list[str]:
    """Lines on drivers whose cycles vary although the design declares constant cycles."""
    return [
        f"{x.operand}_dependent is declared false, but the cycles of {x.program} vary from "
        f"{x.least:,} to {x.most:,} with the {x.operand}"
        for x in found
        if x.contradicts
    ]
