"""How commands fail: one line on standard error and an exit status."""

import click


class UserError(click.ClickException):
    """Bad input, a missing tool or a folder that can't be written: exit status 2."""

    exit_code = 2


class RunError(click.ClickException):
    """The run itself failed, such as a simulation that never ends: exit status 1."""

    exit_code = 1
