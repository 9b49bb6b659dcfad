"""Start values of a core's registers, and its handshakes, from two waveforms."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from rsaxcel.sim.batch import SimulationError, SimulationTimeout
from rsaxcel.sim.check.bare import allowed
from rsaxcel.sim.check.refused import Refused
from rsaxcel.sim.operations import operation
from rsaxcel.sim.runners import open_component, unknown_cycles
from rsaxcel.sim.stalls import StallProfile
from rsaxcel.sim.traces.trace import Signal, Waves
from rsaxcel.sim.vectors import random_vectors

_OPERATIONS = 4
_SEEDS = (1, 2)
_SHOWN = 4
#: States of the shell's front, and of the adapter for ``start_done`` while a result waits.
_IDLE, _RUN, _KEPT = 0, 1, 3
_CORE = "pins.core."
_ENDS_AGAIN = "it ends once more, without a start: an answer comes twice"
_LEVEL = "with level, start is still 1 in the cycle of the end, and the core runs again"


def check_start(circuit: Any, count: int, seed: int) -> str:
    """Say what depends on start values after the reset; refuse handshakes that are wrong."""
    with tempfile.TemporaryDirectory() as folder:
        waves = [*_waves(circuit, Path(folder))]
        told = _handshakes(circuit, waves[0])
        if told and _LEVEL not in told:
            raise Refused("protocol", f"{circuit.nbits} bits: {told}")
        return "\n".join(filter(None, (_start_values(circuit, waves), told)))


def handshakes(circuit: Any) -> str:
    """Say which handshake of a core is wrong; "": none is seen."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            return _handshakes(circuit, next(_waves(circuit, Path(folder))))
        except SimulationError:
            return ""


def _waves(circuit: Any, folder: Path) -> Iterator[Waves]:
    """Run a few operations from different start values."""
    vectors = random_vectors(50, 3, circuit.nbits, operation(circuit))
    rows = allowed(circuit, [x.operands for x in vectors])[:_OPERATIONS]
    engine = open_component(circuit, "rtl", "native", with_vcd=True)
    requests, longest = [circuit.request(*x) for x in rows], unknown_cycles(circuit)
    first = engine.run(requests, max_idle_cycles=longest)
    # Ready comes after the answer, and the next request some cycles after the answer was taken;
    # both delays are from the request or answer before.
    most = max(int(x or 0) for x in first.cycles)
    source, sink = 2 * most + 40, 3 * most + 48
    stalls = StallProfile("waves", source=(source, source), sink=(sink, sink))
    for seed in _SEEDS:
        file = folder / f"{seed}.vcd"
        with suppress(SimulationTimeout):  # the waveform shows why
            engine.run(
                requests, stalls=stalls, max_idle_cycles=longest, power_up_seed=seed, vcd=file
            )
        yield Waves(file)


def _start_values(circuit: Any, waves: Sequence[Waves]) -> str:
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


def _handshakes(circuit: Any, waves: Waves) -> str:
    watched = circuit.watched
    if not watched:
        return ""
    names = ["front.state_reg", "pins.core_reset", "recv.val", "recv.rdy"]
    names += [*watched.values(), "adapter.state_reg"][: len(watched) + ("done" in watched)]
    asked, before = 0, dict.fromkeys(("state", "reset", *watched), 0)
    for cycle, values in enumerate(waves.cycles([Signal(x) for x in names])):
        state, reset, offered, taken, *rest = values
        now = dict(zip((*watched, "step"), rest, strict=False)) | {"state": state, "reset": reset}
        accepted = bool(offered and taken)
        if told := "" if reset or before["reset"] else _wrong(now, before, asked, accepted):
            runs_again = circuit.starts_by_level and told == _ENDS_AGAIN
            return f"cycle {cycle}: {told}{f'; {_LEVEL}' if runs_again else ''}"
        asked += accepted
        before = now
    return ""


def _wrong(now: dict[str, int], before: dict[str, int], asked: int, accepted: bool) -> str:
    """Say what is wrong in a cycle; "": nothing is seen."""
    if "done" in now:
        again = now["done"] and not before["done"] and now["state"] == _IDLE
        if again and asked and not accepted:
            return _ENDS_AGAIN
        if now["step"] == before.get("step") == _KEPT and now.get("held") != before.get("held"):
            return "its result changes before the next start, though result_held says that it stays"
        return ""
    if now["valid"] and now["state"] == _IDLE and not accepted:
        if not asked:
            return "it answers before it was asked"
        return "it answers twice: valid is 1 after its answer was taken, with no request since"
    if "ready" in now and before["state"] == now["state"] == _RUN:
        waits = before["valid"] and not before["ready"]
        if waits and not now["valid"]:
            return "its answer goes away while it waits for ready"
        if waits and now["data"] != before["data"]:
            return (
                f"its answer changes from {before['data']:#x} to {now['data']:#x} while it waits "
                "for ready"
            )
    return ""
