"""The same inputs and seed give the same files; checkpoints are read as they were written."""

import hashlib
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.nodes.steps import STEP_NODES
from rsaxcel.flow.physical.embedded.tool import Checkpoint
from tests.flow.physical.layouts import clocked
from tests.flow.physical.netlists import KIT
from tests.flow.physical.steps import job_for, prepare, run
from tests.shared.processes import run_python

_AGAIN = """
import sys
from pathlib import Path
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.nodes.steps import STEP_NODES
from tests.flow.physical.steps import job_for, run
folder = Path(sys.argv[1])
run(STEP_NODES, job_for(folder), folder)
"""


def digests(folder: Path) -> dict[str, str]:
    """Digests of the files that the steps wrote."""
    names = {name for node in STEP_NODES for name in node.outputs}
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = prepare(clocked(70, 2, 4), tmp_path_factory.mktemp("same") / "one")
    run(STEP_NODES, job_for(folder), folder)
    return folder


def test_another_process_writes_the_same_files(made, tmp_path):
    """Hashes of texts differ between processes, and so the order of sets."""
    folder = prepare(clocked(70, 2, 4), tmp_path / "two")
    run_python("-c", _AGAIN, folder, PYTHONHASHSEED="12").check_returncode()
    assert digests(folder) == digests(made)


def test_another_seed_gives_another_placement(made, tmp_path):
    folder = prepare(clocked(70, 2, 4), tmp_path / "other")
    run(STEP_NODES[:2], job_for(folder, seed=2), folder)
    one, other = (Checkpoint.read(x / "place.db", KIT).netlist for x in (made, folder))
    assert one.names == other.names
    assert np.mean((one.x != other.x) | (one.y != other.y)) > 0.5


@pytest.mark.parametrize("step", ["floorplan", "repair-timing"])
def test_a_checkpoint_is_read_as_it_was_written(made, tmp_path, step):
    path = made / f"{step}.db"
    read = Checkpoint.read(path, KIT)
    read.write(tmp_path / "again.db")
    assert (tmp_path / "again.db").read_bytes() == path.read_bytes()
    again = Checkpoint.read(tmp_path / "again.db", KIT)
    for part in fields(Checkpoint):
        if part.name != "netlist":
            assert getattr(again, part.name) == getattr(read, part.name)
    for part in fields(read.netlist):
        one, other = (getattr(x.netlist, part.name) for x in (read, again))
        same = np.array_equal(one, other) if isinstance(one, np.ndarray) else one == other
        assert same, part.name
        if isinstance(one, np.ndarray):
            assert one.dtype == other.dtype
    assert read.clock.is_ideal == (step == "floorplan")


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("kind", lambda x: x + 1000),
        ("kind", lambda x: x - 1000),
        ("pin_net", lambda x: x + 1000),
        ("pin_net", lambda x: x - 2),
        ("pin_net", lambda x: x[:-1]),
        ("x", lambda x: x[1:]),
        ("y", lambda x: x + (1 << 30)),
        ("x", lambda x: x.astype(np.int64)),
        ("orient", lambda x: x + np.uint8(4)),
    ],
)
def test_a_checkpoint_with_indices_out_of_range_is_refused(made, tmp_path, name, change):
    """The C++ code would read and write past its arrays."""
    with np.load(made / "place.db") as file:
        arrays = dict(file)
    arrays[name] = change(arrays[name])
    with (tmp_path / "place.db").open("wb") as file:
        np.savez(file, **arrays)
    with pytest.raises(FlowError, match="not a design of this library"):
        Checkpoint.read(tmp_path / "place.db", KIT)
