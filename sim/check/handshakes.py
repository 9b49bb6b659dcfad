"""A core in its shell: its handshakes and the start values of its registers, from waveforms.

``Bare`` is a core in a shell that passes every request, also those that break its input rules.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from math import gcd
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from rsaxcel.circuit import DescribedCircuit, is_product
from rsaxcel.plan.protocols import Axi4Lite, Core, StartDone, Steps, Streams, Wait, Words, Xcel
from rsaxcel.rtl.shells.pins import pin
from rsaxcel.rtl.shells.sequencer import PAUSE, entries_of
from rsaxcel.sim.batch import SimulationError, SimulationTimeout
from rsaxcel.sim.check.refused import Refused
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.operations import operation
from rsaxcel.sim.runners import open_component, unknown_cycles
from rsaxcel.sim.stalls import StallProfile
from rsaxcel.sim.traces import Signal, Waves
from rsaxcel.sim.translate import translate_cached
from rsaxcel.sim.vectors import random_vectors


class Answer(NamedTuple):
    result: int | None  #: None: there is none
    cycles: int = 0
    is_taken: bool = True  #: the request was accepted


class Bare:
    """A core in a shell without input rules.

    ``core``, with the name ``variant``: the core with a change of its description, to try whether
    the change makes its results right.
    """

    def __init__(self, circuit: DescribedCircuit, core: Any = None, variant: str = "") -> None:
        from rsaxcel.diagnosis.check import SOURCES, check_circuit
        from rsaxcel.sim.native.engine import NativeEngine

        name = "_".join(filter(None, (circuit.name, "unchecked", variant)))
        self.circuit, self.is_product = circuit, is_product(circuit)
        self.most_cycles = unknown_cycles(circuit)
        self.engine = NativeEngine(
            translate_cached(
                name,
                lambda: circuit.unchecked(core),
                sources=[*circuit.sources, *SOURCES],
                top=name,
                check=check_circuit,
            )
        )

    def request(self, row: Operands) -> tuple[int, ...]:
        constants = self.circuit.host_constants
        fields = (*row, *(_constant_value(x, row[2]) for x in constants))
        if self.is_product:
            return fields
        return (*fields, 0, 0) if constants else (*fields, 0)

    def expected(self, row: Operands) -> int | None:
        """Compute the result by Python's integers; None: there is none."""
        first, second, modulus = row
        if modulus == 0:
            return None
        if not is_product(self.circuit):
            return pow(first, second, modulus)
        r = self.circuit.r
        return first * second * pow(r, -1, modulus) % modulus if gcd(r, modulus) == 1 else None

    def alone(self, row: Operands) -> Answer:
        """Answer to a request after a reset."""
        return self.in_turn([row])[0]

    def in_turn(self, rows: Sequence[Operands]) -> list[Answer]:
        """Answers to requests in a row; after one without an answer, those left have none."""
        try:
            batch = self.engine.run(
                [self.request(x) for x in rows], max_idle_cycles=self.most_cycles
            )
        except SimulationTimeout as error:
            told = self.in_turn(rows[: error.answered]) if error.answered else []
            left = len(rows) - error.answered - 1
            return [*told, Answer(None, 0, error.accepted > error.answered), *[Answer(None)] * left]
        except SimulationError:
            return [Answer(None)] * len(rows)
        pairs = zip(batch.responses, batch.cycles, strict=True)
        return [Answer(response[0], cycles or 0) for response, cycles in pairs if response]

    def shown(self, row: Operands) -> str:
        names = operation(self.circuit).keys
        return ", ".join(f"{name}={x:#x}" for name, x in zip(names, row, strict=True))


def _constant_value(constant: Any, modulus: int) -> int:
    """Value of a constant of the modulus; 0 where its formula has none."""
    try:
        return int(constant.formula.value(modulus)) & ((1 << constant.nbits) - 1)
    except (ValueError, ZeroDivisionError, ArithmeticError):
        return 0


