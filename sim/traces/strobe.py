"""Trace columns of an exponentiator with strobes: its pulses, and those of both lanes."""

from rsaxcel.rtl.exponentiators.strobe_pair import StrobePair
from rsaxcel.sim.traces.columns import Column, path_of
from rsaxcel.sim.traces.waves import Signal

_LEVELS = (".", "1")
_STATES = ("multiply", "square")
_LANES = {"multiply": "r*b", "square": "b*b"}
_PHASES = ("strobe", "busy", "ready")


def strobe_columns(pair: StrobePair) -> list[Column]:
    """Columns of an elaborated exponentiator with strobes.

    ``strobe``, ``busy`` and ``ready`` (1, or a dot for 0), state, phase of each lane (nothing if it
    rests), bits left of the exponent.
    """
    path = path_of(pair)
    columns = [Column(x, len(x), [Signal(f"{path}{x}")], _LEVELS.__getitem__) for x in _PHASES]
    busy = Signal(f"{path}busy")
    state = Signal(f"{path}state_reg")
    columns.append(Column("state", len(_STATES[0]), [busy, state], _show_state))
    for lane, title in _LANES.items():
        signals = [Signal(f"{path}{lane}.{name}") for name in _PHASES]
        columns.append(Column(title, len(_PHASES[0]), signals, _show_lane))
    exponent = Signal(f"{path}e_reg")
    columns.append(Column("bits left", len("bits left"), [busy, exponent], _show_bits))
    return columns


def _show_state(busy: int, state: int) -> str:
    return _STATES[state] if busy else ""


def _show_lane(*levels: int) -> str:
    return next((name for name, level in zip(_PHASES, levels, strict=True) if level), "")


def _show_bits(busy: int, exponent: int) -> str:
    return str(exponent.bit_length()) if busy else ""
