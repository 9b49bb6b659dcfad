"""Vectors of ``rsaxcel sim``: read from JSON lines, with a warning of unknown keys, or random."""

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from io import TextIOBase
from types import MappingProxyType
from typing import Any, NamedTuple, TextIO

from rsaxcel.fl.blinded_key import Variation, blinded_key
from rsaxcel.fl.keys import Key, seeded_key
from rsaxcel.fl.status import Status
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.operations import NUM_KEYS, PUBLIC, Operation, PowerOfHalves, expected_response
from rsaxcel.store.errors import UserError, nearest
from rsaxcel.store.shown import shorten

EXPECT = "expect"  #: key of a vector's expected result

#: Key of p*q, modulo which results are reduced if a design's moduli are multiples of p and q;
#: elsewhere, key of the modulus.
MODULUS = "n"

#: Keys that `rsaxcel sim --json` prints besides the operands and `expect`.
PRINTED = (
    "design",
    "nbits",
    "params",
    "level",
    "engine",
    "seed",
    "line",
    "status",
    "result",
    "match",
    "cycles",
    "load_cycles",
)

_SHOWN_KEYS = 8
_SHOWN = 40  #: characters of a key or a number in a message


class UnknownKeys:
    """Collects the unknown JSON keys in a file's vectors.

    With ``expect``, all keys that ``rsaxcel sim --json`` prints are known; without, ``result`` is
    taken for a mistyped ``expect``. ``found`` has a question about a similar key, or an empty text,
    for each.
    """

    def __init__(self, operands: Sequence[str]) -> None:
        self._operands = operands
        self.found: dict[str, str] = {}

    def look(self, vector: Mapping[str, Any]) -> None:
        printed = PRINTED if EXPECT in vector else ()
        unknown = vector.keys() - {*self._operands, EXPECT, *printed}
        for key in sorted(unknown - self.found.keys()):
            absent = [name for name in (*self._operands, EXPECT) if name not in vector]
            others = {"result": EXPECT} if EXPECT in absent else {}
            self.found[key] = nearest(key.lower(), absent, others)

    def __str__(self) -> str:
        """Return a line that names the unknown keys, those similar to a known key first."""
        ordered = sorted(self.found.items(), key=lambda item: not item[1])
        names = [f"{shorten(key, _SHOWN)!r}{meant}" for key, meant in ordered[:_SHOWN_KEYS]]
        if len(ordered) > _SHOWN_KEYS:
            names.append(f"{len(ordered) - _SHOWN_KEYS:,} more")
        what = "an unknown key is" if len(ordered) == 1 else "unknown keys are"
        return f"{what} ignored: {', '.join(names)}"


_REFUSED = "error"  #: value of `expect` for operands that the author regards as invalid
_HEX = re.compile(r"(?:0[xX])?([0-9a-fA-F]+)")
_MAX_DIGITS = 1 << 16  #: hex digits of an operand: 64 times those of the widest design
_MAX_LINE = 1 << 20
_MAX_WHOLE = 16 * _MAX_LINE
_MAX_LINES = 1 << 20
_CORNER_SHARE = 1 / 4

NO_PRIMES = "a public key; a design by the primes needs a private one"

PRIVATE_ONLY = "private operations only: the public exponent is there to check the result"


class VectorError(UserError):
    """A malformed vector; the message names the file, the line and the fault."""


@dataclass(frozen=True, slots=True)
class Vector:
    """Operands with their expected status and result.

    Parameters
    ----------
    line : int
        Line of the file, or number of the random vector, from 1.
    operands : tuple of int
        In the order of a request.
    status, result : Status, int
        By the input rules and Python's integers; the result is 0 unless the status is ok.
    expect : int or None
        Result in the file; None if the file has none, or if the status is not ok. A correct ``a*b
        mod n`` for a Montgomery multiplier becomes ``result``.
    modulus : int
        p q of a key whose primes divide the moduli (``fl.blinded_key``): results are reduced modulo
        it; 0: they are not.
    """

    line: int
    operands: Operands
    status: Status
    result: int
    expect: int | None = None
    modulus: int = 0

    @property
    def expected(self) -> int:
        """Expected result: from the file if the vector has one, else Python's."""
        return self.result if self.expect is None else self.expect

    def reduced(self, result: int) -> int:
        """Return the result of the operation from the circuit's result."""
        return result % self.modulus if self.modulus else result


