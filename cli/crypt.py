"""``rsaxcel crypt``: encrypts, decrypts, signs or verifies a file on an accelerator on a bus."""

import errno
import hashlib
import json
import os
import secrets
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import click

from rsaxcel.catalog.configuration import Exponentiator
from rsaxcel.cli.keys import (
    ACTIONS,
    Action,
    CryptOutcome,
    RsaKey,
    check_fit,
    configure_for_key,
    read_key,
)
from rsaxcel.cli.options.common import (
    check_circuit,
    check_folder,
    design_fields,
    design_text,
    gathered,
    level_option,
    named,
    param_option,
    refused_option,
    tell_choices,
    together,
    variation_options,
)
from rsaxcel.cli.options.plain import excludes, file_option, json_option, only_with
from rsaxcel.cli.progress import steps
from rsaxcel.cli.usage_errors import quoted
from rsaxcel.fl import pkcs1
from rsaxcel.fl.blinded_key import UNVARIED, Variation, blinded_key
from rsaxcel.fl.oaep import HASHES, Oaep
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
from rsaxcel.store.whole_files import read_whole, write_whole

#: Function that exponentiates a block on the accelerator.
Power = Callable[[bytes], CryptOutcome]


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


#: DER of a DigestInfo for SHA-256, up to the digest (RFC 8017, section 9.2, note 1).
DIGEST_NAME = bytes.fromhex("3031300d060960864801650304020105000420")


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


_OAEP = "oaep"


def _oaep(
    padding: str,
    hash_name: str | None,
    mask_hash_name: str | None,
    label: str | None,
    label_hex: str | None,
) -> Oaep | None:
    oaep = Oaep(hash_name or Oaep().hash_name, mask_hash_name or "", _label(label, label_hex))
    return oaep if padding == _OAEP else None


def _label(text: str | None, digits: str | None) -> bytes:
    """Return the bytes of a label, which is given as text or in hex digits."""
    if digits is None:
        # Where Python takes an argument for ASCII, the bytes of other characters are surrogates.
        return (text or "").encode(errors="surrogateescape")
    try:
        return bytes.fromhex(digits)
    except ValueError as error:
        raise UserError(f"--label-hex {quoted(digits)}: two hex digits for each byte") from error


#: Adds --padding, and the options of OAEP, to a command, as ``oaep``: None for PKCS#1.
oaep_options = together(
    click.option(
        "--padding",
        type=click.Choice(("pkcs1", _OAEP)),
        default="pkcs1",
        help="PKCS#1 v1.5, by the accelerator; or OAEP, by this command, to encrypt and decrypt.",
    ),
    click.option(
        "--hash", "hash_name", type=click.Choice(HASHES), help="Hash of OAEP.  [default: sha256]"
    ),
    click.option(
        "--mgf-hash",
        "mask_hash_name",
        type=click.Choice(HASHES),
        help="Hash of OAEP's masks (MGF1).  [default: as --hash]",
    ),
    click.option("--label", metavar="TEXT", help="Label of OAEP, in UTF-8.  [default: empty]"),
    click.option("--label-hex", metavar="DIGITS", help="Label of OAEP as bytes, in hex digits."),
    excludes("--label", "--label-hex"),
    only_with(("--hash", "--mgf-hash", "--label", "--label-hex"), f"--padding {_OAEP}"),
    gathered("oaep", _oaep, "padding", "hash_name", "mask_hash_name", "label", "label_hex"),
)


#: Default design; its cycles depend neither on the key nor on the message.
DESIGN = "systolic_l2r_always"


