"""Trace columns of an executor: state, step, products of each lane, remaining exponent bits."""

from collections.abc import Callable

from rsaxcel.plan.programs import Program
from rsaxcel.plan.steps import Product
from rsaxcel.rtl.exponentiators import states
from rsaxcel.rtl.exponentiators.digit_bus import DigitBusExponentiator
from rsaxcel.rtl.exponentiators.program_executor import ProgramExecutor
from rsaxcel.rtl.exponentiators.word_scan import WordScan
from rsaxcel.rtl.lib.slots import Slots
from rsaxcel.sim.traces.columns import Column, path_of
from rsaxcel.sim.traces.waves import Signal

_STATES = {
    getattr(states, name): name.lower()
    for name in ("IDLE", "START", "CONSTANTS", "RUN", "DONE", "BLANK", "CLEAR", "CHECK")
}
_RUNNING = states.RUN


def executor_columns(executor: ProgramExecutor | DigitBusExponentiator) -> list[Column]:
    """Columns of an elaborated executor, or of an exponentiator on a bus of one digit.

    State; in ``run`` also the step, each lane's unfinished products (``#``: not accepted by the end
    of the cycle), and the bits left of the exponent with the current digit: those of the current
    word if it is in words, products if it is counted down.
    """
    sequencer = executor.sequencer
    program: Program = sequencer._dsl.args[0]
    path, slots = path_of(sequencer), Slots(program)
    state = Signal(f"{path_of(executor)}state_reg")
    masks = [Signal(f"{path}{name}") for name in ("wait_reg", "issue_reg", "accepted_slots")]
    name = path_of(executor).rstrip(".") or "executor"
    steps = [Signal(f"{path}{name}") for name in ("step_reg", "index_reg")]
    columns = [
        Column(name, max(len(name), *map(len, _STATES.values())), [state], _STATES.__getitem__),
        Column("step", max(map(len, _step_names(program))), [state, *steps], _show_step(program)),
    ]
    for lane in range(slots.lanes):
        title, show = f"lane {lane}", _show_lane(slots, lane)
        columns.append(Column(title, _lane_width(slots, lane), [state, *masks], show))
    if "e" in program.receives:
        title = "word left" if isinstance(sequencer.scan, WordScan) else "bits left"
        title = "products left" if program.scan.counts else title
        columns.append(_bits_left(path, program, state, title))
    return columns


def _step_names(program: Program) -> list[str]:
    """Names of a program's steps, such as ``loop 1/2``.

    One that fills the table ends with ``00``.
    """
    groups = [
        ("enter", program.enter),
        ("table", program.fill),
        ("begin", program.begin),
        ("loop", program.loop),
        ("leave", program.leave),
        ("join", program.join),
    ]
    if program.check:
        check = program.check
        groups += [("check", check.enter), ("bit", check.loop), ("judge", check.leave)]
    names = []
    for group, steps in groups:
        for number in range(len(steps)):
            count = f" {number + 1}/{len(steps)}" if len(steps) > 1 else ""
            names.append(f"{group}{count}" + (" 00" if group == "table" else ""))
    return names


def _show_step(program: Program) -> Callable[[int, int, int], str]:
    names = _step_names(program)

    def show(state: int, step: int, index: int) -> str:
        if state != _RUNNING:
            return ""
        name = names[step]
        return f"{name[:-2]}{index:>2}" if name.startswith("table") else name

    return show


def _text(product: Product) -> str:
    return f"{product.dst}={product.a}*{product.b}"


def _lane_width(slots: Slots, lane: int) -> int:
    widths = [len(_text(p)) for k, p in slots.products.items() if k // slots.per_lane == lane]
    return max(widths, default=0) + 1


def _show_lane(slots: Slots, lane: int) -> Callable[[int, int, int, int], str]:
    own = {k: _text(p) for k, p in slots.products.items() if k // slots.per_lane == lane}

    def show(state: int, waits: int, issues: int, accepted: int) -> str:
        if state != _RUNNING:
            return ""
        offered = issues & ~accepted
        listed = [
            f"{'#' if offered >> k & 1 else ' '}{text}" for k, text in own.items() if waits >> k & 1
        ]
        return " ".join(listed)

    return show


def _bits_left(path: str, program: Program, state: Signal, title: str) -> Column:
    scan = program.scan

    def by_count(state: int, count: int) -> str:
        return str(min(count * scan.digit_nbits, scan.exponent_nbits)) if state == _RUNNING else ""

    def by_length(state: int, left: int) -> str:
        shown = left if scan.counts else left.bit_length()
        return str(shown) if state == _RUNNING else ""

    if program.loop and (scan.from_top or scan.fixed):
        return Column(title, len(title), [state, Signal(f"{path}scan.count_reg")], by_count)
    return Column(title, len(title), [state, Signal(f"{path}exponent")], by_length)