def allowed(circuit: DescribedCircuit, rows: Sequence[Operands]) -> list[Operands]:
    """Rows that meet the input rules."""
    to_do = operation(circuit)
    return [x for x in rows if not to_do.status(x)]


_IDLE, _RUN = 0, 1  #: of the shell's front
_START, _KEPT = 1, 3  #: of the adapter of a start: it waits for the core; the result waits
_LONG = 100  #: cycles after which what is waited for does not come
_LEVEL = "with level, start is still 1 in the cycle of the end, and the core runs again"
_ENDS_AGAIN = "it ends once more, without a start: an answer comes twice"
_FRONT = {"state": "front.state_reg", "reset": "pins.core_reset"}
_FRONT |= {"offered": "recv.val", "accepted": "recv.rdy"}

Values = dict[str, int]


class Told(NamedTuple):
    text: str
    is_fault: bool = True


def has_addresses(core: Core) -> bool:
    return isinstance(core.protocol, Steps)


def can_wait(core: Core) -> bool:
    """Whether a core has addresses, and is told when nobody reads or writes."""
    protocol = core.protocol
    is_told = not isinstance(protocol, Words) or bool(protocol.select or protocol.read)
    return isinstance(protocol, Steps) and is_told


def started_result(core: Core) -> str:
    """Port of the result of a core with a start; "": it has none."""
    return core.protocol.result.port if isinstance(core.protocol, StartDone) else ""


def look(core: Core, waves: Waves) -> Iterator[Told]:
    """Yield what is wrong in a waveform, the first of each kind."""
    watch, seen = _watch_of(core), set()
    before: Values = {"reset": 1}
    for cycle, now in enumerate(_watched_values(watch, waves)):
        if now["reset"] or before["reset"]:
            watch.clear()
        else:
            for kind, found in enumerate(watch.wrong(now, before)):
                told = Told(found) if isinstance(found, str) else found
                if told.text and kind not in seen:
                    seen.add(kind)
                    yield told._replace(text=f"cycle {cycle}: {told.text}")
        before = now


def stuck(core: Core, waves: Waves) -> str:
    """Say what does not come at the end of a waveform; "": all has come."""
    watch = _watch_of(core)
    before: Values = {}
    since: dict[str, int] = {}
    for now in _watched_values(watch, waves):
        if before and not now["reset"]:
            [*watch.wrong(now, before)]
        waits = watch.waits(now) if now["state"] == _RUN or now["offered"] else ()
        since = {x: since.get(x, 0) + 1 for x in waits}
        before = now
    return next((x for x, cycles in since.items() if cycles >= _LONG), "")


def _watched_values(watch: _Watch, waves: Waves) -> Iterator[Values]:
    """Yield the values of what is watched in each cycle."""
    signals = _FRONT | {x: f"pins.{pin(y)}" for x, y in watch.ports.items() if y} | watch.inner
    for values in waves.cycles([Signal(x) for x in signals.values()]):
        yield dict(zip(signals, values, strict=True))


class _Watch:
    """Handshakes of a protocol."""

    inner: ClassVar[dict[str, str]] = {}  #: signals beside ports, by what they are

    def __init__(self, core: Core) -> None:
        self.core, self.asked = core, 0
        self.protocol: Any = core.protocol

    @property
    def ports(self) -> dict[str, str]:
        """Ports that are watched, by what they are."""
        return {}

    def clear(self) -> None:
        """Forget what was asked: the core is reset."""

    def wrong(self, now: Values, before: Values) -> Iterator[str | Told]:
        """Yield what is wrong in a cycle, or "", always the same kinds in the same order."""
        yield ""

    def waits(self, now: Values) -> Iterator[str]:
        """Yield what is waited for."""
        yield from ()


