"""Clearing, refused accesses and resets leave nothing in the registers on a bus."""

import pytest

from rsaxcel.fl.bus import ALL_BYTES, BusRegisters
from rsaxcel.fl.keys import seeded_key
from rsaxcel.fl.pkcs1 import pad
from rsaxcel.fl.register_map import (
    BUSY,
    CLEAR,
    CONTROL,
    DECRYPT,
    DROPPED,
    END,
    INPUT_FIFO,
    INPUT_LENGTH,
    INTERRUPT_ENABLE,
    INTERRUPTS,
    MODE,
    MODULUS,
    OUTPUT_LENGTH,
    PUBLIC_EXPONENT,
    REWIND,
    SIGNATURE,
    STATUS,
    STATUS_CODE,
    UNPADDED,
    WIDTHS,
    WRITE_ADDRESS,
)
from rsaxcel.fl.status import Status
from rsaxcel.sim.bus import READ, WRITE
from tests.axi.bench import (
    NAME,
    NATIVE,
    NBITS,
    NBYTES,
    Script,
    entropy,
    power,
    replay,
    run,
    with_key,
)
from tests.shared.harness import built_once, configure

_ENOUGH = 5000  #: accesses, one per cycle, within which any operation ends


@built_once(f"bus-{NAME}", 33)
@pytest.mark.parametrize("setup", NATIVE, ids="-".join)
def test_a_clearing_leaves_nothing(setup):
    """CLEAR removes a key, a message length and a modulus of which one word was written."""
    script = Script()
    script.load_key((1 << 32) + 3, 3, 3)
    script.operate(b"\2", bytes([0, 0, 0, 0, 8]), 5)
    # As long as the modulus, and wider than 33 bits.
    script.operate(b"\2\0\0\0\0", b"", 5, Status.OPERAND_TOO_WIDE)
    script.load_key((1 << 33) + 3, 3, 3)
    script.operate(None, b"", 5, Status.OPERAND_TOO_WIDE)
    script.load_message(b"123")
    script.read(INPUT_LENGTH, 3)
    script.write(MODULUS, 7)
    script.write(CONTROL, 1 << CLEAR.lsb)
    script.wait()
    script.read(STATUS, 0)
    script.read(INPUT_LENGTH, 0)
    script.operate(None, b"", 5, Status.MODULUS_TOO_SMALL)
    run(configure(NAME, 33), *setup, script)


@built_once(f"bus-{NAME}", 33)
@pytest.mark.parametrize("setup", NATIVE, ids="-".join)
def test_a_clearing_drops_the_word_without_a_place(setup):
    """CLEAR zeroes INPUT_FIFO: a later write to WRITE_ADDRESS stores zero."""
    script = Script()
    script.write(INPUT_FIFO, 0x5EC4E7)
    script.write(CONTROL, 1 << CLEAR.lsb)
    script.wait()
    script.load_key((1 << 32) + 3, 1, 1)
    script.write(INPUT_LENGTH, 5)
    script.write(WRITE_ADDRESS, 0)
    script.operate(None, bytes(5), 5)
    run(configure(NAME, 33), *setup, script)


@built_once(f"bus-{NAME}", 33)
def test_a_clearing_waits_for_the_operation():
    """CLEAR during an exponentiation takes effect at its end, and clears its result, too."""
    script = Script()
    script.load_key((1 << 32) + 3, 3, 3)
    script.load_message(b"\2")
    script.start()
    script.write(CONTROL, 1 << CLEAR.lsb)
    script.wait()
    script.read(STATUS, 0)
    script.finish(b"", Status.OK, 5)
    script.operate(None, b"", 5, Status.MODULUS_TOO_SMALL)
    run(configure(NAME, 33), "rtl", "native", script)


@built_once(f"bus-{NAME}", NBITS)
def test_a_clearing_ends_the_padding():
    """CLEAR while the padding waits for random bytes: it ends without an exponentiation."""
    configuration, script = configure(NAME, NBITS), Script()
    key = seeded_key(NBITS)
    script.load_key(key.n, key.e, key.d)
    script.load_message(b"waits")
    script.start()
    script.read(STATUS, 1 << BUSY.lsb)
    script.write(CONTROL, 1 << CLEAR.lsb)
    script.wait()
    batch = run(configuration, "rtl", "native", script, wait=None)
    assert batch.total_cycles < NBITS  # a product alone takes as many


