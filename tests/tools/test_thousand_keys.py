"""1,000 fresh keys at 32 bits: naive, Montgomery and the library agree, both ways."""

import pytest
import rsa.core

from rsaxcel import catalog
from tools.bench.speed import CheckedOperation, disagreements, key_operations

NUM_KEYS = 1000
NBITS = 32


@pytest.fixture(scope="module")
def operations() -> list[CheckedOperation]:
    return key_operations(NUM_KEYS, NBITS)


def test_operations_are_encryptions_and_decryptions_of_the_library(operations):
    assert len(operations) == 2 * NUM_KEYS
    assert len({op.modulus for op in operations}) > NUM_KEYS * 0.9
    for encryption, decryption in zip(operations[::2], operations[1::2], strict=True):
        assert encryption.modulus == decryption.modulus
        assert encryption.modulus.bit_length() == NBITS
        assert decryption.base == rsa.core.encrypt_int(*encryption[:3])
        assert decryption.reference == encryption.base


@pytest.mark.xdist_group("rsaxcel-sim")
@pytest.mark.parametrize("name", ["mulrem_r2l", "mont_r2l"])
def test_circuit_agrees_with_the_library(name, operations):
    wrong = disagreements(catalog.get(name).configure(NBITS), operations)
    assert not wrong, wrong[:3]


@pytest.mark.xdist_group("rsaxcel-sim")
def test_disagreement_is_seen(operations):
    first = operations[0]
    false = first._replace(reference=first.reference ^ 1)
    wrong = disagreements(catalog.get("mont_r2l").configure(NBITS), [false, *operations[1:4]])
    assert [(op, response[0]) for op, response in wrong] == [(false, first.reference)]
