"""Circuits of compressor trees: all operands of small moduli, many of large ones, proofs."""

import numpy as np
import pytest

from fl.compressors import TREES
from fl.compressors.weights import operand_nbits
from sim.native.build import BuildOptions
from sim.native.engine import NativeEngine
from tests.rtl.compressor_circuits import OPERATIONS, Operators, expected

# 2^n, and 2^n - k and 2^n + k for every k up to 2^(n - 1), for n up to 6: every modulus up to 96.
SMALL_MODULI = range(2, 97)
# The compiler takes minutes to optimize what runs for a second.
QUICKLY_BUILT = BuildOptions(optimize="-O0")


def check(batch, moduli, nbits, a, b):
    """Compare every answer for operands below the modulus, and every residue."""
    answers = iter(batch.responses)
    for modulus in moduli:
        for operation in OPERATIONS:
            answer = np.asarray(next(answers))
            right = expected(operation, a, b, modulus, nbits)
            valid = np.full(len(a), True)
            if operation != "residue":
                valid = a < modulus
            if operation == "product":
                valid &= b < modulus
            wrong = np.flatnonzero(valid & (answer != right))
            assert not len(wrong), (
                f"{operation} modulo {modulus}: {len(wrong)} wrong, first a={a[wrong[0]]} "
                f"b={b[wrong[0]]}: {answer[wrong[0]]}"
            )


@pytest.mark.parametrize("choices", [(tree,) for tree in TREES], ids=lambda c: "-".join(c))
@pytest.mark.parametrize("nbits", range(1, 8))
def test_every_operand_of_small_moduli(nbits, choices):
    moduli = tuple(m for m in SMALL_MODULI if operand_nbits(m) == nbits)
    engine = NativeEngine.from_component(lambda: Operators(moduli, choices), options=QUICKLY_BUILT)
    values = np.arange(1 << nbits)
    a, b = np.repeat(values, len(values)), np.tile(values, len(values))
    check(engine.run_columns([a, b], in_flight=None), moduli, nbits, a, b)
