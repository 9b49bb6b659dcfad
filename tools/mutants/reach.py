"""Finds the tests that reach a source file, and sorts them: cheap and promising tests come first.

The turn of a test is the place of its entry (a design, a multiplier or a system) among those that
use the file. The rank, lowest first, is an estimate of seconds, plus the logarithm of the turn,
minus a bonus if the test is likely to find the fault.
"""

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import log2
from pathlib import Path
from typing import NamedTuple

from rsaxcel.store.code import closure
from tools.mutants.sites import MODELS

#: Tests of circuits and models. Tests of the flow and of commands take minutes for a design.
TESTS = (
    "tests/levels",
    "tests/catalog/test_compositions.py",
    "tests/catalog/test_side_channels.py",
    "tests/cl",
    "tests/rtl",
    "tests/xcel",
    "tests/axi",
    "tests/proc",
)

#: Functional level. No faults are planted in its models, so its tests are left out.
FUNCTIONAL = "fl"

#: Folders of tests, each with the source folder that all tests in it are about.
ABOUT = {
    "tests/xcel": "rtl/xcel.py",
    "tests/axi": "rtl/axi/",
    "tests/proc": "proc/pipeline/",
    "tests/rtl/shells": "rtl/shells/",
}

#: folders whose tests all use the parts around the exponentiator of systems with these prefixes
WITHIN = {"tests/xcel": ("proc_",), "tests/axi": ("axi_",), "tests/proc": ("proc_", "axi_")}

#: Name of a configuration: entry, width in bits, parameters.
_CONFIGURED = re.compile(r"([a-z]\w*?)_(\d+)(?:_|$)")
_RESETS = re.compile("reset|power_up")

_COMPOSED = "tests/shared/compositions.py"
_LEAST, _SMALL, _WIDE = 8, 16, 64
#: Typical seconds of a test by the words in its id, measured on two idle cores.
_PLAIN, _COMPILED = 0.1, 1.0
_PYMTL = {_LEAST: 0.3, _SMALL: 0.6, _WIDE: 2.0}
_UNKNOWN, _WIDEST = 0.7, 5.0
#: _ELSEWHERE_TURNS is added to the turn of a test whose file imports the registry of designs, but
#: whose id names no entry that uses the changed file. _RESETS_GAIN is subtracted from the rank of a
#: test of resets if the fault is in reset logic.
_ELSEWHERE_TURNS, _RESETS_GAIN = 8, 4.0
#: Added to the turn of an entry whose circuit does not contain the fault's line with the default
#: values of its parameters, but contains it with another value. Twice this number is added if no
#: circuit of the entry contains the line.
_LATER = 50
#: _ABOUT_GAIN is subtracted from the rank of a test that is about the changed file, _WORD_GAIN from
#: the rank of a test whose id has a word of the fault's line. _REPETITION raises the rank of a test
#: that differs from an earlier test only in parameters.
_ABOUT_GAIN, _WORD_GAIN, _REPETITION = 1.5, 2.0, 0.5


def collected(output: str) -> list[str]:
    """Ids of the tests in the output of ``pytest --collect-only -q``."""
    return [line for line in output.splitlines() if "::" in line and not line.startswith(" ")]


class Use(NamedTuple):
    """Use of a source file by a design, multiplier or system (an entry)."""

    variants: str  #: classes with their arguments
    lines: list[int]  #: lines executed with default parameters
    more: list[int]  #: further lines, executed with another value of a parameter


