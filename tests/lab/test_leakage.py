"""Side channels: weights add up to the power analysis, leaks are found, and none is invented."""

import json
import random
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from rsaxcel import catalog
from rsaxcel.cli.output.leak_drawing import draw
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.gates.engine import LANES
from rsaxcel.flow.gates.traces import TracedSimulator
from rsaxcel.flow.layout import ACTIVITIES, TIMED, ZERO
from rsaxcel.flow.names import register_name
from rsaxcel.flow.power.activity import Activity
from rsaxcel.flow.power.energy import EnergyModel
from rsaxcel.flow.power.weights import PartWeights
from rsaxcel.lab.leakage import attacks, measure
from rsaxcel.lab.leakage import recorder as recording
from rsaxcel.lab.leakage.measure import FALSE_ALARM, Moments, TTest, calibration, looks, threshold
from rsaxcel.lab.leakage.operands import classes_of
from rsaxcel.lab.leakage.recorder import Recorder
from rsaxcel.lab.leakage.request import LeakRequest
from rsaxcel.lab.leakage.schedule import steps_of
from rsaxcel.lab.leakage.study import TRACES, contradictions, suitable_tests
from rsaxcel.lab.leakage.timing import time_test
from tests.flow.flow_circuits import build
from tests.lab.leaking_circuits import slews_of
from tests.shared.harness import built_once

pytestmark = built_once("leakage", 8)

DESIGN = "ssmm_r2l"
DEFAULTS = {"traces": TRACES, "noise": 1.0}
"""Settings of ``rsaxcel leak`` that a user does not give."""


class _Recorder(Recorder):
    """A recorder that keeps the first simulation, from which it takes the weights."""

    def _simulate(self, lanes, counts=True):
        traced = super()._simulate(lanes, counts)
        self.last = traced
        return traced


def total_fj(weights: dict[str, PartWeights], activity: Activity) -> float:
    """Dynamic energy of an activity in fJ: toggles and pulses by their weights."""
    sums = 0.0
    for own in weights.values():
        sums += own.every_cycle_fj * activity.cycles
        sums += sum(x * activity.toggles[bit] for bit, x in own.toggles_fj.items())
        pulses = own.pulses_fj.items()
        sums += sum(x * activity.high[bit] * activity.cycles for bit, x in pulses)
    return sums


@pytest.fixture(scope="module")
def circuit(tmp_path_factory):
    return build(DESIGN, tmp_path_factory.mktemp(DESIGN))


def recorder_of(circuit, activity):
    netlist, rows = circuit.netlist, calibration(circuit.configuration)
    parts = circuit.configuration, netlist, circuit.module, slews_of(netlist), rows
    return _Recorder(*parts, activity)


@pytest.fixture(scope="module")
def recorder(circuit):
    return recorder_of(circuit, ZERO)


@pytest.fixture(scope="module")
def delayed(circuit):
    """Recorder of gates with delays."""
    return recorder_of(circuit, TIMED)


@pytest.fixture(params=ACTIVITIES)
def either(request):
    """Recorder of gates with delays or without."""
    return request.getfixturevalue("delayed" if request.param == TIMED else "recorder")


def t_test(recorder, folder, test, *, seed=0, traces=256, noise=1.0):
    made = []

    def make():
        made.append(recorder)
        return recorder

    asked = LeakRequest(recorder.configuration, [test], traces, noise, seed, "freepdk-45nm", 3.0)
    found = TTest(asked, test, make, "netlist")
    found.store = folder
    return found, made


def test_energies_of_traces_add_up_to_the_power_analysis(either):
    """Over all counted cycles, weights and traces give the dynamic energy of the model."""
    recorder = either
    recorder.record(calibration(recorder.configuration))
    run, energies_fj = recorder.last.run, recorder.last.energies_fj
    energy = EnergyModel(recorder.netlist, slews_of(recorder.netlist)).energy(
        run.activity, period_ns=1.0
    )
    dynamic_fj = 1e15 * (energy.items.total_j - energy.items.leakage_j)
    assert total_fj(recorder.weights, run.activity) == pytest.approx(dynamic_fj, rel=1e-6)
    traced = sum(
        float(energies_fj[first + 1 : last + 1, : len(recorder.modules), lane].sum())
        for lane, (first, last) in enumerate(run.taken)
    )
    assert traced == pytest.approx(dynamic_fj, rel=2e-4)


