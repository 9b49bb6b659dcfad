"""Bits beyond PyMTL3's own limit against plain integers."""

import copy
import importlib.util
import random
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest
from pymtl3 import Bits, clog2, concat, mk_bits, mk_bitstruct
from pymtl3.datatypes import PythonBits

from rsaxcel.fl.messages import message
from rsaxcel.fl.wide_bits import LIMIT, UnsupportedPymtl3Error, lift
from tests.shared.planted import planted
from tests.shared.processes import run_python

WIDTHS = (1023, 1024, 1025, 2050, 4098, 12_300)
each_width = pytest.mark.parametrize("nbits", WIDTHS)


def values(nbits, count=4):
    """Corners and random values of a width."""
    draw = random.Random(nbits)
    top = 1 << nbits - 1
    corners = [0, 1, top - 1, top, 2 * top - 2, 2 * top - 1]
    return corners + [draw.getrandbits(nbits) for _ in range(count)]


@each_width
def test_construction(nbits):
    Value = mk_bits(nbits)
    assert mk_bits(nbits) is Value
    assert Value.nbits == nbits
    for value in values(nbits):
        assert int(Value(value)) == int(Bits(nbits, value)) == value
        assert Value(Bits(nbits, value)) == Value(value)
        assert Value(value + (1 << nbits), trunc_int=True) == value
        digits = f"{value:x}".zfill(-(-nbits // 4))
        assert str(Value(value)) == digits
        assert repr(Value(value)) == f"Bits{nbits}(0x{digits})"
    assert int(Value()) == 0
    assert int(Value(-1)) == (1 << nbits) - 1
    assert int(Value(-(1 << nbits - 1))) == 1 << nbits - 1


@each_width
@pytest.mark.parametrize("excess", [0, 1])
def test_what_does_not_fit_is_refused(nbits, excess):
    bad = (1 << nbits, -(1 << nbits - 1) - 1)[excess]
    with pytest.raises(ValueError, match="too wide"):
        mk_bits(nbits)(bad)
    value = mk_bits(nbits)()
    with pytest.raises(ValueError, match="too wide"):
        value @= bad
    with pytest.raises(ValueError, match="too wide"):
        value <<= bad
    with pytest.raises(ValueError, match="Cannot fit"):
        mk_bits(nbits + 1)()[1 : nbits + 1] = bad
    with pytest.raises(ValueError, match="Bitwidth"):
        value @= mk_bits(nbits + 1)(0)


@each_width
def test_messages_with_wide_fields(nbits):
    Value = mk_bits(nbits)
    kind = message(f"WideTest{nbits}", (("a", nbits), ("flag", 1), ("b", nbits)))
    assert kind.nbits == 2 * nbits + 1
    for value in values(nbits):
        made = kind(Value(value), 1, Value(1))
        packed = made.to_bits()
        assert (packed.nbits, int(packed)) == (2 * nbits + 1, value << nbits + 1 | 1 << nbits | 1)
        assert kind.from_bits(packed) == made
        assert copy.deepcopy(made) == made
        assert hash(copy.deepcopy(made)) == hash(made)
        other = kind()
        other @= made
        assert int(other.a) == value
        other.a @= ~made.a
        assert int(made.a) == value
        other <<= made
        other._flip()
        assert other == made
    nested = mk_bitstruct(f"WideNested{nbits}", {"one": kind, "two": kind})
    assert nested(made, kind()).to_bits() == concat(packed, kind().to_bits())


def test_the_widest():
    assert mk_bits(LIMIT - 1)(-1) == (1 << LIMIT - 1) - 1
    with pytest.raises(ValueError, match=rf"1 <= nbits < {LIMIT}, not {LIMIT}$"):
        mk_bits(LIMIT)(0)
    with pytest.raises(ValueError, match=f"1 <= nbits < {LIMIT}, not 0"):
        Bits(0, 0)


def test_clog2_is_right_for_all_counters():
    """PyMTL3's clog2 is right below 2**29, and circuits count no further."""
    assert all(clog2(n) == (n - 1).bit_length() for n in range(1, 4 * LIMIT))


@pytest.mark.parametrize(
    "package", ["rsaxcel.fl.messages", "rsaxcel.rtl.lib.add_red", "rsaxcel.sim.engine"]
)
def test_importing_a_package_is_enough(package):
    script = f"import {package}, pymtl3; print(int(pymtl3.mk_bits(4096)(-1)) == 2**4096 - 1)"
    done = run_python("-c", script)
    assert done.stdout == "True\n", done.stderr


def python_bits(tmp_path, *changes):
    """Load PyMTL3's module of Bits again, with changes in its text."""
    text = planted(Path(PythonBits.__file__).read_text(), *changes)
    path = tmp_path / "changed_bits.py"
    path.write_text(text)
    loader = SourceFileLoader("changed_bits", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def test_lift_takes_effect_once(tmp_path):
    module = python_bits(tmp_path)
    with pytest.raises(ValueError, match="nbits < 1024"):
        module.Bits(1024, 0)
    for _ in range(2):
        lift(module, module.Bits)
        assert int(module.Bits(1024, -1)) == 2**1024 - 1


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ([("nbits >= 1024:", "nbits >= 2048:")], "0 limits of 1024 bits and names 1, not one"),
        ([("nbits < 1 or nbits >= 1024:", "nbits == 1024 or nbits >= 1024.0:")], None),
        (
            [("nbits < 1024, not", "nbits below the limit, not")],
            "1 limits of 1024 bits and names 0",
        ),
        ([("range(2, 1024)", "range(2, 2048)")], "table of bounds, _upper, changed"),
        ([("_lower", "_least")], "table of bounds, _lower, changed"),
    ],
)
def test_another_pymtl3_is_refused(tmp_path, changes, reason):
    module = python_bits(tmp_path, *changes)
    if reason is None:  # 1024.0 is not a second limit, because types are compared, too.
        lift(module, module.Bits)
        return
    with pytest.raises(UnsupportedPymtl3Error, match=reason) as caught:
        lift(module, module.Bits)
    assert "rsaxcel doctor" in str(caught.value)
    with pytest.raises(ValueError, match="nbits"):
        module.Bits(2048, 0)


def test_bits_of_another_package_are_refused(tmp_path):
    with pytest.raises(UnsupportedPymtl3Error, match="takes Bits from changed_bits"):
        lift(python_bits(tmp_path), type("Bits", (), {"__module__": "changed_bits"}))
