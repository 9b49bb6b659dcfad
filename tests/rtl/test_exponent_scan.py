"""The circuit of a scan gives the digits of ``plan.scan`` in order, for every exponent."""

import pytest

from rsaxcel.plan.scan import Scan
from rsaxcel.rtl.exponentiators.exponent_scan import ExponentScan
from rsaxcel.sim.pymtl_engine import prepare

WIDTHS = range(1, 8)
SCANS = {
    "r2l": {},
    "r2l_fixed": {"fixed": True},
    "counted": {"counts": True},
    "l2r": {"from_top": True},
    "l2r_fixed": {"from_top": True, "fixed": True},
    **{f"window_{w}": {"from_top": True, "fixed": True, "digit_nbits": w} for w in range(2, 6)},
    **{f"sliding_{w}": {"from_top": True, "sliding_nbits": w} for w in range(2, 6)},
}


class Bench:
    """Steps through the digits of a scan as the sequencer does."""

    def __init__(self, scan: Scan):
        self.scan = scan
        self.top = ExponentScan(scan)
        self.top.elaborate()
        prepare(self.top, None)
        self.top.reset @= 0

    def drive(self, **ports: int) -> None:
        for name in ("load", "shift", "enters", "advance", "exponent"):
            port = getattr(self.top, name)
            port @= ports.get(name, 0)
        self.top.sim_settle()

    def read(self) -> tuple | None:
        """Conditions of the current digit, and its table index if there is a table."""
        if self.top.passes and self.scan.from_top and not self.scan.fixed:
            return None
        names = ["set", "more", "later"]
        if self.scan.digit_nbits > 1 or (self.scan.sliding_nbits and self.top.set):
            names.append("index")
        return tuple(int(getattr(self.top, name)) for name in names)

    def digits(self, exponent: int) -> list[tuple | None]:
        self.drive(load=1, exponent=exponent)
        self.top.sim_edge()
        self.drive(enters=1, advance=1)
        found = []
        while not self.top.ended:
            found.append(self.read())
            self.top.sim_edge()
            if found[-1] is not None:
                self.drive(advance=1)
                assert self.read() == found[-1]
                assert not self.top.passing
                self.top.sim_edge()
            self.drive(shift=1, enters=1, advance=1)
        return found


@pytest.mark.parametrize("nbits", WIDTHS)
@pytest.mark.parametrize("choice", SCANS)
def test_every_exponent(choice, nbits):
    """All exponents; windows that do not divide the width, or are wider than the exponent."""
    scan = Scan(nbits, **SCANS[choice])
    bench = Bench(scan)
    for exponent in range(1 << nbits):
        expected = [
            digit
            and (digit.set, digit.more, digit.later)
            + ((digit.index,) if scan.digit_nbits > 1 or (scan.sliding_nbits and digit.set) else ())
            for digit in scan.digits(exponent)
        ]
        assert bench.digits(exponent) == expected


@pytest.mark.parametrize("nbits", [1, 5, 7])
@pytest.mark.parametrize("width", range(1, 6))
def test_entries_of_the_steps_of_a_digit(width, nbits):
    """Every exponent, with a step before the first digit."""
    scan = Scan(nbits, from_top=True, fixed=True, digit_nbits=width, odd=True)
    bench = Bench(scan)
    for exponent in range(1 << nbits):
        bench.drive(load=1, exponent=exponent)
        bench.top.sim_edge()
        bench.drive(advance=1)
        bench.top.sim_edge()
        for number, digit in enumerate(scan.digits(exponent)):
            for step in range(width + 1):
                bench.drive(shift=int(number > 0 and step == 0), enters=int(step == 0), advance=1)
                if step:
                    assert bench.top.index == digit.indices[step]
                bench.top.sim_edge()
