"""``rsaxcel run`` as users call it: output and exit status."""

import json

import pytest

from rsaxcel.cli.main import cli, guard
from rsaxcel.fl.keys import seeded_key
from rsaxcel.fl.status import Status
from rsaxcel.proc.operands import EXIT_REFUSED
from tests.cli.crypt_keys import pem, theirs, write_key
from tests.cli.sim_runs import levels
from tests.proc.programs import HELLO, SEND, compile_plain
from tests.shared.harness import HOSTED_FIRST

KEYS = (
    "system nbits params level compiler status messages cycles instructions measured_cycles "
    "measured_instructions result text end cause pc place instruction address registers"
).split()


def program(path, body):
    """Assemble a program that starts with ``body``."""
    return str(compile_plain(path / "program.elf", f".globl _start\n_start:\n{body}\n"))


def vector(path, **values):
    file = path / "vector.json"
    file.write_text(json.dumps({key: f"{value:x}" for key, value in values.items()}))
    return str(file)


def rsaxcel(capsys, *arguments):
    """Run the command; return exit status, JSON record or None, and lines on standard error."""
    status = guard(cli, "rsaxcel", ["run", *arguments, "--json"])
    done = capsys.readouterr()
    lines = done.out.splitlines()
    assert len(lines) <= 1
    return status, json.loads(lines[0]) if lines else None, done.err.splitlines()


@levels
def test_plain_program(level, tmp_path, capsys):
    elf = str(compile_plain(tmp_path / "hello.elf", HELLO, "-Wl,-Ttext=0x200"))
    status, record, errors = rsaxcel(capsys, elf, "--system", "proc_null", "--level", level)
    assert list(record) == KEYS
    assert record["system"] == "proc_null"
    assert record["level"] == level
    assert record["messages"] == [41, 3]
    assert record["instructions"] == 13
    assert (record["cycles"] == 13) == (level == "fl")
    assert status == record["status"] == 5
    assert errors == []


@levels
def test_jump_to_itself_is_success(level, tmp_path, capsys):
    elf = program(tmp_path, "li a0, 7\nend: j end")
    status, record, _ = rsaxcel(capsys, elf, "--system", "proc_null", "--level", level)
    assert (status, record["status"], record["instructions"]) == (0, 0, 3)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (".word 0xffffffff", [": .word 0xffffffff: illegal instruction"]),
        ("li t0, 2\nlw a0, 4(t0)", ["lw a0, 4(t0)", "misaligned", "0x00000006"]),
        ("lui t0, 0x100\nsb a0, 1(t0)", ["sb a0, 1(t0)", "outside the memory", "0x00100001"]),
        ("lui t0, 0x100\njr t0", ["pc 0x00100000", "outside the memory"]),
    ],
)
@levels
def test_faults_end_with_3_and_are_told(level, body, words, tmp_path, capsys):
    elf = program(tmp_path, f"li a1, 6\n{SEND}\n{body}\nli a0, 0\necall")
    status, record, errors = rsaxcel(capsys, elf, "--system", "proc_null", "--level", level)
    assert (status, record["status"], record["messages"]) == (3, 3, [6])
    assert len(errors) == 1
    for word in words:
        assert word in errors[0]
    assert "pc 0x" in errors[0]


@levels
def test_endless_program_is_given_up(level, tmp_path, capsys):
    elf = program(tmp_path, "loop: addi a0, a0, 1\nj loop")
    status, record, errors = rsaxcel(
        capsys, elf, "--system", "proc_null", "--max-cycles", "1000", "--level", level
    )
    assert (status, record["status"], record["end"]) == (1, None, "limit")
    assert "no end within 1000 cycles; it is at pc 0x" in errors[0]
    assert len(errors) == 1


@levels
def test_inputs_come_in_order_and_missing_ones_are_told(level, tmp_path, capsys):
    receive = ".option push\n.option arch, +zicsr\ncsrr a1, 0xfc0\n.option pop"
    elf = program(tmp_path, f"{receive}\n{SEND}\n{receive}\n{SEND}\nli a0, 0\necall")
    both = ("--input", "7", "--input", "0xffffffff")
    common = (elf, "--system", "proc_null", "--max-cycles", "500", "--level", level)
    status, record, _ = rsaxcel(capsys, *common, *both)
    assert (status, record["messages"]) == (0, [7, 0xFFFFFFFF])
    status, record, errors = rsaxcel(capsys, *common, *both[:2])
    assert (status, record["status"], record["messages"]) == (1, None, [7])
    assert record["end"] == ("waits" if level == "fl" else "limit")
    assert (record["place"], record["instruction"]) == ("_start+0x8", "csrr a1, mngr2proc")
    assert len(errors) == 1
    assert ("waits" if level == "fl" else "may wait for another one") in errors[0]


