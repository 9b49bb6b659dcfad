"""``rsaxcel list``: what designs and multipliers there are."""

import json
import textwrap
from typing import Any

import click

import designs
from eval.options import DEFAULT_NBITS
from fl.parameters import Parameter
from fl.status import InputRules, Status
from fl.units import Unit

_WIDTH = 100
_CONSTANTS = {"r": "R mod n", "r2": "R^2 mod n", "m_prime": "-n^-1 mod 2^k"}
_LABEL_WIDTH = 13


@click.command(
    epilog="""\b
    Examples:
      rsaxcel list
      rsaxcel list --json | python -m json.tool --json-lines
    """
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line, nothing else.")
def command(as_json: bool) -> None:
    """List every design and multiplier.

    Shows each one's choice on the four axes, its parameters, widths, input rules, side channels
    (whether the number of cycles depends on the exponent or on the base) and source. A
    multiplier's name works in `rsaxcel sim` and `rsaxcel fpga`, too.
    """
    entries = [
        *(describe_design(design) for design in designs.DESIGNS.values()),
        *(describe_multiplier(entry) for entry in designs.multipliers().values()),
    ]
    if as_json:
        for entry in entries:
            click.echo(json.dumps(entry))
        return
    click.echo("\n\n".join(_text(entry) for entry in entries))


def describe_design(design: designs.Design) -> dict[str, Any]:
    """Facts about a design; defaults and allowed values are those at 32 bits."""
    return {
        "name": design.name,
        "kind": "design",
        "summary": design.summary,
        "axes": {
            "multiplier": Unit(design.multiplier).module,
            "domain": design.domain.name,
            "schedule": design.schedule_choice.name,
            "store": design.store,
        },
        **_common(design.widths, design.parameters),
        "odd_modulus": design.odd_modulus,
        "host_constants": [name for name, _ in _at_default(design).host_constants],
        "input_rules": _input_rules("base", _at_default(design).rules),
        "exponent_dependent": design.exponent_dependent,
        "base_dependent": design.base_dependent,
        "source": design.source,
    }


def describe_multiplier(entry: designs.MultiplierEntry) -> dict[str, Any]:
    """Facts about a multiplier; defaults and allowed values are those at 32 bits."""
    contract = Unit(entry.multiplier).resolve("fl")
    return {
        "name": entry.name,
        "kind": "multiplier",
        "summary": contract.__doc__.partition("\n")[0].replace("``", "").rstrip("."),
        **_common(entry.widths, entry.parameters),
        "odd_modulus": contract.odd_modulus,
        "input_rules": _input_rules("a or b", InputRules(DEFAULT_NBITS, contract.odd_modulus)),
        "operand_dependent": not contract.constant_time,
        "source": contract.source,
    }


def _common(widths: range, parameters: tuple[Parameter, ...]) -> dict[str, Any]:
    nbits = _default_nbits(widths)
    return {
        "nbits_min": widths[0],
        "nbits_max": widths[-1],
        "parameters": [
            {
                "name": parameter.name,
                "symbol": parameter.symbol,
                "default": parameter.default(nbits),
                "allowed": list(parameter.allowed(nbits)),
                "allowed_text": parameter.describe_allowed(nbits),
                "nbits": nbits,
                "meaning": parameter.meaning,
            }
            for parameter in parameters
        ],
    }


def _default_nbits(widths: range) -> int:
    return max(widths[0], min(DEFAULT_NBITS, widths[-1]))


def _at_default(design: designs.Design) -> designs.Configuration:
    return design.configure(_default_nbits(design.widths))


def _input_rules(operand: str, rules: InputRules) -> dict[str, str]:
    """Status name to the operands that get it, in the order in which the rules are tried."""
    meanings = {
        Status.OPERAND_TOO_WIDE: "an operand does not fit nbits",
        Status.MODULUS_TOO_SMALL: f"n < {rules.min_modulus}",
        Status.MODULUS_EVEN: "n is even",
        Status.BASE_TOO_LARGE: f"{operand} >= n",
        Status.CONSTANTS_MISSING: "not those of n",
    }
    if not rules.odd_modulus:
        del meanings[Status.MODULUS_EVEN]
    if not rules.host_constants:
        del meanings[Status.CONSTANTS_MISSING]
    return {str(status): meaning for status, meaning in meanings.items()}


def _text(entry: dict[str, Any]) -> str:
    if entry["kind"] == "design":
        rows = list(entry["axes"].items())
        channels = {"exponent": entry["exponent_dependent"], "base": entry["base_dependent"]}
        if entry["host_constants"]:
            rows.append(("host gives", ", ".join(_CONSTANTS[n] for n in entry["host_constants"])))
    else:
        rows = []
        channels = {"operands": entry["operand_dependent"]}
    rules = (f"{name} ({rule})" for name, rule in entry["input_rules"].items())
    rows += [
        ("widths", f"{entry['nbits_min']} to {entry['nbits_max']} bits"),
        ("input rules", ", ".join(rules)),
        ("cycles", _side_channel(channels)),
        ("source", entry["source"]),
    ]
    lines = [f"{click.style(entry['name'], bold=True)} ({entry['kind']}): {entry['summary']}"]
    lines += [_row(label, value) for label, value in rows]
    for parameter in entry["parameters"]:
        allowed = f"{parameter['allowed_text']} (at {parameter['nbits']} bits)"
        symbol = f" ({parameter['symbol']})" if parameter["symbol"] else ""
        choice = f"{parameter['name']}={parameter['default']}{symbol}"
        lines.append(_row("parameter", f"{choice}: {parameter['meaning']}; {allowed}"))
    return "\n".join(lines)


def _side_channel(channels: dict[str, bool]) -> str:
    """Say which values change the number of cycles."""
    phrases = (
        f"{'depend' if depends else 'do not depend'} on the {name}"
        for name, depends in channels.items()
    )
    return ", ".join(phrases)


def _row(label: str, value: str) -> str:
    return textwrap.fill(
        value,
        width=_WIDTH,
        initial_indent=f"  {label:<{_LABEL_WIDTH}}",
        subsequent_indent=" " * (_LABEL_WIDTH + 2),
        break_long_words=False,
        break_on_hyphens=False,
    )
