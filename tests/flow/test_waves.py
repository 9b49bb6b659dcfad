"""Waveforms and toggle counts of a netlist: VCD, SAIF and simulator agree, cycle by cycle."""

import random
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from rsaxcel.flow.gates.streams import GateSimulator
from rsaxcel.flow.gates.timed import ALWAYS, Sample, Window
from rsaxcel.flow.names import SEPARATOR
from rsaxcel.flow.power.slews import Slews
from rsaxcel.flow.waves import (
    CycleChanges,
    Observer,
    RecordedCircuit,
    SaifFile,
    VcdFile,
    escaped,
    read_signals,
)
from tests.shared.harness import built_once
from tests.shared.saif import read_saif
from tests.shared.vcd import VCDVCD

pytestmark = built_once("netlist", 8)

PERIOD_PS = 3000


class Vcd:
    """A VCD file, read: values of all bits, and the moments of their changes."""

    def __init__(self, path: Path) -> None:
        read = VCDVCD(str(path))
        self.end = read.endtime
        self.bits: dict[str, list[tuple[int, str]]] = {}
        for reference, code in read.references_to_ids.items():
            name, signal = reference.partition(SEPARATOR)[2], read.data[code]
            width = int(signal.size)
            assert {len(value) for _, value in signal.tv} == {width}
            array = re.fullmatch(r"(.*)\[\d+:(\d+)\]", name)
            for at in range(width):
                own = [(time, value[-1 - at]) for time, value in signal.tv]
                changes = [new for old, new in pairwise(own) if new[1] != old[1]]
                bit = f"{array[1]}[{int(array[2]) + at}]" if array else name
                self.bits[bit] = [own[0], *changes]

    def of(self, bit: str) -> tuple[str, list[tuple[int, str]]]:
        """First value of a bit, and its changes."""
        (_, first), *changes = self.bits[bit]
        return first, changes

    def ends(self, bit: str) -> list[int]:
        """Values at the ends of cycles; the first value is the one before the window."""
        value, changes = self.of(bit)
        ends = [value] * (self.end // PERIOD_PS)
        for time, new in changes:
            ends[time // PERIOD_PS :] = [new] * (len(ends) - time // PERIOD_PS)
        return [int(x) for x in ends]


@pytest.fixture(scope="module")
def simulated(circuits, tmp_path_factory):
    """Run two lanes and record the second one: whole, in a window, and without delays."""
    circuit = circuits("mulrem_r2l")
    netlist = circuit.netlist
    slews = Slews({(x.name, pin): (2e-11, 3e-11) for x in netlist.instances for pin in x.cell.pins})
    signals = read_signals(circuit.folder / "netlist.json", netlist.top)
    draw = random.Random(0)
    message, rows = circuit.module.request, []
    for _ in range(6):
        m = draw.getrandbits(8) | 129
        values = circuit.configuration.request(draw.randrange(m), draw.getrandbits(3), m)
        rows.append(sum(int(v) << f.lsb for v, f in zip(values, message.fields, strict=True)))
    lanes = [rows[:3], rows[3:]]
    folder = tmp_path_factory.mktemp("waves")
    simulator = GateSimulator(netlist, slews)

    def run(name: str, first: int = 0, end: int = ALWAYS, *, delays: bool = True):
        with (
            VcdFile(folder / f"{name}.vcd", name) as vcd,
            SaifFile(folder / f"{name}.saif") as saif,
        ):
            whole = RecordedCircuit(netlist, signals, PERIOD_PS)
            observer = Observer(whole, [vcd, saif], delays=delays)
            sample = Sample(window=Window(observer, 1, first, end))
            done = simulator.run(lanes, uncounted=1, sample=sample)
            vcd.publish()
            saif.publish()
        read = read_saif(folder / f"{name}.saif")
        vcd = Vcd(folder / f"{name}.vcd")
        return SimpleNamespace(run=done, vcd=vcd, saif=read, observer=observer)

    plain = GateSimulator(netlist).run(lanes[1:], uncounted=1)
    assert plain.responses == simulator.run(lanes, uncounted=1).responses[1:]
    return SimpleNamespace(
        netlist=netlist,
        signals=signals,
        whole=run("whole"),
        window=run("window", 5, 25),
        zero=run("zero", delays=False),
        plain=plain.activity,
        folder=folder,
    )


def names(simulated) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for signal in simulated.signals:
        for name, bit in zip(signal.bit_names, signal.bits, strict=True):
            if isinstance(bit, int) and bit in simulated.netlist.observed:
                found.setdefault(bit, []).append(name)
    return found


@pytest.mark.parametrize("what", ["whole", "window"])
def test_toggles_of_each_net(simulated, what):
    """VCD, SAIF and simulator have the same toggles, under all names of a net."""
    seen, netlist = getattr(simulated, what), simulated.netlist
    activity = seen.run.activity
    duration, nets = seen.saif
    assert duration == seen.vcd.end - PERIOD_PS == activity.cycles * PERIOD_PS
    glitches = 0
    for bit, aliases in names(simulated).items():
        for name in aliases:
            first, changes = seen.vcd.of(name)
            high_ps, count = nets[escaped(name)]
            assert len(changes) == count, name
            edges = [(PERIOD_PS, first), *changes, (seen.vcd.end, "")]
            spans = pairwise(edges)
            assert sum(b - a for (a, value), (b, _) in spans if value == "1") == high_ps, name
            if bit not in netlist.clock_nets:
                assert count == activity.toggles[bit], name
                glitches += activity.glitches[bit] / len(aliases)
    assert seen.observer.glitches >= round(glitches) > 0
    assert all(time >= PERIOD_PS for bit in seen.vcd.bits for time, _ in seen.vcd.of(bit)[1])


def test_cycles_end_with_what_gates_without_delays_have(simulated):
    """Each cycle ends with the same values, with delays and without."""
    plain, netlist = simulated.plain, simulated.netlist
    for bit, (name, *_) in names(simulated).items():
        if bit in netlist.clock_nets:
            continue
        ends = simulated.whole.vcd.ends(name)
        assert ends == simulated.zero.vcd.ends(name)
        assert sum(ends[1:]) == pytest.approx(plain.high[bit] * plain.cycles), name
        assert np.count_nonzero(np.diff(ends)) == plain.toggles[bit], name
        moments = {time % PERIOD_PS for time, _ in simulated.zero.vcd.of(name)[1]}
        assert moments <= {0}


def test_window_is_a_part_of_the_whole(simulated):
    whole, window = simulated.whole.vcd, simulated.window.vcd
    assert simulated.window.run.activity.cycles == 20
    assert simulated.window.observer.lane_cycles == simulated.whole.run.activity.cycles
    start = 5 * PERIOD_PS
    for bit, (name, *_) in names(simulated).items():
        first, changes = window.of(name)
        _, of_all = whole.of(name)
        inside = range(start + PERIOD_PS, start + window.end)
        assert changes == [(t - start, value) for t, value in of_all if t in inside]
        if bit not in simulated.netlist.clock_nets:
            assert int(first) == whole.ends(name)[5]


def test_clock_and_its_gates(simulated):
    """A gated clock rises if the enable was 1 at the end of the cycle before."""
    netlist, vcd = simulated.netlist, simulated.whole.vcd
    cycles = int(simulated.whole.run.activity.cycles)
    rises = [PERIOD_PS * (1 + at) for at in range(cycles)]
    assert [time for time, value in vcd.of("clk")[1] if value == "1"] == rises
    assert [time for time, value in vcd.of("clk")[1] if value == "0"] == [
        time + PERIOD_PS // 2 for time in rises
    ]
    found = names(simulated)
    assert netlist.gated_clocks
    for clock, enable in netlist.gated_clocks.items():
        ends = vcd.ends(found[enable][0])
        pulses = [time for time, value in vcd.of(found[clock][0])[1] if value == "1"]
        assert pulses == [time for time, was in zip(rises, ends, strict=False) if was]


def test_saif_has_the_cells_for_tools_that_annotate_pins(simulated):
    text = (simulated.folder / "whole.saif").read_text()
    cells = Counter(re.findall(r"^\(INSTANCE (\S+)$", text, re.MULTILINE))
    assert set(cells.values()) == {1}
    wanted = {simulated.netlist.top, *(x.name for x in simulated.netlist.instances)}
    assert {re.sub(r"\\(.)", r"\1", name) for name in cells} == wanted
    assert not re.search(r"[^\\][\[\].]", "".join(cells))
    times = re.findall(r"\(T0 (\d+)\) \(T1 (\d+)\) \(TX (\d+)\)", text)
    assert {sum(map(int, row)) for row in times} == {simulated.whole.saif[0]}
    assert re.search(r"\(IG [1-9]", text)
    assert "(IG" not in (simulated.folder / "zero.saif").read_text()


def test_netlist_in_verilog_has_the_names(simulated, circuits):
    verilog = (circuits("mulrem_r2l").folder / "netlist.v").read_text()
    for signal in simulated.signals:
        shown = signal.name if signal.name.isidentifier() else f"\\{signal.name} "
        assert f"wire {signal.range} {shown};".replace("  ", " ") in verilog, signal


def test_a_drop_of_the_log_is_no_end(simulated, monkeypatch, circuits):
    """A full log is passed on, even within a cycle, and the waveform continues."""
    monkeypatch.setattr("rsaxcel.flow.gates.timed._ROWS", 7)
    rows: list[np.ndarray] = []
    seen = SimpleNamespace(
        begin=lambda nets, values: None, add=rows.append, end=lambda *found: found
    )
    netlist = simulated.netlist
    slews = Slews({(x.name, pin): (2e-11, 3e-11) for x in netlist.instances for pin in x.cell.pins})
    simulator = GateSimulator(netlist, slews)
    run = simulator.run([[5], [9]], sample=Sample(window=Window(seen, 0, 0, 12)))
    cycles = [cycle for own in rows for cycle in dict.fromkeys(own[:, 0].tolist())]
    assert cycles == sorted(set(cycles))
    nets = {at: bit for bit, at in simulator.circuit.nets.items()}
    counts = Counter(nets[at] for own in rows for at in own[:, 1].tolist() if at in nets)
    wanted = {b: n for b, n in run.activity.toggles.items() if b not in netlist.clock_nets and n}
    assert {bit: n for bit, n in counts.items() if bit in netlist.observed} == wanted


def test_an_error_of_a_watcher_ends_the_run(simulated):
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    netlist = simulated.netlist
    slews = Slews({(x.name, pin): (2e-11, 3e-11) for x in netlist.instances for pin in x.cell.pins})
    seen = SimpleNamespace(begin=fail, add=fail, end=fail)
    with pytest.raises(OSError, match="No space"):
        GateSimulator(netlist, slews).run([[5]], sample=Sample(window=Window(seen, 0, 0, 12)))


def test_a_cycle_lasts_until_all_has_settled(simulated):
    """A cycle lasts until all nets are stable, which delays later cycles."""
    netlist = simulated.netlist
    bit = next(x for x in sorted(netlist.observed) if x not in netlist.clock_nets)
    cycles = CycleChanges(netlist, 100, delays=True)
    cycles.begin({bit: 0}, np.zeros(1, np.uint8))
    clock = min(netlist.clock_nets & netlist.input_nets)
    rows = np.array([[0, 0, 20], [0, 0, 130], [1, 0, 10]])
    changes = [[c for c in own if c[1] in (bit, clock)] for own in cycles.changes(rows)]
    assert changes == [
        [(0, clock, 1), (20, bit, 1), (50, clock, 0), (130, bit, 0)],
        [(131, clock, 1), (141, bit, 1), (181, clock, 0)],
    ]
    assert cycles.time_ps == 231


def test_each_net_of_a_position_changes(simulated):
    """A shell may connect several nets of a core, which are one in the simulation."""
    netlist = simulated.netlist
    bits = [x for x in sorted(netlist.observed) if x not in netlist.clock_nets][:2]
    for delays, time in ((True, 20), (False, 0)):
        cycles = CycleChanges(netlist, 100, delays=delays)
        cycles.begin(dict.fromkeys(bits, 0), np.zeros(1, np.uint8))
        (changes,) = cycles.changes(np.array([[0, 0, 20]]))
        assert [x for x in changes if x[1] in bits] == [(time, bit, 1) for bit in bits]
        assert [cycles.values[bit] for bit in bits] == [1, 1]


def test_codes_are_different():
    """Identifier codes of up to three characters are all different."""
    from rsaxcel.flow.waves import code_of

    codes = [code_of(number) for number in range(94 + 94**2 + 94)]
    assert len(set(codes)) == len(codes)
    assert {len(code) for code in codes} == {1, 2, 3}
    assert all(33 <= ord(x) <= 126 for code in codes for x in code)
