"""Runs an operation with an RSA key on an accelerator on a bus, with a driver's reads and writes.

The accelerator pads by PKCS#1 v1.5 itself, unless its moduli are blinded: its blocks are longer
then than those of the key. OAEP, and PKCS#1 v1.5 with blinded moduli, are made here, around the
accelerator's bare exponentiation.
"""

import hashlib
import secrets
from collections.abc import Callable, Iterator
from dataclasses import replace

from rsaxcel.catalog.configuration import Exponentiator
from rsaxcel.cli.keys.key_file import RsaKey
from rsaxcel.cli.keys.key_fit import Action, CryptOutcome
from rsaxcel.cli.options.common import refused_option
from rsaxcel.fl import pkcs1
from rsaxcel.fl.blinded_key import UNVARIED, Variation, blinded_key
from rsaxcel.fl.oaep import Oaep
from rsaxcel.fl.pkcs1 import OVERHEAD_NBYTES, UNPADDED_NBYTES
from rsaxcel.fl.register_map import (
    INPUT_LENGTH,
    INTERRUPT_ENABLE,
    MODE,
    SIGNATURE,
    UNPADDED,
    WORD_NBYTES,
)
from rsaxcel.fl.status import InputRuleError, Status
from rsaxcel.sim.bus import READ, WAIT, BusRun, BusScript, open_bus
from rsaxcel.sim.runners import hang_cycles
from rsaxcel.store.errors import RunError, UserError

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
    """Decrypt a ciphertext, or verify a signature; ``power`` exponentiates a block.

    Refusals have the same order as in the accelerator.
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


DIGEST_NAME = bytes.fromhex("3031300d060960864801650304020105000420")
"""DER of a DigestInfo for SHA-256, up to the digest (RFC 8017, section 9.2, note 1)."""


def signed_digest(data: bytes) -> bytes:
    """Return the signed bytes: ``DIGEST_NAME`` for SHA-256, then the digest of ``data``."""
    return DIGEST_NAME + hashlib.sha256(data).digest()


def check_key(key: RsaKey, action: Action, name: str) -> None:
    """Check that a key allows an action; ``name`` is the name of the key's file."""
    if action.private and key.d is None:
        raise UserError(f"{name}: a public key; {action.name} takes a private one")
    least = OVERHEAD_NBYTES + len(signed_digest(b""))
    if action.signature and key.nbytes < least:
        raise UserError(
            f"{name}: {key.nbits} bits have no room for a SHA-256 signature, which takes "
            f"{8 * least - 7} or more"
        )


def key_numbers(
    configuration: Exponentiator, key: RsaKey, variation: Variation = UNVARIED
) -> tuple[int, int, int]:
    """Modulus, public exponent and private exponent of a key, as operands of a configuration.

    A design by the primes has two numbers, one for each prime, in each operand (``Halves.joined``),
    and a public exponent beside the private ones if it checks its result. If the key is public, the
    private exponent is 0. Random numbers of the request are drawn (``secrets``), and so is the
    variation of the moduli. Where operands or moduli are blinded, the order of the primes is drawn
    in any case.
    """
    halves = configuration.rules.halves
    if halves is None:
        return key.n, key.e, key.d or 0
    draw = secrets.SystemRandom()
    p, q = key.primes or (0, 0)
    swaps = bool(variation or halves.blinds_message or halves.multiple_nbits)
    try:
        blinded = blinded_key(p, q, key.e, replace(variation, swaps=swaps), draw)
    except ValueError as error:
        raise UserError(f"{refused_option(variation)}: {error}") from error
    moduli = halves.joined(*blinded.moduli)
    public = halves.blinded_exponents(moduli, *blinded.public, 0, draw)
    return moduli, public, halves.blinded_exponents(moduli, *blinded.private, key.e, draw)


