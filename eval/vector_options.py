"""Options that say which vectors a command runs, and the vectors themselves."""

from collections.abc import Iterable
from typing import NamedTuple, TextIO

import click

from eval.errors import UserError
from eval.operations import Operation
from eval.options import together
from eval.vectors import Vector, VectorError, random_vectors, read_vectors


class Chosen(NamedTuple):
    """Vectors in order, their number, where they are from, and the seed of random ones."""

    vectors: Iterable[Vector]
    total: int
    origin: str
    seed: int | None


vector_options = together(
    click.option(
        "--vectors",
        "file",
        type=click.File(encoding="utf-8-sig"),
        metavar="FILE",
        help="JSON lines to run; - is standard input.",
    ),
    click.option(
        "--random",
        "count",
        type=click.IntRange(min=1),
        metavar="K",
        help="Number of random vectors to run instead.",
    ),
    click.option("--seed", type=int, metavar="S", help="Seed of the random vectors.  [default: 0]"),
)
"""Adds --vectors, --random and --seed to a command, as ``file``, ``count`` and ``seed``."""


def choose_vectors(
    to_do: Operation, nbits: int, file: TextIO | None, count: int | None, seed: int | None
) -> Chosen:
    """Read the vectors of a file, or draw ``count`` for operands of ``nbits`` bits.

    Raises
    ------
    UserError
        If neither or both are asked for, and for a malformed line.
    """
    if (file is None) == (count is None):
        raise UserError("give either --vectors FILE or --random K")
    if seed is not None and count is None:
        raise UserError("--seed goes with --random")
    if file is not None:
        listed = _read(file, to_do)
        return Chosen(listed, len(listed), file.name, None)
    assert count is not None
    seed = seed or 0
    drawn = random_vectors(count, seed, nbits, to_do)
    return Chosen(drawn, count, f"random, seed {seed}", seed)


def _read(file: TextIO, to_do: Operation) -> list[Vector]:
    try:
        return read_vectors(file.name, file, to_do)
    except VectorError as error:
        raise UserError(str(error)) from error
    except UnicodeDecodeError as error:
        raise UserError(f"{file.name}: not UTF-8 text: {error.reason}") from error
    except OSError as error:
        raise UserError(f"{file.name}: {error.strerror}") from error
