"""Properties over random keys, widths, parameters and operands (Hypothesis).

Bit lengths are drawn first.
"""

from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from rsaxcel import catalog
from rsaxcel.course.testing import strategies
from rsaxcel.fl.keys import seeded_key
from rsaxcel.sim.replay import replay
from tests.shared.harness import (
    ANY_MODULUS,
    affordable_exponent,
    check_batch,
    configure,
    each_design,
    everything,
    response_of,
    simulate,
    usable,
)

#: Multipliers with one or few cycles per product grow with the square of the width.
QUICKLY_COMPILED = [name for name in ANY_MODULUS if catalog.DESIGNS[name].widths[-1] > 256]
SLOWLY_COMPILED = [name for name in ANY_MODULUS if name not in QUICKLY_COMPILED]
# The widest circuit takes longest to compile; the grid compiles the same one.
of_each_design = pytest.mark.parametrize("name", each_design(128))


#: Most work of an example, in cycles times words of an operand.
EXAMPLE_WORK = 2_000_000
#: Most cycles of an example in pure Python, where a cycle may take milliseconds.
FEW_CYCLES = 1500


@st.composite
def moduli(draw, configuration) -> int:
    """Draw an allowed modulus of up to nbits bits, or give the constant modulus."""
    drawn = strategies.moduli(configuration.nbits, odd=configuration.odd_modulus)
    return configuration.usable_modulus(draw(drawn))


@st.composite
def operands(draw, configuration) -> tuple[int, int, int]:
    """Draw a base below the modulus, an exponent of any affordable length, and a modulus."""
    modulus = draw(moduli(configuration))
    longest = affordable_exponent(configuration, EXAMPLE_WORK)
    exponent = draw(strategies.exponents(longest))
    if configuration.choices.domain.halves:
        base = draw(st.integers(0, (1 << configuration.nbits) - 1))
        return usable(configuration, (base, exponent, draw(st.integers(3, modulus)) | 1))
    return draw(st.integers(0, modulus - 1)), exponent, modulus


def check_circuit(configuration, engine: str, rows: list[tuple[int, int, int]]) -> None:
    """Check good rows: results of ``pow``, in the cycles of the cycle model."""
    batch = simulate(configuration, "rtl", engine, rows)
    expected = [response_of(configuration, row) for row in rows]
    cycles = [configuration.cycles(*row) for row in rows]
    check_batch(configuration, "rtl", engine, rows, batch, expected, cycles)


def _stepped(allowed: range, value: int) -> int:
    """Greatest allowed value that is not above a drawn one."""
    return value - (value - allowed[0]) % allowed.step


@st.composite
def parameters(draw, design, nbits: int):
    """Draw values of a design's parameters; allowed values may depend on earlier parameters."""
    own = design.configure(nbits).parameters
    # A drawn modulus rarely has a cheap multiple; with a given cofactor, none is searched.
    params = (
        {"cofactor": draw(st.integers(2, 99)) | 1} if "cofactor" in (p.name for p in own) else {}
    )
    for parameter in own:
        known = {p.name: p for p in design.configure(nbits, **params).parameters}
        allowed = known[parameter.name].allowed(nbits)
        if isinstance(allowed, range):
            length = draw(st.integers(allowed[0].bit_length(), allowed[-1].bit_length()))
            least, most = max(allowed[0], 1 << length >> 1), min(allowed[-1], (1 << length) - 1)
            chosen = st.integers(least, most).map(partial(_stepped, allowed))
        else:
            chosen = st.sampled_from(list(allowed))
        if parameter.name != "cofactor":
            params[parameter.name] = draw(chosen)
    return params


