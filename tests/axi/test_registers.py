"""The registers on a bus: golden values at every level, the document's rules, equal cycles."""

import random
import re
from pathlib import Path

import pytest
from pymtl3 import Component

from rsaxcel.fl.bus import ALL_BYTES, BusRegisters
from rsaxcel.fl.keys import Key, seeded_key
from rsaxcel.fl.pkcs1 import BlockType, pad
from rsaxcel.fl.register_map import (
    BUSY,
    CLEAR,
    CONSTANTS,
    CONTROL,
    DROPPED,
    END,
    INPUT_FIFO,
    INPUT_LENGTH,
    INTERRUPT_ENABLE,
    INTERRUPTS,
    MODE,
    MODULUS,
    OUTPUT_FIFO,
    OUTPUT_LENGTH,
    PRIVATE_EXPONENT,
    REGISTERS,
    SIGNATURE,
    START,
    STATUS,
    STATUS_CODE,
    UNPADDED,
    WRITE_ADDRESS,
    c_header,
    markdown,
)
from rsaxcel.fl.status import Status
from rsaxcel.sim.bus import READ, WAIT
from rsaxcel.sim.stalls import STALL_PROFILES
from tests.axi.bench import (
    NAME,
    NATIVE,
    NBITS,
    NBYTES,
    WORD,
    Script,
    entropy,
    integer,
    power,
    replay,
    run,
    with_key,
)
from tests.shared.harness import HOSTED, built_once, configure

ALWAYS = "systolic_l2r_always"