@built_once(f"bus-{NAME}", NBITS)
@pytest.mark.parametrize("setup", NATIVE, ids="-".join)
def test_a_clearing_rewinds(setup):
    """REWIND is dropped while busy; together with CLEAR it is redundant, and not flagged."""
    configuration, key = configure(NAME, NBITS), seeded_key(NBITS)
    script = with_key(configuration, key)
    script.load_message(b"waits")
    script.start()
    script.write(CONTROL, 1 << REWIND.lsb)
    script.read(STATUS, 1 << BUSY.lsb | 1 << DROPPED.lsb)
    script.write(STATUS, 1 << DROPPED.lsb)
    script.write(CONTROL, 1 << REWIND.lsb | 1 << CLEAR.lsb)
    script.wait()
    script.read(STATUS, 0)
    script.write(MODE, 1 << UNPADDED.lsb)
    script.load(MODULUS, key.n)
    script.load(PUBLIC_EXPONENT, 1)
    block = b"\0the first words"
    script.operate(block, block, NBYTES)
    run(configuration, *setup, script, wait=None)


@built_once(f"bus-{NAME}", 33)
@pytest.mark.parametrize("setup", NATIVE, ids="-".join)
def test_refused_accesses_show_and_change_nothing(setup):
    """Unaligned addresses, and one after the last register, read 0 and write nothing."""
    configuration, script = configure(NAME, 33), Script()
    script.load_key((1 << 32) + 3, 3, 3)
    script.load_message(b"seen")
    addresses = (*(INPUT_LENGTH.offset + i for i in (1, 2, 3)), END)
    first = len(script)
    for address in addresses:
        script.access(READ, address)
        script.access(WRITE, address, 2, ALL_BYTES)
    refused = [(READ, 1, 0), (WRITE, 1, 0)] * len(addresses)
    script.expected[first:] = [None] * len(refused)
    script.read(INPUT_LENGTH, 4)
    batch = run(configuration, *setup, script)
    golden = replay(script, BusRegisters(configuration), entropy())
    assert batch.responses[first:-1] == golden[first:-1] == refused


@built_once(f"bus-{NAME}", 33)
def test_a_start_behind_a_clearing_is_dropped():
    """The accelerator is busy from the cycle after CLEAR, before the clearing itself begins."""
    script = Script()
    script.load_key((1 << 32) + 3, 3, 3)
    script.load_message(b"\2")
    script.write(CONTROL, 1 << CLEAR.lsb)
    script.start()
    for _ in range(400):  # the clearing takes fewer cycles
        script.read(WIDTHS)
    script.read(STATUS, 1 << DROPPED.lsb)
    script.read(STATUS_CODE, 0)
    run(configure(NAME, 33), "rtl", "native", script)


@built_once(f"bus-{NAME}", NBITS)
@pytest.mark.parametrize("setup", NATIVE, ids="-".join)
def test_a_write_while_busy_that_is_not_dropped(setup):
    """INTERRUPT_ENABLE can be written at any time, whatever the other bits are."""
    configuration = configure(NAME, NBITS)
    script = with_key(configuration, seeded_key(NBITS))
    script.load_message(b"waits")
    script.start()  # without random bytes, the operation does not end
    script.write(INTERRUPT_ENABLE, 0xFFFF_FFFF)
    script.read(STATUS, 1 << BUSY.lsb)
    run(configuration, *setup, script, wait=None)


@built_once(f"bus-{NAME}", NBITS)
@pytest.mark.parametrize("after", [1, 2, 5, 12, 30, 100, 400])
def test_reset_while_busy(after):
    """A reset during an operation leaves nothing of it, and the next request works."""
    configuration, key = configure(NAME, NBITS), seeded_key(NBITS)
    script = with_key(configuration, key)
    script.load_message(b"lost")
    script.start()
    script.start()  # dropped; DROPPED stays set until the reset
    begun = len(script)
    for _ in range(450):
        script.read(STATUS)
    looked = len(script)
    script.read(WIDTHS, NBITS << 16 | NBITS)
    script.load_key(key.n, key.e, key.d)
    block = pad(b"works", NBYTES, entropy=entropy())
    script.operate(power(block, key.e, key), b"works", NBYTES, decrypt=True)
    reset_at = begun + after  # an access per cycle
    batch = run(configuration, "rtl", "native", script, reset_at=reset_at)
    read = range(begun, looked)
    before = {batch.responses[i][2] for i in read if batch.accepted[i] < reset_at - 1}
    behind = {batch.responses[i][2] for i in read if batch.accepted[i] > reset_at}
    assert before == ({1 << BUSY.lsb | 1 << DROPPED.lsb} if after > 1 else set())
    assert behind == {0}


@built_once(f"bus-{NAME}", 33)
@pytest.mark.parametrize("after", [1, 2, 5, 10])
def test_reset_while_clearing(after):
    """A reset during the clearing ends it; the next operation has an end of its own."""
    setup = configure(NAME, 33), "rtl", "native"
    script = Script()
    script.write(CONTROL, 1 << CLEAR.lsb)
    begun = len(script)
    for _ in range(400):  # the clearing takes fewer cycles
        script.read(WIDTHS)
    reset_at = run(*setup, script).accepted[begun] + after
    script.load_key((1 << 32) + 3, 3, 3)
    script.operate(b"\2", bytes([0, 0, 0, 0, 8]), 5)
    batch = run(*setup, script, reset_at=reset_at)
    assert all(begun <= i < begun + 400 for i in batch.dropped)


