"""`rsaxcel new core`: the files have the name, and are those around which shells are tested."""

import re

import pytest

from rsaxcel.catalog.described import describe
from rsaxcel.sim.check.subject import subject_of
from rsaxcel.sim.runners import hang_cycles, unknown_cycles
from tests.shared.own_cores import text_of
from tests.shared.processes import ROOT, RSAXCEL, run

PROTOCOLS = "streams", "start_done", "words"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_files_have_the_name(rsaxcel, refused, tmp_path, protocol):
    finished = rsaxcel("new", "core", "my_2", "--protocol", protocol, "--output", tmp_path)
    assert (finished.status, finished.err) == (0, "")
    place = tmp_path / "my_2"
    assert sorted(x.name for x in place.iterdir()) == ["core.toml", "my_2_core.v", "my_2_power.v"]
    assert f"rsaxcel sim {place}/core.toml --random 100\n" in finished.out
    texts = {x.name: x.read_text() for x in place.iterdir()}
    assert not any("skeleton" in x for x in texts.values())
    tested = f"{texts['my_2_power.v']}\n{texts['my_2_core.v']}"
    assert tested == text_of(protocol).replace("skeleton", "my_2")
    line = refused("new", "core", "my_2", "--protocol", protocol, "--output", tmp_path)
    assert "exists" in line


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_it_works(rsaxcel, tmp_path, protocol):
    where = _written(rsaxcel, tmp_path, f"to_sim_{protocol}", protocol)
    done = rsaxcel("sim", where / "core.toml", "--nbits", 8, "--random", 200)
    assert done.status == 0, done
    assert "mismatches   0" in done.out
    assert {"streams": 129, "start_done": 129, "words": 135}[protocol] == _cycles(done.out)


def _written(rsaxcel, folder, name, protocol):
    """Write a core, and return its folder; a session has each name once."""
    done = rsaxcel("new", "core", name, "--protocol", protocol, "--output", folder)
    assert done.status == 0, done
    return folder / name


def _cycles(told):
    """Return the only number of cycles that `sim` tells."""
    least, mean, most = re.search(r"min (\S+), mean (\S+), max (\S+)", told).groups()
    assert float(least) == float(mean) == float(most)
    return int(least)


@pytest.mark.slow
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_it_passes_the_check(rsaxcel, tmp_path, protocol):
    where = _written(rsaxcel, tmp_path, f"to_check_{protocol}", protocol)
    done = rsaxcel("check", where, "--nbits", 8, "--random", 50)
    assert done.status == 0, done
    assert "nothing wrong found" in done.out + done.err


@pytest.mark.slow
def test_an_fpga_has_no_boundaries(rsaxcel, here):
    """Cells are counted in a core that asks to keep the boundaries of its modules."""
    counts = []
    for name in ("to_map", "to_keep"):
        where = _written(rsaxcel, here, name, "start_done")
        if name == "to_keep":
            file = where / f"{name}_power.v"
            file.write_text(file.read_text().replace("\nmodule", "\n(* keep_hierarchy *) module"))
        done = rsaxcel("fpga", where, "--nbits", 8)
        assert done.status == 0, done
        counts.append(re.findall(r"(\d+)  (?:flip flops|luts|alms)", done.out))
    assert counts[0] == counts[1]
    assert len(counts[0]) == 4


def test_a_folder_of_cores_is_named_once(rsaxcel, tmp_path):
    """Nothing else is printed, also at the exit of a process that has read Verilog."""
    _written(rsaxcel, tmp_path, "to_list", "streams")
    known = {"RSAXCEL_DESIGNS": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = run(*RSAXCEL, "list", "to_list", **known)
    assert (done.returncode, done.stderr) == (0, "")
    assert "to_list" in done.stdout


def test_a_core_is_given_the_cycles_of_its_description(rsaxcel, tmp_path):
    """Check and simulation wait for so many cycles longer."""
    where = _written(rsaxcel, tmp_path, "to_wait", "words") / "core.toml"
    told = describe(where).configure(8)
    where.write_text(where.read_text().replace("3 * nbits**2 + 8", "500000"))
    patient = describe(where).configure(8)
    assert (told.most_cycles, patient.most_cycles) == (200, 500_000)
    waits = [unknown_cycles(x) for x in (patient, told)]
    assert waits[0] - waits[1] == 499_800
    assert subject_of(patient).max_idle_cycles == hang_cycles(patient) == waits[0]
