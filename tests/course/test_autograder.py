"""`rsaxcel course autograder`: an archive that grades a hand-in where nothing else is."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from rsaxcel.course.rank import sandbox
from tests.course.made_up_class import RUBRIC


@pytest.fixture
def archive(rsaxcel, tmp_path):
    (tmp_path / "rubric.toml").write_text(RUBRIC)
    file = tmp_path / "made.zip"
    options = ["--rubric", tmp_path / "rubric.toml", "--output", file]
    finished = rsaxcel(
        "course", "autograder", *options, "--", "--nbits", 8, "--objective", "energy"
    )
    assert finished.status == 0, finished.err
    with zipfile.ZipFile(file) as opened:
        opened.extractall(tmp_path / "source")
    modes = {x.filename: x.external_attr >> 16 for x in opened.infolist()}
    assert (modes["setup.sh"], modes["run_autograder"]) == (0o755, 0o755)
    assert modes["rubric.toml"] == 0o600
    return tmp_path / "source"


def test_its_scripts(archive):
    for script in ("setup.sh", "run_autograder"):
        subprocess.run(["bash", "-n", archive / script], check=True)
    run = (archive / "run_autograder").read_text()
    assert "--nbits 8 --objective energy" in run
    assert "not for students" not in run  # a hand-in sees command lines
    assert (archive / "rubric.toml").read_text() == RUBRIC


@pytest.mark.slow
def test_its_wheel_is_this_rsaxcel(archive, tmp_path):
    (wheel,) = archive.glob("*.whl")
    target = tmp_path / "target"
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--target", target, wheel], check=True, env={})
    own = Path(sandbox.__file__)
    assert (target / "rsaxcel" / own.relative_to(own.parents[2])).read_text() == own.read_text()
    assert list(target.glob("rsaxcel/course/autograder/*.j2"))
    assert not list(target.glob("rsaxcel/tests"))
    code = (
        "import rsaxcel; from importlib.metadata import entry_points as e; print(rsaxcel.__path__)"
    )
    code += "; assert 'rsaxcel' in e(group='pytest11').names"
    told = subprocess.check_output(
        [sys.executable, "-c", code], text=True, cwd=tmp_path, env={"PYTHONPATH": str(target)}
    )
    assert told.strip() == str([str(target / "rsaxcel")])