@click.command(
    epilog="""\b
    ACTION   IN               OUT                                          key
    encrypt  a message        its ciphertext                               public or private
    decrypt  a ciphertext     its message                                  private
    sign     any file         the signature of its SHA-256                 private
    verify   any file         the signature that is checked                public or private

    \b
    A design by the primes takes a private key for all four.

    \b
    Level    with a key of 2048 bits and the default design
    fl       golden model, no cycles: less than a second
    cl       the registers' circuit around the cycle model, in Python: an hour and a half
             (with 256 bits 20 seconds)
    rtl      the circuit, compiled: 5 seconds, and 10 more the first time (4096 bits: 90)

    \b
    Example: one side has me.pem, the other one me.pub, and openssl can be either.
      openssl genrsa -out me.pem 2048
      openssl rsa -in me.pem -pubout -out me.pub
      echo 'meet me at noon' > note.txt
      rsaxcel crypt encrypt --key me.pub note.txt note.enc
      openssl pkeyutl -decrypt -inkey me.pem -in note.enc
      rsaxcel crypt decrypt --key me.pem note.enc note.out
      rsaxcel crypt sign --key me.pem note.txt note.sig
      openssl dgst -sha256 -verify me.pub -signature note.sig note.txt

    \b
    The same by OAEP with SHA-256:
      rsaxcel crypt encrypt --padding oaep --key me.pub note.txt note.enc
      openssl pkeyutl -decrypt -inkey me.pem -in note.enc -pkeyopt rsa_padding_mode:oaep \\
        -pkeyopt rsa_oaep_md:sha256 -pkeyopt rsa_mgf1_md:sha256
    """
)
@click.argument("action", type=click.Choice(tuple(ACTIONS)))
@click.argument("file", metavar="IN", type=click.File("rb"))
@click.argument("out", metavar="OUT", type=click.Path(dir_okay=False, path_type=Path))
@file_option("--key", "RSA key, without a password.", "key_file", exists=False, required=True)
@click.option(
    "--design",
    default=DESIGN,
    metavar="NAME",
    callback=named,
    help="Design of the accelerator; `rsaxcel list` names all designs.",
)
@param_option
@level_option
@oaep_options
@variation_options
@json_option()
def command(
    action: str,
    file: BinaryIO,
    out: Path,
    key_file: Path,
    design: str,
    params: dict[str, str],
    level: str,
    oaep: Oaep | None,
    variation: Variation,
    as_json: bool,
) -> int:
    """Encrypt, decrypt, sign or verify the file IN through a simulated RSA accelerator.

    The accelerator stands behind registers on a bus (docs/how-to/bus.md) and is as wide as the key.
    It pads by PKCS#1 v1.5 itself. There is one block: the longest message has 11 bytes less than
    the key. Every answer is compared with the golden model's.

    With --padding oaep, this command pads by OAEP (RFC 8017), and the accelerator exponentiates
    only. The longest message has 2 bytes and twice a hash less than the key: 66 bytes with SHA-256.
    Both sides need the same hashes and label. Any fault of a ciphertext gives the same refusal.

    With --blind-moduli, a design by the primes p and q computes with random multiples of them, and
    is 2 BITS wider than the key. This command pads, and reduces the result modulo p q
    (docs/explanation/measures.md, moduli that vary).

    With --swap-primes, such a design gets the primes, and what belongs to them, in a drawn order.
    With blinding or --blind-moduli, the order is drawn without the option, too.

    The key is an RSA key in PEM, a private one of PKCS#1 (RSA PRIVATE KEY) or PKCS#8 (PRIVATE KEY),
    a public one of PKCS#1 (RSA PUBLIC KEY) or SubjectPublicKeyInfo (PUBLIC KEY), alone in its file;
    or one in DER or of OpenSSH. A key that names its only padding (PSS or OAEP) is refused. IN may
    be - for standard input. Only its owner can read a decrypted OUT.

    The cycles of the default design depend neither on the key nor on the message. `rsaxcel list
    NAME` says on what the cycles of another design depend. The sender of a ciphertext must not
    learn that its padding was refused (docs/how-to/bus.md).

    Exit status: 1 if a signature is wrong, a padding is refused, or a simulation goes wrong; 2 for
    bad input.
    """
    to_do = ACTIONS[action]
    if oaep and to_do.signature:
        raise UserError(f"--padding oaep: for encrypt and decrypt; {action} takes pkcs1")
    key = read_key(key_file)
    check_key(key, to_do, str(key_file))
    blind_nbits = variation.factor_nbits
    configuration = configure_for_key(design, params, key, str(key_file), variation)
    tell_choices(configuration, params)
    check_circuit(configuration, level)
    check_fit(configuration, key, to_do, str(key_file), variation)
    if key.nbytes <= UNPADDED_NBYTES and not oaep:
        click.echo(f"rsaxcel: {key_file}: blocks of up to 64 bits have no padding", err=True)
    data = read_whole(file)
    if action == "verify":
        given, given_name = read_whole(out), str(out)
    else:
        given, given_name = signed_digest(data) if action == "sign" else data, file.name
        _check_output(out, key_file, file.name)
    with steps(f"crypt {action}") as tell:
        outcome = run_action(configuration, level, key, to_do, given, tell, oaep, variation)
    good = outcome.status is Status.OK
    if not good and outcome.status not in to_do.refuses:
        raise UserError(_refusal(outcome, key, key_file, given_name, len(given), oaep))
    if action == "verify":
        good = good and outcome.output == signed_digest(data)
    elif good:
        write_whole(out, outcome.output, secret=action == "decrypt")
    record = {
        "action": action,
        **design_fields(configuration),
        "level": level,
        "padding": "oaep" if oaep else "pkcs1",
        **({"blind_moduli": blind_nbits} if blind_nbits else {}),
        **({"swap_primes": True} if variation.swaps else {}),
        "status": str(outcome.status),
        "good": good,
        "input_nbytes": len(given),
        "output_nbytes": len(outcome.output),
        "cycles": outcome.cycles,
        "total_cycles": outcome.total_cycles,
    }
    click.echo(json.dumps(record) if as_json else _text(record, out))
    if good:
        return 0
    wrong = (
        "no signature of that file by this key" if action == "verify" else "its padding is refused"
    )
    click.echo(f"rsaxcel: {given_name}: {wrong}", err=True)
    return 1


