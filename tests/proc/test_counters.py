"""The 64-bit counters around carries between halves, started near them."""

import pytest
from pymtl3 import DefaultPassGroup

from rsaxcel.proc.instruction_sets import RV32IM
from rsaxcel.proc.isa import CSRS, RESET_VECTOR
from rsaxcel.proc.iss import Simulator
from rsaxcel.proc.pipeline.control import CsrRead
from rsaxcel.proc.pipeline.counters import Counters
from rsaxcel.proc.proc_fl import Hart
from tests.proc.cases.case import Case, Code

BEFORE = (1 << 32) - 2
HALVES = {"cycle": ("cycle", "cycleh"), "instret": ("instret", "instreth")}


def read(unit, name):
    """Read the 64 bits of a counter."""
    value = 0
    for half in reversed(HALVES[name]):
        unit.select @= int(CsrRead[half.upper()])
        unit.sim_eval_combinational()
        value = value << 32 | int(unit.value)
    return value


def hold(unit, name, value):
    """Write 64 bits into a counter."""
    for half in HALVES[name]:
        register = getattr(unit, f"{half}_reg")
        register @= value & 0xFFFFFFFF
        register <<= value & 0xFFFFFFFF
        value >>= 32


@pytest.mark.parametrize("start", [BEFORE, 7 << 32 | BEFORE, (1 << 64) - 2])
def test_circuit_carries(start):
    """Both counters carry, at once or one after the other; instret counts commits only."""
    unit = Counters()
    unit.apply(DefaultPassGroup())
    unit.sim_reset()
    for name in HALVES:
        hold(unit, name, start)
    cycles = instructions = start
    for commits in (1, 0, 1, 1, 0, 1):
        assert read(unit, "cycle") == cycles % (1 << 64)
        assert read(unit, "instret") == instructions % (1 << 64)
        unit.commits @= commits
        unit.sim_tick()
        cycles, instructions = cycles + 1, instructions + commits


def test_reset_clears_both_halves():
    unit = Counters()
    unit.apply(DefaultPassGroup())
    for name in HALVES:
        hold(unit, name, (1 << 64) - 1)
    unit.commits @= 1
    unit.reset @= 1
    unit.sim_tick()
    for name in HALVES:
        assert read(unit, name) == 0


def program():
    """Program that reads all halves of the counters three times."""
    code = Code()
    for _ in range(3):
        for half in (*HALVES["cycle"], *HALVES["instret"]):
            code.add("csrr", rd=1, csr=CSRS[half].address).send(1)
    return Case("halves", code.end())


def expected():
    """Expected messages: each read gives the number of instructions before it."""
    for read_number in range(12):
        count = BEFORE + 2 * read_number
        yield count >> 32 if read_number % 2 else count & 0xFFFFFFFF


def test_simulator_carries():
    messages = []
    simulator = Simulator(program().image().memory, RESET_VECTOR, proc2mngr=messages.append)
    simulator.instret = BEFORE
    simulator.run(1 << 33)
    assert messages == list(expected())
    assert simulator.instret == BEFORE + 26


def test_functional_component_carries():
    hart, messages = Hart(RESET_VECTOR, 1, RV32IM), []
    hart.instret = BEFORE
    memory = program().image().memory
    steps = hart.steps()
    transfer = next(steps)
    while transfer.port:
        if transfer.port == "proc2mngr":
            messages.append(int(transfer.message))
            transfer = steps.send(None)
            continue
        assert transfer.port == "imem"
        address = int(transfer.message.addr)
        word = int.from_bytes(memory[address : address + 4], "little")
        transfer = steps.send(type("Response", (), {"test": 0, "data": word}))
    assert messages == list(expected())
