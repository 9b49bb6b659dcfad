"""The RISC-V formal interface: what retires is what the simulator executes, and the product's
Verilog does not have the interface."""

import random

import pytest
from pymtl3 import update_ff

from rsaxcel.proc.isa import Cause, decode
from rsaxcel.proc.iss import Simulator
from rsaxcel.proc.kinds import ProcXcel
from rsaxcel.proc.rvfi import RVFI_PORTS, AlternativeProcRVFI, ProcRVFI
from rsaxcel.proc.semantics import LOADS, STORES
from rsaxcel.proc.systems import find_system
from rsaxcel.sim.stalls import NO_SYSTEM_STALLS, SystemStalls
from rsaxcel.sim.system import open_system
from rsaxcel.sim.system_run import SystemRequest
from rsaxcel.sim.translate import translate
from tests.proc.cases.control import control_cases
from tests.proc.cases.memory import memory_cases
from tests.proc.cases.random_programs import random_program
from tests.proc.components import PlainRegisters, SlowRegisters
from tests.proc.test_proc_rtl_stalls import accelerator_program, check


class Recorded(ProcXcel):
    """A system that records the interface of its processor in each cycle with ``rvfi_valid``.

    A run ends before the clock edge of its last cycle: ``note`` has to be called once more then.
    """

    def construct(s, processor, accelerator):
        ProcXcel.construct(s, processor, accelerator)
        s.retired = []

        @update_ff
        def seq_record():
            s.note()

    def note(s):
        if s.reset:
            s.retired.clear()
        elif s.proc.rvfi_valid:
            values = {name: int(getattr(s.proc, f"rvfi_{name}")) for name in RVFI_PORTS}
            s.retired.append(values)


def masked(data, mask):
    """Bytes of a word that a mask of the interface selects; they are its lowest ones."""
    assert mask in (0, 1, 3, 15)
    return (data & 0xFFFFFFFF).to_bytes(4, "little")[: mask.bit_length()]


def read_registers(word):
    """Numbers of the registers that an instruction reads; 0 for none. ``ecall`` reads a0."""
    decoded = decode(word)
    if decoded is None:
        return 0, 0
    if decoded.name == "ecall":
        return 10, 0
    entry = decoded.instruction
    return entry.reads_rs1 * decoded.rs1, entry.reads_rs2 * decoded.rs2


def accessed(word, fails):
    """Masks of the bytes that an instruction reads and writes; none if it fails."""
    decoded = decode(word)
    name = decoded.name if decoded and not fails else ""
    nbytes = LOADS.get(name, (0,))[0], STORES.get(name, 0)
    return tuple((1 << n) - 1 for n in nbytes)


def compare(case, retired):
    """Compare each instruction that has retired with the simulator's.

    Raises AssertionError if one differs. An instruction of the accelerator or the manager has the
    result that the golden models give.
    """
    image, inputs = case.image(), iter(case.inputs)
    registers = PlainRegisters()
    simulator = Simulator(
        image.memory,
        image.entry,
        mngr2proc=lambda: next(inputs, None),
        xcel_read=registers.read,
        xcel_write=registers.write,
    )
    for order, found in enumerate(retired):
        assert simulator.end is None, "an instruction retires after the end"
        pc, before = simulator.pc, list(simulator.registers)
        address, memory = found["mem_addr"], simulator.memory
        read = bytes(memory[address : address + found["mem_rmask"].bit_length()])
        word = int.from_bytes(memory[pc : pc + 4], "little")
        kept = bytes(memory[address - 8 & ~3 : address + 12])
        end = simulator.run(order + 1)
        assert (found["order"], found["pc_rdata"], found["insn"]) == (order, pc, word)
        constants = [found[name] for name in ("valid", "intr", "mode", "ixl")]
        assert constants == [1, 0, 3, 1]
        assert (found["rs1_addr"], found["rs2_addr"]) == read_registers(word), (order, found)
        for name in ("rs1", "rs2"):
            assert found[f"{name}_rdata"] == before[found[f"{name}_addr"]], (order, name)
        fails = end is not None and end.cause.is_fault
        assert (found["trap"], found["halt"]) == (fails, end is not None)
        assert (found["mem_rmask"], found["mem_wmask"]) == accessed(word, fails), (order, found)
        if found["mem_rmask"] | found["mem_wmask"]:
            assert address == found["rs1_rdata"] + decode(word).imm & 0xFFFFFFFF
        after = list(before)
        after[found["rd_addr"]] = found["rd_wdata"]
        assert after == simulator.registers, (order, found)
        assert masked(found["mem_rdata"], found["mem_rmask"]) == read
        written = bytes(memory[address : address + found["mem_wmask"].bit_length()])
        assert masked(found["mem_wdata"], found["mem_wmask"]) == written
        if not found["mem_wmask"]:
            assert kept == bytes(memory[address - 8 & ~3 : address + 12]), (order, found)
        if end is None:
            assert found["pc_wdata"] == simulator.pc, (order, found)
        elif end.cause is Cause.SELF_JUMP:
            assert found["pc_wdata"] == pc
    assert simulator.end is not None, "instructions are missing"
    return simulator