def test_with_delays_a_trace_has_the_toggles_of_each_moment(delayed):
    """The energy of each cycle and lane is that of the logged toggles, glitches included."""
    simulator = TracedSimulator(delayed.netlist, slews_of(delayed.netlist))
    nets, positions = sorted(delayed.netlist.observed), simulator.circuit.nets
    weights = np.zeros(simulator.circuit.net_count)
    toggles = {bit: 1.0 + at % 7 for at, bit in enumerate(nets) if bit in positions}
    for bit, weight in toggles.items():
        weights[positions[bit]] = weight
    simulator.weigh({"all": PartWeights(toggles, {}, 0.0)}, {"all": 0})
    lanes = [[delayed.request(row) for row in lane] for lane in calibration(delayed.configuration)]
    traced = simulator.trace(lanes, capacity=2000, uncounted=1, log_rows=200_000)
    log = traced.run.timed.log
    logged = np.zeros((int(log[-1, 0]), LANES))  # the last cycle may not be logged to its end
    bits = np.unpackbits(log[:, 3].copy().view(np.uint8).reshape(-1, 8), 1, bitorder="little")
    for (cycle, net, _, _), toggled in zip(log.tolist(), bits, strict=True):
        if cycle < len(logged):
            logged[cycle] += weights[net] * toggled
    first = int(traced.run.taken[:, 0].min()) + 1
    assert traced.energies_fj[first : first + len(logged), 0] == pytest.approx(logged)
    assert len(logged) > 20
    assert traced.run.timed.glitches.sum() > 0


def test_glitches_cost_energy(recorder, delayed):
    """The useful toggles are the same, so that the traces differ by the glitches alone."""
    rows = calibration(recorder.configuration)
    (still,), (glitching,) = recorder.record(rows), delayed.record(rows)
    assert still.lengths.tolist() == glitching.lengths.tolist()
    assert glitching.energies_fj[:, :, 0].sum() > 1.1 * still.energies_fj[:, :, 0].sum()


def test_gated_clocks_cost_in_enabled_cycles_only(recorder):
    """The energy of the clock is in the weights: of gated clocks by pulse, of others by cycle."""
    own = recorder.weights.values()
    gated = {enable for module in own for enable in module.pulses_fj}
    assert gated == {x for x in recorder.netlist.gated_clocks.values() if isinstance(x, int)}
    assert gated
    cycles = 100.0
    still = Activity(cycles, dict.fromkeys(recorder.netlist.observed, 0.0), dict.fromkeys(gated, 0))
    busy = Activity(cycles, still.toggles, dict.fromkeys(gated, 1.0))
    always = cycles * sum(module.every_cycle_fj for module in own)
    assert total_fj(recorder.weights, still) == pytest.approx(always)
    assert total_fj(recorder.weights, busy) > 1.5 * always


def test_energies_of_registers_are_a_part_of_their_modules(recorder):
    """Each register's energy is below its module's, and together they are flip-flops alone."""
    (traces,) = recorder.record(calibration(recorder.configuration))
    columns = traces.energies_fj.sum(axis=(0, 1), dtype=float)[1:]
    modules = dict(zip(recorder.modules, columns, strict=False))
    registers = dict(zip(recorder.registers, columns[len(modules) :], strict=True))
    of_netlist = {register_name(x.name) for x in recorder.simulator.circuit.flip_flops}
    assert set(registers) == of_netlist
    inside = dict.fromkeys(modules, 0.0)
    for name, energy_fj in registers.items():
        inside[name.rpartition(".")[0]] += energy_fj
    assert all(inside[x] <= (1 + 1e-6) * modules[x] for x in modules)
    assert 0.1 < sum(inside.values()) / sum(modules.values()) < 0.9


