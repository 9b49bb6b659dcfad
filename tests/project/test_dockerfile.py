"""The Dockerfile copies the tree and runs the same set-up as every other machine."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from rsaxcel.store.tools import TOOLS

ROOT = Path(__file__).parents[2]
#: Packages that `make setup` needs, as listed in the README; git tells the commit of a report.
GIVEN = {"ca-certificates", "git", "make", "python3", "python3-venv"}


@pytest.fixture(scope="module")
def steps() -> list[tuple[str, str]]:
    """Instructions of the Dockerfile with their arguments."""
    if not (ROOT / "Dockerfile").exists():
        pytest.skip("no checkout")
    text = (ROOT / "Dockerfile").read_text()
    lines = re.sub(r"^#.*\n|\\\n", "", text, flags=re.MULTILINE).splitlines()
    return [(words[0], " ".join(words[1:])) for line in lines if (words := line.split())]


def of(steps: list[tuple[str, str]], instruction: str) -> list[str]:
    return [arguments for name, arguments in steps if name == instruction]


def test_it_is_the_system_of_the_readme(steps):
    assert of(steps, "FROM") == ["debian:12-slim"]
    assert "On Debian 12 or 13 with Python, git and make" in (ROOT / "README.md").read_text()


def test_it_installs_what_the_set_up_takes_for_granted(steps):
    first, *_ = of(steps, "RUN")
    update, install, clean = first.split(" && ")
    assert (update, clean) == ("apt-get update", "rm -rf /var/lib/apt/lists/*")
    command, *packages = [word for word in install.split() if not word.startswith("-")][1:]
    assert (command, set(packages)) == ("install", GIVEN)


def test_all_else_is_done_by_the_set_up(steps):
    """The other instructions run existing targets and programs in the folder of the tree."""
    order = [name for name, _ in steps]
    copied = order.index("COPY")
    assert order.index("WORKDIR") < copied < len(order) - 1 - order[::-1].index("RUN")
    assert of(steps, "COPY") == [". ."]
    (folder,) = of(steps, "WORKDIR")
    set_up, doctor, clean = of(steps, "RUN")[1].split(" && ")
    make, target = set_up.split()
    assert make == "make"
    makefile = (ROOT / "Makefile").read_text()
    assert re.search(rf"^{target}: .*\n\t.*\bbash tools/setup\.sh ", makefile, re.MULTILINE)
    assert doctor == ".venv/bin/rsaxcel doctor"
    assert clean.endswith("/var/lib/apt/lists/*")
    assert f"PATH={folder}/.venv/bin:$PATH" in of(steps, "ENV")
    user, made = of(steps, "RUN")[2].split(" && ")
    assert (user.split()[0], made) == (
        "useradd",
        f"install --directory --owner {user.split()[-1]} build",
    )
    assert order[-5:] == ["RUN", "USER", "ENV", "ENV", "CMD"]
    assert of(steps, "USER") == [user.split()[-1]]
    ((program,),) = map(json.loads, of(steps, "CMD"))
    assert program in {tool.ask[0] for tool in TOOLS if tool.ask}


def test_the_usage_in_its_head_is_that_of_the_pages():
    head = (ROOT / "Dockerfile").read_text().partition("\nFROM")[0]
    used = re.findall(r"^#   (.*\bdocker .+)$", head, re.MULTILINE)
    page = (ROOT / "docs/tutorials/start.md").read_text()
    assert used
    assert all(line in page for line in used)


def test_what_is_not_copied_is_what_git_ignores():
    """Files of the tree are copied; files that a machine has built are not."""
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    patterns = [line for line in ignored if line and not line.startswith("#")]
    expected = {x.lstrip("/") if x.startswith("/") else f"**/{x.rstrip('/')}" for x in patterns}
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    assert {line for line in lines if not line.startswith("#")} == expected
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("no git working tree")
    listed = ["git", "ls-files", "--cached", "--ignored", "--exclude-standard"]
    assert subprocess.check_output(listed, cwd=ROOT, text=True) == ""
