"""Vectors of ``rsaxcel sim``: from a file of JSON lines, or random."""

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from io import TextIOBase
from types import MappingProxyType
from typing import Any, NamedTuple, TextIO

from fl.keys import Key, seeded_key
from fl.status import Status
from sim.operations import NUM_KEYS, Operands, Operation, expected_response
from sim.vector_keys import EXPECT, UnknownKeys

_REFUSED = "error"
"""What vectors expect of operands that their source refuses."""
_HEX = re.compile(r"(?:0[xX])?([0-9a-fA-F]+)")
_MAX_DIGITS = 1 << 16
"""Hex digits of an operand: 64 times those of the widest design."""
_MAX_LINE = 1 << 20
_MAX_WHOLE = 16 * _MAX_LINE
_SHOWN = 40
_CORNER_SHARE = 1 / 4

NO_PRIMES = "a public key; a design by the primes needs a private one"


class VectorError(ValueError):
    """A malformed vector; the message names file, line and what is wrong."""


@dataclass(frozen=True, slots=True)
class Vector:
    """Operands, and what is expected of them.

    Parameters
    ----------
    line : int
        Line of the file, or number of the random vector; both count from 1.
    operands : tuple of int
        In the order of the operation's keys.
    status : Status
        Status that the input rules give.
    result : int
        Result by Python; 0 unless the status is ok.
    expect : int or None
        Result that the vector itself expects, in the same terms, if the status is ok.
    """

    line: int
    operands: Operands
    status: Status
    result: int
    expect: int | None = None

    @property
    def expected(self) -> int:
        """What the vector expects, else what Python expects."""
        return self.result if self.expect is None else self.expect


class Chosen(NamedTuple):
    """Vectors in order, their number, where they are from, and the seed of random ones."""

    vectors: Iterable[Vector]
    total: int
    origin: str
    seed: int | None


class _NotJsonError(VectorError):
    """A line that is no JSON on its own."""


def read_vectors(
    name: str,
    lines: TextIO | Iterable[str],
    operation: Operation,
    given: Mapping[str, int] = MappingProxyType({}),
    tell: Callable[[str], object] = lambda line: None,
) -> list[Vector]:
    """Read JSON lines; blank ones are skipped.

    Of what is too long to be a vector, no more is read than it takes to know.

    Parameters
    ----------
    name : str
        Name of the file, for messages.
    lines : text file or iterable of str
        The lines.
    operation : Operation
        What the operands are for.
    given : mapping of str to int
        Operands that a line need not have, and must not have others of.
    tell : callable
        Called once with a line about the keys that nothing reads, if there are any.

    Raises
    ------
    VectorError
        For the first malformed line, or if there is no vector at all.
    """
    if isinstance(lines, TextIOBase):
        lines = iter(partial(lines.readline, _MAX_LINE + 1), "")
    lines, vectors, unknown = iter(lines), [], UnknownKeys(operation.keys)
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                record = _record(line)
                vectors.append(_read_vector(number, record, operation, given))
                unknown.look(record)
            except _NotJsonError as error:
                whole = _whole_json(line, lines)
                raise VectorError(f"{name}:{number}: {whole or error}") from error
            except VectorError as error:
                raise VectorError(f"{name}:{number}: {error}") from error
    if not vectors:
        raise VectorError(f"{name}: no vectors in it")
    if unknown.found:
        tell(f"{name}: {unknown}")
    return vectors


def _record(line: str) -> dict[str, Any]:
    record = _parse(line)
    if not isinstance(record, dict):
        raise VectorError(f"not a JSON object: {_short(record)}")
    return record


def _read_vector(
    number: int, record: Mapping[str, Any], operation: Operation, given: Mapping[str, int]
) -> Vector:
    missing = [key for key in operation.keys if key not in record and key not in given]
    if missing:
        raise VectorError(
            f"no {', '.join(map(repr, missing))}; a vector has {', '.join(operation.keys)}"
        )
    found = {key: _hex(key, record[key]) for key in operation.keys if key in record}
    for key in found.keys() & given.keys():
        if found[key] != given[key]:
            raise VectorError(f"{key!r} is {_short(record[key])}, which is not the key's")
    try:
        operands = operation.operands(*({**given, **found}[key] for key in operation.keys))
    except ValueError as error:
        raise VectorError(str(error)) from error
    status, expect = operation.status(operands), record.get(EXPECT)
    if status is not Status.OK:
        # Sources differ in what they expect then; the input rules alone decide.
        return Vector(number, operands, status, 0)
    if reason := operation.undefined(operands):
        raise VectorError(reason)
    result = operation.result(operands)
    if expect == _REFUSED:
        expect = None  # by rules of the source's own: here the operands are allowed
    if expect is not None:
        expect = _hex(EXPECT, expect)
        if expect in operation.meanings(operands):
            expect = result
    return Vector(number, operands, status, result, expect)


