"""The set-up checks its requirements before it changes anything."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def _set_up(checkout: Path) -> list[str]:
    if not (ROOT / "tools").is_dir():
        pytest.skip("no checkout")
    shutil.copytree(ROOT / "tools", checkout / "tools")
    done = subprocess.run(
        ["bash", "tools/setup.sh"], cwd=checkout, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    return done.stderr.splitlines()


@pytest.mark.parametrize("name", ['my "best"', "a$b", "a`b", "a\\b", "a:b"])
def test_a_checkout_that_no_environment_can_be_in(tmp_path, name):
    checkout = tmp_path / name
    (line,) = _set_up(checkout)
    assert line.startswith(f"set-up: {checkout}: ")
    assert line.endswith("in its path")
    assert [path.name for path in checkout.iterdir()] == ["tools"]


def test_an_environment_of_another_checkout_is_left_alone(tmp_path):
    other = tmp_path / "other"
    (other / "bin").mkdir(parents=True)
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    (checkout / ".venv").symlink_to(other)
    (line,) = _set_up(checkout)
    assert line.startswith(f"set-up: {checkout}/.venv is a link, to {other}: ")
    assert (other / "bin").is_dir()