def run_action(
    configuration: Exponentiator,
    level: str,
    key: RsaKey,
    action: Action,
    message: bytes,
    tell: Callable[[str], object] = lambda line: None,
    oaep: Oaep | None = None,
    variation: Variation = UNVARIED,
) -> CryptOutcome:
    """Simulate an action on the accelerator, by the bus accesses that docs/how-to/bus.md describes.

    The accelerator adds and removes paddings by PKCS#1 v1.5. With ``oaep``, or with moduli that are
    multiples of the primes, the padding is made here, and the accelerator has no padding. Random
    bytes come from ``secrets``.

    The accelerator is as wide as the key, and wider by the bits of the random primes of
    ``variation``. ``tell`` gets a line of text before each step that takes long.
    """
    if oaep or variation.factor_nbits:

        def power(block: bytes) -> CryptOutcome:
            call = _Call(configuration, key, action, block, True, variation)
            return _run(configuration, level, call, tell)

        if oaep:
            return (pad_oaep if action.pads else unpad_oaep)(oaep, key, message, power)
        return (pad_pkcs1 if action.pads else unpad_pkcs1)(action, key, message, power)
    is_block = not action.pads and len(message) == key.nbytes
    if configuration.rules.halves and is_block and int.from_bytes(message, "big") >= key.n:
        # A design by the primes gets p and q, not n. It would reduce a block that is not below n
        # modulo p and q, but RFC 8017 (5.1.2 and 5.2.2) demands a refusal.
        return CryptOutcome(Status.BASE_TOO_LARGE, b"", key.nbytes, None, None)
    call = _Call(configuration, key, action, message, variation=variation)
    return _run(configuration, level, call, tell)


def _run(
    configuration: Exponentiator, level: str, call: "_Call", tell: Callable[[str], object]
) -> CryptOutcome:
    """Simulate a call at a level, and compare its answers with the golden model's."""
    golden = open_bus(configuration, "fl")(call)
    if level == "fl":
        return call.outcome(golden)
    what = f"{configuration.design_name} at {configuration.nbits} bits"
    if level == "rtl":
        tell(f"crypt: compiles {what}, unless that was done before")
    accelerator = open_bus(configuration, level)
    exponent, modulus = call.exponent, call.modulus
    # An estimate for the line of text below: the cycles may depend on the base, and the accelerator
    # makes the base by padding the message. Any base below n stands for it.
    cycles = configuration.cycles(call.key.n // 3, exponent, modulus)
    tell(f"crypt: simulates {what}" + (f", about {cycles:,} cycles" if cycles else ""))
    run = accelerator(call, hang_cycles(configuration))
    if run.answers != golden.answers:
        raise RunError(f"{configuration.name}: the answers differ from the golden model's")
    return call.outcome(run)


class _Call(BusScript):
    """Bus accesses that perform one operation on an accelerator, after its reset.

    ``bare``: the input is exponentiated as it is, without adding or removing a padding.
    """

    def __init__(
        self,
        configuration: Exponentiator,
        key: RsaKey,
        action: Action,
        message: bytes,
        bare: bool = False,
        variation: Variation = UNVARIED,
    ) -> None:
        super().__init__()
        self.key, self._blinded = key, variation.factor_nbits > 0
        self.write(INTERRUPT_ENABLE, 1)
        modulus, public, private = key_numbers(configuration, key, variation)
        private = private if action.private else 0  # a public operation needs no secret
        self.modulus, self.exponent = modulus, private if action.private else public
        self.load_key(modulus, public, private, configuration.constant_words(modulus))
        self.write(MODE, bare << UNPADDED.lsb | action.signature << SIGNATURE.lsb)
        # The accelerator refuses any message longer than a block. So no more than one byte beyond
        # a block is loaded.
        self.load_message(message[: key.nbytes + 1])
        self._started = len(self)
        self.start(action.private)
        if not bare and action.pads and not action.signature and key.nbytes > UNPADDED_NBYTES:
            self.feed(_entropy(key.nbytes - len(message) - 3))
        self.wait()
        self._read = len(self)
        self.read(INPUT_LENGTH)
        self.read_output(configuration.block_nbytes(modulus) if self._blinded else key.nbytes)

    def outcome(self, run: BusRun) -> CryptOutcome:
        """Decode the outcome from the values that the read accesses return.

        With blinded moduli, the result of the accelerator is reduced modulo the key's n here.
        """
        most, status, length, *words = (data for _, _, data in run.answers[self._read :])
        block = b"".join(word.to_bytes(WORD_NBYTES, "big") for word in reversed(words[1::2]))
        cycles = None
        if run.accepted is not None:
            waited = self.accesses.index((READ, WAIT, 0, 0))
            cycles = run.accepted[waited] - run.accepted[self._started]
        output = block[len(block) - length :]
        if self._blinded and output:
            result = int.from_bytes(output, "big") % self.key.n
            output = result.to_bytes(self.key.nbytes, "big")
        return CryptOutcome(Status(status), output, most, cycles, run.total_cycles)


def _entropy(count: int) -> bytes:
    """Draw random bytes until ``count`` of them are not zero."""
    drawn = bytearray()
    while len(drawn) - drawn.count(0) < count:
        drawn += secrets.token_bytes(1)
    return bytes(drawn)
