"""Options of commands that read or run files that somebody else wrote."""

import click

from rsaxcel.cli.options.common import gathered, together
from rsaxcel.store.errors import UserError


def _confinement(as_user: bool, trusts: bool) -> str:
    from rsaxcel.course.rank import sandbox

    if as_user and trusts:
        raise UserError("--as-user and --trust-hand-ins exclude each other")
    if trusts:
        return sandbox.TRUSTED
    return sandbox.BY_USER if as_user else sandbox.BY_BUBBLEWRAP


confinement_options = together(
    click.option(
        "--as-user",
        is_flag=True,
        help="Where namespaces are refused: confine by another uid, as root.",
    ),
    click.option(
        "--trust-hand-ins", is_flag=True, help="Do not confine: hand-ins get all your rights."
    ),
    gathered("confinement", _confinement, "as_user", "trust_hand_ins"),
)
"""Adds --as-user and --trust-hand-ins to a command, which gets ``confinement``."""
