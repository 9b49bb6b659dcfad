"""Options of commands that read or run what somebody else wrote."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from rsaxcel.store.errors import UserError


def confinement_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--as-user`` and ``--trust-hand-ins``; the command gets ``confinement``."""

    @click.option(
        "--as-user",
        is_flag=True,
        help="Where namespaces are refused: confine by another uid, as root.",
    )
    @click.option(
        "--trust-hand-ins", is_flag=True, help="Do not confine: hand-ins get all your rights."
    )
    @wraps(command)
    def confined(*arguments: Any, as_user: bool, trust_hand_ins: bool, **options: Any) -> Any:
        from rsaxcel.course.rank import sandbox

        if as_user and trust_hand_ins:
            raise UserError("--as-user and --trust-hand-ins exclude each other")
        chosen = sandbox.BY_USER if as_user else sandbox.BY_BUBBLEWRAP
        confinement = sandbox.TRUSTED if trust_hand_ins else chosen
        return command(*arguments, confinement=confinement, **options)

    return confined
