"""Paddings that are made outside of the accelerator, around its bare exponentiation."""

import secrets
from collections.abc import Callable, Iterator

from rsaxcel.cli.keys.crypt_actions import Action, CryptOutcome
from rsaxcel.cli.keys.key_file import RsaKey
from rsaxcel.fl import pkcs1
from rsaxcel.fl.oaep import Oaep
from rsaxcel.fl.pkcs1 import OVERHEAD_NBYTES, UNPADDED_NBYTES
from rsaxcel.fl.status import InputRuleError, Status

Power = Callable[[bytes], CryptOutcome]
"""Function that exponentiates a block on the accelerator."""


def pad_oaep(oaep: Oaep, key: RsaKey, message: bytes, power: Power) -> CryptOutcome:
    """Encrypt a message; ``power`` exponentiates a block on the accelerator."""
    most = key.nbytes - oaep.overhead_nbytes
    try:
        block = oaep.pad(message, key.nbytes, secrets.token_bytes(oaep.seed_nbytes))
    except InputRuleError as error:
        return CryptOutcome(error.status, b"", most, None, None)
    return power(block)._replace(most_nbytes=most)


def unpad_oaep(oaep: Oaep, key: RsaKey, message: bytes, power: Power) -> CryptOutcome:
    """Decrypt a ciphertext; ``power`` exponentiates a block on the accelerator.

    The status is ``padding_wrong`` for a wrong length and a number that is not below the modulus,
    too: RFC 8017 (7.1.2) demands one error for all failures. These two are no secret, so that they
    cost no exponentiation.
    """
    wrong = CryptOutcome(Status.PADDING_WRONG, b"", key.nbytes, None, None)
    try:
        oaep.check_message_length(0, key.nbytes)
    except InputRuleError as error:
        return wrong._replace(status=error.status)
    if len(message) != key.nbytes or int.from_bytes(message, "big") >= key.n:
        return wrong
    outcome = power(message)
    if outcome.status is not Status.OK:
        return outcome
    try:
        return outcome._replace(output=oaep.unpad(outcome.output))
    except InputRuleError as error:
        return outcome._replace(status=error.status, output=b"")


def pad_pkcs1(action: Action, key: RsaKey, message: bytes, power: Power) -> CryptOutcome:
    """Encrypt or sign a message; ``power`` exponentiates a block on the accelerator."""
    if key.nbytes <= UNPADDED_NBYTES:
        return _block_power(key, message, power)
    most = max(0, key.nbytes - OVERHEAD_NBYTES)
    try:
        block = pkcs1.pad(message, key.nbytes, action.block_type, _random_bytes())
    except InputRuleError as error:
        return CryptOutcome(error.status, b"", most, None, None)
    return power(block)._replace(most_nbytes=most)


def unpad_pkcs1(action: Action, key: RsaKey, message: bytes, power: Power) -> CryptOutcome:
    """Decrypt a ciphertext, or open a signature; ``power`` exponentiates a block.

    Refusals have the order of those of the accelerator.
    """
    if key.nbytes <= UNPADDED_NBYTES:
        return _block_power(key, message, power)
    refused = CryptOutcome(Status.KEY_TOO_SHORT, b"", key.nbytes, None, None)
    if key.nbytes < OVERHEAD_NBYTES:
        return refused
    if len(message) < key.nbytes:
        return refused._replace(status=Status.LENGTH_WRONG)
    outcome = _block_power(key, message, power)
    if outcome.status is not Status.OK:
        return outcome
    try:
        return outcome._replace(output=pkcs1.unpad(outcome.output, action.block_type))
    except InputRuleError as error:
        return outcome._replace(status=error.status, output=b"")


def _block_power(key: RsaKey, block: bytes, power: Power) -> CryptOutcome:
    """Exponentiate a block, unless it is longer than the modulus, or not below it."""
    refused = CryptOutcome(Status.OK, b"", key.nbytes, None, None)
    if len(block) > key.nbytes:
        return refused._replace(status=Status.MESSAGE_TOO_LONG)
    if int.from_bytes(block, "big") >= key.n:
        return refused._replace(status=Status.BASE_TOO_LARGE)
    return power(block)._replace(most_nbytes=key.nbytes)


def _random_bytes() -> Iterator[int]:
    while True:
        yield from secrets.token_bytes(1)
