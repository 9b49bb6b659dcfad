"""Parts of a digit bank alone: the reader of digits, and the product in flight."""

import random

import pytest

import rsaxcel.rtl.measures  # noqa: F401  # adds itself to the parts of circuits
from rsaxcel import catalog
from rsaxcel.plan.kept_results import KEPT
from rsaxcel.plan.steps import FACTOR, MESSAGE, MINUS_ONE, ONE, REFERENCE
from rsaxcel.rtl.parts import part_of
from rsaxcel.rtl.stores.digit_reader import AT_ONCE, DigitReader
from rsaxcel.rtl.stores.lane_sources import LaneSources
from rsaxcel.rtl.stores.product_in_flight import ProductInFlight
from rsaxcel.sim.pymtl_engine import prepare

NBITS = 24
CHECKED = {"check": "public_exponent"}


class Part:
    """A component of a lane, with the lane's golden model; driven cycle by cycle."""

    def __init__(self, name: str, lane: int, make, nbits=NBITS, **params):
        configuration = catalog.get(name).configure(nbits, digit_nbits=4, **params)
        (program,) = configuration.programs
        self.golden = configuration.multiplier.build("fl", program.product_nbits(nbits))
        self.sources = LaneSources(program, lane)
        self.program = program
        self.top = make(self)
        self.top.elaborate()
        prepare(self.top, None)
        self.drive(reset=1)
        self.cycle()
        self.drive(reset=0)

    def drive(self, **ports: int) -> None:
        """Set input ports; signed values, too."""
        for name, value in ports.items():
            port = getattr(self.top, name)
            port @= value & (1 << port.nbits) - 1
        self.top.sim_settle()

    def cycle(self, **ports: int) -> None:
        """Set ports, apply a clock edge, and set these ports to 0 again."""
        self.drive(**ports)
        self.top.sim_edge()
        self.drive(**dict.fromkeys(ports, 0))


# Digits.


def reader(name: str, lane: int, message_digits: int = 0, **params) -> Part:
    """A reader of digits whose sources hold random signed residues."""

    def make(part: Part):
        return part_of(part.program, DigitReader)(part.golden, part.sources, message_digits)

    part = Part(name, lane, make, **params)
    draw, nbits = random.Random(f"{name}/{lane}/digits"), part.golden.residue_nbits
    for port in (*part.top.residues, part.top.last, *part.top.others):
        port @= draw.getrandbits(nbits)
    part.top.sim_settle()
    return part


def digits_of(part: Part, **ports: int) -> list[int]:
    """All digits of the selected source, the lowest first."""
    found = []
    for i in range(part.golden.digits):
        part.drive(select=1 << i, **ports)
        found.append(int(part.top.digit))
        part.top.sim_edge()
    part.drive(select=0, **ports)
    assert int(part.top.digit) == 0
    assert not part.top.takes
    return found


def signed_digits(part: Part, residue: int) -> list[int]:
    """Digits of a signed residue, by Python's arithmetic shift."""
    nbits, k = part.golden.residue_nbits, part.golden.digit_nbits
    number = residue - (residue >> nbits - 1 << nbits)
    return [number >> k * i & (1 << k) - 1 for i in range(part.golden.digits)]


def contents_of_sources(part: Part) -> dict[int, int]:
    """What each source gives, by its number; 0: no digits."""
    sources, top, k = part.sources, part.top, part.golden.digit_nbits
    numbers = {
        i: int(top.residues[i]) if i in sources.fetched else 0 for i in range(sources.registers)
    }
    numbers[sources.number(KEPT)] = int(top.last)
    for residue, port in zip(sources.from_other_lane, top.others, strict=True):
        numbers[sources.number(residue)] = int(port)
    numbers[sources.number(ONE)] = 1
    numbers[sources.number(FACTOR)] = 1 << k * part.golden.final_digits
    numbers[sources.number(MINUS_ONE)] = (1 << part.golden.residue_nbits) - 1
    numbers[sources.number(MESSAGE)] = 0  # no message in this bench
    if sources.program.check:
        numbers[sources.number(REFERENCE)] = 0
    assert len(numbers) == sources.count
    assert any(numbers.values())
    return numbers


@pytest.mark.parametrize(
    ("name", "lane"), [("crt_window", 0), ("crt_window", 1), ("crt_window_shared", 0)]
)
@pytest.mark.parametrize("params", [{}, CHECKED], ids=["plain", "check"])
@pytest.mark.parametrize("nbits", [NBITS, 64])
def test_digits_of_every_source(name, lane, params, nbits):
    """The source is that of the digit, first or second; without a source, the digit is 0.

    At 64 bits, the check has registers of the source for two groups of digits.
    """
    part = reader(name, lane, nbits=nbits, **params)
    for number, value in contents_of_sources(part).items():
        part.drive(source=1 << number)
        for second in (0, 1):
            assert digits_of(part, second=second, shifts=1) == signed_digits(part, value)
    part.drive(source=0)
    assert not any(digits_of(part))


