"""How a measurement fails, and what is told of it."""

from collections.abc import Sequence
from dataclasses import dataclass

_NAMED = 3


class MeasureError(Exception):
    """Something can't be measured, or its figures contradict each other."""


class SetupFailure(MeasureError):  # noqa: N818
    """A tool is missing or a folder can't be written."""


@dataclass(frozen=True)
class Failure:
    """Why something has no figures.

    Parameters
    ----------
    name : str
        Of the job.
    message : str
        The reason in a line.
    setup : bool
        Whether a missing tool or a folder is to blame.
    told : str
        The reason as people read it: of a mistake in a circuit with its statement, in four lines.
    """

    name: str
    message: str
    setup: bool = False
    told: str = ""


def one_line(error: Exception) -> str:
    """Give an error's message, or its kind if it has none."""
    return " ".join(str(error).split()) or type(error).__name__


def some(names: Sequence[str]) -> str:
    """Name the first ones of many, and say how many others there are."""
    others = len(names) - _NAMED
    if others <= 1:
        return ", ".join(names)
    return f"{', '.join(names[:_NAMED])} and {others} others"
