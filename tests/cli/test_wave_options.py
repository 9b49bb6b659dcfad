"""`rsaxcel flow --vcd`, `--saif` and `--drawing`: written files, and refused options."""

import xml.etree.ElementTree as ElementTree

import pytest

from rsaxcel.flow.subjects import find_target
from rsaxcel.flow.waves import operations_of
from tests.docs.commands import ROOT
from tests.shared.saif import read_saif
from tests.shared.vcd import VCDVCD

ARGS = ["flow", "mulrem_r2l", "--nbits", "8", "--clock-ns", "4"]


def toggles(path) -> dict[str, int]:
    """Number of changes of each signal in a waveform after its first value, by a VCD library."""
    dump = VCDVCD(str(path))
    return {name: len(dump[name].tv) - 1 for name in dump.signals}


@pytest.mark.xdist_group("rsaxcel-flow")
def test_files(shown, tmp_path):
    vcd, saif, svg = (tmp_path / f"x.{ending}" for ending in ("vcd", "saif", "svg"))
    options = ["--operation", "decrypt", "--cycles", "40:43"]
    told = shown(*ARGS, *options, "--vcd", vcd, "--saif", saif, "--drawing", svg)
    for line, path in zip(told.splitlines()[-3:], (vcd, saif, svg), strict=True):
        assert line.startswith(f"written       {path}: decrypt, 4 cycles, "), line
        assert line.endswith(" of them glitches")
    seen, (duration, counted) = toggles(vcd), read_saif(saif)
    assert duration == 16_000
    assert seen["mulrem_r2l.clk"] == counted["clk"][1] == 8
    nets = [n for n in seen if not n.startswith("trace.")]
    single = [n for n in nets if "[" not in n and n != "mulrem_r2l.clk"]
    assert sum(seen.values()) > 8
    for name in single:
        net = name.removeprefix("mulrem_r2l.").replace(".", r"\.")
        assert counted[net][1] == seen[name], name
    saved = vcd.with_suffix(".gtkw").read_text()
    assert "-send" in saved.splitlines()
    assert "mulrem_r2l.core.state_reg[" in saved
    assert "srun text0" in vcd.read_text().splitlines()  # the state of the executor
    drawing = ElementTree.parse(svg).getroot()
    assert "mulrem_r2l, 8 bits: decrypt, cycles 40 to 43, with delays" in "".join(
        drawing.itertext()
    )
    assert {path.name for path in tmp_path.iterdir()} == {"x.vcd", "x.gtkw", "x.saif", "x.svg"}


@pytest.mark.xdist_group("rsaxcel-flow")
def test_record_stays_alone_on_standard_output(rsaxcel, tmp_path):
    finished = rsaxcel(*ARGS, "--json", "--cycles", "0:1", "--saif", tmp_path / "x.saif")
    assert len(finished.out.splitlines()) == 1
    assert finished.out.startswith("{")
    assert "written" in finished.err


@pytest.mark.xdist_group("rsaxcel-flow")
@pytest.mark.parametrize("cycles", ["5:99999", "99999:99999"])
def test_cycles_that_are_not_there(rsaxcel, tmp_path, cycles):
    finished = rsaxcel(*ARGS, "--vcd", tmp_path / "x.vcd", "--cycles", cycles)
    assert finished.status == 2
    said = f"rsaxcel: error: cycles={cycles}: encrypt has the cycles 0:"
    assert finished.err.splitlines()[-1].startswith(said)
    assert not list(tmp_path.iterdir())


@pytest.mark.xdist_group("rsaxcel-flow")
def test_a_waveform_of_many_cycles_has_to_be_chosen(rsaxcel, tmp_path, monkeypatch):
    monkeypatch.setattr("rsaxcel.cli.flow._MOST_CYCLES", 10)
    finished = rsaxcel(*ARGS, "--vcd", tmp_path / "x.vcd")
    assert finished.status == 2
    assert "choose some, such as --cycles 0:99" in finished.err


@pytest.mark.parametrize(
    ("name", "operations"),
    [
        ("mont_r2l", ["encrypt", "decrypt"]),
        ("direct", ["product"]),
        ("proc_mont_r2l", ["xcel_encrypt", "xcel_decrypt"]),
    ],
)
def test_operations_that_can_be_shown(name, operations):
    found = operations_of(find_target(name, 8, {}))
    assert set(operations) <= set(found)


@pytest.mark.slow
def test_picture_of_the_page_is_what_a_run_draws(rsaxcel, tmp_path):
    svg = tmp_path / "x.svg"
    rsaxcel("flow", "direct", "--nbits", "8", "--cycles", "2:2", "--drawing", svg)
    assert svg.read_bytes() == (ROOT / "docs" / "glitches.svg").read_bytes()


@pytest.mark.slow
def test_program_on_a_system(shown, tmp_path):
    vcd, saif = tmp_path / "x.vcd", tmp_path / "x.saif"
    args = ["flow", "proc_null", "--nbits", "8", "--cycles", "100:109"]
    shown(*args, "--vcd", vcd, "--saif", saif)
    assert toggles(vcd)["proc_null.clk"] == 20
    assert read_saif(saif)[1]["clk"][1] == 20
