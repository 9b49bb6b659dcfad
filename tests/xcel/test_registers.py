"""The registers as software uses them: in every state, at every level."""

import random

import pytest

from rsaxcel import catalog
from rsaxcel.fl.status import Status
from rsaxcel.fl.xcel import NullRegisters, Register, RegisterUnit, XcelRegisters
from rsaxcel.rtl.xcel import NullXcel
from rsaxcel.sim.stalls import STALL_PROFILES
from tests.shared.harness import (
    ANY_MODULUS,
    IN_PYTHON_SLOW,
    SETUPS,
    built_once,
    configure,
    each_design,
)
from tests.xcel.bench import READ, WORD, Script, accelerator_of, random_script, run

NBITS = 40
MODULUS = (1 << 40) - 87
ROW = (0x1234567891, 977851481, MODULUS)
OTHER = (3, 0x8000000001, 0xFFFFFFFFFB)
POWER, OTHER_POWER = pow(*ROW), pow(*OTHER)
# The registers are the same circuit in front of every design.
NAME = "mulrem_r2l"

pytestmark = built_once(f"xcel-{NAME}", NBITS)


@pytest.fixture(params=IN_PYTHON_SLOW)
def play(request):
    """Return a function that runs a script at a level; its ``timed``: the level has cycles."""
    level, engine = request.param
    configuration = configure(NAME, NBITS)

    def play_script(script, **options):
        return run(accelerator_of(configuration, level), engine, script, **options)

    play_script.timed = level != "fl"
    return play_script


def read_constants(script: Script) -> None:
    """Read the registers whose values never change."""
    design_id = catalog.DESIGNS[NAME].id
    for register, value in (
        (1, 2),
        (2, design_id),
        (3, 0),
        (6, 0),
        *((r, 0) for r in range(7, 32)),
    ):
        script.read(register, value)


def test_before_any_start(play):
    """Before any start, reads do not wait: status ok, not busy, result 0."""
    script = Script()
    for _ in range(2):
        script.read(Register.GO, Status.OK)
        script.read(Register.RESULT, 0)
        script.read(Register.STATE, 0)
        read_constants(script)
    batch = play(script)
    assert set(batch.cycles) == {1}


def test_while_busy(play):
    """While busy, only reads of status and result wait."""
    script = Script()
    script.start(*ROW)
    for _ in range(2):
        script.read(Register.STATE, 1 if play.timed else 2)
        read_constants(script)
    at_once = len(script)
    script.read(Register.RESULT, POWER & WORD)
    script.read(Register.STATE, 2)
    script.read(Register.GO, Status.OK)
    script.read(Register.RESULT, POWER >> 32)
    batch = play(script)
    assert set(batch.cycles[:at_once]) == {1}
    if play.timed:
        assert batch.cycles[at_once] > 100


def test_status_of_the_last_one_while_busy(play):
    """STATE keeps the last status in bits 15..8 until there is a new one."""
    script = Script()
    script.start(9, 3, 7)
    script.read(Register.GO, Status.BASE_TOO_LARGE)
    script.read(Register.STATE, 2 | Status.BASE_TOO_LARGE << 8)
    script.start(*ROW)
    script.read(Register.STATE, 1 | Status.BASE_TOO_LARGE << 8 if play.timed else 2)
    script.finish(POWER, Status.OK, NBITS)
    script.read(Register.STATE, 2)
    for _ in range(2):
        script.read(Register.GO, Status.OK)
    play(script)


def test_operands_stay_loaded(play):
    """A second exponentiation writes only what changes."""
    _, exponent, modulus = ROW
    script = Script()
    script.call(*ROW, result=POWER)
    script.call(result=POWER)
    script.call(OTHER[0], result=pow(OTHER[0], exponent, modulus))
    script.load(Register.EXPONENT, 5)
    script.call(result=pow(OTHER[0], 5, modulus))
    script.load(Register.MODULUS, 1009)
    script.call(7, result=pow(7, 5, 1009))
    batch = play(script)
    writes = [c for c, access in zip(batch.cycles, script.accesses, strict=True) if access[0]]
    assert set(writes) == {1}  # an unread result does not delay the next start


def test_rewinds(play):
    """xr5 rewinds operands, xr4 the result, xr0 both, with or without a start."""
    script = Script()
    script.load(Register.BASE, 0xFFFF_FFFF_FFFF)
    script.write(Register.STATE, 0)
    script.call(*ROW, result=POWER)
    script.write(Register.RESULT, WORD)
    for value in (POWER & WORD, POWER >> 32):
        script.read(Register.RESULT, value)
    script.write(Register.STATE, WORD - 1)
    script.read(Register.RESULT, 0)
    script.load(Register.BASE, 99)
    script.write(Register.GO, WORD - 1)
    for value in (POWER & WORD, POWER >> 32, 0, 0, 0):
        script.read(Register.RESULT, value)
    script.load(Register.BASE, 2)
    script.load(Register.EXPONENT, 39)
    script.call(result=1 << 39)
    play(script)


def test_past_the_end(play):
    """Extra words of zero are harmless; reads past the result give 0."""
    script = Script()
    for register, value in zip((1, 2, 3), ROW, strict=True):
        script.load(register, value, words=7)
    script.start()
    script.read(Register.GO, Status.OK)
    for i in range(12):
        script.read(Register.RESULT, POWER >> 32 * i & WORD)
    script.load(Register.MODULUS, MODULUS, words=4)
    script.write(Register.MODULUS, 1)
    script.write(Register.MODULUS, 0)
    script.call(result=0, status=Status.OPERAND_TOO_WIDE)
    script.call(*ROW, result=POWER)
    play(script)


