"""``rsaxcel run``: ends of runs, runs without an end, and their messages."""

import json
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from rsaxcel.proc.elf import load_elf
from rsaxcel.proc.isa import REGISTER_NAMES
from rsaxcel.proc.systems import find_system
from rsaxcel.sim.system import PymtlSystem
from rsaxcel.sim.system_run import SystemRequest
from tests.cli.sim_runs import RTL, levels
from tests.proc.programs import SEND, compile_plain
from tests.shared.harness import take_interrupts

all_levels = pytest.mark.parametrize("level", ["fl", "cl", RTL])

COUNTING = f"""
    li a1, 0
loop:
    addi a1, a1, 1
{SEND}
    j loop
"""


def assemble(path, body):
    """Assemble a program whose text begins at the reset vector."""
    text = f".globl _start\n.type _start, @function\n_start:\n{body}\n"
    return compile_plain(path / "program.elf", text, "-Wl,-Ttext=0x200")


@pytest.fixture
def run(tmp_path, rsaxcel):
    """Assemble a program and run it with and without --json.

    Returns status, record and standard error; ``shown`` has the output without --json.
    """

    def call(body, level, *options):
        elf = assemble(tmp_path, body)
        arguments = ("run", elf, "--system", "proc_null", "--level", level, *options)
        done = rsaxcel(*arguments, "--json")
        shown = rsaxcel(*arguments)
        assert (shown.status, shown.err) == (done.status, done.err)
        call.shown = shown.out
        return done.status, json.loads(done.out), done.err

    return call


@levels
def test_fault_and_exit_with_the_same_status_differ(run, level):
    status, left, _ = run("li a0, 3\necall", level)
    assert (status, left["status"], left["end"], left["cause"]) == (3, 3, "exit", "ecall")
    assert (left["pc"], left["instruction"], left["registers"]) == (0x204, "ecall", None)
    status, failed, _ = run(".word 0", level)
    assert (status, failed["status"], failed["end"]) == (3, 3, "fault")
    assert failed["cause"] == "illegal instruction"
    status, ended, _ = run("j .", level)
    assert (status, ended["end"], ended["cause"]) == (0, "exit", "jump to itself")


@pytest.mark.parametrize("jump", ["beq a0, a0, .", "bgeu a0, zero, .", "jalr t0, 8(t1)"])
@levels
def test_any_jump_to_itself_ends_the_run(run, level, jump):
    body = f"auipc t1, 0\nli a0, 5\n{jump}"
    status, record, errors = run(body, level, "--max-cycles", "100")
    assert (status, record["end"], record["cause"], errors) == (0, "exit", "jump to itself", "")
    assert (record["pc"], record["instructions"]) == (0x208, 3)


FAULTS = {
    "misaligned": ("lw a0, 2(t0)", "lw a0, 2(t0)", 0x1002),
    "outside": ("sw a1, -4(zero)", "sw a1, -4(zero)", 0xFFFFFFFC),
    "jump": ("jr -2(t1)", "jalr zero, -2(t1)", 0x202),
    "illegal": ("fmv.w.x fa0, zero", ".word 0xf0000553", None),
}


@pytest.mark.parametrize("name", FAULTS)
@levels
def test_faults_tell_place_and_registers(run, level, name, tmp_path):
    body, instruction, address = FAULTS[name]
    setup = f"""
    li t0, 0x1000
    auipc t1, 0
    li a1, -7
{SEND}
    call helper
    ecall
    .type helper, @function
helper:
    li s11, 77
    .option push
    .option arch, +f
    {body}
    .option pop
    """
    status, record, errors = run(setup, level)
    assert (status, record["end"]) == (3, "fault")
    assert record["messages"] == [0xFFFFFFF9]
    registers = record["registers"]
    assert list(registers) == list(REGISTER_NAMES)
    expected = {"zero": 0, "t0": 0x1000, "t1": 0x204, "a1": 0xFFFFFFF9, "s11": 77, "ra": 0x214}
    assert {key: registers[key] for key in expected} == expected
    assert (record["instruction"], record["address"]) == (instruction, address)
    assert record["place"] == "helper+0x4"
    assert errors.count("\n") == 1
    assert f"(helper+0x4): {instruction}: " in errors
    lines = run.shown.splitlines()
    dump = " ".join(lines[next(i for i, x in enumerate(lines) if x.startswith("registers")) :])
    words = dump.split()
    assert words[0] == "registers"
    assert dict(zip(words[1::2], (int(x, 16) for x in words[2::2]), strict=True)) == registers


def test_registers_at_a_fault_are_those_of_the_circuit(run, tmp_path):
    """Registers are compared with PyMTL3's simulation, where they can be read without a port."""
    body = "\n".join(f"li x{i}, {i * 0x01234567 & 0x7FFFFFFF}" for i in range(1, 32))
    _, record, _ = run(f"{body}\nmul a0, a1, a2\nlw a3, 1(x5)", "rtl")
    system = PymtlSystem(lambda: find_system("proc_null").component())
    image = load_elf(tmp_path / "program.elf")
    assert system.run(SystemRequest(image, 1000)).end.pc == record["pc"]
    held = system._top.proc.decode.operands.registers.registers
    assert [0, *map(int, held)] == list(record["registers"].values())


