"""Start values of a core's registers, and its handshakes, from two waveforms."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from rsaxcel.circuit import DescribedCircuit
from rsaxcel.rtl.shells.pins import pin
from rsaxcel.rtl.shells.sequencer import PAUSE
from rsaxcel.sim.batch import SimulationError, SimulationTimeout
from rsaxcel.sim.check.bare import Bare, allowed
from rsaxcel.sim.check.handshakes import can_wait, look, started_result, stuck
from rsaxcel.sim.check.refused import Refused
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.operations import operation
from rsaxcel.sim.runners import open_component, unknown_cycles
from rsaxcel.sim.stalls import StallProfile
from rsaxcel.sim.traces.trace import Signal, Waves
from rsaxcel.sim.vectors import random_vectors

_OPERATIONS = 4
_LATE = 4  #: most cycles by which a result is late
_SEEDS = (1, 2)
_SHOWN = 4
_CORE = "pins.core."


def check_start(circuit: DescribedCircuit, count: int, seed: int) -> str:
    """Say what depends on start values after the reset; refuse handshakes that are wrong."""
    with tempfile.TemporaryDirectory() as folder:
        waves = [*_waves(circuit, Path(folder))]
        found = [*look(circuit.described_core, waves[0])]
        faults = [x.text for x in found if x.is_fault] or [*_changes(circuit)]
        if faults:
            raise Refused("protocol", f"{circuit.nbits} bits: {faults[0]}")
        return "\n".join((_start_values(circuit, waves), *(x.text for x in found)))


def handshakes(circuit: DescribedCircuit) -> str:
    """Say which handshake of a core is wrong; "": none is seen."""
    return _seen(
        circuit, lambda waves: next((x.text for x in look(circuit.described_core, waves)), "")
    )


def what_is_stuck(circuit: DescribedCircuit) -> str:
    """Say what a core does not do for an operation to go on; "": nothing is seen."""
    return _seen(circuit, lambda waves: stuck(circuit.described_core, waves))


def _seen(circuit: DescribedCircuit, of: Callable[[Waves], str]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        try:
            return of(next(_waves(circuit, Path(folder))))
        except SimulationError:
            return ""


def _rows(circuit: DescribedCircuit) -> list[Operands]:
    vectors = random_vectors(50, 3, circuit.nbits, operation(circuit))
    return allowed(circuit, [x.operands for x in vectors])[:_OPERATIONS]


def _engine(circuit: DescribedCircuit) -> Any:
    """Engine of a core, for waveforms."""
    if (bare := _slow(circuit)) is None:
        return open_component(circuit, "rtl", "native", with_vcd=True)
    bare.engine.library("vcd")
    return bare.engine


def _slow(circuit: DescribedCircuit) -> Bare | None:
    """Core with addresses whose host waits; None: it has none, or cannot tell that nobody reads."""
    if not can_wait(circuit.described_core):
        return None
    return Bare(circuit, replace(circuit.described_core, host_waits=True), "host_waits")


def _changes(circuit: DescribedCircuit) -> Iterator[str]:
    """Yield a result that changes with the pace of the host."""
    if (slow := _slow(circuit)) is None:
        return
    fast = Bare(circuit)
    for row in _rows(circuit):
        expected, found = fast.expected(row), slow.alone(row).result
        if found != expected and fast.alone(row).result == expected:
            told = f"is {found:#x} instead of {expected:#x}"
            told = "does not come" if found is None else told
            yield (
                f"where the host waits {PAUSE} cycles before each access, the result of "
                f"{fast.shown(row)} {told}; without, it is right"
            )


def too_early(circuit: DescribedCircuit) -> str:
    """Say by how many cycles the end of a start is told before the results are there."""
    if not started_result(circuit.described_core):
        return ""
    bare = Bare(circuit)
    expected = [bare.expected(x) for x in _rows(circuit)]
    return _seen(circuit, lambda waves: _too_early(circuit, waves, expected))


def _too_early(circuit: DescribedCircuit, waves: Waves, expected: Sequence[int | None]) -> str:
    port = started_result(circuit.described_core)
    names = "recv.val", "recv.rdy", "send.val", f"pins.{pin(port)}"
    found: list[list[int]] = []  # for each operation, values from the end on
    ended = True
    for offered, accepted, valid, value in waves.cycles([Signal(x) for x in names]):
        if not ended and valid:
            ended = True
            found.append([])
        if ended and found and len(found[-1]) <= _LATE:
            found[-1].append(value & (1 << circuit.nbits) - 1)
        if offered and accepted:
            ended = False
    for cycles in range(1, _LATE + 1):
        values = [x[cycles] if cycles < len(x) else None for x in found]
        if len(values) == len(expected) and values == [*expected]:
            plural = "s" if cycles > 1 else ""
            return (
                f"the end is told {cycles} cycle{plural} too early: {port} is right "
                f"{cycles} cycle{plural} after it"
            )
    return ""


def _waves(circuit: DescribedCircuit, folder: Path) -> Iterator[Waves]:
    """Run a few operations from different start values."""
    engine = _engine(circuit)
    requests, longest = [circuit.request(*x) for x in _rows(circuit)], unknown_cycles(circuit)
    most = 0
    with suppress(SimulationTimeout):
        first = engine.run(requests, max_idle_cycles=longest)
        most = max(int(x or 0) for x in first.cycles)
    # Ready comes after the answer, and the next request some cycles after the answer was taken;
    # both delays are from the request or answer before.
    source, sink = 2 * most + 40, 3 * most + 48
    stalls = StallProfile("waves", source=(source, source), sink=(sink, sink))
    for seed in _SEEDS:
        file = folder / f"{seed}.vcd"
        with suppress(SimulationTimeout):  # the waveform shows why
            engine.run(
                requests, stalls=stalls, max_idle_cycles=longest, power_up_seed=seed, vcd=file
            )
        yield Waves(file)


def _start_values(circuit: DescribedCircuit, waves: Sequence[Waves]) -> str:
    ports = {path: name for name, path in circuit.output_pins}
    inner = sorted(x for x in waves[0].names if x.startswith(_CORE))
    names = [x for x in (*ports, *inner) if x in waves[0].names]
    last: dict[str, int] = {}
    cycle = 0
    pairs = zip(*(x.cycles([Signal(y) for y in names]) for x in waves), strict=False)
    for cycle, (first, second) in enumerate(pairs, 1):
        last |= {x: cycle for x, a, b in zip(names, first, second, strict=True) if a != b}
    told = [
        f"{ports[x]} until cycle {at}" if at < cycle else f"{ports[x]} to the end"
        for x, at in last.items()
        if x in ports
    ]
    kept = [x.removeprefix(_CORE) for x, at in last.items() if x not in ports and at == cycle]
    said = f"after the reset, ports have start values: {', '.join(told)}" if told else ""
    said = said or "after the reset, no port depends on start values"
    if kept:
        more = f" and {len(kept) - _SHOWN} more" if len(kept) > _SHOWN else ""
        said += f"; {', '.join(kept[:_SHOWN])}{more} keep them over {_OPERATIONS} operations"
    return said
