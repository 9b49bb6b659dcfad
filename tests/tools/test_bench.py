"""The bench: three ways to simulate give the same results in the same cycles."""

from dataclasses import replace
from pathlib import Path

import pytest

from rsaxcel import catalog
from rsaxcel.fl.status import Status
from rsaxcel.proc.isa import Cause, End
from rsaxcel.sim.system_run import SystemRun
from tests.cores.test_described import _forgotten  # noqa: F401
from tools.bench import speed

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_engines_agree_on_the_same_vectors(tmp_path, monkeypatch):
    monkeypatch.setattr(speed, "FOLDER", tmp_path)
    configuration = catalog.get("mont_r2l").configure(32)
    vectors = speed.drawn(configuration, 60)
    speeds = speed.measure(configuration, vectors, 1, print, bare_loop=True)
    assert speeds.cycles > 60 * 30
    assert min(speeds.native, speeds.bare_loop, speeds.pymtl_import) > 0


@pytest.mark.slow
def test_wide_design_runs_on_the_import(tmp_path, monkeypatch):
    monkeypatch.setattr(speed, "FOLDER", tmp_path)
    configuration = catalog.get("ssmm_r2l").configure(1100)
    speeds = speed.measure(configuration, speed.encryptions(configuration, 1), 1, print)
    assert speeds.cycles > 17 * 1000
    assert speeds.bare_loop is None
    assert min(speeds.native, speeds.pymtl_import) > 0


@pytest.mark.parametrize(("least", "width"), [(0, 10), (2000, None)])
def test_a_core_has_as_many_cells_as_the_design_beside_it(monkeypatch, least, width):
    """Its width is found, unless no width has as many."""

    def cells(circuit, tell):
        is_core = circuit.design_name == "skeleton"
        return max(least, 50 + 30 * circuit.nbits) if is_core else 10 * circuit.nbits

    monkeypatch.setattr(speed, "_cells", cells)
    monkeypatch.setattr(speed, "_speeds", lambda circuits, *about: (2.0, 1.0))
    design = catalog.get("ssmm_r2l").configure(32)
    if width is None:
        with pytest.raises(speed.BenchError, match="has 2,000 cells, ssmm_r2l_32 320"):
            speed.measure_core(design, 1, print)
        return
    found = speed.measure_core(design, 1, print)
    assert (found.core, found.core_cells, found.design_cells) == (f"skeleton_{width}", 350, 320)


def test_encryptions_are_with_the_public_exponent():
    vectors = speed.encryptions(catalog.get("ssmm_r2l").configure(64), 3)
    assert len({vector.operands[0] for vector in vectors}) == 3
    for vector in vectors:
        assert vector.operands[1] == 65537
        assert (vector.status, vector.result) == (Status.OK, pow(*vector.operands))


def test_wrong_response_is_told():
    configuration = catalog.get("mont_r2l").configure(32)
    vectors = speed.drawn(configuration, 3)
    responses = [(vector.result, int(vector.status)) for vector in vectors]
    speed.check(vectors, responses)
    responses[1] = (responses[1][0] ^ 1, int(Status.OK))
    with pytest.raises(speed.BenchError, match="vector 2"):
        speed.check(vectors, responses)


@pytest.mark.slow
def test_systems_run_the_same_on_both_engines(monkeypatch):
    monkeypatch.setattr(speed, "PYMTL_CYCLES", 300)
    speeds = speed.measure_systems(64, 1, print)
    assert [x.system for x in speeds] == list(speed.SYSTEMS)
    # The accelerator is idle: software takes the same cycles beside it.
    assert speeds[0].cycles == speeds[1].cycles > 10_000
    assert min(min(x.native, x.pymtl) for x in speeds) > 0


@pytest.mark.parametrize("name", ["ssmm_r2l", "systolic_l2r_always"])
def test_decryptions_are_of_full_size(name):
    cycles, seconds = speed.decrypt(catalog.get(name).configure(32), print)
    # At least a product per exponent bit, with a cycle per word of 16 bits.
    assert cycles >= 30 * 32 / 16 * 2
    assert seconds > 0


def test_wrong_run_of_a_system_is_told():
    end = End(Cause.ECALL, 0x200, 0x73, 0)
    run = SystemRun(end, (5, 1), 100, 50, 80, 40, 0, b"")
    speed.check_system("proc_null", run, 5 + (1 << 32))
    with pytest.raises(speed.BenchError, match="gives 0x100000005 instead of 0x5"):
        speed.check_system("proc_null", run, 5)
    with pytest.raises(speed.BenchError, match="ended with None after 100 cycles"):
        speed.check_system("proc_null", replace(run, end=None), 5)


def test_a_command_is_timed_in_a_copy_of_the_tree():
    lines: list[str] = []
    (timed,) = speed.measure_commands(
        [speed.TimedCommand(("list", "mont_mul"), 1.0)], 2, lines.append
    )
    assert lines == ["rsaxcel list mont_mul: first run", "rsaxcel list mont_mul: timed"]
    assert timed.seconds > 0
    assert timed.starts > 1


@pytest.mark.slow
def test_a_changed_line_is_simulated_anew():
    sim = ("sim", "montmul_r2l", "--nbits", "8", "--random", "2")
    before = (ROOT / speed.CHANGED).read_bytes()
    tasks = [speed.TimedCommand(sim, 600, True), speed.TimedCommand(sim, 600)]
    changed, again = speed.measure_commands(tasks, 2, print)
    assert changed.seconds > again.seconds + 0.2  # translated and compiled
    assert (ROOT / speed.CHANGED).read_bytes() == before


def test_the_line_that_is_changed_is_there_once(tmp_path):
    file = tmp_path / "mont_mul.py"
    source = (ROOT / speed.CHANGED).read_text()
    file.write_text(source)
    seen = set()
    for count in (1, 2, 3):
        speed.change_circuit(file, count)
        now = file.read_text().splitlines()
        (differing,) = [line for line in now if line not in source.splitlines()]
        seen.add(differing)
        assert len(now) == len(source.splitlines())
    assert len(seen) == 3
    file.write_text("\n")
    with pytest.raises(speed.BenchError, match="expected exactly one line"):
        speed.change_circuit(file, 1)


def test_a_command_that_fails_is_told(tmp_path):
    with pytest.raises(speed.BenchError, match="exit status 3: no message"):
        speed.time_run(["-c", "raise SystemExit(3)"], tmp_path, {})