def test_t_is_welchs():
    rng = np.random.default_rng(3)
    traces = rng.normal(1.0, 1 + np.arange(40)[:, None, None] % 2, (40, 5, 2)).astype(np.float32)
    fixed = np.arange(40) % 2 == 0
    found = Moments.of(traces, np.full(40, 5), fixed)
    halves = [Moments.of(traces[x], np.full(20, 5), fixed[x]) for x in (slice(20), slice(20, 40))]
    wanted = stats.ttest_ind(traces[fixed], traces[~fixed], equal_var=False).statistic
    assert found.t() == pytest.approx(wanted, rel=1e-4)
    assert (halves[0] + halves[1]).t() == pytest.approx(wanted, rel=1e-4)
    squares = [(x - x.mean(axis=0)) ** 2 for x in (traces[fixed], traces[~fixed])]
    wanted = stats.ttest_ind(*squares, equal_var=False).statistic
    second = Moments.of(traces, np.full(40, 5), fixed, order=2)
    assert second.t() == pytest.approx(wanted, rel=1e-3)


def test_short_traces_do_not_count_behind_their_end():
    traces = (
        np.ones((64, 6, 1), np.float32) * np.linspace(0, 1, 64, dtype=np.float32)[:, None, None]
    )
    lengths = np.where(np.arange(64) < 40, 3, 6)
    traces[np.arange(6) >= lengths[:, None]] = 0
    found = Moments.of(traces, lengths, np.arange(64) % 2 == 0)
    assert found.tested().tolist() == [True] * 3 + [False] * 3  # 12 of each class are too few
    assert found.t()[3:].tolist() == [[0.0]] * 3


def test_threshold_keeps_the_false_alarm_of_one_point():
    assert threshold(1, 1e9) == pytest.approx(4.5, abs=1e-4)
    limit = threshold(1000, 1e9)
    assert 1 - (1 - 2 * stats.norm.sf(limit)) ** 1000 == pytest.approx(FALSE_ALARM, rel=1e-2)
    assert threshold(1000, 30) > limit
    assert threshold(100, 1e9, looks=10) == limit  # looks count as cycles do


def test_threshold_counts_points_columns_and_looks_and_knows_short_classes():
    """A point that 20 traces of a class reach has a higher threshold, others have not."""
    traces, fixed = np.zeros((400, 5, 3), np.float32), np.arange(400) % 2 == 0
    lengths = np.where(np.arange(400) < 40, 5, 4)
    found = Moments.of(traces, lengths, fixed).thresholds(looks=2)
    assert found[:4] == pytest.approx([threshold(5 * 3 * 2, 199)] * 4)
    assert found[4] == pytest.approx(threshold(5 * 3 * 2, 19))
    one = Moments.of(traces[:, :, :1], lengths, fixed).thresholds(looks=2)
    assert all(one < found)


def test_looks_double_the_traces():
    assert looks(64) == [64]
    assert looks(300) == [64, 128, 256, 300]
    assert looks(1024) == [64, 128, 256, 512, 1024]
    assert len(looks(10_000)) == 9


