"""The registry: facts on its designs, and refused requests."""

import inspect
from dataclasses import replace

import pytest

from rsaxcel import catalog
from rsaxcel.catalog.multipliers import check_classes, check_constants
from rsaxcel.catalog.units import CONSTANT_UNITS, STORES, BuiltIn, Classes
from rsaxcel.fl.multipliers import MulRem
from rsaxcel.fl.status import Status


def test_every_design_is_there():
    """All built-in and outside designs were registered."""
    assert catalog.PROBLEMS == []


@pytest.mark.parametrize("name", catalog.multipliers())
def test_built_in_multipliers(name):
    """They are not checked when they are registered, which would load their circuits."""
    classes = catalog.multipliers()[name].classes
    assert isinstance(classes, BuiltIn)
    check_classes(classes)
    check_constants(classes)
    assert {x.__name__ for x in (classes.fl, classes.cl, classes.rtl)} == {classes.fl.__name__}
    assert classes.name == Classes(classes.fl, classes.cl, classes.rtl).name


def test_built_in_units_and_stores():
    for unit in CONSTANT_UNITS.values():
        assert unit.cl.__name__ == unit.rtl.__name__ == unit.fl.__name__
    for store in STORES.values():
        assert store.cl.__name__ == store.rtl.__name__


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schedule": "l2rr"}, r"design x: schedule=l2rr: r2l, .* are allowed"),
        ({"lanes": 3}, r"design x: lanes=3: 1 to 2 are allowed with schedule=r2l"),
        ({"lanes": 2, "schedule": "window"}, r"lanes=2: 1 is allowed with schedule=window"),
        ({"id": 1}, r"design x: id 1 is that of mulrem_r2l"),
    ],
)
def test_entries_that_are_wrong(change, message):
    """Wrong entries are refused at registration, not when they are configured."""
    with pytest.raises(ValueError, match=message):
        catalog.register(replace(catalog.get("mulrem_r2l"), **{"name": "x", "id": 99} | change))


def test_of_several_designs_all_are_registered_or_none():
    good = replace(catalog.get("mulrem_r2l"), name="one_more", id=99)
    bad = replace(good, name="another", id=good.id)
    with pytest.raises(ValueError, match="id 99 is that of one_more"):
        catalog.register(good, bad)
    assert "one_more" not in catalog.DESIGNS
    with pytest.raises(ValueError, match="unknown"):
        catalog.get("one_more")


def test_golden_model_that_grows():
    """A product too wide for an operand is reported at once, before products grow further."""

    class Forgetful(MulRem):
        def product(self, a, b, modulus, **constants):
            return a * b

    golden = replace(catalog.get("mulrem_r2l").configure(8).golden, multiplier=Forgetful(8))
    with pytest.raises(
        ArithmeticError, match=r"Forgetful: the product of a=0x\w+ and b=0x\w+ modulo"
    ):
        golden.power(200, 255, 201)


def test_parameters_are_declared_once():
    """The golden model alone declares defaults and ranges; CL and RTL have no defaults."""
    for name, entry in catalog.multipliers().items():
        declared = {p.name for p in entry.parameters}
        cl, rtl = entry.classes.cl.__init__, entry.classes.rtl.construct
        for constructor in (entry.classes.fl.__init__, cl, rtl):
            arguments = inspect.signature(constructor).parameters
            given = {k for k, a in arguments.items() if a.default is not inspect.Parameter.empty}
            assert not given & declared, name
        assert declared <= set(inspect.signature(rtl).parameters), name


def test_parameters_as_text():
    """A parameter given as text gives the same configuration as its value."""
    design = catalog.get("mont_r2l")
    assert design.configure(32, stages="8", add_red="serial") == design.configure(
        32, stages=8, add_red="serial"
    )
    assert design.configure(32, stages=8).name == "mont_r2l_32_stages_8"
    design = catalog.get("digit_serial_r2l")
    assert design.configure(32, S="8") == design.configure(32, digit_nbits=8)


def test_wide_operands_set_the_flag():
    """An operand wider than its field sets the flag ``wide`` of the request."""
    configuration = catalog.get("mont_r2l").configure(8)
    assert configuration.request(256, 3, 7) == (0, 3, 7, 1)
    assert configuration.request(5, 3, 7) == (5, 3, 7, 0)
    assert configuration.outcome(256, 3, 7).status is Status.OPERAND_TOO_WIDE


@pytest.mark.parametrize(
    ("name", "exponent", "limit"),
    [
        ("mont_r2l", 65537, 160),
        ("mont_r2l", 977851481, 225),
        ("mulrem_r2l", 65537, 1050),
        ("mulrem_r2l", 977851481, 1830),
    ],
)
def test_no_slower_than_the_document(name, exponent, limit):
    """Cycles at 32 bits are at most about those of McNay's table 1."""
    configuration = catalog.get(name).configure(32)
    assert configuration.cycles(1460365373, exponent, 2603398711) <= limit


@pytest.mark.parametrize("exponent", [65537, 977851481])
def test_one_unit_is_nearly_as_fast_as_five(exponent):
    """One pipelined unit with two products in flight takes at most a quarter more cycles."""
    dedicated, shared = (
        catalog.get(name).configure(32).cycles(1460365373, exponent, 2603398711)
        for name in ("mont_r2l", "mont_r2l_shared")
    )
    assert shared <= 1.25 * dedicated


def test_name_with_a_wide_modulus_is_a_name_of_a_file():
    odd = [(1 << 1023) + 2 * i + 1 for i in range(2)]
    names = [catalog.get("dm_r2l").configure(1024, modulus=x).name for x in odd]
    assert len({*names}) == 2
    assert all(len(x) < 150 and x.isidentifier() for x in names)
