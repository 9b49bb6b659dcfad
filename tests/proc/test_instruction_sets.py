"""Processors with fewer instructions: the models agree, and what is left out is refused."""

import random
import re
from functools import cache

import pytest
from pymtl3 import DefaultPassGroup

from rsaxcel.flow.subjects import find_target, subject_of
from rsaxcel.proc.elf import ProgramError, load_elf
from rsaxcel.proc.instruction_sets import INSTRUCTION_SETS, MCNAY, RV32IM, TINYRV2, sets_with
from rsaxcel.proc.isa import Cause
from rsaxcel.proc.pipeline.decoder import Decoder
from rsaxcel.proc.run import run_fl
from rsaxcel.proc.systems import build_system, find_system
from rsaxcel.sim.stalls import SystemStalls
from rsaxcel.sim.system import open_circuit, open_cycle_model, open_system
from rsaxcel.sim.system_run import SystemRequest
from tests.proc.cases.arithmetic import arithmetic_cases
from tests.proc.cases.control import control_cases
from tests.proc.cases.memory import memory_cases
from tests.proc.cases.random_programs import random_program
from tests.proc.programs import compile_plain
from tests.proc.test_decoder import words

CASES = [*arithmetic_cases(), *memory_cases(), *control_cases()]
REDUCED = [name for name in INSTRUCTION_SETS if name != RV32IM.name]
MAX_CYCLES = 200_000
KEY = (1460365373 % 2148676643, 65537, 2148676643)

isas = pytest.mark.parametrize("isa", REDUCED)
few_are_quick = pytest.mark.quick_cases(*(f"*{x.name}" for x in (TINYRV2, MCNAY)))
rtl_group = pytest.mark.xdist_group("proc-null")


@cache
def circuit_of(isa, stage="M"):
    system = find_system("proc_null", proc_isa=isa, proc_product_stage=stage)
    return open_circuit(system)


@cache
def functional_of(isa):
    return open_system("pymtl", lambda: build_system("fl", isa=isa))


def golden(case, isa):
    """Outcome on the instruction-set simulator: all that can be compared with a circuit's run."""
    image = case.image()
    done = run_fl(
        image, inputs=case.inputs, max_cycles=MAX_CYCLES, instruction_set=INSTRUCTION_SETS[isa]
    )
    return done.end, done.messages, done.instructions, bytes(image.memory)


def outcome(engine, case, **options):
    done = engine.run(SystemRequest(case.image(), MAX_CYCLES, inputs=case.inputs, **options))
    return done.end, done.messages, done.instructions, bytes(done.memory)


def fits(case, isa):
    return not INSTRUCTION_SETS[isa].lacks(case.words)


def test_what_the_sets_contain():
    assert len(INSTRUCTION_SETS) == 9
    assert MCNAY.name == "tinyrv2_divu_mulhu_lbu"
    assert MCNAY.instructions - TINYRV2.instructions == {"divu", "remu", "mulhu", "lbu"}
    assert len(TINYRV2.instructions) == 34 + 2  # csrwi and ecall are ours
    assert TINYRV2.instructions.isdisjoint({"lb", "lh", "lhu", "sb", "sh", "mulh", "div", "fence"})
    assert sets_with(["lbu", "remu"]) == (
        "proc_isa=tinyrv2_divu_lbu, tinyrv2_divu_mulhu_lbu, rv32im allowed"
    )


@isas
def test_decoder_refuses_what_is_left_out(isa):
    """The same words as for RV32IM: an instruction outside the set has no control signal."""
    found = INSTRUCTION_SETS[isa]
    unit = Decoder(found)
    unit.apply(DefaultPassGroup())
    left_out = set()
    for word in words():
        unit.inst @= word
        unit.sim_eval_combinational()
        legal = found.decode(word) is not None
        assert bool(unit.illegal) == (not legal), f"{word:#010x}"
        assert legal or int(unit.control.to_bits()) == 0
        left_out |= set(found.lacks([word]))
    assert left_out == RV32IM.instructions - found.instructions


@few_are_quick
@rtl_group
@isas
def test_cases_of_instructions(isa):
    """Cases that fit give what they give on RV32IM; others stop at what the processor lacks."""
    fitting = 0
    for case in CASES:
        expected = golden(case, isa)
        end = expected[0]
        if fits(case, isa):
            fitting += 1
            assert (end.cause, expected[1]) == (case.cause, case.messages), case.name
        else:
            assert end.cause in (Cause.ILLEGAL_INSTRUCTION, case.cause), case.name
            lacks = INSTRUCTION_SETS[isa].lacks([end.word])
            assert end.cause is case.cause or lacks, case.name
        assert outcome(circuit_of(isa), case) == expected, case.name
    assert fitting > len(CASES) // 2


