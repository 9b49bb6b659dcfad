"""Handshakes of a core in its shell: what a waveform has that the protocol does not allow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

from rsaxcel.plan.protocols import Axi4Lite, Core, StartDone, Steps, Streams, Wait, Words, Xcel
from rsaxcel.rtl.shells.pins import pin
from rsaxcel.rtl.shells.sequencer import entries_of
from rsaxcel.sim.traces.trace import Signal, Waves

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
    for cycle, now in enumerate(_values(watch, waves)):
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
    for now in _values(watch, waves):
        if before and not now["reset"]:
            [*watch.wrong(now, before)]
        waits = watch.waits(now) if now["state"] == _RUN or now["offered"] else ()
        since = {x: since.get(x, 0) + 1 for x in waits}
        before = now
    return next((x for x, cycles in since.items() if cycles >= _LONG), "")


def _values(watch: _Watch, waves: Waves) -> Iterator[Values]:
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
