"""Which tests reach a source file, the cheapest first."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import log2
from pathlib import Path

from store.code import closure
from tools.mutants.draw import MODELS
from tools.mutants.executed import Use, building

TESTS = ("tests/test_*.py", "tests/cl", "tests/rtl", "tests/xcel", "tests/axi", "tests/proc")
"""Tests of circuits and models. Those of the flow and of commands need minutes for a design."""

NO_TESTS = ("test_imports.py", "test_wheel.py", "test_setup.py", "test_interface.py")
"""Tests among these that run no circuit, or none but the ones of other tests."""

FUNCTIONAL = "fl"
"""The level that no fault reaches."""

ABOUT = {"tests/xcel": "rtl/xcel/", "tests/axi": "rtl/axi/", "tests/proc": "proc/pipeline/"}
"""Folders of tests to what all of them are about."""

WITHIN = {"tests/xcel": ("proc_",), "tests/axi": ("axi_",), "tests/proc": ("proc_", "axi_")}
"""Folders of tests to how systems begin whose parts, less the exponentiator's, all of them use."""

# The names of configurations: entry, width in bits, parameters.
_CONFIGURED = re.compile(r"([a-z]\w*?)_(\d+)(?:_|$)")
_RESETS = re.compile("reset|power_up")

_COMPOSED = "tests/compositions.py"
_LEAST, _SMALL, _WIDE = 8, 16, 64
# Seconds of an id among the measured ones of two idle cores, by what it says of itself.
_PLAIN, _COMPILED = 0.1, 1.0
_PYMTL = {_LEAST: 0.3, _SMALL: 0.6, _WIDE: 2.0}
_UNKNOWN, _WIDEST = 0.7, 5.0
# Tests that are about something else, and those of resets where one is at fault.
_ELSEWHERE_TURNS, _RESETS_GAIN = 8, 1.5
# Entries that have a fault's line in no circuit, or with another value of a parameter alone.
_LATER = 50
# What a test gains that is about the file or names what is in the line, and what the second with
# other parameters loses.
_ABOUT_GAIN, _WORD_GAIN, _REPETITION = 1.5, 2.0, 0.5


def collected(output: str) -> list[str]:
    """Ids of tests in what ``pytest --collect-only -q`` prints."""
    ids = [line for line in output.splitlines() if "::" in line and not line.startswith(" ")]
    return [x for x in ids if Path(x.partition("::")[0]).name not in NO_TESTS]


class Reach:
    """Finds the tests of a file.

    Parameters
    ----------
    root : Path
        Top of the tree.
    tests : sequence of str
        Ids of all tests.
    parts : mapping
        How each entry of the registry uses source files.
    """

    def __init__(
        self, root: Path, tests: Sequence[str], parts: Mapping[str, Mapping[str, Use]]
    ) -> None:
        self._root, self._tests, self._parts = root, tests, parts
        self._found: dict[tuple[str, ...], set[str]] = {}
        # As they are now: later there may be faults in them.
        files = {path for uses in parts.values() for path in uses}
        self._sources = {x: (root / x).read_text(encoding="utf-8") for x in files}

    def has(self, test: str) -> bool:
        """Whether a test of this id is there."""
        return test in self._tests

    def tests(self, path: str, line: int = 0, text: str = "", resets: bool = False) -> list[str]:
        """Ids of the tests that reach a file from the top of the tree; what costs least is first.

        Of entries that use the file alike, all but one come later; entries without the line in
        their circuits come after compositions. Tests whose ids have a name that stands in the
        line's text, such as an instruction's, come sooner; so do tests of resets with ``resets``.
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
        """Entries of the registry, and systems, that have a file among their parts."""
        return [name for name, files in self._parts.items() if path in files]

    def _turn(
        self, path: str, turns: Mapping[str, int], file: str, words: Collection[str]
    ) -> int | None:
        """How many entries with the file come before that of a test; None if it does not reach."""
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
        """Whether tests are about a file, or about its folder."""
        about = ABOUT.get(str(Path(file).parent))
        names = {Path(path).stem, Path(path).parent.name}
        return path.startswith(about) if about else Path(file).stem.removeprefix("test_") in names

    def _turns(self, path: str, line: int) -> dict[str, int]:
        """Entries that have the file among their parts, those with variants not yet seen first.

        Those that have the line with the defaults come before all others, and before those that
        have it with another value of a parameter.
        """
        using = {name: files[path] for name, files in self._parts.items() if path in files}
        # One of these is executed while a circuit is built that has the line.
        lines = building(self._sources[path], line) if line and using else set()
        first = {name for name, use in using.items() if not lines or lines & set(use.lines)}
        second = {name for name in using.keys() - first if lines & set(using[name].more)}
        if not first | second:  # of models nothing is executed while a circuit is built
            first = set(using) if path.startswith(f"{MODELS}/") else set()
        turns: dict[str, int] = {}
        for number, names in enumerate((first, second, using.keys() - first - second)):
            chosen = {name: set(using[name].variants.split()) for name in using if name in names}
            turns |= {x: i + number * _LATER for i, x in enumerate(self._by_variants(chosen))}
        return turns

    def _by_variants(self, left: dict[str, set[str]]) -> Iterator[str]:
        """Give entries with variants not yet seen first, then those with fewer parts."""
        seen: set[str] = set()
        while left:
            name = min(left, key=lambda x: (-bool(left[x] - seen), len(self._parts[x])))
            seen |= left.pop(name)
            yield name

    def _configures(self, file: str) -> bool:
        """Whether tests use the registry."""
        return "catalog/registry.py" in self._imported(file, "tests", "catalog", "proc")

    def _composes(self, file: str) -> bool:
        """Whether tests compose designs that are not in the registry."""
        return _COMPOSED in self._imported(file, "tests")

    def _imported(self, file: str, *folders: str) -> set[str]:
        """Files in folders that a file of tests imports, and what these import."""
        if (file, *folders) not in self._found:
            found = closure([self._root / file], [self._root / x for x in folders])
            self._found[file, *folders] = {x.relative_to(self._root).as_posix() for x in found}
        return self._found[file, *folders]


def _mixed(ranked: Sequence[tuple[float, int, str]]) -> Iterator[tuple[float, int, str]]:
    """Let a test with other parameters come later, so that tests of all kinds come soon."""
    times: Counter[str] = Counter()
    for rank, place, test in ranked:
        name = test.partition("[")[0]
        yield rank + _REPETITION * log2(1 + times[name]), place, test
        times[name] += 1


def words_of(label: str) -> list[str]:
    """Words in the parameters of a test's id; of a configuration's name, its parts, too."""
    words = re.findall(r"\w+", label.partition("[")[2])
    return words + [part for x in words if (m := _CONFIGURED.match(x)) for part in m.groups()]


def cost(label: str) -> float:
    """Rough seconds of a test, by the words in its id."""
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
