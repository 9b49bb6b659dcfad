"""Circuits of compressor trees: all operands of small moduli, many of large ones, proofs."""

import random
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fl.compressors import TREES, plan_product, plan_residue, plan_square
from fl.compressors.weights import operand_nbits
from rtl.lib.compressors import BrentKungAdder, ModularProduct, ModularResidue, ModularSquare
from sim.native.build import BuildOptions
from sim.native.engine import NativeEngine
from sim.translate import VerilogModule, translate
from tests.rtl.compressor_circuits import OPERATIONS, Operators, expected, moduli_of_the_tables
from tests.yosys import through_yosys

# The compiler takes minutes to optimize what runs for a second.
QUICKLY_BUILT = BuildOptions(optimize="-O0")
# 2^n, and 2^n - k and 2^n + k for every k up to 2^(n - 1), for n up to 6: every modulus up to 96.
SMALL_MODULI = range(2, 97)
slow = pytest.mark.slow


def check(answers, operation, moduli, nbits, a, b):
    """Compare every answer for operands of which there is a result."""
    for modulus, answer in zip(moduli, answers, strict=True):
        answer = np.asarray(answer)
        valid = np.full(len(a), True)
        if operation != "residue":
            valid = a < modulus
        if operation == "product":
            valid &= b < modulus
        wrong = np.flatnonzero(valid & (answer != expected(operation, a, b, modulus, nbits)))
        assert not len(wrong), (
            f"{operation} modulo {modulus}: {len(wrong)} wrong, first a={a[wrong[0]]} "
            f"b={b[wrong[0]]}: {answer[wrong[0]]}"
        )


def wrapper(operation, moduli, *choices, options=QUICKLY_BUILT):
    return NativeEngine.from_component(
        lambda: Operators(operation, moduli, choices), options=options
    )


def exhaustive():
    """Width of the operands, operation, tree and re-weighting; one build each."""
    for nbits in range(1, 8):
        for operation in OPERATIONS:
            for tree in TREES:
                for reweighted in ("products", "rows"):
                    first = tree == "full_adders" and reweighted == "products"
                    quick = nbits == 4 and (first or operation == "product") or nbits == 1 and first
                    point = nbits, operation, tree, reweighted
                    yield pytest.param(*point, marks=() if quick else slow)


@pytest.mark.parametrize(("nbits", "operation", "tree", "reweighted"), [*exhaustive()])
def test_every_operand_of_small_moduli(nbits, operation, tree, reweighted):
    moduli = tuple(m for m in SMALL_MODULI if operand_nbits(m) == nbits)
    values = np.arange(1 << nbits)
    a, b = np.repeat(values, len(values)), np.tile(values, len(values))
    batch = wrapper(operation, moduli, tree, reweighted).run_columns([a, b], in_flight=None)
    check(batch.responses, operation, moduli, nbits, a, b)
