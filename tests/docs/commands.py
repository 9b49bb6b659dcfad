"""Runs the commands on documentation pages: finds fenced blocks, and runs them like a reader.

A page is a session: its blocks run in order in one copy of the tree. The current folder, exported
variables and files pass from a block to the next one.

- ``sh``: a script.
- ``console``: lines that begin with ``$`` are commands, other lines are their standard output. A
  line ``...`` stands for any number of lines. Lines of standard error are optional.
- any other language with ``title="FILE"``: the reader writes that file.

A comment before a block, ``<!-- commands: ... -->``, has marks, separated by commas: ``slow`` (runs
in ``make test-all`` only; quick blocks must not depend on it), ``exit status N``, ``needs TOOL`` or
``needs TOOL=VERSION`` (skipped if the tool is missing, or has another version), or
``not run: REASON``.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rsaxcel.store.folders import cache_root

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(r"( *)(`{3,})(\w*) *(.*)")
_TITLE = re.compile(r'title="([^"]+)"')
_COMMENT = re.compile(r" *<!-- commands: (.*) -->")
_MARK = re.compile(r"slow|exit status \d+|needs \S+")
_NOT_RUN = "not run: "
#: Folders of results in ``build``, which slow sessions share with this tree.
_MEASURED = ("flow", "fpga", "measurements")
_STATE = """
cd "$(cat "$SESSION/folder")"
if [ -e "$SESSION/variables" ]; then . "$SESSION/variables"; fi
trap 'export -p > "$SESSION/variables"; pwd > "$SESSION/folder"' EXIT
"""


class PageError(AssertionError):
    """A page has a malformed block, or a command does not do what the page shows."""


def _is_there(needed: str) -> bool:
    name, _, version = needed.partition("=")
    if not version or not shutil.which(name):
        return bool(shutil.which(name))
    told = subprocess.run([name, "--version"], capture_output=True, text=True, check=False).stdout
    return f" {version}." in told


@dataclass(frozen=True)
class Block:
    """A fenced block: commands, a file to write, or something to read.

    Parameters
    ----------
    page : Path
        File of the page.
    line : int
        Number of the first line of ``text``.
    language : str
        ``sh``, ``console``, or another language; may be empty.
    text : str
        Content of the block.
    title : str
        Name of the file to write; empty: the block is no file.
    marks : tuple of str
        Marks in the comment before the block.
    """

    page: Path
    line: int
    language: str
    text: str
    title: str = ""
    marks: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Page and line, for messages."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    @property
    def followed(self) -> bool:
        """Whether the block has commands to run or a file to write."""
        return bool(self.title) or self.language in ("sh", "console")

    @property
    def slow(self) -> bool:
        """Whether only ``make test-all`` runs the block."""
        return "slow" in self.marks

    @property
    def left_out(self) -> str:
        """Reason why the block is not run; empty: it is run."""
        for mark in self.marks:
            if mark.startswith(_NOT_RUN):
                return mark.removeprefix(_NOT_RUN)
            if mark.startswith("needs ") and not _is_there(mark.removeprefix("needs ")):
                return f"no {mark.removeprefix('needs ')}"
        return ""

    @property
    def status(self) -> int:
        """Expected exit status of each command of the block."""
        given = [m.removeprefix("exit status ") for m in self.marks if m.startswith("exit")]
        return int(given[0]) if given else 0

    @property
    def commands(self) -> list[tuple[str, list[str]]]:
        """Commands, each with the lines of output that the page shows."""
        if self.language == "sh":
            return [(self.text, ["..."])]
        found: list[tuple[str, list[str]]] = []
        open_command = False
        for line in self.text.splitlines():
            if open_command:
                found[-1] = (f"{found[-1][0]}\n{line}", [])
            elif line.startswith("$ "):
                found.append((line.removeprefix("$ "), []))
            elif found:
                found[-1][1].append(line)
            else:
                raise PageError(f"{self.place}: output before the first command")
            open_command = (open_command or line.startswith("$ ")) and line.endswith("\\")
        return found


def pages() -> list[Path]:
    """README and the pages of the documentation."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: Path) -> list[Block]:
    """Fenced blocks of a page.

    Raises
    ------
    PageError
        If a mark is unknown, a comment has no block of commands, or a fence is not closed.
    """
    found = []
    lines = iter(enumerate(page.read_text(encoding="utf-8").splitlines(), 1))
    marks: tuple[str, ...] = ()
    for number, line in lines:
        if comment := _COMMENT.fullmatch(line):
            marks = _marks(comment[1], f"{page.name}:{number}")
        elif fence := _FENCE.fullmatch(line):
            indent, ticks, language, rest = fence.groups()
            title = match[1] if (match := _TITLE.search(rest)) else ""
            text = _body(lines, indent, ticks, f"{page.name}:{number}")
            found.append(Block(page, number + 1, language, text, title, marks))
            if marks and not found[-1].followed:
                raise PageError(f"{found[-1].place}: a comment on commands, and no commands")
            marks = ()
        elif marks and line:
            raise PageError(f"{page.name}:{number}: no block behind the comment on commands")
    return found


