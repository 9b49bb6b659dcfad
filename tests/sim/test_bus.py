"""Scripts on the accelerator on a bus: behaviour of the host, without exponentiations."""

import pytest

from rsaxcel.fl.keys import seeded_key
from rsaxcel.fl.register_map import INTERRUPT_ENABLE, STATUS_CODE
from rsaxcel.fl.status import Status
from rsaxcel.sim.batch import SimulationTimeout
from rsaxcel.sim.bus import ENTROPY, READ, BusScript, open_bus
from tests.shared.harness import configure

CONFIGURATION = configure("ssmm_r2l", 96)
LEVELS = pytest.mark.parametrize("level", ["fl", "cl"])


def script(nbits: int, message: bytes, entropy: bytes) -> BusScript:
    """Script of an encryption that reads its status at the end."""
    key, made = seeded_key(nbits), BusScript()
    made.write(INTERRUPT_ENABLE, 1)
    made.load_key(key.n, 3, 0)
    made.load_message(message)
    made.start()
    made.feed(entropy)
    made.wait()
    made.read(STATUS_CODE)
    return made


@LEVELS
@pytest.mark.parametrize(
    ("nbits", "message", "status"),
    [(72, b"", Status.KEY_TOO_SHORT), (96, b"mm", Status.MESSAGE_TOO_LONG)],
)
def test_random_bytes_that_nobody_wants(level, nbits, message, status):
    """Random bytes after a refusal are discarded, and change nothing."""
    made = script(nbits, message, b"\7" * 20)
    answers = open_bus(CONFIGURATION, level)(made, 50).answers
    assert len(answers) == len(made)
    assert answers[-1] == (READ, 0, status)
    assert answers == open_bus(CONFIGURATION, "fl")(made).answers
    errors = {
        access[1] for access, (_, error, _) in zip(made.accesses, answers, strict=True) if error
    }
    assert errors - {0xFFC} == {ENTROPY}


@LEVELS
def test_random_bytes_that_are_missing(level):
    """Zero bytes are no padding: the script would wait forever, which raises an error."""
    with pytest.raises((SimulationTimeout, ValueError), match=r"forever|no handshake for 50"):
        open_bus(CONFIGURATION, level)(script(96, b"m", bytes(8)), 50)


def test_levels():
    with pytest.raises(ValueError, match="level 'gates': fl, cl, rtl are allowed"):
        open_bus(CONFIGURATION, "gates")
