"""Reads examples of RSA encryption from files of the package ``cryptography-vectors``."""

import re
from collections.abc import Iterator
from importlib.resources import files

from rsaxcel.cli.keys import RsaKey

FOLDER = files("cryptography_vectors") / "asymmetric" / "RSA"


def examples(*path: str) -> Iterator[tuple[RsaKey, dict[str, bytes]]]:
    """Yield each example's key and values by name, such as Message, Seed and Encryption."""
    values: dict[str, bytes] = {}
    text = FOLDER.joinpath(*path).read_text()
    for name, value in re.findall(r"^# ([\w ]+?):? *\n((?:[0-9a-f ]+\n)+)", text, re.MULTILINE):
        digits = "".join(value.split())
        values[name] = bytes.fromhex(digits.zfill(len(digits) + len(digits) % 2))
        if name == "Encryption":
            numbers = (values[x] for x in ("Modulus", "Public exponent", "Exponent"))
            yield RsaKey(*(int.from_bytes(number, "big") for number in numbers)), dict(values)