def _marks(comment: str, place: str) -> tuple[str, ...]:
    if comment.startswith(_NOT_RUN) and comment != _NOT_RUN:
        return (comment,)
    marks = tuple(comment.split(", "))
    for mark in marks:
        if not _MARK.fullmatch(mark):
            raise PageError(f"{place}: {mark!r}: slow, exit status N, needs TOOL, not run: REASON")
    return marks


def _body(lines: Iterator[tuple[int, str]], indent: str, ticks: str, place: str) -> str:
    taken = []
    for _, line in lines:
        if line.strip() == ticks:
            return "".join(f"{x.removeprefix(indent)}\n" for x in taken)
        taken.append(line)
    raise PageError(f"{place}: the fence is never closed")


class Session:
    """A reader's session, in a copy of the tree.

    Parameters
    ----------
    folder : Path
        New folder for the copy.
    measured : bool
        Whether the session uses the results that were measured in this tree.
    """

    def __init__(self, folder: Path, *, measured: bool = False) -> None:
        self.tree = folder / "rsaxcel"
        self._notes = folder / "session"
        self._notes.mkdir(parents=True)
        hidden = shutil.ignore_patterns("build", ".*", "__pycache__", "*.egg-info")
        shutil.copytree(ROOT, self.tree, ignore=hidden)
        self._given = self._files()
        build = self.tree / "build"
        build.mkdir()
        for name in _MEASURED:
            if measured and (ROOT / "build" / name).is_dir():
                (build / name).symlink_to(ROOT / "build" / name)
        (self._notes / "folder").write_text(f"{self.tree}\n")

    def follow(self, block: Block) -> None:
        """Write the file of a block, or run its commands.

        Raises
        ------
        PageError
            If a command has another exit status, or prints other text, than the page shows.
        """
        if block.title:
            path = Path((self._notes / "folder").read_text().strip(), block.title)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
            return
        for command, shown in block.commands:
            done = subprocess.run(
                ["bash", "-ec", f"{_STATE}{command}"],
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
            )
            said = f"{block.place}: {command}\n{done.stdout}{done.stderr}"
            if done.returncode != block.status:
                raise PageError(f"exit status {done.returncode}: {said}")
            errors = done.stderr.splitlines()
            expected = [line for line in shown if line not in errors]
            if not _agrees(expected, done.stdout.splitlines()):
                raise PageError(f"prints something else: {said}")

    def changed(self) -> list[str]:
        """Names of the files of the copy that were changed or removed."""
        now = self._files()
        return sorted(name for name in self._given if now.get(name) != self._given[name])

    def _files(self) -> dict[str, bytes]:
        """Contents of the files of the copy by name, without build output."""
        found = (path for path in self.tree.rglob("*") if path.is_file())
        names = ((path.relative_to(self.tree).as_posix(), path) for path in found)
        return {
            name: path.read_bytes()
            for name, path in names
            if not name.startswith("build/") and "__pycache__" not in name
        }

    def _environment(self) -> dict[str, str]:
        """Variables of a reader who uses the copy; compiled circuits are shared with this tree."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "RSAXCEL"))}
        return kept | {
            "PYTHONPATH": str(self.tree.parent),
            "RSAXCEL_CACHE": str(cache_root()),
            "SESSION": str(self._notes),
            "PYTHONDONTWRITEBYTECODE": "1",
        }


def _agrees(shown: list[str], printed: list[str]) -> bool:
    """Whether the printed lines match the shown ones; ``...`` matches any number of lines."""
    parts = ["(?:.*\n)*" if line == "..." else re.escape(f"{line}\n") for line in shown]
    text = "".join(f"{line}\n" for line in printed)
    return re.fullmatch("".join(parts), text) is not None
