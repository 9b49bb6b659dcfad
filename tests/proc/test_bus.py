"""The bus of systems: registers, faults, interrupts and cycles as programs see them."""

from functools import cache
from itertools import islice

import pytest
from pymtl3 import DefaultPassGroup, update_ff

from rsaxcel import catalog
from rsaxcel.fl.register_map import (
    END,
    IDENTIFICATION,
    INPUT_LENGTH,
    INTERRUPT_ENABLE,
    INTERRUPTS,
    MODE,
    READ_ADDRESS,
    START,
    STATUS,
    STATUS_CODE,
)
from rsaxcel.fl.status import Status
from rsaxcel.proc.bus.device import BUS_BASE
from rsaxcel.proc.bus.entropy import EntropySource, entropy
from rsaxcel.proc.bus.interrupt import InterruptRegister
from rsaxcel.proc.isa import XCEL_BASE, Cause
from rsaxcel.proc.kinds import BUS, ProcBus
from rsaxcel.proc.run import EndlessError, run_fl
from rsaxcel.proc.systems import PROCESSORS, System, build_system
from rsaxcel.sim.stalls import NO_SYSTEM_STALLS, SystemStalls
from rsaxcel.sim.system import open_system
from rsaxcel.sim.system_run import SystemRequest
from tests.proc.cases.case import Case, Code
from tests.shared.arithmetic import power_of_x

CONFIGURATION = catalog.get("mulrem_r2l").configure(8)
SYSTEM = System("axi_mulrem_r2l", 8, CONFIGURATION)
MEMORY_NBYTES = 0x3000
CYCLES = 2000
STALLED = SystemStalls("everywhere", imem=100, dmem=100, mngr=150)


class Watched(ProcBus):
    """Counts requests that the processor offers before it takes the previous response."""

    def construct(s, processor, accelerator):
        ProcBus.construct(s, processor, accelerator)
        s.owed = s.early = s.both = 0

        @update_ff
        def seq_watch():
            s.note()

    def note(s):
        port = s.proc.dmem
        if s.reset:
            s.owed = 0
            return
        taken = int(port.resp.val & port.resp.rdy)
        s.early += int(port.req.val) & (s.owed > taken)
        s.both += int(port.req.val) & taken
        s.owed += int(port.req.val & port.req.rdy) - taken


@cache
def engine_of(level):
    """Engine of a processor at a level, in PyMTL3, with the golden accelerator."""
    return open_system("pymtl", lambda: build_system(level, CONFIGURATION, "fl", kind=BUS))


def bus(code, register, write=None, offset=0):
    """Write a register of the accelerator, or read it and send its value."""
    place = {"rs1": 1, "imm": getattr(register, "offset", register) + offset}
    if write is None:
        code.add("lw", rd=3, **place).send(3)
    else:
        code.load_constant(3, write).add("sw", rs2=3, **place)


def port(code, number):
    """Read a register of the accelerator port, and send its value."""
    code.add("csrr", rd=3, csr=XCEL_BASE + number).send(3)


def start(code=None):
    return (code or Code()).load_constant(1, BUS_BASE)


def tour():
    """Program that uses registers and memory, a refused operation and its interrupt."""
    code = start().load_constant(2, 0x2000)
    for number in range(9):
        if number != InterruptRegister.WAIT:
            port(code, number)
    bus(code, IDENTIFICATION)
    bus(code, MODE, 3)
    code.add("sw", rs2=1, rs1=2, imm=4)
    bus(code, MODE)
    code.add("lw", rd=4, rs1=2, imm=4).send(4)
    bus(code, INPUT_LENGTH, 5)
    bus(code, INPUT_LENGTH)
    bus(code, STATUS)
    bus(code, INTERRUPT_ENABLE, 1)
    bus(code, STATUS, 1 << START.lsb)
    port(code, InterruptRegister.WAIT)
    port(code, InterruptRegister.LEVEL)
    bus(code, STATUS_CODE)
    bus(code, INTERRUPTS)
    bus(code, INTERRUPTS, 1)
    bus(code, INTERRUPTS)
    port(code, InterruptRegister.LEVEL)
    code.add("csrw", csr=XCEL_BASE, rs1=1)
    return Case("tour", code.end())


SEEN = (
    0,
    0,
    0,
    0,
    0,
    0,
    BUS_BASE,
    0,
    0x5258_0000 | CONFIGURATION.design_id,
    3,
    BUS_BASE,
    0,
    1 << 3,
    1,
    1,
    int(Status.MESSAGE_TOO_LONG),
    1,
    0,
    0,
)


