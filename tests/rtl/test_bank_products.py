"""The parts of a digit bank alone: the choice of a product, and the product in flight."""

import random

import pytest

from rsaxcel.plan.kept_results import KEPT
from rsaxcel.plan.steps import MESSAGE, REFERENCE, Kind
from rsaxcel.rtl.parts import part_of
from rsaxcel.rtl.stores.digit_choice import DigitChoice, DigitChoiceAhead
from rsaxcel.rtl.stores.product_in_flight import ProductInFlight
from tests.rtl.bank_part import CHECKED, DESIGNS, Part

# The choice of a product.


@pytest.mark.parametrize(("name", "lane"), DESIGNS)
def test_the_kind_of_each_product(name, lane):
    """The message is the only operand whose second digits belong to the same number."""
    part = Part(name, lane, lambda part: DigitChoice(part.sources))
    kinds = set()
    for slot, product in enumerate(part.sources.products):
        if product:
            part.drive(chosen=1 << slot)
            assert int(part.top.doubles) == (product.kind is Kind.DOUBLE)
            assert int(part.top.whole) == (product.kind is Kind.WHOLE)
            assert int(part.top.follows) == (product.a == MESSAGE)
            assert int(part.top.reduced) == product.reduced
            kinds.add(product.kind)
    assert (Kind.DOUBLE in kinds) == (name != "orup_window")


@pytest.mark.parametrize("blinding", ["none", "message", "exponents", "both"])
@pytest.mark.parametrize(("name", "lane"), DESIGNS[1:])
def test_with_a_check_the_source_tells_whether_second_digits_follow(name, lane, blinding):
    """Message, result and copy of the message are read whole; other second digits have a tail."""
    part = Part(name, lane, lambda part: DigitChoice(part.sources), **CHECKED, blinding=blinding)
    whole = [part.sources.number(x) for x in (MESSAGE, REFERENCE)]
    found = set()
    for slot, product in enumerate(part.sources.products):
        if product and product.kind is Kind.DOUBLE:
            part.drive(chosen=1 << slot)
            told = any(int(part.top.source) >> number & 1 for number in whole)
            assert told == int(part.top.follows) == (not product.tail)
            assert int(part.top.tail)
            found.add(told)
    assert found == {True, False}


@pytest.mark.parametrize(("name", "lane"), DESIGNS[1:])
def test_with_a_check_the_choice_is_held_from_the_next_step_on(name, lane):
    """All products, halves and table indices: as decoded in the last cycle of the step before."""
    decoded = Part(name, lane, lambda part: DigitChoice(part.sources), **CHECKED)
    held = Part(name, lane, lambda part: DigitChoiceAhead(part.sources), **CHECKED)
    outputs = ("source", "tail", "loaded", "written", "loads", "reduced", "doubles", "whole")
    outputs += ("less", "compared")
    draw = random.Random(0)
    seen = set()
    for slot, product in enumerate(held.sources.products):
        if not product:
            continue
        inputs = {
            "chosen": 1 << slot,
            "half": draw.choice(held.sources.kept.halves),
            "index": draw.randrange(4),
        }
        decoded.drive(**inputs)
        held.cycle(**inputs, advances=1)
        expected = [int(getattr(decoded.top, x)) for x in outputs]
        assert [int(getattr(held.top, x)) for x in outputs] == expected
        assert held.top.unwritten == ~held.top.written
        other = draw.randrange(len(held.sources.products))
        held.cycle(chosen=1 << other, index=3)
        assert [int(getattr(held.top, x)) for x in outputs] == expected
        seen.add(tuple(expected))
    assert len(seen) > 10


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


def test_a_result_is_read_from_the_lane_until_it_is_in_its_register(flight):
    """Between ``answers`` and ``kept``, a product reads the lane's result; later, its register."""
    top, last = flight.top, 1 << flight.sources.number(KEPT)
    offer(flight, 0, 1)
    assert (int(top.source), int(top.unkept)) == (1, 0)
    flight.cycle(answers=1)
    assert int(top.unkept) == 1 << 1
    offer(flight, 1, 2)
    assert int(top.source) == last
    assert int(top.unkept) == 1 << 1  # the register of the result, not of the product in flight
    flight.cycle(kept=1)
    assert int(top.unkept) == 0
    flight.cycle(answers=1)
    assert int(top.unkept) == 1 << 2
    flight.cycle(kept=1)
    offer(flight, 2, 2)
    assert int(top.source) == 1 << 2


def test_other_registers_and_loaded_operands_are_no_results_of_the_lane(flight):
    offer(flight, 0, 1)
    flight.cycle(answers=1)
    offer(flight, 2, 0)
    assert int(flight.top.source) == 1 << 2
    flight.cycle(answers=1)
    offer(
        flight, 0, 0, next_loads=1, next_loaded=1 << 1
    )  # a product that loads waits until results are in registers
    assert int(flight.top.source) == 1
    assert int(flight.top.loaded) == 1 << 1


def test_a_reduced_result_is_done_later(flight):
    """``done`` follows ``answers``, or for a reduced product ``reduced``."""
    done = []
    for reduced in (0, 1):
        offer(flight, 0, 1, next_reduced=reduced)
        assert int(flight.top.reduces) == reduced
        for ports in ({"answers": 1}, {"kept": 1}, {"kept": 1, "reduced": 1}):
            flight.drive(**ports)
            done.append(int(flight.top.done))
            flight.cycle(**ports)
    assert done == [1, 0, 1, 0, 0, 1]


def test_with_a_check_the_source_of_second_digits_replaces_that_of_the_first():
    """A product without second digits reads no source any more after its first digits."""
    flight = Part("crt_window", 0, in_flight, **CHECKED)
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
    assert (int(flight.top.source), int(flight.top.tail)) == (0, 0)
    assert flight.top.loaded
    flight.cycle(clears=1)
    assert (int(flight.top.loaded), int(flight.top.reduces), int(flight.top.unkept)) == (0, 0, 0)