@few_are_quick
@isas
def test_functional_component(isa):
    for case in [x for x in CASES if not fits(x, isa)][::3] + random_cases(isa, 4):
        assert outcome(functional_of(isa), case) == golden(case, isa), case.name


def random_cases(isa, count):
    allowed = INSTRUCTION_SETS[isa].instructions
    return [random_program(random.Random(seed), 60, allowed) for seed in range(count)]


@few_are_quick
@rtl_group
@isas
@pytest.mark.parametrize("stage", ["M", "X"])
def test_random_programs(isa, stage):
    """Programs of the set's instructions; a program with others stops where the simulator stops."""
    for seed, case in enumerate(random_cases(isa, 30)):
        expected = golden(case, isa)
        assert expected[0].cause is Cause.ECALL
        stalls = SystemStalls("random", 7 * seed % 200, 11 * seed % 200, 100, seed=seed + 1)
        found = outcome(circuit_of(isa, stage), case, latency=1 + seed % 3, stalls=stalls)
        assert found == expected, f"seed {seed}"
    causes = set()
    for seed in range(20):
        case = random_program(random.Random(seed), 20)
        expected = golden(case, isa)
        causes.add(expected[0].cause)
        assert outcome(circuit_of(isa, stage), case) == expected, f"seed {seed}"
    assert Cause.ILLEGAL_INSTRUCTION in causes


BOTH = ("naive", "montgomery", "dummy")
RUNS = [
    ("proc_null", "tinyrv2", "tuned", ("dummy",)),
    ("proc_null", "tinyrv2_divu_lbu", "tuned", ("dummy",)),
    ("proc_null", "tinyrv2_divu_mulhu", "tuned", BOTH),
    ("proc_null", "tinyrv2_divu_mulhu", "printed", ("dummy",)),
    ("proc_null", "tinyrv2_divu_mulhu_lbu", "printed", BOTH),
    ("proc_mont_r2l", "tinyrv2", "tuned", ("xcel", "dummy")),
    ("proc_mont_r2l", "tinyrv2", "printed", ("xcel", "dummy")),
    # The driver computes constants of the modulus, by divisions and high products.
    ("proc_systolic_l2r_always", "tinyrv2", "tuned", ("dummy",)),
    ("proc_systolic_l2r_always", "tinyrv2_divu_mulhu", "tuned", ("xcel", "dummy")),
    ("axi_mont_r2l", "tinyrv2", None, ("axi", "axi_interrupt", "dummy")),
]


@pytest.mark.parametrize(
    ("name", "isa", "software", "programs"), RUNS, ids=["-".join(map(str, x[:3])) for x in RUNS]
)
def test_programs_that_run(name, isa, software, programs):
    form = {} if software is None else {"software": software}
    system = find_system(name, proc_isa=isa, **form)
    assert system.programs == programs
    subject = subject_of(system)
    assert subject.operations({"encrypt": 3}) == [f"{x}_encrypt" for x in programs]
    told = {line.split()[0]: line for line in subject.remarks}
    assert set(told) == {*system.kind.programs, "dummy"} - set(programs)
    assert all(line.endswith(f", which proc_isa={isa} lacks") for line in told.values())
    for program in (*system.kind.programs, "dummy"):
        if program in programs:
            done = run_fl(
                system.image(program, *KEY),
                system.devices(),
                instruction_set=system.instruction_set,
            )
            assert done.end.exit_status == 0
            assert system.result(done.messages) == pow(*KEY)
        else:
            message = rf"^{program}\w* needs .*, which proc_isa={isa} lacks: proc_isa=.* allowed$"
            with pytest.raises(ProgramError, match=message):
                system.image(program, *KEY)


def test_message_names_what_is_needed_and_where_it_is():
    with pytest.raises(ProgramError) as refused:
        find_system("proc_null", proc_isa="tinyrv2_divu", software="printed").build("naive")
    assert str(refused.value) == (
        "naive_printed needs mulhu, lbu, which proc_isa=tinyrv2_divu lacks: "
        "proc_isa=tinyrv2_mulhu_lbu, tinyrv2_divu_mulhu_lbu, rv32im allowed"
    )