def _parse(line: str) -> Any:
    if len(line) > _MAX_LINE:
        raise VectorError(f"more than {_MAX_LINE:,} characters")
    try:
        return json.loads(line, object_pairs_hook=_once, parse_int=_number)
    except (json.JSONDecodeError, RecursionError) as error:
        raise _NotJsonError(f"not JSON: {error}") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Object of keys that are there once: of two, nobody knows which one is meant."""
    record = dict(pairs)
    if len(record) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise VectorError(f"{_short(twice)} is given {keys.count(twice)} times")
    return record


def _number(digits: str) -> int:
    """Read the beginning of an integer: none is an operand, and Python refuses long ones."""
    return int(digits[: _SHOWN + 1])


def _whole_json(line: str, lines: Iterable[str]) -> str:
    """Say what is wrong if not the line is JSON, but all from there on; nothing otherwise."""
    text, size = [line], len(line)
    for more in lines:
        text.append(more)
        size += len(more)
        if size > _MAX_WHOLE:
            return ""
    try:
        whole = json.loads("".join(text), parse_int=_number)
    except (ValueError, RecursionError):
        return ""
    for kind, what, query in ((list, "an array", ".[]"), (dict, "an object", ".")):
        if isinstance(whole, kind):
            return (
                f"{what} over several lines; a vector is an object on one line "
                f"(jq -c '{query}' FILE)"
            )
    return ""


def _hex(key: str, value: Any) -> int:
    match = _HEX.fullmatch(value) if isinstance(value, str) else None
    if not match:
        raise VectorError(f"{key!r} is {_short(value)}, not a string of hex digits")
    if (count := len(match[1])) > _MAX_DIGITS:
        raise VectorError(f"{key!r} has {count:,} hex digits; {_MAX_DIGITS:,} are allowed")
    return int(match[1], 16)


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def key_vectors(
    count: int, seed: int, operation: Operation, given: Mapping[str, int]
) -> Iterator[Vector]:
    """Draw bases below the modulus of a key, 0 and the largest one first.

    Parameters
    ----------
    count, seed : int
        How many, and what decides which.
    operation : Operation
        A power.
    given : mapping of str to int
        Values of the key, all but ``base``.
    """
    modulus = given["n"] if "n" in given else given["p"] * given["q"]
    draw = random.Random(f"{modulus}/{seed}")
    for number in range(1, count + 1):
        base = {1: 0, 2: modulus - 1}.get(number, draw.randrange(modulus))
        values = {"base": base, **given}
        operands = operation.operands(*(values[key] for key in operation.keys))
        result, status = expected_response(operation, operands)
        yield Vector(number, operands, status, result)


def random_vectors(count: int, seed: int, nbits: int, operation: Operation) -> Iterator[Vector]:
    """Draw vectors; those of one seed and width are the same, however many are drawn.

    Bit lengths are drawn first, so that short moduli and exponents (0 among them) are as frequent
    as long ones. One in eight has the modulus of an RSA key of full width, with one of its
    exponents if the operation is a power; widths below the shortest key's have none. One in fifty
    breaks an input rule. Where only one modulus is allowed, all others have that one. One in four
    is a corner instead (``sim.corners``).
    """
    draw, draw_corner = random.Random(f"{nbits}/{seed}"), random.Random(f"corners/{nbits}/{seed}")

    @cache
    def key(number: int) -> Key:
        # Made when it is first used: one of 4096 bits takes seconds.
        return seeded_key(nbits, seed * NUM_KEYS + number)

    for number in range(1, count + 1):
        operands = operation.draw(draw, nbits, key)
        corner = operation.draw_corner(draw_corner, nbits)
        if draw_corner.random() < _CORNER_SHARE:
            operands = corner
        result, status = expected_response(operation, operands)
        yield Vector(number, operands, status, result)
