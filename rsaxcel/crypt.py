"""Runs an operation with an RSA key on an accelerator on a bus, with a driver's reads and writes.

The accelerator pads by PKCS#1 v1.5 itself; OAEP is made here, around the accelerator's bare
exponentiation.
"""

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from catalog import Configuration
from fl.oaep import Oaep
from fl.pkcs1 import OVERHEAD_NBYTES, UNPADDED_NBYTES
from fl.register_map import (
    INPUT_LENGTH,
    INTERRUPT_ENABLE,
    MODE,
    SIGNATURE,
    UNPADDED,
    WORD_NBYTES,
)
from fl.status import InputRuleError, Status
from plan.domains import PUBLIC_NBITS
from plan.halves import Halves
from plan.schedules import EXPONENT_NBITS
from rsaxcel.pem import RsaKey
from sim.batch import SimulationError
from sim.bus import BusRun, open_bus
from sim.bus_script import READ, WAIT, BusScript
from sim.power_of_halves import fits, prime_too_wide
from sim.runners import hang_cycles
from sim.vectors import NO_PRIMES, PRIVATE_ONLY
from store.errors import RunError, UserError

DIGEST_NAME = bytes.fromhex("3031300d060960864801650304020105000420")
"""DER of a DigestInfo for SHA-256, up to the digest (RFC 8017, section 9.2, note 1)."""

_NO_SIGNATURE = (
    Status.PADDING_WRONG,
    Status.LENGTH_WRONG,
    Status.MESSAGE_TOO_LONG,
    Status.BASE_TOO_LARGE,
    Status.OPERAND_TOO_WIDE,
)


@dataclass(frozen=True)
class Action:
    """An operation with an RSA key: encrypt, decrypt, sign or verify.

    Parameters
    ----------
    name : str
        Name on the command line.
    private : bool
        Whether the operation uses the private exponent.
    signature : bool
        Whether the padding is the one of signatures (block type 1).
    refuses : tuple of Status
        Statuses that mean a wrong signature or ciphertext, rather than bad input.
    """

    name: str
    private: bool
    signature: bool
    refuses: tuple[Status, ...] = ()

    @property
    def pads(self) -> bool:
        """Whether the accelerator adds a padding to the input; otherwise it removes one."""
        return self.private == self.signature


ACTIONS = {
    action.name: action
    for action in (
        Action("encrypt", private=False, signature=False),
        Action("decrypt", private=True, signature=False, refuses=(Status.PADDING_WRONG,)),
        Action("sign", private=True, signature=True),
        Action("verify", private=False, signature=True, refuses=_NO_SIGNATURE),
    )
}


class CryptOutcome(NamedTuple):
    """Response of the accelerator to an action.

    Parameters
    ----------
    status : Status
        Status of the response.
    output : bytes
        Output of the accelerator; empty if it refuses the input.
    most_nbytes : int
        Length in bytes of the longest input that the accelerator accepts with this key.
    cycles : int, optional
        Cycles from the acceptance of the write that starts the operation to the interrupt; None
        without a simulation.
    total_cycles : int, optional
        Cycles of all bus accesses, including those that load the key and the message and read
        the output; None without a simulation.
    """

    status: Status
    output: bytes
    most_nbytes: int
    cycles: int | None
    total_cycles: int | None


def signed_digest(data: bytes) -> bytes:
    """Return what a signature signs: ``DIGEST_NAME`` for SHA-256, then the digest of ``data``."""
    return DIGEST_NAME + hashlib.sha256(data).digest()


def check_key(key: RsaKey, action: Action, name: str) -> None:
    """Check that a key allows an action; ``name`` is the name of the key's file.

    Raises
    ------
    UserError
        If a public key is given for an action that needs the private key, or if the key is too
        short for a signature.
    """
    if action.private and key.d is None:
        raise UserError(f"{name}: a public key; {action.name} takes a private one")
    least = OVERHEAD_NBYTES + len(signed_digest(b""))
    if action.signature and key.nbytes < least:
        raise UserError(
            f"{name}: {key.nbits} bits have no room for a SHA-256 signature, which takes "
            f"{8 * least - 7} or more"
        )