class _Streams(_Watch):
    @property
    def ports(self) -> dict[str, str]:
        result = self.protocol.result
        own = {"valid": result.valid, "ready": result.ready, "data": result.data[0].port}
        asks = {x: y for each in self.protocol.operands for x, y in _asks(each).items()}
        return own | asks

    def wrong(self, now: Values, before: Values) -> Iterator[str | Told]:
        accepted = bool(now["offered"] and now["accepted"])
        yield self._unasked(now) if now["state"] == _IDLE and not accepted else ""
        yield _kept(now, before, "its answer") if "ready" in now else ""
        self.asked += accepted

    def _unasked(self, now: Values) -> str:
        if not now["valid"]:
            return ""
        if not self.asked:
            return "it answers before it was asked"
        return "it answers twice: valid is 1 after its answer was taken, with no request since"

    def waits(self, now: Values) -> Iterator[str]:
        for stream in self.protocol.operands:
            if stream.ready and now[stream.valid] and not now[stream.ready]:
                yield f"{stream.ready} stays 0 while {stream.valid} is 1"
        if not now["valid"]:
            yield f"{self.protocol.result.valid} stays 0"


def _asks(stream: Any) -> dict[str, str]:
    return {x: x for x in (stream.valid, stream.ready) if stream.ready}


def _kept(
    now: Values, before: Values, what: str, valid: str = "valid", ready: str = "ready"
) -> str:
    """Say that what waits for ready goes away or changes."""
    if not before[valid] or before[ready]:
        return ""
    if not now[valid]:
        return f"{what} goes away while it waits for ready"
    for name in ("data", "rdata", "rresp", "bresp", "resp_msg"):
        is_own = name == "data" or name[0] == valid[0]
        if is_own and name in now and now[name] != before[name]:
            changes = f"changes from {before[name]:#x} to {now[name]:#x}"
            return f"{what} {changes} while it waits for ready"
    return ""


class _StartDone(_Watch):
    inner: ClassVar[dict[str, str]] = {"step": "adapter.state_reg"}

    @property
    def ports(self) -> dict[str, str]:
        own = {x: getattr(self.protocol, x) for x in ("done", "busy", "ready")}
        return own | {"held": self.protocol.result.port if self.protocol.result_held else ""}

    def wrong(self, now: Values, before: Values) -> Iterator[str | Told]:
        accepted = bool(now["offered"] and now["accepted"])
        idle = now["state"] == _IDLE and self.asked and not accepted
        again = idle and now.get("done") and not before["done"]
        by_level = self.protocol.level
        told = f"{_ENDS_AGAIN}; {_LEVEL}" if by_level else _ENDS_AGAIN
        yield Told(told if again else "", not by_level)
        is_new = before["state"] == _IDLE and "done" not in now
        runs = idle and is_new and _busy(now) > _busy(before)
        yield Told("it is busy once more, without a start" if runs else "", False)
        kept = now["step"] == before["step"] == _KEPT and now.get("held") != before.get("held")
        told = "its result changes before the next start, though result_held says that it stays"
        yield told if kept else ""
        self.asked += accepted

    def waits(self, now: Values) -> Iterator[str]:
        begins = now["state"] == _IDLE or now["step"] == _START
        where = "before" if begins else "after"
        for name, going in (("done", 0), ("busy", 1), ("ready", 0)):
            if name in now and now[name] == going and not (begins and name == "done"):
                yield f"{getattr(self.protocol, name)} stays {going} {where} the start"


def _busy(now: Values) -> int:
    return now.get("busy", 0) or 1 - now.get("ready", 1)


class _Steps(_Watch):
    inner: ClassVar[dict[str, str]] = {
        x: f"adapter.sequencer.{x}" for x in ("runs_reg", "at_reg", "word", "done")
    }

    def __init__(self, core: Core) -> None:
        super().__init__(core)
        self.steps = [x.step for x in entries_of(core)]
        self.word = 0  #: that was read last

    @property
    def ports(self) -> dict[str, str]:
        return {x.port: x.port for x in self.steps if isinstance(x, Wait) and x.port}

    def waits(self, now: Values) -> Iterator[str]:
        step = self.steps[min(now["at_reg"], len(self.steps) - 1)]
        if now["done"]:
            self.word = now["word"]
        if now["runs_reg"] and isinstance(step, Wait):
            if step.port:
                yield f"{step.port}, which is waited for, stays {now[step.port]}"
            else:
                where = f"at address {step.address:#x} under mask {step.mask:#x}"
                yield f"what is waited for {where} stays {self.word & step.mask:#x}"


