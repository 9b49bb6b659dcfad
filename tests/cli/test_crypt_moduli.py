"""``rsaxcel crypt`` with moduli that vary, compared with the package ``cryptography``."""

import json

import pytest
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.hashes import SHA1, SHA256

from rsaxcel.cli.crypt import key_numbers
from rsaxcel.cli.keys import RsaKey
from rsaxcel.fl.blinded_key import Variation, blinded_key
from rsaxcel.fl.keys import balanced_key, seeded_key
from rsaxcel.sim.vectors import NO_PRIMES, PRIVATE_ONLY
from rsaxcel.store.errors import UserError
from tests.cli.crypt_calls import NBITS, NBYTES, PKCS1, raw, the_line
from tests.cli.crypt_keys import pem, private_key, private_pem, public_pem, theirs
from tests.shared.harness import built_once, configure

BITS = 24
PAIR = seeded_key(NBITS)
HALF_NBITS = max(PAIR.p, PAIR.q).bit_length() + BITS
BLINDED = ("--design", "crt_window", "--param", f"half_nbits={HALF_NBITS}")
BLINDED += ("--blind-moduli", BITS, "--level", "fl")
CHECKED = (*BLINDED, "--param", "check=public_exponent", "--param", "blinding=message")


@pytest.mark.parametrize("options", [BLINDED, CHECKED], ids=["plain", "hardened"])
def test_signatures_and_messages(crypt, options):
    key, text = theirs(NBITS), b"meet me at noon"
    for _ in range(3):
        done, signature = crypt("sign", private_pem(key), text, options=(*options, "--json"))
        assert (done.status, signature) == (0, key.sign(text, PKCS1, SHA256()))
        record = json.loads(done.out)
        assert (record["nbits"], record["blind_moduli"]) == (NBITS + 2 * BITS, BITS)
        for message in (text, b"", bytes(NBYTES - 11)):
            ciphertext = key.public_key().encrypt(message, PKCS1)
            done, opened = crypt("decrypt", private_pem(key), ciphertext, options=options)
            assert (done.status, opened) == (0, message)


def test_public_operations(crypt):
    """Encryption and verification by the primes, with a padding that is made by the host."""
    key, text = theirs(NBITS), b"\0text"
    done, ciphertext = crypt("encrypt", private_pem(key), text, options=BLINDED)
    assert (done.status, key.decrypt(ciphertext, PKCS1)) == (0, text)
    block = raw(ciphertext, PAIR.d)
    assert block[2 : -len(text) - 1].count(0) == 0
    signature = key.sign(text, PKCS1, SHA256())
    done, _ = crypt("verify", private_pem(key), text, signature, options=BLINDED)
    assert (done.status, done.err) == (0, "")
    for wrong in (signature[:-1], signature + b"\0", b"\xff" * NBYTES, raw(1, PAIR.d), b""):
        done, _ = crypt("verify", private_pem(key), text, wrong, options=BLINDED)
        assert done.status == 1
    done, _ = crypt("verify", private_pem(key), b"Text", signature, options=BLINDED)
    assert done.status == 1


def test_oaep(crypt):
    key, text = theirs(NBITS), b"text"
    sha1 = ("--padding", "oaep", "--hash", "sha1")
    mask = padding.OAEP(padding.MGF1(SHA1()), SHA1(), None)
    ciphertext = key.public_key().encrypt(text, mask)
    done, opened = crypt("decrypt", private_pem(key), ciphertext, options=(*CHECKED, *sha1))
    assert (done.status, opened) == (0, text)
    done, ciphertext = crypt("encrypt", private_pem(key), text, options=(*BLINDED, *sha1))
    assert (done.status, key.decrypt(ciphertext, mask)) == (0, text)


HALF = max(PAIR.p, PAIR.q).bit_length()
PLAIN = ("--design", "crt_window", "--param", f"half_nbits={HALF}")
SWAPPED = (*PLAIN, "--swap-primes", "--level", "fl")


