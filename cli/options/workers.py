"""Options of commands whose work is shared out among processes or machines."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from rsaxcel.cli.options.plain import Decorator
from rsaxcel.cli.options.rules import excludes


def worker_options() -> Decorator:
    """Return a decorator that adds --workers and --scheduler, as ``pool``."""

    def declare(command: Callable[..., Any]) -> Callable[..., Any]:
        @click.option(
            "--workers",
            type=click.IntRange(1, 1024),
            metavar="N",
            help="Number of parallel processes; one for each core unless given.",
        )
        @click.option(
            "--scheduler",
            default="",
            metavar="ADDRESS",
            help="Work on a Dask cluster instead, such as tls://127.0.0.1:8786.",
        )
        @excludes("--scheduler", "--workers")
        @wraps(command)
        def called(*args: Any, workers: int | None, scheduler: str, **options: Any) -> Any:
            from rsaxcel.eval.measure.job import Workers

            return command(*args, pool=Workers(scheduler, workers or 0), **options)

        return called

    return declare