def _check_output(out: Path, *read: Path | str) -> None:
    """Raise ``UserError`` if OUT cannot be written, would replace an input file, or gets more."""
    if str(out) == "-" or _is_output(out):
        raise UserError(f"{out}: OUT must be a file of its own; the table goes to standard output")
    if out.exists() and not os.access(out, os.W_OK):
        raise UserError(f"{out}: {os.strerror(errno.EACCES)}")
    if not out.exists() or out.is_file():
        check_folder("OUT", Path(os.path.realpath(out)))
    for other in map(Path, read):
        if out.is_file() and other.is_file() and out.samefile(other):
            raise UserError(f"{out}: OUT would replace an input file; name another file")


def _is_output(out: Path) -> bool:
    """Whether OUT is standard output or standard error, to which other lines go."""
    if not out.exists() or out.samefile(os.devnull):
        return False
    return any(os.path.samestat(out.stat(), os.fstat(stream)) for stream in (1, 2))


def _refusal(
    outcome: CryptOutcome, key: RsaKey, key_file: Path, name: str, nbytes: int, oaep: Oaep | None
) -> str:
    """Return the message for an input that the accelerator refused, with the allowed ones."""
    status = outcome.status
    if status is Status.MESSAGE_TOO_LONG:
        return f"{name}: {status}: {nbytes} bytes; this key takes up to {outcome.most_nbytes}"
    if status is Status.LENGTH_WRONG:
        return f"{name}: {status}: {nbytes} bytes; a ciphertext of this key has {key.nbytes}"
    if status in (Status.BASE_TOO_LARGE, Status.OPERAND_TOO_WIDE):
        return f"{name}: {status}: as a number it is not below the key's modulus"
    if status is Status.KEY_TOO_SHORT and oaep:
        return (
            f"{key_file}: {status}: {key.nbits} bits; OAEP with {oaep.hash_name} takes "
            f"{8 * oaep.overhead_nbytes - 7} or more"
        )
    if status is Status.KEY_TOO_SHORT:
        return (
            f"{key_file}: {status}: {key.nbits} bits; up to 64 (unpadded) or from 81 on are allowed"
        )
    return f"{key_file}: {status}"


def _text(record: dict[str, Any], out: Path) -> str:
    rows = [
        ("design", design_text(record["design"], record["nbits"], record["params"])),
        ("level", record["level"]),
        ("status", record["status"]),
    ]
    if record["cycles"] is not None:
        rows.append(
            (
                "cycles",
                f"{record['cycles']:,} from start to interrupt, "
                f"{record['total_cycles']:,} with all accesses",
            )
        )
    if record["action"] == "verify":
        rows.append(("signature", "good" if record["good"] else "wrong"))
    elif record["good"]:
        rows.append(("written", f"{out}, {record['output_nbytes']} bytes"))
    return "\n".join(f"{label:<13}{value}" for label, value in rows)
