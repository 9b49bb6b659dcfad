"""The set-up refuses what it cannot do before it does anything."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", ['my "best"', "a$b", "a`b", "a\\b", "a:b"])
def test_a_checkout_that_no_environment_can_be_in(tmp_path, name):
    if not (ROOT / "tools").is_dir():
        pytest.skip("no checkout")
    checkout = tmp_path / name
    shutil.copytree(ROOT / "tools", checkout / "tools")
    done = subprocess.run(
        ["bash", "tools/setup.sh"], cwd=checkout, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"set-up: {checkout}: ")
    assert line.endswith("in its path")
    assert [path.name for path in checkout.iterdir()] == ["tools"]
