"""Strategies for Hypothesis: moduli, exponents, operands and RSA keys, of any length up to a width.

Lengths are drawn first: numbers of thousands of bits that are drawn at once are rarely in the
middle.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from rsaxcel.circuit import Circuit, is_product
from rsaxcel.fl.keys import Key, seeded_key


@st.composite
def exponents(draw: Any, nbits: int) -> int:
    """Draw exponents of up to ``nbits`` bits."""
    found: int = draw(st.integers(0, (1 << draw(st.integers(0, nbits))) - 1))
    return found


@st.composite
def moduli(draw: Any, nbits: int, *, odd: bool = True) -> int:
    """Draw moduli from 2 to ``nbits`` bits, odd ones unless told otherwise."""
    length = draw(st.integers(2, nbits))
    found: int = draw(st.integers(1 << length - 1, (1 << length) - 1))
    return found | 1 if odd else found


@st.composite
def powers(draw: Any, nbits: int, exponent_nbits: int = 0) -> tuple[int, int, int]:
    """Draw base, exponent and odd modulus; ``exponent_nbits`` is ``nbits`` unless given."""
    modulus = draw(moduli(nbits))
    exponent = draw(exponents(exponent_nbits or nbits))
    return draw(st.integers(0, modulus - 1)), exponent, modulus


@st.composite
def operands(draw: Any, circuit: Circuit, exponent_nbits: int = 0) -> tuple[int, int, int]:
    """Draw base, exponent and modulus, or a, b and modulus, that a circuit allows.

    ``exponent_nbits``: longest exponent in bits; 0: the circuit's.
    """
    rules = circuit.golden if is_product(circuit) else circuit.rules
    assert rules is not None
    modulus = circuit.usable_modulus(draw(moduli(circuit.nbits, odd=rules.odd_modulus)))
    base = draw(st.integers(0, modulus - 1))
    if is_product(circuit):
        return base, draw(st.integers(0, modulus - 1)), modulus
    return base, draw(exponents(exponent_nbits or circuit.exponent_nbits)), modulus


def keys(nbits: int) -> st.SearchStrategy[Key]:
    """Draw RSA keys of ``nbits`` bits, at least 8, with random exponents."""
    seeds = st.integers(0, (1 << 32) - 1)
    return seeds.map(lambda seed: seeded_key(nbits, seed, random_exponent=True))