def test_loading_while_busy(play):
    """Operands loaded after a start do not change the running exponentiation."""
    script = Script()
    script.start(*ROW)
    script.load(Register.MODULUS, OTHER[2])
    script.load(Register.EXPONENT, OTHER[1])
    script.load(Register.BASE, OTHER[0])
    script.finish(POWER, Status.OK, NBITS)
    script.call(result=OTHER_POWER)
    play(script)


def test_start_while_busy(play):
    """A start while busy waits for the running exponentiation, whose result is then lost."""
    script = Script()
    script.start(*ROW)
    script.call(*OTHER, result=OTHER_POWER)
    script.start(*ROW)
    script.start(9, 3, 7)
    script.start(*ROW)
    script.call(2, 3, 0, result=0, status=Status.MODULUS_TOO_SMALL)
    script.read(Register.STATE, 2 | Status.MODULUS_TOO_SMALL << 8)
    play(script)


def test_a_register_access_per_cycle(play):
    """Accesses are back to back, each answered in the next cycle."""
    script = Script()
    for i in range(20):
        script.write(1 + i % 6, i)
        script.read(1 + i % 3)
    batch = play(script)
    assert batch.accepted == list(range(40))
    assert batch.cycles == [1] * 40


@pytest.mark.parametrize("moment", ["start", "middle", "response"])
def test_reset(play, moment):
    """A reset removes operands, pointers, status and result; no old result appears later."""
    script = Script()
    script.start(9, 3, 7)
    script.read(Register.GO, Status.BASE_TOO_LARGE)
    script.start(*ROW)
    go = len(script) - 1
    if moment != "start":
        script.write(Register.MODULUS, WORD)
    script.read(Register.GO, Status.OK)
    waits = len(script) - 1
    undisturbed = play(script, in_flight=1)
    cycle = {
        "start": undisturbed.accepted[go] + 1,
        "middle": (undisturbed.accepted[waits] + undisturbed.valid[waits] + 1) // 2,
        "response": undisturbed.taken[waits],
    }[moment]
    for register in (Register.STATE, Register.GO, Register.RESULT):
        script.read(register, 0)
    script.load(Register.MODULUS, 7)
    script.call(result=1)  # 0 to the power of 0
    script.load(Register.MODULUS, 0)
    script.call(result=0, status=Status.MODULUS_TOO_SMALL)
    script.call(*ROW, result=POWER)
    batch = play(script, in_flight=1, reset_at=cycle)
    assert batch.dropped == [go if moment == "start" else waits]


def access_points() -> list:
    """One design with every stall profile, the others with one each; all other points are slow."""
    points = []
    for turn, param in enumerate(each_design(NBITS, "xcel-", ANY_MODULUS)):
        (name,) = param.values
        setups = SETUPS if name == NAME else [s for s in SETUPS if s != ("rtl", "pymtl")]
        for number, stalls in enumerate(STALL_PROFILES.values()):
            slow = name != NAME and (turn - number) % len(STALL_PROFILES)
            marks = [*param.marks, *([pytest.mark.slow] if slow else [])]
            label = f"{name}-{stalls.name}"
            points.append(pytest.param(name, setups, stalls, id=label, marks=marks))
    return points


@pytest.mark.quick_cases(
    "mulrem_r2l-slow_sink",
    "mulrem_r2l-random",
    "mont_r2l-*",
    "orup_window-*",
    "systolic_l2r_always-*",
)
@pytest.mark.parametrize(("name", "setups", "stalls"), access_points())
def test_random_accesses(name, setups, stalls):
    """Random accesses with stalls give golden values; CL has the handshakes of RTL."""
    configuration = configure(name, NBITS)
    rng = random.Random(f"accesses/{stalls.name}")
    script = random_script(rng, NBITS, 24, configuration.constant_words)
    golden = script.replay(XcelRegisters(configuration))
    functional, cycle_level, *circuits = (
        run(accelerator_of(configuration, level), engine, script, stalls)
        for level, engine in setups
    )
    assert functional.responses == golden
    busy = 0
    for access, expected, response in zip(
        script.accesses, golden, cycle_level.responses, strict=True
    ):
        if access == (READ, Register.STATE, 0) and response[1] & 1:
            busy += 1
        else:
            assert (access, response) == (access, expected)
    assert busy
    for circuit in circuits:
        assert circuit == cycle_level


@pytest.mark.parametrize(
    ("make_accelerator", "engine"),
    [(lambda: RegisterUnit(NullRegisters), "pymtl"), (NullXcel, "pymtl"), (NullXcel, "native")],
    ids=["fl", "rtl-pymtl", "rtl-native"],
)
@pytest.mark.parametrize("stalls", STALL_PROFILES.values(), ids=STALL_PROFILES)
def test_null(make_accelerator, engine, stalls):
    """Without an accelerator, every register reads 0, even words per operand."""
    script = Script()
    script.start(*ROW)
    for register in range(32):
        script.write(register, WORD)
        script.read(register, 0)
    batch = run(make_accelerator, engine, script, stalls)
    assert set(batch.cycles) == {1}
