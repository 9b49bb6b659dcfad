"""Folders for other flows: complete, without paths that lead outside, never over other files."""

import json
import re

import pytest

from rsaxcel import catalog
from rsaxcel.flow.export import export_librelane, export_openroad
from rsaxcel.flow.job import circuit_job
from rsaxcel.flow.layout import PLACED, Layout
from rsaxcel.flow.outline import NETLIST
from rsaxcel.flow.physical.interface import STEPS
from rsaxcel.flow.run import run
from rsaxcel.flow.subjects import subject_of
from rsaxcel.store.errors import UserError
from tests.flow.fake_tool import fake
from tests.shared.harness import built_once
from tests.shared.processes import run_python

pytestmark = built_once("flow", 8)

CONFIGURATION = catalog.get("mulrem_r2l").configure(8)
LAYOUT = Layout(PLACED, utilisation=0.6, uncertainty_ns=0.01)


@pytest.fixture(scope="module")
def placed(tmp_path_factory):
    """A circuit placed by the fake tool: its job and its files."""
    with pytest.MonkeyPatch.context() as patch:
        fake(patch)
        folder = tmp_path_factory.mktemp("flow")
        found = run(circuit_job(CONFIGURATION, layout=LAYOUT, directory=folder), NETLIST)
        return found.job, found.files


def names(folder) -> set[str]:
    return {str(x.relative_to(folder)) for x in folder.rglob("*") if x.is_file()}


def test_a_folder_for_openroad_has_all_that_its_scripts_read(placed, tmp_path):
    folder = tmp_path / "new" / "out"
    export_openroad(*placed, folder)
    found = names(folder)
    for name in ("run.tcl", "placed.tcl"):
        text = (folder / name).read_text()
        assert not re.search(r"[{ ]/\w", text), "a path leads outside"
        values = dict(re.findall(r"^set (\w+) \{(.*)\}$", text, re.MULTILINE))
        files = [*re.findall(r"\{([^{}]+)\}", values["lefs"]), values["liberty"]]
        files += [values[x] for x in ("netlist", "floorplan", "constraints", "placed", "spef")]
        assert {*files} <= found
    run = (folder / "run.tcl").read_text()
    assert re.findall(r"^write_db (\S+)\.db$", run, re.MULTILINE) == list(STEPS)
    assert "write_db" not in (folder / "placed.tcl").read_text()
    assert "set_clock_uncertainty 0.01 " in (folder / "constraints.sdc").read_text()
    assert "openroad -no_init -no_splash -exit run.tcl" in (folder / "README.md").read_text()


def test_a_folder_for_librelane_has_verilog_that_yosys_reads(placed, tmp_path):
    export_librelane(*placed, tmp_path, subject_of(CONFIGURATION).verilog())
    config = json.loads((tmp_path / "config.json").read_text())
    top = config["DESIGN_NAME"]
    assert (config["CLOCK_PERIOD"], config["FP_CORE_UTIL"]) == (3.0, 60)
    files = [*config["VERILOG_FILES"], config["PNR_SDC_FILE"], config["SIGNOFF_SDC_FILE"]]
    assert {x.removeprefix("dir::") for x in files} <= names(tmp_path)
    text = (tmp_path / "src" / f"{top}.v").read_text()
    assert not re.search(r"^ +reg [^=;]*=", text, re.MULTILINE), "a register has an initial value"
    # LibreLane's synthesis begins like this.
    steps = f"read_verilog src/{top}.v; synth -flatten -top {top}; check -assert"
    code = f"from pyosys import libyosys as ys; ys.run_pass({steps!r}, ys.Design())"
    run_python("-c", code, folder=tmp_path).check_returncode()
    assert {"placed.v", "placed.def"} <= {x.name for x in (tmp_path / "freepdk-45nm").iterdir()}


@pytest.mark.parametrize("export", [export_openroad, export_librelane])
def test_a_folder_with_files_is_refused(placed, tmp_path, export):
    (tmp_path / "mine").write_text("")
    more = (None,) if export is export_librelane else ()
    with pytest.raises(UserError, match="is not empty"):
        export(*placed, tmp_path, *more)
    assert names(tmp_path) == {"mine"}
