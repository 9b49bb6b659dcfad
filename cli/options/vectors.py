"""Options that choose the vectors of a command, and functions that make these vectors."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TextIO

import click

from rsaxcel.catalog import Configuration
from rsaxcel.circuit import Circuit
from rsaxcel.cli.keys import ACTIONS, RsaKey, check_fit, read_key
from rsaxcel.cli.options.common import gathered, refused_option, together
from rsaxcel.cli.options.plain import excludes, file_option, only_with, random_option, seed_option
from rsaxcel.eval.facts.fact import OPERATIONS
from rsaxcel.fl.blinded_key import UNVARIED, Variation
from rsaxcel.sim.operations import PUBLIC, Operation, PowerOfHalves, fits, prime_too_wide
from rsaxcel.sim.vectors import (
    NO_PRIMES,
    Chosen,
    KeyPair,
    Vector,
    blinded_vectors,
    key_vectors,
    random_vectors,
    read_vectors,
)
from rsaxcel.store.errors import UserError

#: Number of random vectors if ``--random`` is not given.
DEFAULT_COUNT = 10


@dataclass(frozen=True)
class VectorSource:
    """Values of the options that choose vectors; None: the option is not given."""

    file: TextIO | None  #: vectors as JSON lines
    #: number of random vectors
    count: int | None
    seed: int | None
    key: Path | None  #: file of the key that all vectors use
    #: which exponent of the key is used, one of ``OPERATIONS``; None: the private one, or the
    #: public one if the key is public
    operation: str | None
    variation: Variation = UNVARIED  #: variation of the key's moduli
    #: whether the command reduces results modulo ``n`` if a line has ``n`` (``sim.vectors.Vector``)
    reduces: bool = False
    known_key: RsaKey | None = None  #: the key, if its file was read before

    @cached_property
    def used_key(self) -> RsaKey | None:
        """Key that all vectors use, which is read once; None without one."""
        if self.key is None or self.known_key:
            return self.known_key
        return read_key(self.key)

    @property
    def secret(self) -> bool:
        """Whether the vectors have numbers of a private key."""
        return self.used_key is not None and self.used_key.d is not None


operation_option = click.option(
    "--operation",
    type=click.Choice(OPERATIONS),
    help="Exponent of the key: private (decrypt) or public (encrypt).  [default: decrypt, or "
    "encrypt if the key is public]",
)


#: Options of ``vector_options``.
VECTOR_OPTIONS = ("--vectors", "--random", "--seed", "--key", "--operation")


def vector_options(count: int = DEFAULT_COUNT) -> Callable[..., Any]:
    """Return a decorator that adds --vectors, --random, --seed, --key and --operation.

    The command gets them as ``source``. ``count`` is the number of random vectors unless given.
    """
    return together(
        click.option(
            "--vectors",
            "file",
            type=click.File(encoding="utf-8-sig"),
            metavar="FILE",
            help="JSON lines to run; - is standard input.",
        ),
        random_option(
            f"Number of random vectors to run.  [default: {count}, unless --vectors is given]", None
        ),
        seed_option("Seed of the random vectors.  [default: 0]", None),
        file_option(
            "--key",
            "RSA key for all vectors. Random vectors are then bases, and the vectors of a file "
            "need only a base.",
            exists=False,
        ),
        operation_option,
        excludes("--vectors", "--random", "--seed"),
        only_with(("--operation",), "--key"),
        gathered("source", VectorSource, "file", "count", "seed", "key", "operation"),
    )


def choose_vectors(
    to_do: Operation,
    nbits: int,
    source: VectorSource,
    default_count: int = DEFAULT_COUNT,
    configuration: Circuit | None = None,
) -> Chosen:
    """Read vectors from a file, or draw random ones, for operands of ``nbits`` bits."""
    file, seed, variation = source.file, source.seed, source.variation
    if variation and (source.key is None or file is not None):
        raise UserError(f"{refused_option(variation)}: goes with --key and random bases")
    given = _given(to_do, nbits, source, configuration)
    if file is not None:
        listed = _read(file, to_do, given, source.reduces)
        return Chosen(listed, len(listed), file.name, None)
    count = default_count if source.count is None else source.count
    seed = seed or 0
    origin = f"random, seed {seed}"
    if variation:
        vectors = _varied(to_do, count, seed, source)
        return Chosen(vectors, count, f"{origin}, key {source.key}, {variation}", seed)
    if given:
        drawn = key_vectors(count, seed, to_do, given)
        return Chosen(drawn, count, f"{origin}, key {source.key}", seed)
    return Chosen(random_vectors(count, seed, nbits, to_do), count, origin, seed)


def _given(
    to_do: Operation, nbits: int, source: VectorSource, configuration: Circuit | None
) -> Mapping[str, int]:
    """Return the operands that the key gives to all vectors, by name; empty without a key.

    The operands are exponent and modulus; for a design by the primes (CRT), the two primes, an
    exponent for each prime, and the public exponent if the design checks the result.
    """
    if source.key is None:
        return {}
    if "base" not in to_do.keys:
        raise UserError(f"--key {source.key}: a multiplier has no exponent; give a design")
    key, public, exponent = _used_key(source)
    if isinstance(configuration, Configuration):
        action = ACTIONS["encrypt" if public else "decrypt"]
        check_fit(configuration, key, action, str(source.key), source.variation)
    elif key.nbits > nbits:
        raise UserError(f"{source.key}: a key of {key.nbits} bits; up to {nbits} are allowed")
    if "exp" in to_do.keys:
        return {"exp": exponent, "n": key.n}
    halves = key.halves(exponent)
    if halves is None:
        raise UserError(f"{source.key}: {NO_PRIMES}")
    if isinstance(to_do, PowerOfHalves) and not fits(halves[:2], to_do.halves):
        raise UserError(f"{source.key}: {prime_too_wide(halves[:2], to_do.halves)}")
    values = dict(zip(("p", "q", "dp", "dq"), halves, strict=True))
    return values | ({PUBLIC: key.e} if PUBLIC in to_do.keys else {})


def _used_key(source: VectorSource) -> tuple[RsaKey, bool, int]:
    """Return the key, whether its public exponent is used, and the exponent."""
    key = source.used_key
    assert key is not None
    public = source.operation == "encrypt" or (not source.operation and key.d is None)
    exponent = key.e if public else key.d
    if exponent is None:
        raise UserError(f"{source.key}: a public key allows --operation encrypt only")
    return key, public, exponent


def _varied(to_do: Operation, count: int, seed: int, source: VectorSource) -> list[Vector]:
    """Draw vectors of a key that fits, with moduli that vary."""
    key, public, exponent = _used_key(source)
    assert key.primes is not None
    pair = KeyPair(*key.primes, key.e, exponent, public)
    try:
        return list(blinded_vectors(count, seed, to_do, pair, source.variation))
    except ValueError as error:
        raise UserError(f"{refused_option(source.variation)}: {error}") from error


def _read(file: TextIO, to_do: Operation, given: Mapping[str, int], reduces: bool) -> list[Vector]:
    try:
        return read_vectors(file.name, file, to_do, given, _tell, reduces)
    except UnicodeDecodeError as error:
        raise UserError(f"{file.name}: not UTF-8 text: {error.reason}") from error
    except OSError as error:
        raise UserError(f"{file.name}: {error.strerror}") from error


def _tell(line: str) -> None:
    click.echo(f"rsaxcel: {line}", err=True)