@built_once(f"bus-{NAME}", 33)
@pytest.mark.parametrize(
    ("message", "shown"),
    [(b"\1\xff\xff\xff\xff", STATUS_CODE), (b"\0\1\2\3\4", OUTPUT_LENGTH)],
    ids=["refused", "ok"],
)
def test_reset_behind_an_end(message, shown):
    """After a reset that follows an operation, every register reads as after power-up."""
    setup = configure(NAME, 33), "rtl", "native"
    script = Script()
    script.load_key((1 << 32) + 3, 3, 3)
    script.write(MODE, 1 << UNPADDED.lsb)
    script.load_message(message)
    script.write(INTERRUPT_ENABLE, 1)
    script.start(True)
    for _ in range(_ENOUGH):
        script.read(WIDTHS)
    looked = len(script)
    registers = (shown, STATUS, INPUT_LENGTH, MODE, INTERRUPTS, INTERRUPT_ENABLE)
    for register in registers:
        script.read(register)
    before = run(*setup, script)
    assert all(data for _, _, data in before.responses[looked:])
    script.expected[looked:] = [0] * len(registers)
    after = run(*setup, script, reset_at=before.accepted[looked] - 10)
    assert all(i < looked for i in after.dropped)


@built_once(f"bus-{NAME}", NBITS)
@pytest.mark.parametrize("setup", NATIVE, ids="-".join)
def test_bytes_without_a_strobe_change_nothing(setup):
    script = Script()
    script.write(STATUS, 1 << DECRYPT.lsb)
    script.write(STATUS, 0, ALL_BYTES - 1)
    script.read(STATUS, 1 << DECRYPT.lsb)
    script.write(STATUS, 0, 1)
    script.read(STATUS, 0)
    run(configure(NAME, NBITS), *setup, script)


@built_once(f"bus-{NAME}", NBITS)
def test_reset_forgets_the_key():
    """An operation after the reset ends with the same status as without a key."""
    configuration = configure(NAME, NBITS)
    fresh = Script()
    fresh.load_message(b"\1")
    fresh.start()
    fresh.wait()
    fresh.read(STATUS_CODE)
    status = replay(fresh, BusRegisters(configuration), entropy())[-1][2]
    script = with_key(configuration, seeded_key(NBITS))
    loaded = len(script)
    for _ in range(20):
        script.read(WIDTHS)
    script.load_message(b"\1")
    script.start()
    script.wait()
    script.read(STATUS_CODE)
    keyed = run(configuration, "rtl", "native", script)
    assert keyed.responses[-1][2] != status
    script.expected[-1] = status
    run(configuration, "rtl", "native", script, reset_at=keyed.accepted[loaded] + 10)


@built_once(f"bus-{NAME}", 33)
def test_reset_forgets_the_message():
    """The bytes of a message are zeros after a reset."""
    configuration, script = configure(NAME, 33), Script()
    script.load_message(b"12345")
    loaded = len(script)
    for _ in range(20):
        script.read(WIDTHS)
    script.load_key((1 << 32) + 3, 1, 1)
    script.write(MODE, 1 << UNPADDED.lsb)
    script.write(INPUT_LENGTH, 5)
    script.start()
    script.wait()
    at = run(configuration, "rtl", "native", script).accepted[loaded] + 10
    script.finish(bytes(5), Status.OK, 5)
    run(configuration, "rtl", "native", script, reset_at=at)


@built_once(f"bus-{NAME}", NBITS)
@pytest.mark.parametrize("after", [3, 6, 9])
def test_reset_ends_the_padding(after):
    """A reset while a message is padded: the next message, written at once, stays as it is."""
    configuration, key = configure(NAME, NBITS), seeded_key(NBITS)
    script = with_key(configuration, key)
    script.write(MODE, 1 << SIGNATURE.lsb)
    script.load_message(b"lost")
    script.start(True)
    begun = len(script)
    for _ in range(after):
        script.read(WIDTHS)
    script.write(MODE, 1 << UNPADDED.lsb)
    message = bytes(range(NBYTES))
    script.load_message(message)
    script.load_key(key.n, 1, 1)
    script.start()
    script.wait()
    at = run(configuration, "rtl", "native", script).accepted[begun] + after - 2
    script.finish(message, Status.OK, NBYTES)
    run(configuration, "rtl", "native", script, reset_at=at)


@built_once(f"bus-{NAME}", 33)
@pytest.mark.parametrize("setup", NATIVE, ids="-".join)
def test_a_read_writes_nothing(setup):
    """Data and strobes beside a read are ignored."""
    script = Script()
    script.load_key((1 << 32) + 3, 3, 3)
    script.load_message(b"seen")
    script.access(READ, INPUT_LENGTH.offset, 2, ALL_BYTES)
    script.read(INPUT_LENGTH, 4)
    run(configure(NAME, 33), *setup, script)