@pytest.mark.parametrize(
    "options",
    [
        SWAPPED,
        (*SWAPPED, "--param", "check=public_exponent", "--param", "blinding=both"),
        (*SWAPPED, "--param", "dummies=squares", "--param", "states=doubled"),
        (*CHECKED, "--swap-primes"),
    ],
    ids=["plain", "blinded", "dummies", "random primes"],
)
def test_swapped_primes(crypt, monkeypatch, options):
    """Signatures and messages in both orders, which are drawn by the operating system."""
    key, text, orders = theirs(NBITS), b"meet me at noon", []

    def told(*args):
        made = blinded_key(*args)
        orders.append(made.moduli[0] % PAIR.p == 0)
        return made

    monkeypatch.setattr("rsaxcel.cli.crypt.blinded_key", told)
    expected = key.sign(text, PKCS1, SHA256())
    for _ in range(40):
        done, signature = crypt("sign", private_pem(key), text, options=(*options, "--json"))
        assert (done.status, signature) == (0, expected)
        assert json.loads(done.out)["swap_primes"] is True
        ciphertext = key.public_key().encrypt(text, PKCS1)
        done, opened = crypt("decrypt", private_pem(key), ciphertext, options=options)
        assert (done.status, opened) == (0, text)
        if set(orders) == {False, True}:
            break
    assert set(orders) == {False, True}


def test_the_order_without_the_option():
    """A plain design gets p and q of the key as they are; with blinding, their order is drawn."""
    key = RsaKey(PAIR.n, PAIR.e, PAIR.d, (PAIR.p, PAIR.q))
    for params, swaps, both in (
        ({}, False, False),
        ({"dummies": "squares"}, False, False),
        ({}, True, True),
        ({"blinding": "message"}, False, True),
        ({"blinding": "both"}, False, True),
    ):
        configuration = configure("crt_window", NBITS, half_nbits=HALF, **params)
        first = set()
        for _ in range(40):
            numbers = key_numbers(configuration, key, Variation(swaps=swaps))
            moduli, public, private = numbers
            first.add(configuration.halves.split(moduli)[0])
            assert configuration.halves.reference_power(5, private, moduli) == PAIR.decrypt(5)
            assert configuration.halves.reference_power(5, public, moduli) == PAIR.encrypt(5)
        assert first == ({PAIR.p, PAIR.q} if both else {PAIR.p})