class _Response(NamedTuple):
    valid: str
    ready: str
    requests: tuple[tuple[str, str], ...]  #: handshakes before it
    of: str  #: what it answers
    is_later: bool = False  #: it never comes in the cycle of its request


class _Bus(_Steps):
    """Responses: each after its request, once, and unchanged until it is taken."""

    responses: ClassVar[tuple[_Response, ...]]
    payload: ClassVar[tuple[str, ...]]

    def __init__(self, core: Core) -> None:
        super().__init__(core)
        self.names = dict(self.protocol.ports)
        self.clear()

    def clear(self) -> None:
        self.sent = {x: [0 for _ in x.requests] for x in self.responses}
        self.taken = dict.fromkeys(self.responses, 0)
        self.types: list[int] = []

    @property
    def ports(self) -> dict[str, str]:
        used = {*self.payload}
        used |= {y for x in self.responses for y in (x.valid, x.ready, *sum(x.requests, ()))}
        return super().ports | {x: y for x, y in self.names.items() if x in used}

    def wrong(self, now: Values, before: Values) -> Iterator[str | Told]:
        for each in self.responses:
            yield self._unasked(each, now)
            yield _kept(now, before, f"what {each.valid} says", each.valid, each.ready)
        if "req_msg" in now:
            yield self._mistyped(now)
        for name, valid in (("bresp", "bvalid"), ("rresp", "rvalid")):
            error = now.get(name) and now[valid]
            yield Told(f"{name} is {now.get(name)}, an error of the core" if error else "", False)

    def _unasked(self, each: _Response, now: Values) -> str:
        sent, earlier = self.sent[each], [*self.sent[each]]
        for i, (asks, accepts) in enumerate(each.requests):
            sent[i] += now[asks] and now[accepts]
        taken, valid = self.taken[each], self.names[each.valid]
        self.taken[each] += now[each.valid] and now[each.ready]
        if not now[each.valid] or min(earlier if each.is_later else sent) > taken:
            return ""
        if min(sent) > taken:
            return f"{valid} is 1 in the cycle of its request; a later cycle is allowed"
        if max(sent) == 0 or max(sent) > min(sent):
            return f"{valid} is 1 before {each.of} is accepted: a response before its request"
        return f"{valid} is 1 once more for {each.of}: it answers twice"

    def _mistyped(self, now: Values) -> str:
        if now["req_val"] and now["req_rdy"]:
            self.types.append(now["req_msg"] >> 37)
        if not (now["resp_val"] and now["resp_rdy"] and self.types):
            return ""
        asked, found = self.types.pop(0), now["resp_msg"] >> 32
        return f"a response of type {found} to a request of type {asked}" if asked != found else ""

    def waits(self, now: Values) -> Iterator[str]:
        for each in self.responses:
            for valid, ready in each.requests:
                if now[valid] and not now[ready]:
                    yield f"{self.names[ready]} stays 0 while {self.names[valid]} is 1"
            if min(self.sent[each]) > self.taken[each] and not now[each.valid]:
                yield f"{self.names[each.valid]} stays 0 after {each.of}"
        yield from super().waits(now)


class _Axi(_Bus):
    responses = (
        _Response("bvalid", "bready", (("awvalid", "awready"), ("wvalid", "wready")), "a write"),
        _Response("rvalid", "rready", (("arvalid", "arready"),), "a read", is_later=True),
    )
    payload = ("bresp", "rresp", "rdata")


class _Xcel(_Bus):
    responses = (_Response("resp_val", "resp_rdy", (("req_val", "req_rdy"),), "a request"),)
    payload = ("req_msg", "resp_msg")


def _watch_of(core: Core) -> _Watch:
    kinds = {Streams: _Streams, StartDone: _StartDone, Axi4Lite: _Axi, Xcel: _Xcel}
    return kinds.get(type(core.protocol), _Steps)(core)


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