@st.composite
def configurations(draw, name: str):
    """Draw a configuration of any width with any parameters."""
    design = catalog.get(name)
    least, most = design.widths[0], design.widths[-1]
    length = draw(st.integers(least.bit_length(), most.bit_length()))
    nbits = draw(st.integers(max(least, 1 << (length - 1)), min(most, (1 << length) - 1)))
    params = draw(parameters(design, nbits))
    return design.configure(nbits, **params)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_models_at_any_width(data):
    """Functional and cycle model agree with ``pow`` for every width and parameter."""
    name = data.draw(st.sampled_from(list(catalog.DESIGNS)))
    configuration = data.draw(configurations(name))
    row = data.draw(operands(configuration))
    note(replay(configuration, "cl", "python", row))
    assume(row[2] >= configuration.rules.min_modulus)
    outcome, cycles = configuration.evaluate(*row)
    assert outcome == response_of(configuration, row)
    assert outcome == configuration.outcome(*row)
    assert cycles > 0


@pytest.mark.quick_cases("mulrem_r2l", "digit_serial_r2l", "orup_window")
@of_each_design
@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_circuit_at_any_operands(name, data):
    """The translated circuit agrees with ``pow`` and with the cycle model."""
    widths = (8, 32, 128) if name in QUICKLY_COMPILED else (8, 32)
    configuration = configure(name, data.draw(st.sampled_from(widths)))
    row = data.draw(operands(configuration))
    assume(row[2] >= configuration.rules.min_modulus)
    check_circuit(configuration, "native", [row])


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(data=st.data())
def test_circuit_with_any_parameters(data):
    """The circuit in PyMTL3 is right for any design and parameters at small widths."""
    design = data.draw(st.sampled_from(list(catalog.DESIGNS.values())))
    nbits = data.draw(st.integers(design.widths[0], max(12, design.widths[0])))
    params = data.draw(parameters(design, nbits))
    configuration = design.configure(nbits, **params)
    rows = data.draw(st.lists(operands(configuration), min_size=1, max_size=2))
    rows = [row for row in rows if row[2] >= configuration.rules.min_modulus]
    assume(sum(configuration.cycles(*row) for row in rows) <= FEW_CYCLES)
    check_circuit(configuration, "pymtl", rows)


@pytest.mark.quick_cases("montred_r2l", "systolic_l2r_always", "mm_r2l")
@pytest.mark.parametrize(
    ("name", "nbits"),
    [
        pytest.param(*param.values, nbits, id=param.values[0], marks=param.marks)
        for names, nbits in ((QUICKLY_COMPILED, 128), (SLOWLY_COMPILED, 32))
        for param in each_design(nbits, names=names)
    ],
)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), length=st.integers(8, 128), data=st.data())
def test_rsa_round_trip(name, nbits, seed, length, data):
    """With keys of the package ``rsa``, decryption restores an encrypted message."""
    key = seeded_key(min(length, nbits), seed)
    message = data.draw(st.integers(0, key.n - 1))
    configuration = configure(name, nbits)
    cipher = key.encrypt(message)
    rows = [(message, key.e, key.n), (cipher, key.d, key.n)]
    batch = simulate(configuration, "rtl", "native", rows)
    check_batch(configuration, "rtl", "native", rows, batch, [(cipher, 0), (message, 0)])
    assert key.decrypt(cipher) == message


def test_everything_is_in_the_registry():
    """Every multiplier exists at all levels, and a design uses it."""
    from rsaxcel import rtl
    from rsaxcel.catalog.designs import BUILT_IN
    from rsaxcel.cl import multipliers as timings
    from rsaxcel.fl import multipliers as golden

    names = {design.multiplier.name for design in BUILT_IN}
    # a file, or a folder of an engine
    circuits = Path(rtl.__file__).parent.joinpath("multipliers").glob("[a-z]*")
    assert {p.stem for p in circuits} == names
    classes = {name.title().replace("_", "") for name in names}
    for module in (golden, timings):
        of_module = {
            x for x in vars(module).values() if getattr(x, "__module__", "") == module.__name__
        }
        assert {x.__name__ for x in of_module if isinstance(x, type)} == classes
    assert set(everything()) == {*catalog.DESIGNS, *catalog.multipliers()}