def check_fit(configuration: Configuration, key: RsaKey, action: Action, name: str) -> None:
    """Check that a configuration can use a key; ``name`` is the name of the key's file.

    Raises
    ------
    UserError
        If the exponent or a prime is too wide, if the configuration needs primes and the key has
        none, or if the configuration is for another modulus.
    """
    if configuration.rules.halves:
        _check_primes(configuration, configuration.rules.halves, key, action, name)
        return
    kind, exponent = ("private", key.d or 0) if action.private else ("public", key.e)
    needed, wide = exponent.bit_length(), configuration.exponent_nbits
    if needed > wide:
        raise UserError(
            f"{name}: {Status.OPERAND_TOO_WIDE}: its {kind} exponent has {needed} bits, "
            f"exponent_nbits={wide}; {_wider(configuration, needed)}"
        )
    if configuration.constant_modulus not in (0, key.n):
        raise UserError(
            f"{name}: {Status.MODULUS_OTHER}: {configuration.design.name} is for one modulus; "
            f"--param modulus={key.n:#x} makes it the key's modulus"
        )


def _wider(configuration: Configuration, needed: int) -> str:
    """How exponents of ``needed`` bits are taken: by the parameter, or by another schedule."""
    name = EXPONENT_NBITS.name
    own = next((p for p in configuration.parameters if p.name == name), None)
    if own is None or needed in own.allowed(configuration.nbits):
        return f"--param {name}={needed} takes it"
    allowed = own.describe_allowed(configuration.nbits)
    return f"{allowed} allowed with schedule={configuration.choices.schedule.name}"


def _check_primes(
    configuration: Configuration, halves: Halves, key: RsaKey, action: Action, name: str
) -> None:
    if key.primes is None:
        raise UserError(f"{name}: {NO_PRIMES}")
    if not fits(key.primes, halves):
        raise UserError(f"{name}: {prime_too_wide(key.primes, halves)}")
    needed, most = key.e.bit_length(), halves.public_nbits
    if most and not action.private:
        raise UserError(f"{name}: {PRIVATE_ONLY}")
    if most and needed > most:
        raise UserError(
            f"{name}: {Status.OPERAND_TOO_WIDE}: its public exponent has {needed} bits, "
            f"{PUBLIC_NBITS.name}={most}; {PUBLIC_NBITS.describe_allowed(configuration.nbits)} "
            "allowed"
        )


def key_numbers(configuration: Configuration, key: RsaKey) -> tuple[int, int, int]:
    """Modulus, public exponent and private exponent of a key, as operands of a configuration.

    A design by the primes has two numbers, one for each prime, in each operand (``Halves.joined``),
    and a public exponent beside the private ones if it checks its result. If the key is public, the
    private exponent is 0. Random numbers of the request are drawn (``secrets``), and so is which
    prime comes first where operands are blinded.
    """
    halves, exponents = configuration.rules.halves, (key.e, key.d or 0)
    if halves is None:
        return key.n, *exponents
    public, private = (key.halves(e) or (0, 0, 0, 0) for e in exponents)
    draw = secrets.SystemRandom()
    (p, q, ep, eq), (_, _, dp, dq) = public, private
    if halves.blinding and draw.getrandbits(1):
        p, q, ep, eq, dp, dq = q, p, eq, ep, dq, dp
    moduli = halves.joined(p, q)
    public_exponents = halves.blinded_exponents(moduli, ep, eq, 0, draw)
    return moduli, public_exponents, halves.blinded_exponents(moduli, dp, dq, key.e, draw)


def run_action(
    configuration: Configuration,
    level: str,
    key: RsaKey,
    action: Action,
    message: bytes,
    tell: Callable[[str], object] = lambda line: None,
    oaep: Oaep | None = None,
) -> CryptOutcome:
    """Simulate an action on the accelerator, by the bus accesses that docs/bus.md describes.

    The accelerator adds and removes paddings by PKCS#1 v1.5. With ``oaep``, the padding is made
    here, and the accelerator has no padding. Random bytes come from ``secrets``.

    Parameters
    ----------
    configuration : Configuration
        Configuration of the accelerator; as wide as the key.
    level : str
        ``fl``, ``cl`` or ``rtl``; see :func:`sim.bus.open_bus`.
    key, action, message
        Operation, its key and its input.
    tell : callable
        Called with a line of text before each step that takes long.
    oaep : Oaep, optional
        Padding by OAEP instead of PKCS#1 v1.5, for ``encrypt`` and ``decrypt``.

    Raises
    ------
    RunError
        If a simulation never ends, or if its answers differ from the golden model's.
    ToolError, CacheError
        If the circuit cannot be compiled or stored.
    """
    if oaep:
        padded = _pad_oaep if action.pads else _unpad_oaep

        def power(block: bytes) -> CryptOutcome:
            return _run(configuration, level, _Call(configuration, key, action, block, True), tell)

        return padded(oaep, key, message, power)
    is_block = not action.pads and len(message) == key.nbytes
    if configuration.rules.halves and is_block and int.from_bytes(message, "big") >= key.n:
        # A design by the primes gets p and q, not n. It would reduce such a block modulo p and q,
        # but RFC 8017 (5.1.2 and 5.2.2) demands that it is refused.
        return CryptOutcome(Status.BASE_TOO_LARGE, b"", key.nbytes, None, None)
    return _run(configuration, level, _Call(configuration, key, action, message), tell)