def run(level, case):
    """End, messages and instructions on the simulator (iss), or on a processor of a level."""
    image = case.image()
    if level == "iss":
        done = run_fl(image, SYSTEM.devices())
        return done.end, done.messages, done.instructions
    request = SystemRequest(bytes(image.memory[:MEMORY_NBYTES]), CYCLES, memory_nbytes=1 << 20)
    done = engine_of(level).run(request)
    return done.end, done.messages, done.instructions


levels = pytest.mark.parametrize("level", ["iss", *PROCESSORS])


@levels
def test_what_a_program_sees(level):
    end, messages, _ = run(level, tour())
    assert (end.cause, messages) == (Cause.ECALL, SEEN)


FAULTS = {
    "byte": lambda code: code.add("sb", rs2=0, rs1=1, imm=MODE.offset),
    "half word": lambda code: code.add("lhu", rd=3, rs1=1, imm=MODE.offset),
    "no register": lambda code: bus(code, END),
    "no register to write": lambda code: bus(code, END, 1),
    "behind 4 KiB": lambda code: bus(code.load_constant(1, BUS_BASE + 0x1000), READ_ADDRESS, 1),
    "between memory and bus": lambda code: bus(code.load_constant(1, BUS_BASE - 4), 0),
}


@levels
@pytest.mark.parametrize("name", FAULTS)
def test_what_is_not_there_ends_the_run(level, name):
    code = start()
    FAULTS[name](code)
    end, _, instructions = run(level, Case(name, code.nops(3).end()))
    golden, _, expected = run("iss", Case(name, code.end()))
    assert end == golden
    assert (end.cause, instructions) == (Cause.OUTSIDE_MEMORY, expected)


def test_interrupt_that_never_comes():
    """A wait without an interrupt is reported at FL; the circuit runs to its limit of cycles."""
    code = Code()
    port(code, InterruptRegister.WAIT)
    case = Case("endless", code.end())
    with pytest.raises(EndlessError, match="waits at pc 0x200 for an interrupt, and nothing"):
        run("iss", case)
    assert run("rtl", case) == (None, (), 0)


def test_one_request_at_a_time():
    """The processor offers a bus request only after the previous response, as the bridge needs."""
    made = []

    def watched():
        made.append(Watched(PROCESSORS["rtl"](), CONFIGURATION.axi_accelerator("fl")))
        return made[-1]

    image = bytes(tour().image().memory[:MEMORY_NBYTES])
    system = open_system("pymtl", watched)
    for latency, stalls in ((1, NO_SYSTEM_STALLS), (1, STALLED), (3, STALLED)):
        done = system.run(SystemRequest(image, CYCLES, latency=latency, stalls=stalls))
        assert done.messages == SEEN
    assert (made[-1].early, made[-1].both > 0) == (0, True)


def measured(name, **operands):
    """Cycles of an instruction in a row of equal ones, on the processor's circuit."""
    found = []
    for count in (2, 8):
        code = start().load_constant(2, 0x2000).nops(4).add("csrwi", csr=0x7C1, imm=1)
        for _ in range(count):
            code.add(name, **operands)
        code.add("csrwi", csr=0x7C1, imm=0)
        image = bytes(Case("snippet", code.end()).image().memory[:MEMORY_NBYTES])
        found.append(engine_of("rtl").run(SystemRequest(image, 500)).measured_cycles)
    return (found[1] - found[0]) / 6


@pytest.mark.parametrize(("base", "cycles"), [(1, 4), (2, 1)])
def test_cycles_of_a_transfer(base, cycles):
    """A store or load takes 4 cycles on the bus, and 1 in the memory."""
    for name, register in (("sw", {"rs2": 0}), ("lw", {"rd": 3})):
        assert measured(name, rs1=base, imm=INPUT_LENGTH.offset, **register) == cycles


def test_entropy_is_that_of_the_circuit():
    source = EntropySource()
    source.elaborate()
    source.apply(DefaultPassGroup())
    source.sim_reset()
    source.send.rdy @= 1
    seen = []
    for _ in range(64):
        source.sim_eval_combinational()
        seen.append(int(source.send.msg))
        source.sim_tick()
    assert seen == list(islice(entropy(), 64))
    assert len(set(seen)) > 40


def test_entropy_has_the_longest_period():
    """The polynomial is primitive: x has the order 2**32 - 1 modulo it."""
    polynomial = 1 << 32 | 1 << 30 | 1 << 26 | 1 << 25 | 1
    order = (1 << 32) - 1
    assert power_of_x(order, polynomial) == 1
    for prime in (3, 5, 17, 257, 65537):
        assert power_of_x(order // prime, polynomial) != 1
