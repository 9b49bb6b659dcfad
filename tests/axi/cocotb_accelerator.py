"""Tests in cocotb (run by ``test_cocotb.py``): the accelerator as a bus master sees it."""

from functools import cache

import cocotb
from cocotb.triggers import ClockCycles

from rsaxcel.fl.keys import Key, seeded_key
from rsaxcel.fl.register_map import (
    CLEAR,
    CONTROL,
    INPUT_LENGTH,
    INTERRUPT_ENABLE,
    MODE,
    REGISTERS,
    SIGNATURE,
    STATUS,
    STATUS_CODE,
    UNPADDED,
)
from rsaxcel.fl.status import Status
from rsaxcel.sim.bus import BusScript
from tests.axi.cocotb_bench import Bench

WORD = (1 << 32) - 1

key_of = cache(seeded_key)


def block_nbytes(bench: Bench) -> int:
    return bench.configuration.nbits // 8


async def load_key(bench: Bench, seed: int = 0) -> Key:
    key = key_of(bench.configuration.nbits, seed)
    constants = bench.configuration.constant_words(key.n)
    await bench.play(BusScript.load_key, key.n, key.e, key.d, constants)
    return key


async def operate(bench: Bench, message: bytes, decrypt: bool = False) -> bytes:
    """Return the output; the whole buffer is read and one word more, for any output length."""
    await bench.play(BusScript.load_message, message)
    await bench.play(BusScript.start, decrypt)
    await bench.end()
    _, length, *words = await bench.play(BusScript.read_output, block_nbytes(bench) + 4)
    value = sum(word << 32 * i for i, word in enumerate(words))
    return value.to_bytes(length, "big")


def longest_message(bench: Bench, key: Key) -> bytes:
    """Draw the longest message: with room for the padding, or unpadded and below the modulus."""
    nbytes = block_nbytes(bench)
    if nbytes > 8:
        return bench.random.randbytes(nbytes - 11)
    return (bench.random.randrange(key.n)).to_bytes(nbytes, "big")


async def round_trip(bench: Bench) -> None:
    """Encrypt on the device and decrypt with ``pow``, then decrypt on the device."""
    key = await load_key(bench)
    await bench.write(MODE, 0)
    message = longest_message(bench, key)
    ciphertext = await operate(bench, message)
    block = pow(int.from_bytes(ciphertext, "big"), key.d, key.n).to_bytes(
        block_nbytes(bench), "big"
    )
    assert block.endswith(message)
    if len(message) < len(block):
        assert block[:2] == b"\0\2"
        assert block.index(0, 2) == len(block) - len(message) - 1
    assert await operate(bench, ciphertext, decrypt=True) == message
    bench.check()


@cocotb.test(timeout_time=1000, timeout_unit="ms")
async def complete_operations(dut):
    """Encrypt, decrypt, sign and verify under random back-pressure on every channel."""
    bench = Bench(dut, 1)
    await bench.begin()
    bench.stall()
    await round_trip(bench)
    key = await load_key(bench)
    await bench.write(MODE, 1 << SIGNATURE.lsb)
    message = longest_message(bench, key)
    signature = await operate(bench, message, decrypt=True)
    assert pow(int.from_bytes(signature, "big"), key.e, key.n) % (1 << 8 * len(message)) == (
        int.from_bytes(message, "big")
    )
    assert await operate(bench, signature) == message
    await bench.write(MODE, 1 << UNPADDED.lsb)
    raw = bench.random.randrange(key.n).to_bytes(block_nbytes(bench), "big")
    assert int.from_bytes(await operate(bench, raw), "big") == pow(
        int.from_bytes(raw, "big"), key.e, key.n
    )
    bench.check()


@cocotb.test(timeout_time=1000, timeout_unit="ms")
async def channels_do_not_wait_for_each_other(dut):
    """Address and data come in any order; a stalled response blocks only its own direction."""
    bench = Bench(dut, 7)
    await bench.begin()
    write, read = bench.master.write_if, bench.master.read_if
    for first, second in ((write.aw_channel, write.w_channel), (write.w_channel, write.aw_channel)):
        second.pause = True
        task = cocotb.start_soon(bench.master.write(INTERRUPT_ENABLE.offset, b"\1\0\0\0"))
        await ClockCycles(dut.clk, 20)
        assert first.empty()
        assert not task.done()
        await bench.read(INPUT_LENGTH)
        second.pause = False
        await task
    write.b_channel.pause = True
    tasks = [
        cocotb.start_soon(bench.master.write(INTERRUPT_ENABLE.offset, bytes(4))) for _ in range(8)
    ]
    for _ in range(10):
        await bench.read(INPUT_LENGTH)
    assert not any(task.done() for task in tasks)
    write.b_channel.pause = False
    for task in tasks:
        await task
    read.r_channel.pause = True
    tasks = [cocotb.start_soon(bench.master.read(STATUS.offset, 4)) for _ in range(8)]
    for i in range(10):
        await bench.write(INPUT_LENGTH, i)
    assert not any(task.done() for task in tasks)
    read.r_channel.pause = False
    for task in tasks:
        await task
    await round_trip(bench)


@cocotb.test(timeout_time=10000, timeout_unit="ms")
async def random_accesses(dut):
    """Random accesses in any state agree with the golden model of the registers."""
    bench = Bench(dut, 9)
    await bench.begin()
    bench.stall()
    draw, statuses = bench.random, set()
    nbytes = block_nbytes(bench)
    await load_key(bench)
    for _ in range(bench.accesses):
        if bench.model.busy:
            # No CLEAR while busy: the model cannot know whether the operation ends before it.
            await bench.end()
            statuses.add(Status(await bench.read(STATUS_CODE)))
        register = draw.choice(REGISTERS)
        data = draw.choice((0, 1, 2, 4, 5, nbytes, draw.getrandbits(32), draw.randrange(nbytes)))
        if register is CONTROL:
            data &= ~(1 << CLEAR.lsb) | -(draw.random() < 0.1)
            data &= WORD
        kind = draw.random()
        if kind < 0.03:
            await load_key(bench, draw.randrange(3))
        elif kind < 0.06:
            await bench.play(BusScript.load_message, draw.randbytes(draw.randint(0, nbytes)))
        elif kind < 0.08:
            await bench.play(BusScript.load_message, b"\0" + draw.randbytes(nbytes - 1))
        elif kind < 0.12:
            await bench.play(BusScript.start, draw.random() < 0.5)
        elif kind < 0.5:
            strobes = draw.choice((15, 15, 15, draw.randrange(16)))
            await bench.write(register, data, strobes)
        elif kind < 0.53:
            await bench.write_at(draw.randrange(4096), draw.getrandbits(32), draw.randrange(16))
        elif kind < 0.56:
            await bench.read_at(draw.randrange(4096))
        else:
            await bench.read(register)
    if bench.model.busy:
        await bench.end()
    dut._log.info("statuses seen: %s", sorted(map(str, statuses)))
    assert len(statuses) >= 3
    await bench.write(CONTROL, 1 << CLEAR.lsb)
    await bench.end()
    await round_trip(bench)