def test_other_programs_are_refused_for_what_they_contain():
    assert find_system("proc_null", proc_isa="tinyrv2").build("dummy").code
    with pytest.raises(ProgramError, match=r"^selfcheck needs "):
        find_system("proc_null", proc_isa=MCNAY.name).build("selfcheck")


@rtl_group
def test_driver_takes_the_same_cycles_on_the_small_processor():
    for open_it, rows in ((open_circuit, 3), (open_cycle_model, 1)):
        for seed in range(rows):
            draw = random.Random(seed)
            modulus = draw.getrandbits(32) | 1 << 31 | 1
            operands = draw.randrange(modulus), draw.getrandbits(16), modulus
            runs = []
            for isa in (TINYRV2.name, RV32IM.name):
                system = find_system("proc_mont_r2l", proc_isa=isa)
                request = SystemRequest(system.image("xcel", *operands), MAX_CYCLES)
                runs.append(open_it(system).run(request))
            assert runs[0] == runs[1]
            assert runs[0].messages == (pow(*operands),)


@rtl_group
def test_printed_software_takes_the_same_cycles_with_only_the_additions():
    """McNay's additions are all that his programs need."""
    runs = []
    for isa in (MCNAY.name, RV32IM.name):
        system = find_system("proc_null", proc_isa=isa, software="printed")
        for program in ("naive", "montgomery"):
            request = SystemRequest(system.image(program, *KEY), MAX_CYCLES)
            runs.append(open_circuit(system).run(request))
    assert runs[:2] == runs[2:]
    assert [system.result(run.messages) for run in runs[:2]] == [pow(*KEY)] * 2


UNITS = {"Divider": "divu", "SkipZeros": "divu", "MulDiv": "divu"}


@isas
def test_units_that_are_left_out_are_not_in_the_circuit(isa):
    text = subject_of(find_system("proc_null", proc_isa=isa)).verilog().text
    modules = set(re.findall(r"^module (\w+)", text, re.MULTILINE))
    for module, addition in UNITS.items():
        assert (module in modules) == (addition in isa)
    assert ("Mul" in modules) != ("MulDiv" in modules)
    assert ("multiplier__product[63:32]" in text) == ("mulhu" in isa)


def test_subjects_are_told_apart():
    subjects = [
        subject_of(find_target("proc_null", 32, {"proc_isa": isa}))
        for isa in (*INSTRUCTION_SETS, RV32IM.name)
    ]
    assert subjects[0].name == subjects[-1].name == "proc_null_32"
    assert subjects[1].name == "proc_null_proc_isa_tinyrv2_32"
    assert len({x.name for x in subjects}) == len(INSTRUCTION_SETS)
    assert subjects[2].params["proc_isa"] == "tinyrv2_divu"


PLANTED = "li a1, 100\nli a2, 7\ndivu a0, a1, a2\necall"


@rtl_group
@pytest.mark.parametrize("level", ["fl", "cl", "rtl"])
def test_planted_division_on_the_small_processor(tmp_path, rsaxcel, level):
    text = f".globl _start\n.type _start, @function\n_start:\n{PLANTED}\n"
    elf = compile_plain(tmp_path / "own.elf", text, "-Wl,-Ttext=0x200")
    asked = ("run", str(elf), "--system", "proc_null", "--level", level, "--param")
    done = rsaxcel(*asked, "proc_isa=tinyrv2_mulhu")
    assert done.status == 3
    assert done.err.strip().splitlines()[-1] == (
        f"rsaxcel: error: {elf}: pc 0x00000208 (_start+0x8): divu a0, a1, a2: illegal instruction, "
        "not in proc_isa=tinyrv2_mulhu; proc_isa=tinyrv2_divu, tinyrv2_divu_mulhu, "
        "tinyrv2_divu_lbu, tinyrv2_divu_mulhu_lbu, rv32im allowed"
    )
    done = rsaxcel(*asked, "proc_isa=tinyrv2_divu")
    assert (done.status, done.err) == (14, "")
    assert load_elf(elf).place(0x208) == "_start+0x8"


def test_command_refuses_a_program_of_ours(rsaxcel):
    done = rsaxcel("run", "selfcheck", "--system", "proc_null", "--param", "proc_isa=tinyrv2")
    assert done.status == 2
    assert done.err.count("\n") == 1
    assert "selfcheck needs " in done.err
    assert "which proc_isa=tinyrv2 lacks: proc_isa=rv32im allowed" in done.err