@levels
def test_registers_that_depend_on_the_time(run, level):
    """The functional model sees another time, so the circuit's registers stay unknown."""
    read = ".option push\n.option arch, +zicsr\ncsrr a0, 0xc00\n.option pop"
    status, record, _ = run(f"{read}\n.word 0", level)
    assert (status, record["end"]) == (3, "fault")
    assert (record["registers"] is None) == (level == "rtl")
    assert ("not known" in run.shown) == (level == "rtl")


@all_levels
def test_limit_is_exact_and_shows_what_was_done(run, level):
    """An endless program, and limits of exactly a program's cycles, and of one less."""
    status, record, errors = run(COUNTING, level, "--max-cycles", "501")
    assert (status, record["end"], record["status"], record["cause"]) == (1, "limit", None, None)
    assert record["cycles"] == 501
    assert record["place"] in ("loop", "loop+0x4", "loop+0x8")
    assert record["messages"] == list(range(1, len(record["messages"]) + 1))
    # A message takes three instructions; in the circuit, the jump costs one more cycle.
    assert len(record["messages"]) == pytest.approx(501 / (3 if level == "fl" else 4), abs=3)
    assert f"it is at pc {record['pc']:#x} ({record['place']})" in errors
    assert "limit, at pc 0x" in run.shown
    body = "li a0, 9\nli t0, 20\nagain: addi t0, t0, -1\nbnez t0, again\necall"
    status, whole, _ = run(body, level)
    assert (status, whole["instructions"]) == (9, 43)
    enough = ("--max-cycles", str(whole["cycles"]))
    assert run(body, level, *enough) == (9, whole, "")
    short = ("--max-cycles", str(whole["cycles"] - 1))
    status, record, errors = run(body, level, *short)
    assert (status, record["end"], record["cycles"]) == (1, "limit", whole["cycles"] - 1)
    assert "no end within" in errors


@all_levels
def test_interrupted_run_shows_what_was_done(rsaxcel, level, tmp_path, monkeypatch):
    seen = []

    @contextmanager
    def interrupting(*_arguments):
        def advance(count):
            seen.append(count)
            if sum(seen) > 0:
                raise KeyboardInterrupt

        seen.clear()
        yield advance

    monkeypatch.setattr("rsaxcel.cli.run.progress", interrupting)
    elf = assemble(tmp_path, f"li a1, 7\n{SEND}\nloop: addi a1, a1, 1\nj loop")
    arguments = ("run", elf, "--system", "proc_null", "--level", level)
    done = rsaxcel(*arguments, "--json")
    record = json.loads(done.out)
    assert (record["end"], record["status"], record["messages"]) == ("interrupted", None, [7])
    assert record["cycles"] >= 1000
    assert record["place"] in ("loop", "loop+0x4")
    assert done.status == 130
    assert f"interrupted after {record['cycles']} cycles; it is at pc" in done.err
    done = rsaxcel(*arguments)
    assert done.status == 130
    assert "messages      7\nno end        interrupted, at pc 0x0" in done.out


@levels
def test_messages_as_characters(run, level):
    text = "Grüße,\n\tWorld"
    body = "\n".join(f"li a1, {0x700 | byte}{SEND}" for byte in text.encode())
    status, record, _ = run(f"{body}\nli a0, 0\necall", level, "--text")
    assert (status, record["text"]) == (0, text)
    assert record["messages"] == [0x700 | byte for byte in text.encode()]
    assert f"text          Grüße,\n{' ' * 14}\tWorld\n" in run.shown
    _, record, _ = run("li a0, 0\necall", level, "--text")
    assert record["text"] == ""
    _, record, _ = run(f"li a1, 0xff{SEND}\nli a0, 0\necall", level, "--text")
    assert record["text"] == "\ufffd"


@pytest.mark.slow
@levels
def test_ctrl_c(tmp_path, level):
    """An interrupt of a process gives status 130, the record, and one line on standard error."""
    elf = assemble(tmp_path, f"li a1, 7\n{SEND}\nloop: addi a1, a1, 1\nj loop")
    arguments = ("--system", "proc_null", "--level", level, "--max-cycles", str(1 << 40), "--json")
    with subprocess.Popen(
        [sys.executable, "-m", "rsaxcel", "run", elf, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=take_interrupts,
    ) as process:
        assert " cycles" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    record = json.loads(out)
    assert (process.returncode, record["end"], record["messages"]) == (130, "interrupted", [7])
    assert record["cycles"] > 1000
    last = err.splitlines()[-1]
    assert f"interrupted after {record['cycles']} cycles; it is at pc" in last
    assert "Traceback" not in err