@pytest.mark.parametrize("stop", range(1, 7))
def test_no_digit_is_left_of_an_aborted_product(stop):
    """Late digits are selected one cycle ahead; if their turn does not come, the digit is 0."""
    part = reader("crt_window", 0)
    (number, value) = next((x, y) for x, y in contents_of_sources(part).items() if y)
    part.drive(source=1 << number)
    for i in range(stop):
        part.drive(select=1 << i, shifts=int(i < stop - 1))
        part.top.sim_edge()
    part.drive(select=0)
    assert int(part.top.digit) == 0
    part.top.sim_edge()
    assert digits_of(part, shifts=1) == signed_digits(part, value)


def test_late_digits_are_those_of_the_cycle_before():
    """The first digits are read at once; the other ones are those of the cycle before."""
    part = reader("crt_window", 0)
    number = part.sources.number(KEPT)
    part.drive(source=1 << number)
    values = [random.Random(i).getrandbits(part.golden.residue_nbits) for i in range(20)]
    for i in range(part.golden.digits):
        part.drive(select=1 << i, last=values[i], shifts=1)
        known = values[i] if i < AT_ONCE else values[i - 1]
        assert int(part.top.digit) == signed_digits(part, known)[i]
        part.top.sim_edge()


@pytest.mark.parametrize(
    ("source", "params"),
    [(MESSAGE, {}), (MESSAGE, CHECKED), (REFERENCE, CHECKED)],
    ids=["message", "message-check", "reference-check"],
)
@pytest.mark.parametrize("message_digits", [1, 5, 9, 11, 14])
def test_digits_of_the_message_are_taken_as_often_as_it_has_some(message_digits, source, params):
    """Each digit of the message is taken once; the operand's digits above it are 0."""
    part = reader("crt_window", 0, message_digits, **params)
    ndigits = part.golden.digits
    assert 5 < ndigits < 11
    part.drive(source=1 << part.sources.number(source), shifts=1)
    taken = []
    for second in (0, 1):
        for i in range(ndigits):
            part.drive(second=second, select=1 << i, message=len(taken) % 15 + 1)
            if part.top.takes:
                assert int(part.top.digit) == len(taken) % 15 + 1
                taken.append(second * ndigits + i)
            else:
                assert int(part.top.digit) == 0
            part.top.sim_edge()
    assert taken == [*range(min(message_digits, 2 * ndigits))]


# The product in flight.


def in_flight(part: Part):
    return part_of(part.program, ProductInFlight)(part.sources)


@pytest.fixture
def flight() -> Part:
    return Part("orup_window", 0, in_flight)


def offer(part: Part, source: int, written: int, **more: int) -> None:
    """Let the lane accept a product that reads one register digit by digit, and writes another."""
    if hasattr(part.top, "next_unwritten"):
        more.setdefault("next_unwritten", ~(1 << written))
    part.cycle(begins=1, next_source=1 << source, next_written=1 << written, **more)


@pytest.mark.parametrize("params", [{}, CHECKED], ids=["plain", "check"])
def test_the_source_of_second_digits_replaces_that_of_the_first(params):
    """A product without second digits reads no source any more after its first digits."""
    flight = Part("crt_window", 0, in_flight, **params)
    top = flight.top
    for tail in (1 << 3, 0):
        offer(flight, 1, 2, next_tail=tail)
        assert int(top.source) == 1 << 1
        flight.cycle()
        assert int(top.source) == 1 << 1
        flight.cycle(last_digit=1)
        assert int(top.source) == tail
        flight.cycle(last_digit=1, second=1)
        assert int(top.source) == tail
        flight.cycle(answers=1)
        assert int(top.source) == tail
    offer(flight, 2, 1, last_digit=1)
    assert int(top.source) == 1 << flight.sources.number(KEPT)
    flight.cycle(prepare=1)
    assert int(top.source) == 0


def test_with_a_check_a_destination_that_is_not_sure_is_a_fault():
    """The destination and its inverse come, and are held, apart; so is the result's."""
    flight = Part("crt_window", 0, in_flight, **CHECKED)
    flight.cycle(clears=1)
    for written, unwritten, broken in ((2, 2, 0), (1, 1, 0), (2, 3, 1)):
        offer(flight, 0, written, next_unwritten=~(1 << unwritten))
        assert int(flight.top.broken) == broken
        flight.cycle(answers=1)
        assert int(flight.top.broken) == broken
    flight.drive(clears=1)
    assert not flight.top.broken


@pytest.mark.parametrize("how", ["reset", "load", "kept"])
def test_a_result_that_is_given_up_goes_to_no_register(flight, how):
    offer(flight, 0, 1)
    flight.cycle(answers=1)
    assert int(flight.top.unkept)
    flight.cycle(**{how: 1})
    assert int(flight.top.unkept) == 0
    offer(flight, 1, 2)
    assert int(flight.top.source) == 1 << 1


def test_nothing_is_left_of_a_product_after_clearing(flight):
    """A new modulus deselects all sources at once, so that no digits of a message are taken."""
    offer(flight, 0, 1, next_tail=1, next_loaded=1, next_reduced=1)
    flight.cycle(answers=1)
    flight.cycle(prepare=1)
    assert int(flight.top.source) == 0
    flight.cycle(last_digit=1)
    assert int(flight.top.source) == 0
    assert flight.top.loaded
    flight.cycle(clears=1)
    assert (int(flight.top.loaded), int(flight.top.reduces), int(flight.top.unkept)) == (0, 0, 0)
