"""Options that several commands share, and that need no design: `doctor` works without PyMTL3."""

from collections.abc import Callable
from typing import Any

import click

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def seed_option(text: str, default: int | None = 0, most: int | None = None) -> Decorator:
    """Return a decorator that adds --seed, with its help."""
    given: dict[str, Any] = {"default": default, "show_default": default is not None}
    return click.option("--seed", type=click.IntRange(0, most), metavar="S", help=text, **given)


def random_option(text: str, default: int | None, most: int | None = None) -> Decorator:
    """Return a decorator that adds --random, as ``count``, with its help."""
    given: dict[str, Any] = {"default": default, "show_default": default is not None}
    kind = click.IntRange(1, most)
    return click.option("--random", "count", type=kind, metavar="K", help=text, **given)


def json_option(text: str = "One JSON object, nothing else.") -> Decorator:
    """Return a decorator that adds --json, as ``as_json``, with its help."""
    return click.option("--json", "as_json", is_flag=True, help=text)
