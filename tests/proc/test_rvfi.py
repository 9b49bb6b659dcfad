"""The RISC-V formal interface: what retires is what the simulator executes, and the product's
Verilog does not have the interface."""

import random

import pytest

from rsaxcel.proc.isa import INSTRUCTIONS, decode
from rsaxcel.proc.rvfi.processor import AlternativeProcRVFI, ProcRVFI
from rsaxcel.proc.systems import find_system
from rsaxcel.sim.stalls import NO_SYSTEM_STALLS, SystemStalls
from rsaxcel.sim.system import open_system
from rsaxcel.sim.system_run import SystemRequest
from rsaxcel.sim.translate import translate
from tests.proc.cases.arithmetic import arithmetic_cases
from tests.proc.cases.control import control_cases
from tests.proc.cases.memory import memory_cases
from tests.proc.cases.random_programs import random_program
from tests.proc.components import SlowRegisters
from tests.proc.rvfi_bench import Recorded, compare
from tests.proc.test_proc_rtl_stalls import accelerator_program, check

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


def directed_cases():
    """Cases whose values do not depend on time, in an order that does not depend on the run."""
    found = [*memory_cases(), *control_cases(), *arithmetic_cases(), accelerator_program()]
    return [case for case in found if not any(_reads_time(word) for word in case.words)]


def _reads_time(word):
    return word & 0xFFF0707F in (0xC0002073, 0xC8002073)


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


@pytest.mark.slow
@pytest.mark.parametrize(
    "stalls", [pytest.param(NO_SYSTEM_STALLS, id="none"), pytest.param(STALLED, id="stalls")]
)
def test_every_instruction(bench, stalls):
    """The cases of the processor's tests: every instruction, and every way to end a run."""
    executed, ends = set(), set()
    for case in directed_cases():
        retired = bench.run(case, stalls)
        ends.add(compare(case, retired).end.cause)
        executed |= {x.name for x in (decode(found["insn"]) for found in retired) if x}
    assert executed == set(INSTRUCTIONS)
    assert len(ends) == 5


@pytest.mark.slow
@pytest.mark.parametrize(
    "parameters",
    [
        pytest.param({"product_stage": "X", "divider": "aligning"}, id="early-product"),
        pytest.param({"divider": "restoring", "divider_bits_per_cycle": 1}, id="slow-divider"),
    ],
)
def test_other_processors(parameters):
    case = random_program(random.Random("rvfi other"), pieces=60)
    compare(case, Bench(**parameters).run(case, STALLED))


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