@pytest.mark.parametrize(
    "system", ["mont_r2l", "proc_mulrem_r2l", "proc_mont_r2l_shared", *HOSTED_FIRST]
)
@pytest.mark.parametrize("nbits", [32, 128])
def test_driver_on_accelerators(system, nbits, tmp_path, capsys):
    key = seeded_key(nbits)
    file = vector(tmp_path, base=12345, exp=key.d, n=key.n, expect=key.decrypt(12345))
    arguments = ("xcel", "--system", system, "--nbits", str(nbits), "--data", file)
    status, record, errors = rsaxcel(capsys, *arguments)
    assert (status, errors) == (0, [])
    assert record["system"] == f"proc_{system.removeprefix('proc_')}"
    assert sum(word << 32 * i for i, word in enumerate(record["messages"])) == key.decrypt(12345)
    assert int(record["result"], 16) == key.decrypt(12345)


@pytest.mark.parametrize("program", ["xcel", "axi", "dummy"])
def test_driver_by_the_primes(program, tmp_path, capsys):
    """Vectors have primes and an exponent for each; values too wide for a half are refused."""
    p, q, exponents = 0xFFFB, 0xFFF1, (0x1234, 0x4321)
    of_p, of_q = pow(54321, exponents[0], p), pow(54321, exponents[1], q)
    result = of_q + q * ((of_p - of_q) * pow(q, -1, p) % p)
    values = dict(base=54321, p=p, q=q, dp=exponents[0], dq=exponents[1])
    file = vector(tmp_path, **values, expect=result)
    system = f"{'axi' if program == 'axi' else 'proc'}_crt_window"
    arguments = (program, "--system", system, "--data")
    status, record, errors = rsaxcel(capsys, *arguments, file)
    assert (status, errors, int(record["result"], 16)) == (0, [], result)
    file = vector(tmp_path, **values | {"p": p << 40 | 1})
    status, _, (error,) = rsaxcel(capsys, *arguments, file)
    assert status == 2
    assert "'p' has 56 bits; half_nbits=16" in error
    file = vector(tmp_path, base=5, exp=3, n=77)
    status, _, (error,) = rsaxcel(capsys, *arguments, file)
    assert status == 2
    assert "dq" in error


def test_software_beside_an_accelerator_by_the_primes(tmp_path, capsys):
    arguments = ("--system", "crt_window", "--data")
    file = vector(tmp_path, base=5, exp=3, n=77)
    status, record, errors = rsaxcel(capsys, "naive", *arguments, file)
    assert (status, errors, record["result"]) == (0, [], f"{pow(5, 3, 77):x}")
    file = vector(tmp_path, base=54321, p=0xFFFFFFFB, q=3, dp=5, dq=0)
    status, record, errors = rsaxcel(capsys, "crt", *arguments, file)
    assert (status, errors) == (0, [])
    result = int(record["result"], 16)
    assert (result % 0xFFFFFFFB, result % 3) == (pow(54321, 5, 0xFFFFFFFB), 1)


@pytest.mark.parametrize("kind", ["pkcs1", "pkcs8"])
def test_software_with_a_key(kind, tmp_path, capsys):
    """With a key, a vector needs a base only; primes of unequal length, and both exponents."""
    path, key = tmp_path / "key.pem", seeded_key(128)
    write_key(path, pem(theirs(128), kind))
    arguments = ("--system", "proc_null", "--key", str(path), "--data")
    file = vector(tmp_path, base=key.encrypt(12345), expect=12345)
    for program in ("montgomery", "crt"):
        status, record, errors = rsaxcel(capsys, program, *arguments, file)
        assert (status, errors, int(record["result"], 16)) == (0, [], 12345)
    file = vector(tmp_path, base=12345)
    for program in ("montgomery", "crt"):
        status, record, _ = rsaxcel(capsys, program, *arguments, file, "--operation", "encrypt")
        assert (status, int(record["result"], 16)) == (0, key.encrypt(12345))


@pytest.mark.parametrize("program", ["axi", "axi_interrupt", "axi_loaded"])
def test_driver_on_the_bus(program, tmp_path, capsys):
    key = seeded_key(128)
    file = vector(tmp_path, base=12345, exp=key.d, n=key.n, expect=key.decrypt(12345))
    arguments = (program, "--system", "axi_mont_r2l", "--nbits", "128", "--data", file)
    status, record, errors = rsaxcel(capsys, *arguments)
    assert (status, errors, record["system"]) == (0, [], "axi_mont_r2l")
    assert sum(word << 32 * i for i, word in enumerate(record["messages"])) == key.decrypt(12345)
    for system, other, kind in (
        ("proc_mont_r2l", program, "axi_"),
        ("axi_mont_r2l", "xcel", "proc_"),
    ):
        status, _, errors = rsaxcel(capsys, other, "--system", system, "--data", file)
        assert status == 2
        assert f"{other} is for systems {kind}DESIGN; drivers for {system}: " in errors[0]