def test_looking_often_gives_no_more_false_alarms():
    """Random values at 20 cycles: a threshold for 1 % is passed at any look in at most 1 %."""
    draws, cycles, at = 1500, 20, looks(1024)
    rng = np.random.default_rng(1)
    each = 1 - (1 - 0.01) ** (1 / (cycles * len(at)))
    limit = float(stats.norm.isf(each / 2))
    values = rng.standard_normal((draws, 16, cycles))  # sums of 64 traces
    sums = np.cumsum(values, axis=1)
    seen = np.array([sums[:, n // 64 - 1] / np.sqrt(n / 64) for n in at])
    alarms = (np.abs(seen) > limit).any(axis=(0, 2)).sum()
    assert alarms <= stats.binom.isf(1e-3, draws, 0.01)
    assert alarms > 0


def test_with_delays_a_leak_is_found_and_blocks_are_kept_apart(recorder, delayed, tmp_path):
    found = t_test(delayed, tmp_path, "exponent", traces=1024)[0].result()
    assert found.leaks
    asked = [
        LeakRequest(
            recorder.configuration, ["exponent"], 1024, 1.0, 0, "freepdk-45nm", 3.0, 0, activity
        )
        for activity in ACTIVITIES
    ]
    assert len({x.key("netlist") for x in asked}) == len({x.netlist for x in asked}) == 2


@pytest.mark.parametrize("test", ["exponent", "base", "modulus"])
def test_leaks_of_an_unprotected_design_are_found(recorder, tmp_path, test):
    """By the default settings of the command."""
    found = t_test(recorder, tmp_path, test, **DEFAULTS)[0].result()
    assert found.leaks
    assert found.detected is not None
    assert found.detected <= found.traces == 10_000
    assert found.peak.t == max(peak.t for peak in found.parts.values())


@pytest.mark.parametrize(
    "settings",
    [{"traces": 256}, pytest.param(DEFAULTS, marks=pytest.mark.slow)],
    ids=["few_traces", "default"],
)
def test_no_leak_is_found_between_equal_classes(recorder, tmp_path, settings):
    tests = (t_test(recorder, tmp_path, "none", seed=seed, **settings)[0] for seed in range(20))
    seen = [test.result() for test in tests]
    assert [x.leaks for x in seen] == [False] * 20
    assert len({x.peak.t for x in seen}) == 20


def test_noise_hides_and_is_in_units_of_the_signal(recorder, tmp_path):
    """Noise of the signal's size leaves the leak to be seen; 30 times as much hides it."""
    quiet, loud = (
        t_test(recorder, tmp_path, "exponent", traces=DEFAULTS["traces"], noise=x)[0].result()
        for x in (1, 30)
    )
    assert quiet.sigma_fj == loud.sigma_fj
    assert quiet.leaks
    assert loud.detected is None


@pytest.mark.parametrize("module", [measure, attacks])
def test_kept_traces_depend_on_the_code_that_measures_them(monkeypatch, module):
    monkeypatch.setattr(recording, "code_digest", lambda files: {x.name for x in files})
    code = recording.code_of(module.__file__)
    netlist = {"traced.h", "gates.h", "traces.py", "weights.py", "design_netlist.py"}
    assert {Path(module.__file__).name, "recorder.py", "operands.py", *netlist} <= code
    assert not {"synthesis.py", "placed.py"} & code


def test_blocks_are_kept(recorder, tmp_path):
    first, made = t_test(recorder, tmp_path, "exponent", traces=300)
    before = first.result().as_json()
    assert made
    again, made = t_test(recorder, tmp_path, "exponent", traces=300)
    assert (again.result().as_json(), made) == (before, [])
    assert before["traces"] == 300
    assert list(before["evaluated"]) == [64, 128, 256, 300]


def test_wrong_result_of_the_netlist_is_refused(recorder, monkeypatch):
    monkeypatch.setattr("rsaxcel.lab.leakage.recorder.expected_response", lambda *_: (1, 0))
    with pytest.raises(FlowError, match="the netlist of ssmm_r2l"):
        recorder.record(calibration(recorder.configuration))


@pytest.mark.parametrize("operand", ["exponent", "base"])
def test_time_of_the_model_is_as_declared(operand):
    for name, params in (("mont_r2l", {}), ("montmul_r2l", {"schedule": "ladder"})):
        configuration = catalog.get(name).configure(16, **params)
        found = time_test(configuration, operand, 0, count=200)
        assert not found.contradicts
        assert found.varies == (name == "mont_r2l" and operand == "exponent")
        assert (found.length is not None and found.length > 0.9) == found.varies


def test_planted_dependence_of_time_is_a_contradiction():
    """A comparison that ends early: a cycle less if the exponent begins with 8 zeros."""
    configuration = catalog.get("montmul_r2l").configure(16, schedule="ladder")

    def early(base, exponent, modulus):
        return configuration.cycles(base, exponent, modulus) - (exponent < 1 << 8)

    found = time_test(configuration, "exponent", 0, cycles=early, count=300)
    assert found.contradicts
    (told,) = contradictions([found])
    assert "exponent_dependent is declared false" in told
    assert [early(*row) for row in found.example] == [found.least, found.most]


def test_classes_differ_in_the_tested_operand_only():
    configuration = catalog.get("mont_r2l").configure(16)
    for number, test in enumerate(("base", "exponent", "modulus")):
        classes, draw = classes_of(configuration, test, 5), random.Random(1)
        fixed = [classes.fixed(draw) for _ in range(20)]
        varied = [classes.varied(draw) for _ in range(20)]
        assert len({row[number] for row in fixed}) == 1
        assert len({row[number] for row in varied}) > 15
        assert all(base < modulus for base, _, modulus in fixed + varied)


def test_bits_that_no_multiple_of_the_order_changes_are_told():
    """Expected bits come from all random numbers."""
    configuration = catalog.get("crt_window").configure(16, blinding="both")
    asked = LeakRequest(configuration, ["exponent"], 64, 1.0, 0, "freepdk-45nm", 3.0)
    _, _, moduli = classes_of(configuration, "exponent", 0).fixed(random.Random(0))
    found = []
    for prime in configuration.halves.split(moduli):
        changed = 0
        for multiple in range(1, 1 << configuration.halves.multiple_nbits):
            changed |= multiple * (prime - 1)
        found.append(next(bit for bit in range(16) if changed >> bit & 1))
    assert list(asked.unhidden_nbits) == found == [2, 4]
    assert "2 and 4 bits stay" in asked.warning
    for nbits, params in ((64, {"blinding": "both"}), (16, {"blinding": "message"}), (16, {})):
        other = catalog.get("crt_window").configure(nbits, **params)
        assert not LeakRequest(other, [], 64, 1.0, 0, "freepdk-45nm", 3.0).warning


def test_circuit_with_one_modulus_has_no_test_of_the_modulus():
    name = next(x for x in catalog.DESIGNS if "pm" in x)
    configuration = catalog.get(name).configure(16)
    if not configuration.constant_modulus:
        configuration = catalog.get("mont_r2l").configure(16, modulus=40961)
    assert suitable_tests(configuration) == ["exponent", "base"]
    with pytest.raises(ValueError, match="test=modulus"):
        classes_of(configuration, "modulus", 0)


@pytest.mark.parametrize("name", ["montmul_r2l", "orup_window", "mulrem_r2l"])
def test_steps_end_with_the_response(name):
    configuration = catalog.get(name).configure(16)
    row = (1234, 0xB6D7, 40961)
    steps = steps_of(configuration, row)
    assert all(a.end == b.begin for a, b in pairwise(steps))
    assert 0 <= configuration.cycles(*row) - steps[-1].end < 25
    assert {"square and product"} <= {x.name for x in steps} or name == "orup_window"


def test_steps_of_a_check_follow_the_preparation_of_its_turn():
    configuration = catalog.get("crt_window").configure(64, check="public_exponent")
    halves = configuration.halves
    row = (1234, halves.joined_exponents(0xB6D7, 77, 65537), halves.joined(65521, 65519))
    steps = steps_of(configuration, row)
    (gap,) = [b.begin - a.end for a, b in pairwise(steps) if a.end != b.begin]
    assert gap == configuration.timing.handshake.later_turn_cycles > 0
    # the last comparison takes a cycle
    assert configuration.cycles(*row) - steps[-1].end == 1


def test_picture_and_tables(recorder, tmp_path, capsys):
    from rsaxcel.cli.output.leak import show, show_json, title_of

    found = t_test(recorder, tmp_path, "exponent", traces=128)[0].result()
    timing = time_test(recorder.configuration, "exponent", 0, count=50)
    asked = LeakRequest(recorder.configuration, ["exponent"], 128, 1.0, 0, "freepdk-45nm", 3.0)
    draw([found], tmp_path / "t.png", title_of(asked))
    assert (tmp_path / "t.png").stat().st_size > 10_000
    show(asked, [timing], [found])
    table = capsys.readouterr().out
    assert f"{found.peak.t:.1f}" in table
    show_json(asked, [timing], [found])
    time, energy = map(json.loads, capsys.readouterr().out.splitlines())
    assert (time["kind"], time["operand"], energy["kind"]) == ("time", "exponent", "energy")
    assert len(energy["t"]) == found.lengths[1]