MAX_CYCLES = 100_000
STALLED = SystemStalls("everything", imem=80, dmem=120, mngr=120, seed=77)


class Bench:
    """Runs programs in pure PyMTL3, and returns what has retired."""

    def __init__(self, processor=ProcRVFI, **parameters):
        self.built = []
        self.system = open_system("pymtl", lambda: self._build(processor, parameters))

    def _build(self, processor, parameters):
        self.built.append(Recorded(processor(**parameters), SlowRegisters()))
        return self.built[-1]

    def run(self, case, stalls=NO_SYSTEM_STALLS, latency=1):
        request = SystemRequest(
            case.image(), MAX_CYCLES, inputs=case.inputs, stalls=stalls, latency=latency
        )
        check(case, self.system.run(request))
        self.built[-1].note()
        return list(self.built[-1].retired)


@pytest.fixture(scope="module")
def bench():
    return Bench()


@pytest.mark.quick_cases("stalls")
@pytest.mark.parametrize(
    ("stalls", "latency"),
    [
        pytest.param(NO_SYSTEM_STALLS, 1, id="none"),
        pytest.param(STALLED, 2, id="stalls"),
        pytest.param(STALLED, 5, id="slow-memory"),
    ],
)
def test_random_programs(bench, stalls, latency):
    """Memories, manager and accelerator stall at random; each instruction is compared."""
    case = random_program(random.Random(f"rvfi {latency}"), pieces=60)
    retired = bench.run(case, stalls, latency)
    simulator = compare(case, retired)
    assert len(retired) == simulator.instret > 100
    for loads in ("mem_rmask", "mem_wmask", "rs2_rdata"):
        assert any(found[loads] for found in retired)


def test_faults_and_the_accelerator(bench):
    """Instructions that fail retire with a trap; the accelerator answers late."""
    cases = [case for case in (*memory_cases(), *control_cases()) if case.cause.is_fault]
    for case in (*cases[::7], accelerator_program()):
        retired = bench.run(case, STALLED)
        compare(case, retired)
        assert [found["halt"] for found in retired] == [0] * (len(retired) - 1) + [1]
        assert retired[-1]["trap"] == case.cause.is_fault


#: Signals that mean something only if another signal, or the signal itself, is not 0.
USED = {
    **{"mem_addr": "mem_wmask", "mem_rdata": "mem_rmask", "mem_wdata": "mem_wmask"},
    **{name: name for name in ("mem_rmask", "mem_wmask", "rd_wdata", "rs1_rdata", "rs2_rdata")},
    **{"rs1_addr": "rs1_rdata", "rs2_addr": "rs2_rdata", "rd_addr": "rd_wdata"},
}


def test_a_wrong_record_is_found(bench):
    """The comparison notices a wrong bit in each signal."""
    case = random_program(random.Random("rvfi wrong"), pieces=20)
    retired = bench.run(case)
    compare(case, retired)
    for name in retired[0]:
        used = USED.get(name, "ixl")
        place = next(k for k, found in enumerate(retired) if found[used])
        wrong = [dict(found) for found in retired]
        wrong[place][name] ^= 1
        try:
            compare(case, wrong)
        except AssertionError:
            continue
        pytest.fail(f"{name}: a wrong bit is not noticed")


def text(component):
    return translate(component, "top", check=lambda component: None).text


def test_the_product_has_no_interface():
    """The product's Verilog has nothing of the interface, which the other text has."""
    assert "rvfi" not in text(find_system("proc_null").component()).lower()
    shown = text(AlternativeProcRVFI())
    assert "output logic [31:0] rvfi_rd_wdata" in shown
    assert "Multiplier" not in shown