class Chosen(NamedTuple):
    """Vectors in order, their number, and a text about their origin."""

    vectors: Iterable[Vector]
    total: int
    origin: str
    seed: int | None  #: seed of random vectors; None: not random


class KeyPair(NamedTuple):
    """Numbers of a key for ``blinded_vectors``: primes, exponents, and the choice of exponent."""

    p: int
    q: int
    e: int
    exponent: int
    public: bool


class _NotJsonError(VectorError):
    """A line that is not valid JSON."""


def read_vectors(
    name: str,
    lines: TextIO | Iterable[str],
    operation: Operation,
    given: Mapping[str, int] = MappingProxyType({}),
    tell: Callable[[str], object] = lambda line: None,
    reduces: bool = False,
) -> list[Vector]:
    """Read vectors from JSON lines; skip blank lines; ``VectorError`` for the first malformed one.

    A line may leave out ``given`` values, such as a key's; else its values must be equal. ``tell``
    gets messages about unknown keys and ignored results. ``reduces``: results of two halves are
    reduced modulo a line's ``n``. A line too long for a vector is not read to its end.
    """
    if isinstance(lines, TextIOBase):
        lines = iter(partial(lines.readline, _MAX_LINE + 1), "")
    reduces = reduces and isinstance(operation, PowerOfHalves)
    known = (*operation.keys, MODULUS) if reduces else operation.keys
    lines, vectors, unknown = iter(lines), [], UnknownKeys(known)
    ignored: list[Vector] = []
    for number, line in enumerate(lines, 1):
        if number > _MAX_LINES:
            raise VectorError(f"{name}: more than {_MAX_LINES:,} lines")
        if line.strip():
            try:
                record = _record(line)
                vectors.append(_read_vector(number, record, operation, given, reduces))
                unknown.look(record)
                if _ignores_result(vectors[-1], record):
                    ignored.append(vectors[-1])
            except _NotJsonError as error:
                whole = _whole_json(line, lines)
                raise VectorError(f"{name}:{number}: {whole or error}") from error
            except ValueError as error:
                raise VectorError(f"{name}:{number}: {error}") from error
    if not vectors:
        raise VectorError(f"{name}: no vectors in it")
    if unknown.found:
        tell(f"{name}: {unknown}")
    if ignored:
        first, *others = ignored
        also = f" (and {len(others)} more)" if others else ""
        tell(f"{name}:{first.line}: {first.status}; its {EXPECT} is ignored{also}")
    return vectors


def _ignores_result(vector: Vector, record: Mapping[str, Any]) -> bool:
    """Whether a result other than 0 is expected of operands that break an input rule."""
    expect = record.get(EXPECT)
    if vector.status is Status.OK or expect in (None, _REFUSED):
        return False
    return bool(str(expect).lower().removeprefix("0x").strip("0"))


def _record(line: str) -> dict[str, Any]:
    record = _parse(line)
    if not isinstance(record, dict):
        raise VectorError(f"not a JSON object: {_short(record)}")
    return record


def _read_vector(
    number: int,
    record: Mapping[str, Any],
    operation: Operation,
    given: Mapping[str, int],
    reduces: bool,
) -> Vector:
    required = [key for key in operation.keys if key not in operation.optional]
    missing = [key for key in required if key not in record and key not in given]
    if missing:
        raise VectorError(f"no {', '.join(map(repr, missing))}; a vector has {', '.join(required)}")
    found = {key: _hex(key, record[key]) for key in operation.keys if key in record}
    for key in found.keys() & given.keys():
        if found[key] != given[key]:
            raise VectorError(f"{key!r} is {_short(record[key])}, which is not the key's")
    values = operation.fill({**given, **found})
    operands = operation.operands(*(values[key] for key in operation.keys))
    modulus = _modulus(record, values) if reduces and MODULUS in record else 0
    status, expect = operation.status(operands), record.get(EXPECT)
    if status is not Status.OK:
        # Files of vectors differ in the results that they expect from operands that break an input
        # rule. Ignore these results: the expected status is that of the rule.
        return Vector(number, operands, status, 0, modulus=modulus)
    if reason := operation.undefined(operands):
        raise VectorError(reason)
    result = operation.result(operands)
    if modulus:
        result %= modulus
    if expect == _REFUSED:
        expect = None  # the vector's author has stricter rules; the design allows these operands
    if expect is not None:
        expect = _hex(EXPECT, expect)
        if not modulus and expect in operation.meanings(operands):
            expect = result
    return Vector(number, operands, status, result, expect, modulus)


