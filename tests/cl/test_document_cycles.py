"""The cycle model gives the cycles of Li and Chu's Verilog; our circuits take no more."""

import random
from statistics import fmean

import pytest

from rsaxcel.cl.exponentiator import STROBE
from rsaxcel.course.testing.cases import PUBLISHED, draw_modulus
from tests.shared.harness import configure, simulate

ENCRYPT, DECRYPT = (
    next(row[1:4] for row in PUBLISHED if row[0] == f"li and chu {operation}")
    for operation in ("encrypt", "decrypt")
)
LI_CHU = ("montred_r2l", "montmul_r2l", "montmul_csa_r2l", "ssmm_r2l")
#: Table 1, by width: average cycles of an encryption and a decryption, algorithm 6.
PRINTED_SSMM = {64: 4076, 128: 16752, 256: 66226, 512: 261996, 1024: 1048412, 2048: 4206448}
#: Table 1, by width: average cycles, algorithms 2 and 4.
PRINTED_MONTGOMERY = {64: 4413, 128: 17286, 256: 67334, 512: 264442, 1024: 1053178, 2048: 4204630}
AVERAGES = [("ssmm_r2l", nbits, cycles) for nbits, cycles in PRINTED_SSMM.items()]
AVERAGES += [
    (name, nbits, cycles)
    for name in ("montred_r2l", "montmul_r2l")
    for nbits, cycles in PRINTED_MONTGOMERY.items()
]


def document_cycles(configuration, *operands: int) -> int:
    """Cycles by the cycle model with the printed Verilog's handshake."""
    _, durations = configuration.timing_with(STROBE).evaluate(*operands)
    return sum(durations)


def test_shift_sub_example_exactly():
    """The model gives the cycles of a run of the printed Verilog, whose mean table 1 prints."""
    configuration = configure("ssmm_r2l", 128)
    cycles = [document_cycles(configuration, *row) for row in (ENCRYPT, DECRYPT)]
    assert cycles == [16612, 16893]
    assert int(fmean(cycles)) == PRINTED_SSMM[128]


@pytest.mark.parametrize("name", ["montred_r2l", "montmul_r2l"])
def test_montgomery_example_exactly(name):
    """The model gives the printed average, with R^2 by shift-sub and shared conversions."""
    configuration = configure(name, 128)
    assert fmean(document_cycles(configuration, *row) for row in (ENCRYPT, DECRYPT)) == 17286


@pytest.mark.quick_cases("*-512-*", "*-256-*")
@pytest.mark.parametrize(
    ("name", "nbits", "printed"), [point for point in AVERAGES if point[1] != 128]
)
def test_average_over_random_keys(name, nbits, printed):
    """The printed keys are unknown; the mean over 20 random moduli is within 5 %."""
    configuration = configure(name, nbits)
    rng = random.Random(nbits)
    cycles = []
    for _ in range(20):
        m = draw_modulus(rng, nbits)
        base, exponents = rng.randrange(m), (rng.randrange(m), rng.randrange(m))
        cycles += [document_cycles(configuration, base, e, m) for e in exponents]
    assert fmean(cycles) == pytest.approx(printed, rel=0.05)


@pytest.mark.parametrize(
    ("name", "encrypt", "decrypt"),
    [("ssmm_r2l", 16612, 16893), ("montmul_r2l", 17286, 17286), ("montred_r2l", 17286, 17286)],
)
def test_circuit_is_no_slower(name, encrypt, decrypt):
    """The circuit gives the right results of the example in no more cycles than printed."""
    configuration = configure(name, 128)
    batch = simulate(configuration, "rtl", "native", [ENCRYPT, DECRYPT])
    assert batch.responses == [(pow(*ENCRYPT), 0), (pow(*DECRYPT), 0)]
    assert batch.cycles[0] <= encrypt
    assert batch.cycles[1] <= decrypt


@pytest.mark.parametrize("name", LI_CHU)
def test_handshake_changes_cycles_only(name):
    """Results do not depend on the handshake."""
    configuration = configure(name, 128)
    outcome, _ = configuration.timing_with(STROBE).evaluate(*ENCRYPT)
    assert outcome == configuration.outcome(*ENCRYPT)
