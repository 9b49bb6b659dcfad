"""The ``pymtl`` engine: simulates the elaborated component in Python."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pymtl3 import Component, Placeholder, mk_bits
from pymtl3.dsl import MethodPort
from pymtl3.passes.mamba.UnrollSimPass import UnrollSimPass
from pymtl3.passes.sim.DynamicSchedulePass import DynamicSchedulePass
from pymtl3.passes.sim.GenDAGPass import GenDAGPass
from pymtl3.passes.sim.PrepareSimPass import PrepareSimPass
from pymtl3.passes.sim.WrapGreenletPass import WrapGreenletPass
from pymtl3.passes.tracing.VcdGenerationPass import VcdGenerationPass

from rsaxcel.diagnosis.component import check_update_blocks, field_widths, message_types
from rsaxcel.fl.digit_bus import Frames
from rsaxcel.sim.batch import (
    MAX_IDLE_CYCLES,
    RESET_CYCLES,
    RESET_IN_FLIGHT_CYCLES,
    Batch,
    SimulationTimeout,
    UnexpectedResponse,
    check_resets,
    check_run,
    to_columns,
)
from rsaxcel.sim.stalls import NO_STALLS, StallProfile
from rsaxcel.store.errors import UserError


class _HalfCyclePass(PrepareSimPass):
    """Splits ``sim_tick`` into ``sim_settle`` (combinational blocks) and ``sim_edge`` (registers).

    ``sim_tick`` settles before and after the edge, and a bench that reads handshakes once more:
    this pass settles once per cycle instead of three times.
    """

    gen_tick_function = staticmethod(UnrollSimPass.gen_tick_function)

    def __call__(self, top: Component) -> None:
        super().__call__(top)
        top.sim_settle = self.gen_tick_function(top._sched.update_schedule)
        top.sim_edge = self.gen_tick_function(self.collect_ff_funcs(top))


def prepare(top: Component, vcd: Path | None) -> None:
    """Apply the passes of PyMTL3's DefaultPassGroup that a test bench needs.

    ``top`` gets ``sim_settle`` and ``sim_edge``. ``ValueError`` for method ports, ``update_once``
    blocks, or update blocks of one name, which PyMTL3 would confuse.
    """
    if top.get_all_update_once() or top.get_all_object_filter(lambda x: isinstance(x, MethodPort)):
        name = type(top).__name__
        raise ValueError(f"{name}: method ports and update_once blocks can't be settled")
    check_update_blocks(top)
    if vcd is not None:
        if vcd.suffix != ".vcd":
            raise ValueError(f"vcd={vcd}: the name must end in .vcd")
        top.set_metadata(VcdGenerationPass.vcd_file_name, str(vcd.with_suffix("")))
    GenDAGPass()(top)
    WrapGreenletPass()(top)
    DynamicSchedulePass()(top)
    VcdGenerationPass()(top)
    _HalfCyclePass(print_line_trace=False)(top)


class PymtlEngine:
    """Runs batches on one simulated component; registers without reset keep their contents.

    ``factory`` is called again for each waveform.
    """

    def __init__(self, factory: Callable[[], Component]) -> None:
        self._factory = factory
        self._top = self._build(None)

    def _build(self, vcd: Path | None) -> Component:
        top = self._factory()
        top.elaborate()
        if cores := [x for x in top.get_all_components() if isinstance(x, Placeholder)]:
            names = sorted({str(x.module) for x in cores})
            verb = "is" if len(names) == 1 else "are"
            told = f"{', '.join(names)} {verb} written in Verilog; native is allowed"
            raise UserError(f"engine=pymtl: {told}")
        self.design = type(top).__name__
        self._request, response = message_types(top)
        self._fields = field_widths(self._request)
        self._response = response
        self._answer_names = [name for name, _ in field_widths(response)]
        frames: Frames | None = getattr(top, "frames", None)
        self._digit_nbits = frames.digit_nbits if frames else 0
        prepare(top, vcd)
        return top

    def run(
        self,
        requests: Sequence[tuple[int, ...]],
        *,
        stalls: StallProfile = NO_STALLS,
        in_flight: int | None = 1,
        max_idle_cycles: int = MAX_IDLE_CYCLES,
        power_up_seed: int = 0,
        power_up_cycles: int = RESET_CYCLES,
        reset_at: int | None = None,
        reset_cycles: int = RESET_IN_FLIGHT_CYCLES,
        vcd: Path | None = None,
    ) -> Batch:
        if power_up_seed:
            raise ValueError(f"power_up_seed={power_up_seed}: only the native engine supports it")
        check_resets(power_up_seed, power_up_cycles, reset_at, reset_cycles)
        to_columns(self.design, self._fields, requests)  # to_columns checks the requests
        check_run(in_flight=in_flight, max_idle_cycles=max_idle_cycles)
        top = self._top if vcd is None else self._build(vcd)
        recv, send = top.recv, top.send
        settle, edge = top.sim_settle, top.sim_edge
        count = len(requests)
        source_delay, sink_delay = stalls.delays(count)
        limit = count if in_flight is None else in_flight
        messages = [self._message(request, inverted=False) for request in requests]
        # Shown while no request is offered: the bitwise inverse of the next request, so that a
        # design that reads the message without a handshake computes something else.
        between = [self._message(request, inverted=True) for request in requests]
        between.append(between[-1] if between else self._message([0] * len(self._fields)))

        batch = Batch([None] * count, [], [None] * count, [None] * count)
        cycle = accepted = answered = idle_since = sent = 0
        seen = False
        answer: list[Any] = []
        answer_digits = self._response.nbits // (self._digit_nbits or self._response.nbits)

        def hold_reset(cycles: int) -> None:
            recv.val @= 0
            recv.msg @= between[accepted][0]
            send.rdy @= 0
            top.reset @= 1
            for _ in range(cycles):
                settle()
                edge()
            top.reset @= 0

        hold_reset(power_up_cycles)
        source_at, sink_at = (source_delay[0], sink_delay[0]) if count else (0, 0)
        while answered < count:
            if cycle == reset_at:
                hold_reset(reset_cycles)
                cycle += reset_cycles
                if seen:
                    batch.valid[answered] = None
                answered, seen, idle_since, sent = accepted, False, cycle, 0
                answer.clear()
                if accepted < count:
                    source_at = cycle + source_delay[accepted]
                    sink_at = cycle + sink_delay[accepted]
                continue
            offer = accepted < count and cycle >= source_at and accepted - answered < limit
            ready = cycle >= sink_at
            shown = messages if offer else between
            last_in = accepted < count and sent == len(messages[accepted]) - 1
            last_out = len(answer) == answer_digits - 1
            recv.val @= offer
            recv.msg @= shown[accepted][sent]
            send.rdy @= ready
            settle()
            accept, valid = offer and int(recv.rdy), int(send.val)
            if valid:
                if answered == accepted and (not (offer and last_in) or (ready and not accept)):
                    raise UnexpectedResponse(self.design, cycle, accepted)
                if last_out and not seen:
                    seen = True
                    batch.valid[answered] = cycle
                if ready:
                    answer.append(self._shown(send.msg))
                    if last_out:
                        batch.responses[answered] = self._fields_of(answer)
                        batch.taken[answered] = cycle
            edge()
            cycle += 1
            if accept:
                sent += 1
                if last_in:
                    batch.accepted.append(cycle - 1)
                    accepted += 1
                    sent = 0
                idle_since = cycle
                if accepted < count:
                    source_at = cycle + source_delay[accepted]
            if valid and ready:
                if last_out:
                    answered += 1
                    seen = False
                    answer.clear()
                idle_since = cycle
                if answered < count:
                    sink_at = cycle + sink_delay[answered]
            if cycle - idle_since >= max_idle_cycles:
                raise SimulationTimeout(
                    self.design, cycle, max_idle_cycles, accepted, answered, count
                )
        object.__setattr__(batch, "total_cycles", cycle)
        return batch

    def _message(self, request: Sequence[int], *, inverted: bool = False) -> list[Any]:
        """Return the port's values for a request: the message, or its digits in order."""
        values = (
            value ^ ((1 << nbits) - 1) if inverted else value
            for value, (_, nbits) in zip(request, self._fields, strict=True)
        )
        kinds = self._request.__bitstruct_fields__.values()
        message = self._request(*(kind(value) for kind, value in zip(kinds, values, strict=True)))
        if not self._digit_nbits:
            return [message]
        number, digit = int(message.to_bits()), mk_bits(self._digit_nbits)
        return [
            digit(number >> low & (1 << digit.nbits) - 1)
            for low in range(0, self._request.nbits, digit.nbits)
        ]

    def _shown(self, port: Any) -> Any:
        """Return the port's value: the fields of a response, or a digit as a number."""
        if self._digit_nbits:
            return int(port)
        return tuple(int(getattr(port, name)) for name in self._answer_names)

    def _fields_of(self, answer: Sequence[Any]) -> tuple[int, ...]:
        """Return the fields of a response, from the port's values."""
        if not self._digit_nbits:
            return tuple(answer[0])
        number = sum(digit << i * self._digit_nbits for i, digit in enumerate(answer))
        message = self._response.from_bits(mk_bits(self._response.nbits)(number))
        return tuple(int(getattr(message, name)) for name in self._answer_names)