REFUSED = {
    "long message": ("encrypt", bytes(NBYTES - 10)),
    "short ciphertext": ("decrypt", bytes(NBYTES - 1)),
    "long ciphertext": ("decrypt", bytes(NBYTES + 1)),
    "not below the modulus": ("decrypt", b"\xff" * NBYTES),
    "wrong padding": ("decrypt", raw(2, PAIR.e)),
    "type 1": ("decrypt", raw(b"\0\1" + b"\xff" * (NBYTES - 4) + b"\0m", PAIR.e)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_are_those_of_the_accelerator(crypt, name):
    """The padding of the host refuses what the accelerator's does, in the same words."""
    action, given = REFUSED[name]
    done, out = crypt(action, private_pem(theirs(NBITS)), given, options=(*PLAIN, "--level", "fl"))
    blinded, out_blinded = crypt(action, private_pem(theirs(NBITS)), given, options=BLINDED)
    assert (done.status, done.err, out) == (blinded.status, blinded.err, out_blinded)
    assert done.status > 0


def test_keys_without_padding(crypt):
    """Blocks of up to 64 bits have no padding; between 65 and 80 bits there is no room for one."""
    short = private_key(balanced_key(64))
    given = (5).to_bytes(8, "big")
    options = ("--design", "crt_window", "--blind-moduli", 16, "--level", "fl")
    done, out = crypt("decrypt", private_pem(short), given, options=options)
    numbers = short.private_numbers()
    power = pow(5, numbers.d, numbers.public_numbers.n)
    assert (done.status, out) == (0, power.to_bytes(8, "big"))
    for text, status in ((bytes(9), "message_too_long"), (b"\xff" * 8, "base_too_large")):
        done, out = crypt("decrypt", private_pem(short), text, options=options)
        assert (done.status, out) == (2, power.to_bytes(8, "big"))
        assert status in done.err
    middle = private_pem(private_key(balanced_key(72)))
    for action in ("encrypt", "decrypt"):
        assert "key_too_short" in the_line(crypt(action, middle, b"m", options=options)[0])


def test_what_does_not_fit(crypt):
    key = theirs(NBITS)

    def line(*options, action="sign", file=None):
        return the_line(crypt(action, file or private_pem(key), b"m", options=options)[0])

    design = ("--design", "crt_window", "--blind-moduli", BITS, "--level", "fl")
    assert line(*design).endswith(
        f"operand_too_wide: a prime has {HALF_NBITS} bits with its random factor of {BITS}, "
        f"half_nbits={NBITS // 2 + BITS}; --param half_nbits={HALF_NBITS} takes it"
    )
    for token in ("exponents", "both"):
        assert "blinding=message fits" in line(*BLINDED, "--param", f"blinding={token}")
    assert line("--blind-moduli", 8, "--level", "fl").endswith(
        "--blind-moduli=8: only designs by two primes (crt) take it"
    )
    assert line("--swap-primes", "--level", "fl").endswith(
        "--swap-primes: only designs by two primes (crt) take it"
    )
    assert line(*SWAPPED, file=public_pem(key), action="verify").endswith(NO_PRIMES)
    assert line(*design[:2], "--blind-moduli", 65).endswith("from 4 to 64 is allowed")
    assert line(*BLINDED, file=public_pem(key), action="verify").endswith(NO_PRIMES)
    encrypt = line(*BLINDED, "--param", "check=public_exponent", action="encrypt")
    assert encrypt.endswith(PRIVATE_ONLY)


def test_new_numbers_in_each_operation():
    """Random primes and the order of the primes are drawn; a key may suit no random primes."""
    pair = balanced_key(64)
    key = RsaKey(pair.n, pair.e, pair.d, (pair.p, pair.q))
    configuration = configure("crt_window", 96, check="public_exponent")
    halves, first, seen = configuration.halves, set(), set()
    for _ in range(64):
        moduli, public, private = key_numbers(configuration, key, Variation(16))
        p, q = halves.split(moduli)
        result = halves.reference_power(5, private, moduli)
        assert result % key.n == pair.decrypt(5)
        assert halves.reference_power(5, public, moduli) % key.n == pair.encrypt(5)
        assert halves.is_confirmed(5, private, moduli)
        first.add(p % pair.p == 0)
        seen |= {p, q}
    assert first == {False, True}
    assert len(seen) > 110
    p, q = 65537, 65519
    cubic = RsaKey(p * q, 3, pow(3, -1, (p - 1) * (q - 1)), (p, q))
    with pytest.raises(UserError, match="no two primes of 4 bits suit the public exponent 3"):
        key_numbers(configure("crt_window", 40), cubic, Variation(4))


@pytest.mark.slow
@pytest.mark.parametrize("level", ["rtl", "cl"])
@built_once("crypt-crt_window", 64)
def test_circuit(crypt, level):
    """The accelerator of 64 bits decrypts with a key of 48 bits."""
    key = private_key(balanced_key(48))
    numbers = key.private_numbers()
    given = b"\1\2\3\4\5\6"
    power = pow(int.from_bytes(given, "big"), numbers.d, numbers.public_numbers.n)
    options = ("--design", "crt_window", "--blind-moduli", 8, "--level", level)
    options += ("--param", "check=public_exponent", "--json")
    for _ in range(2):
        done, out = crypt("decrypt", pem(key, "pkcs8"), given, options=options)
        assert (done.status, out) == (0, power.to_bytes(6, "big"))
        assert 1800 < json.loads(done.out)["cycles"] < 2000