@pytest.mark.xdist_group("run-rtl")
def test_cycle_model_on_the_processor(tmp_path, capsys):
    """With the accelerator's cycle model, a run takes the same cycles as with its circuit."""
    file = vector(tmp_path, base=12345, exp=0xB5, n=64507)
    arguments = ("xcel", "--system", "proc_mont_r2l", "--nbits", "16", "--data", file)
    records = {}
    for level in ("cl", "rtl"):
        status, record, errors = rsaxcel(capsys, *arguments, "--level", level)
        assert (status, errors, record.pop("level")) == (0, [], level)
        records[level] = record
    assert records["cl"] == records["rtl"]
    assert records["cl"]["messages"] == [pow(12345, 0xB5, 64507)]


def test_compositions_on_the_processor(tmp_path, capsys):
    """Choices that follow from another one are reported."""
    file = vector(tmp_path, base=12345, exp=0xB5, n=64507)
    choice = ("--param", "schedule=window", "--level", "cl")
    status, record, errors = rsaxcel(
        capsys, "xcel", "--system", "proc_mont_r2l", "--data", file, *choice
    )
    assert (status, errors) == (0, ["rsaxcel: mont_r2l: lanes=1 follows from the other choices"])
    assert record["params"]["schedule"] == "window"
    assert record["messages"] == [pow(12345, 0xB5, 64507)]


@pytest.mark.xdist_group("proc-null")
def test_parameters_of_the_processor(tmp_path, capsys):
    """Both levels take the parameters; the functional processor has no divider to choose."""
    file = vector(tmp_path, base=5, exp=65537, n=0xFFFFFFFB)
    choice = ("--param", "proc_divider=restoring", "--param", "software=printed")
    records = {}
    for level in ("fl", "rtl"):
        for params in ((), choice):
            arguments = ("naive", "--system", "proc_null", "--data", file, "--level", level)
            status, record, errors = rsaxcel(capsys, *arguments, *params)
            assert (status, errors) == (0, [])
            assert record["messages"][0] == pow(5, 65537, 0xFFFFFFFB)
            assert record["result"] == f"{pow(5, 65537, 0xFFFFFFFB):x}"
            assert (len(record["messages"]) > 1) == (params == choice)  # a line of text
            records[level, params] = record
    assert records["rtl", choice]["params"]["proc_divider"] == "restoring"
    assert records["rtl", choice]["params"]["software"] == "printed"
    for params in ((), choice):
        instructions = [records[level, params]["instructions"] for level in ("fl", "rtl")]
        assert len(set(instructions)) == 1
    assert records["rtl", choice]["cycles"] > 2 * records["rtl", ()]["cycles"]


@pytest.mark.parametrize(
    ("name", "values", "refusal"),
    [
        ("naive", (5, 3, 5), Status.BASE_TOO_LARGE),
        ("montgomery", (5, 3, 8), Status.MODULUS_EVEN),
        ("xcel", (5, 3, 8), Status.MODULUS_EVEN),
        ("xcel", (5, 3, 1 << 32 | 1), Status.OPERAND_TOO_WIDE),
        ("naive", (0, 3, 0), Status.MODULUS_TOO_SMALL),
    ],
)
def test_refused_operands(name, values, refusal, tmp_path, capsys):
    file = vector(tmp_path, **dict(zip(("base", "exp", "n"), values, strict=True)))
    status, record, errors = rsaxcel(capsys, name, "--system", "mont_r2l", "--data", file)
    assert status == record["status"] == EXIT_REFUSED + refusal
    assert (record["messages"], record["result"]) == ([], None)
    assert str(refusal) in errors[0]


def test_wrong_result_is_told(tmp_path, capsys):
    file = vector(tmp_path, base=5, exp=3, n=77, expect=1)
    for name, who in (("dummy", "Python expects 30"), ("naive", "the vector expects 1")):
        status, record, errors = rsaxcel(capsys, name, "--system", "proc_null", "--data", file)
        assert status == 1
        assert record["status"] == 0
        assert who in errors[0]


def test_text_for_people(tmp_path, capsys):
    file = vector(tmp_path, base=5, exp=3, n=77)
    assert guard(cli, "rsaxcel", ["run", "naive", "--system", "proc_null", "--data", file]) == 0
    rows = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert rows["messages"] == "48"
    assert rows["result"] == "30"
    assert rows["system"] == "proc_null, level fl"
    assert "while stats_en was 1" in rows["measured"]