def _modulus(record: Mapping[str, Any], values: Mapping[str, int]) -> int:
    """Return the modulus by which results of two halves are reduced."""
    modulus = _hex(MODULUS, record[MODULUS])
    if modulus < 1 or values["p"] * values["q"] % modulus:
        raise VectorError(f"{MODULUS!r} is {_short(record[MODULUS])}, which does not divide p*q")
    return modulus


def _parse(line: str) -> Any:
    if len(line) > _MAX_LINE:
        raise VectorError(f"more than {_MAX_LINE:,} characters")
    try:
        return json.loads(line, object_pairs_hook=_once, parse_int=_number)
    except (json.JSONDecodeError, RecursionError) as error:
        raise _NotJsonError(f"not JSON: {error}") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a dict of a JSON object's pairs; refuse a key that occurs more than once."""
    record = dict(pairs)
    if len(record) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise VectorError(f"{_short(twice)} is given {keys.count(twice)} times")
    return record


def _number(digits: str) -> int:
    """Convert only the first digits of a JSON number, enough to show it in an error message."""
    # Python refuses to convert integers of thousands of digits.
    return int(digits[: _SHOWN + 1])


def _whole_json(line: str, lines: Iterable[str]) -> str:
    """Return an error text if ``line`` and all later lines are one JSON array or object."""
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
    """Yield vectors that use one RSA key: the bases are 0, modulus - 1, then random numbers.

    ``given`` has all values but ``base`` and optional ones.
    """
    modulus = given["n"] if "n" in given else given["p"] * given["q"]
    for number, base in enumerate(_key_bases(count, seed, modulus), 1):
        operands = _filled(operation, {"base": base, **given})
        result, status = expected_response(operation, operands)
        yield Vector(number, operands, status, result)


def blinded_vectors(
    count: int, seed: int, operation: Operation, key: KeyPair, variation: Variation
) -> Iterator[Vector]:
    """Yield the vectors of ``key_vectors``, with moduli that vary.

    Results are the key's, by ``pow``.

    If the moduli are multiples of the primes, results are reduced modulo p q. ``ValueError`` if no
    random primes of their width suit the key.
    """
    modulus = key.p * key.q
    reduces = modulus if variation.factor_nbits else 0
    draw = random.Random(f"{modulus}/{seed}/moduli")
    for number, base in enumerate(_key_bases(count, seed, modulus), 1):
        blinded = blinded_key(key.p, key.q, key.e, variation, draw)
        numbers = (*blinded.moduli, *(blinded.public if key.public else blinded.private))
        values = dict(zip(("p", "q", "dp", "dq"), numbers, strict=True)) | {PUBLIC: key.e}
        operands = _filled(operation, {"base": base, **values})
        status = operation.status(operands)
        result = pow(base, key.exponent, modulus) if status is Status.OK else 0
        yield Vector(number, operands, status, result, modulus=reduces)


def _key_bases(count: int, seed: int, modulus: int) -> Iterator[int]:
    """Yield 0, modulus - 1, then random bases."""
    draw = random.Random(f"{modulus}/{seed}")
    for number in range(1, count + 1):
        yield {1: 0, 2: modulus - 1}.get(number, draw.randrange(modulus))


def _filled(operation: Operation, values: Mapping[str, int]) -> Operands:
    values = operation.fill(values)
    return operation.operands(*(values[key] for key in operation.keys))


def random_vectors(count: int, seed: int, nbits: int, operation: Operation) -> Iterator[Vector]:
    """Draw vectors; seed and width determine them, so that a longer draw starts with the same ones.

    Bit lengths are drawn first: short moduli and exponents (including 0) are as frequent as long
    ones. One vector in eight has the modulus, and in a power an exponent, of an RSA key of full
    width, if there is one. One in fifty breaks an input rule, one in four is a corner case
    (``sim.corners``). A constant modulus is in all vectors but some that break a rule.
    """
    draw, draw_corner = random.Random(f"{nbits}/{seed}"), random.Random(f"corners/{nbits}/{seed}")

    @cache
    def key(number: int) -> Key:
        # Made on first use: a key of 4096 bits takes seconds.
        return seeded_key(nbits, seed * NUM_KEYS + number)

    for number in range(1, count + 1):
        operands = operation.draw(draw, nbits, key)
        corner = operation.draw_corner(draw_corner, nbits)
        if draw_corner.random() < _CORNER_SHARE:
            operands = corner
        result, status = expected_response(operation, operands)
        yield Vector(number, operands, status, result)
