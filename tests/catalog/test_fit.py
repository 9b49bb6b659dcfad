"""Rules of composition: refused choices, choices that follow from others, names, parameters."""

import sys
from collections import Counter
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from rsaxcel import catalog
from rsaxcel.catalog import Classes
from rsaxcel.catalog import choices as choices_made
from rsaxcel.catalog.choices import AXES, usual_choices
from rsaxcel.catalog.designs import MUL_REM, SYSTOLIC
from rsaxcel.fl.contract import Multiplier
from rsaxcel.fl.multipliers import MulRem, Systolic
from rsaxcel.plan.modulus_constants import ModulusConstant, PowerOfTwo
from rsaxcel.proc.systems import find_system
from tests.shared.compositions import rows_of
from tests.shared.constant_multipliers import BARRETT, BarrettRTL, OneCycle
from tests.shared.harness import response_of


def test_a_choice_of_another_type_is_refused():
    """Choices that a user can write are refused in ``tests/cli/refused.txt``."""
    with pytest.raises(ValueError, match=r"^lanes=True: 1 to 2 are allowed$"):
        catalog.get("mont_r2l").configure(8, lanes=True)


def test_widths_of_another_multiplier():
    """The chosen multiplier limits the width, not the entry's."""
    with pytest.raises(ValueError, match=r"nbits=512: 8 to 256 bits allowed for mont_mul_rem"):
        catalog.get("ssmm_r2l").configure(512, multiplier="mont_mul_rem")
    configuration = catalog.get("mont_r2l").configure(512, multiplier="ssmm")
    assert configuration.nbits == 512
    assert configuration.params["multiplier"] == "ssmm"


@pytest.mark.parametrize("find", [catalog.find, partial(partial, find_system)])
def test_a_width_is_an_integer_of_any_type(find):
    """What one call of a width has made does not change what an equal width of another type is."""
    configure = getattr(find("montmul_r2l"), "configure", find("montmul_r2l"))
    for _ in range(2):
        assert type(configure(np.int64(24)).nbits) is int
        with pytest.raises(ValueError, match=r"nbits=24\.0: 8 to 4096 bits allowed"):
            configure(24.0)
        assert configure(24).nbits == 24


def test_what_follows_is_told():
    """``followed`` lists choices that differ from the entry's and that the user did not make."""
    design = catalog.get("mont_r2l")
    assert design.configure(8).adapted_choices([]) == {}
    assert design.configure(8, lanes=2).adapted_choices(["lanes"]) == {}
    assert design.configure(8, schedule="l2r").adapted_choices(["schedule"]) == {"lanes": 1}
    assert design.configure(8, multiplier="ssmm").adapted_choices(["multiplier"]) == {
        "domain": "plain"
    }
    asked = {"multiplier": "digit_serial", "schedule": "window"}
    assert design.configure(8, **asked).adapted_choices(asked) == {
        "conversions": "shared",
        "r_squared": "host",
        "lanes": 1,
    }


def test_names_and_numbers():
    """The name of a composition lists its differences from the entry; its number is 0."""
    design = catalog.get("mont_r2l")
    entered = design.configure(8)
    assert (entered.name, entered.design_id) == ("mont_r2l_8", design.id)
    assert design.configure(8, lanes=2, schedule="r2l", conversions="dedicated") == entered
    narrow = design.configure(8, stages=4)
    assert (narrow.name, narrow.design_id) == ("mont_r2l_8_stages_4", design.id)
    composed = design.configure(8, schedule="window", window_nbits=3)
    assert composed.design_id == 0
    assert composed.composition == {"schedule": "window", "lanes": 1}
    assert composed.name == "mont_r2l_8_window_nbits_3_schedule_window_lanes_1"


MOST_CALLS = 100
"""Calls of our functions to configure a design without options: each axis is asked once."""


def test_a_configuration_takes_few_calls():
    root, calls = str(Path(catalog.__file__).parents[1]), Counter()

    def count(frame, event, _):
        if event == "call" and frame.f_code.co_filename.startswith(root):
            calls[frame.f_code.co_name] += 1

    for design in catalog.DESIGNS.values():
        design.configure(16)
        usual_choices.cache_clear()
        calls.clear()
        sys.setprofile(count)
        try:
            design.configure(32)
        finally:
            sys.setprofile(None)
        assert calls.total() <= MOST_CALLS, (design.name, calls.most_common(9))


