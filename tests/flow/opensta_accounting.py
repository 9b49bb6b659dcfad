"""Imitates the power accounting of OpenSTA 2.0.17 at one global activity, for comparison.

The project counts energy differently. OpenSTA charges a rise *and* a fall for every toggle, and
adds up the groups of an output instead of sharing the toggles among them. Reproducing it to the
last digit shows that tables, slews and loads are read as OpenSTA reads them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyparsing as pp

from rsaxcel.flow.power.liberty import FALL, RISE, InternalPower, Pin
from rsaxcel.flow.power.liberty_syntax import liberty_file
from rsaxcel.flow.power.netlist import Instance, Netlist
from rsaxcel.flow.power.slews import Slews


@dataclass(frozen=True)
class OpenStaPower:
    """Power in watts per instance name."""

    internal_w: dict[str, float]
    switching_w: dict[str, float]
    leakage_w: dict[str, float]


def opensta_power(
    netlist: Netlist, slews: Slews, liberty: Path, *, activity: float, period_ns: float
) -> OpenStaPower:
    """Return the powers of `report_power` after ``set_power_activity -global -activity``."""
    functions = _functions(liberty)
    period_s = period_ns * 1e-9
    result = OpenStaPower({}, {}, {})
    for instance in netlist.instances:
        internal = switching = 0.0
        for pin in instance.cell.pins.values():
            bit = instance.nets.get(pin.name)
            load = netlist.load_f.get(bit, 0.0) if pin.is_output else 0.0
            toggles = _toggles(netlist, instance, pin.name, activity)
            if pin.is_output:
                switching += load * netlist.library.nominal_v**2 / 2 * toggles / period_s
            function = functions.get((instance.cell.name, pin.name))
            for power in pin.internal_powers:
                duty = _duty(netlist, instance, pin, power, function, activity)
                related = power.related_pin or pin.name
                both = sum(
                    power.energy_j(edge, slews.slew_s(instance.name, related, edge), load)
                    for edge in (RISE, FALL)
                )
                internal += duty * toggles / period_s * float(both)
        result.internal_w[instance.name] = internal
        result.switching_w[instance.name] = switching
        result.leakage_w[instance.name] = instance.cell.leakage_w
    return result


def _toggles(netlist: Netlist, instance: Instance, pin: str, activity: float) -> float:
    return 2.0 if instance.nets.get(pin) in netlist.clock_nets else activity


def _duty(
    netlist: Netlist,
    instance: Instance,
    pin: Pin,
    power: InternalPower,
    function: _Operation | str | None,
    activity: float,
) -> float:
    """Return the factor by which OpenSTA weights a group."""
    if power.when is not None:
        # Q and QN count as independent, each 1 half of the time.
        return float(power.when.probability(dict.fromkeys(power.when.pins, 0.5)))
    related = power.related_pin
    if related is not None and function is not None:
        other = _other_operand(function, related)
        if other is not None:
            toggles = _toggles(netlist, instance, pin.name, activity)
            return _toggles(netlist, instance, related, activity) / toggles * _half_duty(other)
    return 1.0 if instance.nets.get(related or pin.name) in netlist.clock_nets else 0.5


@dataclass(frozen=True)
class _Operation:
    """An operator of one or two operands: operations, pin names, or the constants 0 and 1."""

    operator: str
    operands: tuple

    @classmethod
    def from_tokens(cls, tokens: pp.ParseResults) -> _Operation:
        group = tokens[0]
        if group[0] == "!":
            return cls("!", (group[1],))
        result = group[0]
        for operator, operand in zip(group[1::2], group[2::2], strict=True):
            result = cls(operator, (result, operand))
        return result


_OPERATORS = [("!", 1, pp.OpAssoc.RIGHT), *((o, 2, pp.OpAssoc.LEFT) for o in "^&|")]
_GRAMMAR = pp.infix_notation(
    pp.Word(pp.alphanums + "_"),
    [(pp.Literal(o), arity, side, _Operation.from_tokens) for o, arity, side in _OPERATORS],
)


def _other_operand(function: _Operation | str, pin: str) -> _Operation | str | None:
    """Infer a condition from the outermost operator, if the pin is one of its two operands."""
    if isinstance(function, str):
        return "1" if function == pin else None
    if function.operator == "!":
        return _other_operand(function.operands[0], pin)
    left, right = function.operands
    for this, that in ((left, right), (right, left)):
        if this in (pin, _Operation("!", (pin,))):
            return that if function.operator == "&" else _Operation("!", (that,))
    return None


def _half_duty(expression: _Operation | str) -> float:
    """Return the probability of 1 of an expression at 1/2 for every pin."""
    names = sorted(_names(expression))
    values = [
        _value(expression, dict(zip(names, case, strict=True)))
        for case in np.ndindex(*[2] * len(names))
    ]
    return sum(values) / len(values)


def _names(expression: _Operation | str) -> set[str]:
    if isinstance(expression, str):
        return {expression} - {"0", "1"}
    return set().union(*(_names(operand) for operand in expression.operands))


def _value(expression: _Operation | str, pins: dict[str, int]) -> int:
    if isinstance(expression, str):
        return pins[expression] if expression in pins else int(expression)
    values = [_value(operand, pins) for operand in expression.operands]
    match expression.operator:
        case "!":
            return 1 - values[0]
        case "&":
            return min(values)
        case "|":
            return max(values)
        case _:
            return values[0] ^ values[1]


def _functions(liberty: Path) -> dict[tuple[str, str], _Operation | str]:
    """Parse the functions of all pins; operators of equal rank associate to the left."""
    functions = {}
    with liberty_file(liberty) as top:
        for cell in top.groups("cell"):
            for pin in cell.groups("pin"):
                if text := pin.get("function"):
                    parsed = _GRAMMAR.parse_string(text, parse_all=True)
                    functions[cell.names()[0], pin.names()[0]] = parsed[0]
    return functions