def _pad_oaep(
    oaep: Oaep, key: RsaKey, message: bytes, power: Callable[[bytes], CryptOutcome]
) -> CryptOutcome:
    """Encrypt a message; ``power`` exponentiates a block on the accelerator."""
    most = key.nbytes - oaep.overhead_nbytes
    try:
        block = oaep.pad(message, key.nbytes, secrets.token_bytes(oaep.seed_nbytes))
    except InputRuleError as error:
        return CryptOutcome(error.status, b"", most, None, None)
    return power(block)._replace(most_nbytes=most)


def _unpad_oaep(
    oaep: Oaep, key: RsaKey, message: bytes, power: Callable[[bytes], CryptOutcome]
) -> CryptOutcome:
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


def _run(
    configuration: Configuration, level: str, call: "_Call", tell: Callable[[str], object]
) -> CryptOutcome:
    """Simulate a call at a level, and compare its answers with the golden model's."""
    golden = open_bus(configuration, "fl")(call)
    if level == "fl":
        return call.outcome(golden)
    what = f"{configuration.design.name} at {configuration.nbits} bits"
    if level == "rtl":
        tell(f"crypt: compiles {what}, unless that was done before")
    accelerator = open_bus(configuration, level)
    exponent, modulus = call.exponent, call.modulus
    # An estimate for the line of text below: the cycles may depend on the base, and the accelerator
    # makes the base by padding the message. Any base below n stands for it.
    cycles = configuration.cycles(call.key.n // 3, exponent, modulus)
    tell(f"crypt: simulates {what}, about {cycles:,} cycles")
    try:
        run = accelerator(call, hang_cycles(configuration))
    except SimulationError as error:
        raise RunError(str(error)) from error
    if run.answers != golden.answers:
        raise RunError(f"{configuration.name}: the answers differ from the golden model's")
    return call.outcome(run)


class _Call(BusScript):
    """Bus accesses that perform one operation on an accelerator, after its reset.

    Parameters
    ----------
    configuration, key, action, message
        Accelerator, and operation with its key and its input.
    bare : bool
        Whether the accelerator exponentiates the input as it is, without adding or removing a
        padding.
    """

    def __init__(
        self,
        configuration: Configuration,
        key: RsaKey,
        action: Action,
        message: bytes,
        bare: bool = False,
    ) -> None:
        super().__init__()
        self.key = key
        self.write(INTERRUPT_ENABLE, 1)
        modulus, public, private = key_numbers(configuration, key)
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
        self.read_output(key.nbytes)

    def outcome(self, run: BusRun) -> CryptOutcome:
        """Decode the outcome from the values that the read accesses return."""
        most, status, length, *words = (data for _, _, data in run.answers[self._read :])
        block = b"".join(word.to_bytes(WORD_NBYTES, "big") for word in reversed(words[1::2]))
        cycles = None
        if run.accepted is not None:
            waited = self.accesses.index((READ, WAIT, 0, 0))
            cycles = run.accepted[waited] - run.accepted[self._started]
        return CryptOutcome(
            Status(status), block[len(block) - length :], most, cycles, run.total_cycles
        )


def _entropy(count: int) -> bytes:
    """Draw random bytes until ``count`` of them are not zero."""
    drawn = bytearray()
    while len(drawn) - drawn.count(0) < count:
        drawn += secrets.token_bytes(1)
    return bytes(drawn)
