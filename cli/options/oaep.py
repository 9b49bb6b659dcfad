"""Options that choose the padding of ``rsaxcel crypt``, and the parameters of OAEP."""

import click

from rsaxcel.cli.number_errors import quoted
from rsaxcel.cli.options.common import gathered, together
from rsaxcel.cli.options.rules import excludes, only_with
from rsaxcel.fl.oaep import HASHES, Oaep
from rsaxcel.store.errors import UserError

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


oaep_options = together(
    click.option(
        "--padding",
        type=click.Choice(("pkcs1", _OAEP)),
        default="pkcs1",
        show_default=True,
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
"""Adds --padding, and the options of OAEP, to a command, as ``oaep``: None for PKCS#1."""
