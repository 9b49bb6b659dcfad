"""Options that choose the padding of ``rsaxcel crypt``, and the parameters of OAEP."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from fl.oaep import HASHES, Oaep
from rsaxcel.commands.options.common import together
from store.errors import UserError

_OAEP = "oaep"


def _parameters(command: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(command)
    def called(
        *args: Any,
        padding: str,
        hash_name: str | None,
        mask_hash_name: str | None,
        label: str | None,
        **options: Any,
    ) -> Any:
        given = {"--hash": hash_name, "--mgf-hash": mask_hash_name, "--label": label}
        if padding == _OAEP:
            name = hash_name or Oaep().hash_name
            oaep = Oaep(name, mask_hash_name or "", (label or "").encode())
            return command(*args, oaep=oaep, **options)
        for option, value in given.items():
            if value is not None:
                raise UserError(f"{option} goes with --padding {_OAEP}")
        return command(*args, oaep=None, **options)

    return called


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
    _parameters,
)
"""Adds --padding, --hash, --mgf-hash and --label to a command, as ``oaep``: None for PKCS#1."""