def test_choices_are_made_once(monkeypatch):
    """The user's once; the design's own, which names leave out, once for a width."""
    made = []
    monkeypatch.setattr(choices_made, "_resolve", record(made, choices_made._resolve))
    usual_choices.cache_clear()
    design = catalog.get("mont_r2l")
    assert design.configure(24).name == "mont_r2l_24"
    assert made == [{}]
    for lanes in (1, 2):
        found = design.configure(24, schedule="ladder", lanes=lanes)
        assert found.params["schedule"] == "ladder"
        assert found.changed
    assert made[1:] == [{"schedule": "ladder", "lanes": lanes} for lanes in (1, 2)]


def record(made, resolve):
    def recorded(design, nbits, asked):
        made.append(dict(asked))
        return resolve(design, nbits, asked)

    return recorded


TOKENS = catalog.axes() | {
    "window_nbits": {str(n) for n in range(1, 10)},
    "exponent_nbits": {"1", "8", "16", "17"},
}


@st.composite
def choices(draw) -> dict[str, str]:
    """Draw choices on up to three axes or parameters."""
    names = draw(st.lists(st.sampled_from(sorted(TOKENS)), max_size=3, unique=True))
    return {name: draw(st.sampled_from(sorted(TOKENS[name]))) for name in names}


@settings(max_examples=300, deadline=None)
@given(name=st.sampled_from(list(catalog.DESIGNS)), asked=choices())
@example("mm_pm_r2l", {"multiplier": "compressor_tree", "reduction": "subtraction"})
def test_any_choices(name, asked):
    """Any choices are refused by name, or give right powers; ``params`` restores them."""
    design = catalog.get(name)
    try:
        configuration = design.configure(8, **asked)
    except ValueError as error:
        message = str(error)
    else:
        message = ""
        event("composed")
        for base, exponent, modulus in rows_of(configuration, 1)[1::3]:
            exponent &= configuration.largest_exponent
            row = base, exponent, modulus
            assert configuration.outcome(*row) == response_of(configuration, row)
            assert configuration.evaluate(*row)[0] == response_of(configuration, row)
        params = configuration.params
        assert design.configure(8, **params) == configuration
        as_text = {key: str(value) for key, value in params.items()}
        assert design.configure(8, **as_text) == configuration
        chosen = dict(configuration.choices.tokens) | params
        assert all(str(chosen[key]) == value for key, value in asked.items())
        assert (configuration.design_id == 0) == any(key in AXES for key in configuration.changed)
        adapted = configuration.adapted_choices(asked)
        assert not set(adapted) & set(asked)
        assert configuration.composition.items() >= adapted.items()
    assert not message or message.split("=")[0] in asked


class Declares(MulRem):
    """Declares a constant that its circuit does not read."""

    constants = (ModulusConstant("k", 8, PowerOfTwo(9), "2^9 mod m"),)


class Forgets(Multiplier):
    """Does not declare the constant that its circuit reads."""

    odd_modulus = False
    r = 1
    source = "none"

    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        return a * b % modulus


class ForgetsWords(Systolic):
    """Does not declare the constant that its word-serial circuit reads."""

    constants = ()


class DeclaresNarrow(type(BARRETT.configure(8).multiplier_golden)):
    """Declares fewer bits than its circuit reads."""

    constants = (ModulusConstant("mu", 3, PowerOfTwo(9), "2^9 mod m"),)


READ_NBITS = 2 * Multiplier.widths[0]
"""Bits of Barrett's constant at the smallest width, where circuits are checked first."""


@pytest.mark.parametrize(
    ("classes", "message"),
    [
        (
            Classes(Declares, MUL_REM.cl, MUL_REM.rtl),
            r"multiplier declares: its circuit has none as fields .* declares k \(8 bits\)",
        ),
        (
            Classes(Forgets, OneCycle, BarrettRTL),
            rf"multiplier forgets: .* has mu \({READ_NBITS} bits\) as fields .* declares none",
        ),
        (
            Classes(ForgetsWords, SYSTOLIC.cl, SYSTOLIC.rtl),
            r"multiplier forgets_words: .* m_prime \(16 bits\) as ports .* declares none",
        ),
        (
            Classes(DeclaresNarrow, OneCycle, BarrettRTL),
            rf"multiplier declares_narrow: .* mu \({READ_NBITS} bits\) .* declares mu \(3 bits\)",
        ),
    ],
)
def test_circuits_that_read_other_constants(classes, message):
    """Such multipliers are refused when configured, in a design and alone."""
    design = catalog.Design(
        id=2000, name="x", summary="x", multiplier=classes, schedule="r2l", lanes=1, source="x"
    )
    with pytest.raises(ValueError, match=message):
        design.configure(8)
    with pytest.raises(ValueError, match=message):
        catalog.MultiplierEntry(classes).configure(8)
