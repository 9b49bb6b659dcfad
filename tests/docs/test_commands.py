"""Every command that a page shows does what the page says."""

import re
import shlex

import pytest

from rsaxcel.cli.main import cli
from tests.docs.commands import ROOT, Block, PageError, Session, blocks, pages
from tests.shared.tables import each_row

ALL = {page.relative_to(ROOT).as_posix(): blocks(page) for page in pages()}
BLOCKS = {name: [block for block in found if block.followed] for name, found in ALL.items()}
QUICK = [
    n for n, found in BLOCKS.items() if any(not (b.slow or b.title or b.left_out) for b in found)
]
SLOW = [name for name, found in BLOCKS.items() if any(b.slow for b in found)]
COMMAND = re.compile(r"^ *(\$|make|rsaxcel|pytest|python|mkdir|export) ", re.MULTILINE)
INLINE = re.compile(r"`(rsaxcel [a-z][^`]*)`")


def follow(found: list[Block], session: Session) -> None:
    for block in found:
        if not block.left_out:
            session.follow(block)
    assert session.changed() == []


@pytest.mark.parametrize("name", QUICK)
def test_quick_commands(name, tmp_path):
    follow([block for block in BLOCKS[name] if not block.slow], Session(tmp_path / "reader"))


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", SLOW)
def test_all_commands(name, tmp_path):
    follow(BLOCKS[name], Session(tmp_path / "reader", measured=True))


@pytest.mark.parametrize("name", BLOCKS)
def test_commands_in_the_text_are_there(name):
    """Names and options of commands within sentences exist; they are not run."""
    text = (ROOT / name).read_text(encoding="utf-8")
    for command in INLINE.findall(text):
        words = command.replace("...", "").split()[1:]
        known = cli.get_command(None, words[0])
        assert known, command
        options = {opt for parameter in known.params for opt in parameter.opts} | {"--help"}
        asked = {word.partition("=")[0] for word in words if word.startswith("--")}
        assert asked <= options, command


@pytest.mark.parametrize("name", BLOCKS)
def test_commands_are_marked_as_such(name):
    """Only blocks that are run contain commands."""
    for block in ALL[name]:
        if not block.followed:
            assert not COMMAND.search(block.text), block.place


@pytest.fixture
def page(tmp_path, monkeypatch):
    """Return a function that writes a page and gives its blocks."""
    root = tmp_path / "root"
    root.mkdir()
    (root / "here").touch()
    monkeypatch.setattr("tests.docs.commands.ROOT", root)

    def write(text: str) -> list[Block]:
        path = root / "page.md"
        path.write_text(text, encoding="utf-8")
        return blocks(path)

    return write


def test_a_page_is_a_session(page, tmp_path):
    """Folder, variables and files of a block pass to the next block."""
    found = page(
        "```sh\nmkdir deep; cd deep; export X='a b'\n```\n"
        '- in a list\n   ```python title="x.py"\n   print(7)\n   ```\n'
        "```console\n$ echo $X; cat \\\n  x.py; echo late >&2\na b\n...\nlate\n```\n"
    )
    assert [block.title for block in found] == ["", "x.py", ""]
    session = Session(tmp_path / "reader")
    for block in found:
        session.follow(block)
    assert (session.tree / "deep" / "x.py").read_text() == "print(7)\n"
    assert session.changed() == []
    (session.tree / "here").write_text("touched")
    assert session.changed() == ["here"]


@each_row(__file__, "otherwise", "text", "said")
def test_what_a_command_does_otherwise_is_found(page, tmp_path, text, said):
    (block,) = page(text)
    with pytest.raises(PageError, match=re.escape(said)):
        Session(tmp_path / "reader").follow(block)


@each_row(__file__, "refused", "text", "said")
def test_a_page_that_cannot_be_read_is_refused(page, text, said):
    with pytest.raises(PageError, match=re.escape(said)):
        page(text)


def test_marks(page):
    slow, missing, old, there, left = page(
        "<!-- commands: slow, exit status 3 -->\n```sh\nexit 3\n```\n"
        "<!-- commands: needs no-such-tool -->\n\n```sh\ntrue\n```\n"
        "<!-- commands: needs bash=1.0 -->\n\n```sh\ntrue\n```\n"
        "<!-- commands: needs bash -->\n\n```sh\ntrue\n```\n"
        "<!-- commands: not run: it takes a day, or two -->\n```sh\ntrue\n```\n"
    )
    assert (slow.slow, slow.status, slow.left_out) == (True, 3, "")
    assert (missing.left_out, left.left_out) == ("no no-such-tool", "it takes a day, or two")
    assert (old.left_out, there.left_out) == ("no bash=1.0", "")
    assert shlex.split(left.text) == ["true"]
