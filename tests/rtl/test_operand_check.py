"""Checks of a modulus that consists of two halves, one operand bit after the other."""

import pytest
from pymtl3 import DefaultPassGroup

from rsaxcel.fl.status import Status
from rsaxcel.rtl.lib.operand_check import HalvesCheck
from tests.shared.harness import configure

CONFIGURATIONS = [(140, 5), (140, 70), (66, 33)]
"""Padding of an exponent of more than one word; no padding of moduli; halves of two words."""


@pytest.mark.parametrize(("nbits", "exponent_nbits"), CONFIGURATIONS, ids=str)
def test_each_bit(nbits, exponent_nbits):
    """Each operand bit alone, added to valid operands, gives the status of the golden rules."""
    rules = configure("crt_window", nbits, exponent_nbits=exponent_nbits).rules
    halves = rules.halves
    dut = HalvesCheck(rules)
    dut.elaborate()
    dut.apply(DefaultPassGroup())
    dut.sim_reset()
    dut.load @= 1

    def status(modulus: int, exponent: int) -> int:
        dut.modulus @= modulus
        dut.exponent @= exponent
        dut.sim_tick()
        return int(dut.status)

    valid, ones = halves.joined(5, 3), halves.joined(1, 1)
    found = set()
    for bit in range(rules.modulus_nbits):
        for modulus, exponent in ((valid, ones ^ 1 << bit), (valid ^ 1 << bit, ones)):
            expected = rules.status(0, exponent, modulus)
            assert status(modulus, exponent) == expected, (bit, modulus, exponent)
            found.add(expected)
    assert found == set(Status(code) for code in range(5)) - {Status.BASE_TOO_LARGE}