class Reach:
    """Finds the tests that reach a source file; ``parts`` has the files of each entry."""

    def __init__(
        self, root: Path, tests: Sequence[str], parts: Mapping[str, Mapping[str, Use]]
    ) -> None:
        self._root, self._tests, self._parts = root, tests, parts
        self._found: dict[tuple[str, ...], set[str]] = {}
        # Read the files here, before faults are planted in them.
        files = {path for uses in parts.values() for path in uses}
        self._sources = {x: (root / x).read_text(encoding="utf-8") for x in files}

    def has(self, test: str) -> bool:
        return test in self._tests

    def tests(self, path: str, line: int = 0, text: str = "", resets: bool = False) -> list[str]:
        """List the ids of the tests that reach a file, in the order of their ranks.

        A test comes earlier if it takes less time, is about the file, or has a name from the
        fault's line in its id; if ``resets``, tests of resets. First come tests of entries whose
        circuits contain the line, then those of compositions, then all others.
        """
        turns = self._turns(path, line)
        meant = {word.lower() for word in re.findall(r"[A-Z]{2,}", text)}
        ranked = []
        for place, test in enumerate(self._tests):
            file, _, label = test.partition("::")
            words = words_of(label)
            turn = self._turn(path, turns, file, words)
            if turn is not None:
                gain = _RESETS_GAIN if resets and _RESETS.search(test) else 0.0
                gain += _ABOUT_GAIN * self._about(path, file)
                gain += _WORD_GAIN * bool(meant.intersection(words))
                ranked.append((cost(label) + log2(1 + turn) - gain, place, test))
        return [test for *_, test in sorted(_mixed(sorted(ranked)))]

    def entries(self, path: str) -> list[str]:
        """List the designs, multipliers and systems whose circuits or models use a file."""
        return [name for name, files in self._parts.items() if path in files]

    def _turn(
        self, path: str, turns: Mapping[str, int], file: str, words: Collection[str]
    ) -> int | None:
        """Return a test's turn by its file and its id's words; None: it does not reach ``path``."""
        if FUNCTIONAL in words:
            return None
        folder = str(Path(file).parent)
        if self._about(path, file):
            return 0
        if path in self._imported(file, "tests", "rtl", "cl"):
            return 0
        if MODELS in words and not path.startswith(f"{MODELS}/"):
            return None
        named = self._parts.keys() & words
        if named & turns.keys():
            return min(turns[name] for name in named & turns.keys())
        within = WITHIN.get(folder, ()) if path.startswith("rtl/") else ()
        systems = [turns[x] for x in turns if x.startswith(within)]
        if systems:
            return min(systems)
        if not self._configures(file) or (named and turns and not self._composes(file)):
            return None
        known = len(turns) or len(self._parts)
        least = sum(turn < _LATER for turn in turns.values())
        return least if self._composes(file) else known + _ELSEWHERE_TURNS

    def _about(self, path: str, file: str) -> bool:
        """Return whether a file of tests is about a source file or its folder."""
        about = ABOUT.get(str(Path(file).parent))
        names = {Path(path).stem, Path(path).parent.name}
        return path.startswith(about) if about else Path(file).stem.removeprefix("test_") in names

    def _turns(self, path: str, line: int) -> dict[str, int]:
        """Sort the entries that use a file; return their turns, the places in this order.

        Groups, each from a multiple of ``_LATER``: entries whose circuits contain the line with
        default parameters, those with another value of a parameter, all others.
        """
        using = {name: files[path] for name, files in self._parts.items() if path in files}
        # Building a circuit with the line executes at least one of these lines.
        lines = building(self._sources[path], line) if line and using else set()
        first = {name for name, use in using.items() if not lines or lines & set(use.lines)}
        second = {name for name in using.keys() - first if lines & set(using[name].more)}
        if not first | second:  # building a circuit executes no lines of models
            first = set(using) if path.startswith(f"{MODELS}/") else set()
        turns: dict[str, int] = {}
        for number, names in enumerate((first, second, using.keys() - first - second)):
            chosen = {name: set(using[name].variants.split()) for name in using if name in names}
            turns |= {x: i + number * _LATER for i, x in enumerate(self._by_variants(chosen))}
        return turns

    def _by_variants(self, left: dict[str, set[str]]) -> Iterator[str]:
        """Yield entries so that the first ones use the file in different ways (variants).

        The next entry has a variant that no earlier entry has; among several such entries, the one
        with fewest files.
        """
        seen: set[str] = set()
        while left:
            name = min(left, key=lambda x: (-bool(left[x] - seen), len(self._parts[x])))
            seen |= left.pop(name)
            yield name

    def _configures(self, file: str) -> bool:
        """Return whether a file of tests imports the registry of designs and multipliers."""
        return "catalog/registry.py" in self._imported(file, "tests", "catalog", "proc")

    def _composes(self, file: str) -> bool:
        """Return whether a file of tests composes designs that are not in the registry."""
        return _COMPOSED in self._imported(file, "tests")

    def _imported(self, file: str, *folders: str) -> set[str]:
        """Files of some folders that a file of tests imports, directly or indirectly."""
        if (file, *folders) not in self._found:
            found = closure([self._root / file], [self._root / x for x in folders])
            self._found[file, *folders] = {x.relative_to(self._root).as_posix() for x in found}
        return self._found[file, *folders]


def _mixed(ranked: Sequence[tuple[float, int, str]]) -> Iterator[tuple[float, int, str]]:
    """Raise the ranks of tests that differ from an earlier one only in parameters: others first."""
    times: Counter[str] = Counter()
    for rank, place, test in ranked:
        name = test.partition("[")[0]
        yield rank + _REPETITION * log2(1 + times[name]), place, test
        times[name] += 1


def words_of(label: str) -> list[str]:
    """Words in the parameters of a test's id, including the parts of a configuration's name."""
    words = re.findall(r"\w+", label.partition("[")[2])
    return words + [part for x in words if (m := _CONFIGURED.match(x)) for part in m.groups()]


def cost(label: str) -> float:
    """Rough estimate of a test's seconds, by the words in its id."""
    words = words_of(label)
    numbers = [int(word) for word in words if word.isdigit()]
    nbits = max(numbers, default=0)
    if MODELS in words:
        return _PLAIN
    if nbits > _WIDE:
        return _WIDEST
    if "pymtl" in words:
        return next(seconds for width, seconds in _PYMTL.items() if nbits <= width)
    return _COMPILED if numbers or "native" in words else _UNKNOWN


def building(source: str, line: int) -> set[int]:
    """Return lines of which at least one is executed when a circuit with a given line is built.

    For a line in an update block, these are its decorators and ``def``, because building a circuit
    does not execute the block's body; for any other line, the innermost statement around it.
    """
    around = [x for x in ast.walk(ast.parse(source)) if isinstance(x, ast.stmt) and _has(x, line)]
    if not around:
        return set()
    around.sort(key=_first)
    functions = [x for x in around if isinstance(x, ast.FunctionDef)]
    built = functions[1] if len(functions) > 1 else around[-1]
    body = getattr(built, "body", None)
    return set(range(_first(built), body[0].lineno if body else _last(built) + 1))


def _first(statement: ast.stmt) -> int:
    return min([statement.lineno, *(x.lineno for x in getattr(statement, "decorator_list", ()))])


def _last(statement: ast.stmt) -> int:
    return statement.end_lineno or statement.lineno


def _has(statement: ast.stmt, line: int) -> bool:
    return _first(statement) <= line <= _last(statement)