def test_blocks_and_the_document():
    """Errata: section 4.5.2's 30 words hold a message, no block; equation 27 needs 88 bits."""
    words = {nbytes: -(-nbytes // 4) for nbytes in (128 - 11, 128)}
    assert words == {117: 30, 128: 32}
    assert [k for k in range(1, 20) if k * 8 > 64 and k - 11 < 0] == [9, 10]
    longest = configure(NAME, 1024)
    for decrypt, most in ((0, 117), (1, 128)):
        registers = BusRegisters(longest)
        for _ in range(32):
            registers.write(MODULUS.offset, (1 << 32) - 1)
        registers.write(STATUS.offset, decrypt)
        registers.write(INPUT_LENGTH.offset, 1000)
        assert registers.read(INPUT_LENGTH.offset) == (most, False)


def test_map_is_one_row():
    """The document's registers (table 6) come first, then ours, without gap or overlap."""
    document = {
        "STATUS": (0x00, "R/W"),
        "OUTPUT_LENGTH": (0x08, "R"),
        "WRITE_ADDRESS": (0x0C, "W"),
        "READ_ADDRESS": (0x10, "W"),
        "INPUT_FIFO": (0x14, "W"),
        "OUTPUT_FIFO": (0x18, "R"),
    }
    printed = {r.name: (r.offset, r.access) for r in REGISTERS[:7]}
    # the length can be read, too, so that software sees that it was clamped
    assert printed.pop("INPUT_LENGTH") == (0x04, "R/W")
    assert printed == document
    assert [r.offset for r in REGISTERS] == list(range(0, END, 4))
    assert len({r.name for r in REGISTERS}) == len(REGISTERS)
    for register in REGISTERS:
        taken = [bit for f in register.fields for bit in range(f.lsb, f.lsb + f.nbits)]
        assert len(taken) == len(set(taken))


def test_header():
    """The C header has the offset of each register and the mask of each field."""
    defined = dict(re.findall(r"^#define (\w+) (0x[0-9a-f]+)u$", c_header(), re.MULTILINE))
    for register in REGISTERS:
        assert int(defined.pop(f"RSAXCEL_{register.name}"), 16) == register.offset
        for field in register.fields:
            mask = int(defined.pop(f"RSAXCEL_{register.name}_{field.name}"), 16)
            assert mask.bit_count() == field.nbits
            assert mask & -mask == 1 << field.lsb
    assert not defined


def test_page_has_the_map():
    page = Path(__file__).parents[2] / "docs/reference/registers.md"
    assert markdown() in page.read_text(encoding="utf-8")


@built_once(f"bus-{NAME}", NBITS)
@pytest.mark.parametrize(
    ("setup", "wait", "lengths"),
    [
        (("fl", "pymtl"), 7, (5, 0, 3)),
        pytest.param(("cl", "pymtl"), 7, (4,), marks=pytest.mark.slow),
        (("rtl", "native"), 0, (5, 0, 3)),
        (("rtl", "native"), 7, (5, 0, 3)),
    ],
    ids=["fl", "cl", "rtl", "rtl-waits"],
)
def test_both_ways(setup, wait, lengths):
    """Encrypt, decrypt, sign and verify messages of several lengths with one key."""
    # A short private exponent that differs from the public one, because pure Python is slow.
    configuration, pair = configure(NAME, NBITS), seeded_key(NBITS)
    private, inverse = pair.e**2, pair.d**2
    key = Key(pair.n, pair.e, private)
    script, source = with_key(configuration, key), entropy()
    for length in lengths:
        message = random.Random(length).randbytes(length)
        block = pad(message, NBYTES, entropy=source)
        signed = pad(message, NBYTES, BlockType.SIGNATURE)
        for mode, given, decrypt, taken in (
            (0, message, False, power(block, pair.e, pair)),
            (0, power(block, inverse, pair), True, message),
            (1 << SIGNATURE.lsb, message, True, power(signed, private, pair)),
            (1 << SIGNATURE.lsb, power(signed, pair.d, pair), False, message),
            (1 << UNPADDED.lsb, block, False, power(block, pair.e, pair)),
            (1 << UNPADDED.lsb, block[9:], True, power(block[9:].rjust(16, b"\0"), private, pair)),
        ):
            script.write(MODE, mode)
            script.operate(given, taken, NBYTES, decrypt=decrypt)
    run(configuration, *setup, script, wait=wait)


@built_once(f"bus-{NAME}", NBITS)
@pytest.mark.parametrize("setup", NATIVE, ids="-".join)
def test_refusals(setup):
    """Each rule refuses alone, and before the rules after it; the next request works."""
    configuration, key = configure(NAME, NBITS), seeded_key(NBITS)
    script = Script()

    def refuse(status: Status, message: bytes, decrypt: bool = False) -> None:
        script.operate(message, b"", NBYTES, status, decrypt)

    for nbits, status in ((72, Status.KEY_TOO_SHORT), (80, Status.KEY_TOO_SHORT)):
        script.load_key((1 << nbits) - 1, 3, 3)
        refuse(status, b"")
        refuse(status, bytes(nbits // 8), decrypt=True)
        refuse(status, bytes(nbits // 8 + 1))
    script.load_key((1 << 88) - 1, 3, 3)
    refuse(Status.MESSAGE_TOO_LONG, b"1")
    script.load_key(key.n, key.e, key.d)
    refuse(Status.MESSAGE_TOO_LONG, bytes(6))
    script.read(INPUT_LENGTH, 5)
    refuse(Status.MESSAGE_TOO_LONG, bytes(17), decrypt=True)
    script.read(INPUT_LENGTH, 16)
    for length in (0, 1, 15):
        refuse(Status.LENGTH_WRONG, bytes(length), decrypt=True)
    refuse(Status.BASE_TOO_LARGE, b"\xff" * 16, decrypt=True)
    script.load_key(0, 3, 3)
    refuse(Status.MESSAGE_TOO_LONG, b"1")
    refuse(Status.MODULUS_TOO_SMALL, b"")
    script.load_key(key.n | 1 << 128, key.e, key.d)
    refuse(Status.OPERAND_TOO_WIDE, bytes(16), decrypt=True)
    refuse(Status.OPERAND_TOO_WIDE, b"")
    script.load_key(key.n, key.e | 1 << 128, key.d)
    refuse(Status.OPERAND_TOO_WIDE, b"")
    script.load_key(key.n, key.e, key.d | 1 << 128)
    refuse(Status.OPERAND_TOO_WIDE, bytes(16), decrypt=True)
    script.load_key(key.n, key.e | 1 << 128, key.d)  # decryption reads no public exponent
    block = pad(b"works", NBYTES, entropy=entropy())
    script.operate(power(block, key.e, key), b"works", NBYTES, decrypt=True)
    run(configuration, *setup, script)


def blocks(draw: random.Random) -> list[bytes]:
    """Blocks of encoded messages: good ones, and ones with a damaged byte at each place."""
    found = []
    for length in range(6):
        good = bytearray(pad(draw.randbytes(length), NBYTES, entropy=iter(lambda: 7, None)))
        found.append(bytes(good))
        for index in range(1, NBYTES):
            damaged = bytearray(good)
            damaged[index] = draw.choice((0, 1, 2, 255)) if index > 1 else draw.choice((0, 1, 255))
            found.append(bytes(damaged))
    found.append(b"\0\2" + b"\7" * (NBYTES - 2))
    found.append(b"\1\2" + b"\7" * (NBYTES - 3) + b"\0")
    return found


@built_once(f"bus-{ALWAYS}", NBITS)
def test_unpadding_takes_the_same_time():
    """Unpadding takes the same cycles for every block (design with base-independent cycles)."""
    configuration, key = configure(ALWAYS, NBITS), seeded_key(NBITS)
    script = with_key(configuration, key)
    waits, seen = [], set()
    for block in blocks(random.Random(1)):
        if integer(block) >= key.n:
            continue
        matched = re.fullmatch(rb"\x00\x02[^\x00]{8,}?\x00(.*)", block, re.DOTALL)
        script.load_message(power(block, key.e, key))
        script.start(True)
        waits.append(len(script) + 1)
        script.wait()
        status = Status.OK if matched else Status.PADDING_WRONG
        script.finish(matched[1] if matched else b"", status, NBYTES)
        seen.add(status)
    batch = run(configuration, "rtl", "native", script)
    assert len(seen) == 2
    # cycles from start to end: the access after the wait is accepted with the interrupt
    spent = {batch.accepted[i] - batch.accepted[i - 2] for i in waits}
    assert len(spent) == 1
    assert spent.pop() > NBITS


def random_script(configuration, draw: random.Random, rounds: int) -> Script:
    """Random accesses in any order; each start is followed by a wait."""
    nbits = configuration.nbits
    nbytes = -(-nbits // 8)
    script, keys = Script(), [seeded_key(nbits, seed) for seed in range(2)]
    keys.append(seeded_key(max(8, nbits // 2)))
    for _ in range(rounds):
        if draw.random() < 0.5:
            key = draw.choice(keys)
            words = configuration.constant_words(key.n)
            # Short exponents: pure Python is slow.
            exponents = draw.getrandbits(4), draw.getrandbits(5)
            script.load_key(key.n, *exponents, words[: draw.choice((len(words), None, -1))])
        if draw.random() < 0.8:
            length = draw.choice((0, 3, 5, 6, nbytes, nbytes + 1))
            script.load_message(b"\0" * min(length, 1) + draw.randbytes(max(0, length - 1)))
        for _ in range(draw.randint(0, 8)):
            register = draw.choice(REGISTERS)
            if register in (STATUS, CONTROL, INTERRUPTS, INTERRUPT_ENABLE):
                script.read(register)
            elif draw.random() < 0.5:
                script.write(
                    register, draw.getrandbits(draw.choice((1, 5, 32))), draw.randrange(16)
                )
            else:
                script.read(register)
        if draw.random() < 0.1:
            script.access(draw.randrange(2), draw.randrange(END, WAIT), 7, ALL_BYTES)
        if draw.random() < 0.1:
            script.write(CONTROL, 1 << CLEAR.lsb)
        else:
            script.write(MODE, draw.choice((0, 0, 0, 1, 2, 3)))
            script.start(draw.random() < 0.5)
        script.wait()
        script.finish(b"", 0, nbytes)
    script.expected = [None] * len(script)  # the golden model gives the expected values
    return script


@pytest.mark.quick_cases("mulrem_r2l-8-4", "systolic_l2r_always-128-4")
@pytest.mark.parametrize(
    ("name", "nbits", "stalls"),
    [
        pytest.param(
            name, nbits, stalls, marks=built_once(f"bus-{name}", nbits), id=f"{name}-{nbits}-{i}"
        )
        for name, nbits in (
            *((n, NBITS) for n in dict.fromkeys((NAME, ALWAYS, *HOSTED[:1]))),
            *((NAME, nbits) for nbits in (8, 33, 90)),
        )
        for i, stalls in enumerate(STALL_PROFILES.values())
        if (name, nbits) == (NAME, NBITS) or i == len(STALL_PROFILES) - 1
    ],
)
def test_random_accesses(name, nbits, stalls):
    """All levels give the golden values; CL has the handshakes of RTL, cycle by cycle."""
    configuration = configure(name, nbits)
    script = random_script(configuration, random.Random(f"bus/{stalls.name}"), 10)
    golden = replay(script, BusRegisters(configuration), entropy())
    statuses = {
        data
        for access, (_, _, data) in zip(script.accesses, golden, strict=True)
        if access[:2] == (READ, STATUS_CODE.offset)
    }
    assert len(statuses) >= 2
    batches = [
        run(configuration, level, engine, script, stalls, wait=3)
        for level, engine in (("fl", "pymtl"), ("cl", "pymtl"), ("rtl", "native"))
    ]
    for batch in batches:
        assert batch.responses == golden
    assert batches[1] == batches[2]


@built_once(f"bus-{NAME}", NBITS)
@pytest.mark.parametrize("setup", NATIVE, ids="-".join)
def test_starved(setup):
    """Without random bytes, encryption waits, busy, until CLEAR; a signature needs none.

    While busy, starts and writes to operands are dropped and flagged.
    """
    configuration, key = configure(NAME, NBITS), seeded_key(NBITS)
    script = with_key(configuration, key)
    script.load_message(b"waits")
    for index in (NBYTES // 4, 1 << 16, 1 << 31):  # past the end of the buffer
        script.write(INPUT_FIFO, WORD)
        script.write(WRITE_ADDRESS, index)
        script.read(STATUS, 1 << DROPPED.lsb)
        script.write(STATUS, 1 << DROPPED.lsb)
    script.start()
    for _ in range(40):
        script.read(STATUS, 1 << BUSY.lsb)
    operands = MODULUS, PRIVATE_EXPONENT, CONSTANTS, INPUT_LENGTH, INPUT_FIFO, MODE
    for register in (*operands, STATUS):
        script.write(register, 1 << START.lsb)
        script.read(STATUS, 1 << BUSY.lsb | 1 << DROPPED.lsb)
        script.write(STATUS, 1 << DROPPED.lsb)
    script.read(OUTPUT_LENGTH, 0)
    script.read(OUTPUT_FIFO, 0)
    script.write(CONTROL, 1 << CLEAR.lsb)
    script.wait()
    script.read(STATUS, 0)
    script.finish(b"", Status.OK, NBYTES)
    script.operate(None, b"", NBYTES, Status.MODULUS_TOO_SMALL)
    script.load_key(key.n, key.e, key.d)
    script.write(MODE, 1 << SIGNATURE.lsb)
    signature = power(pad(b"signs", NBYTES, BlockType.SIGNATURE), key.d, key)
    script.operate(b"signs", signature, NBYTES, decrypt=True)
    run(configuration, *setup, script, wait=None)


def test_levels():
    configuration = configure(NAME, 16)
    for level in ("fl", "cl", "rtl"):
        assert isinstance(configuration.bus_accelerator(level), Component)
    with pytest.raises(ValueError, match="level 'gate'"):
        configuration.bus_accelerator("gate")
