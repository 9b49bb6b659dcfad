"""``rsaxcel list``: what designs, multipliers and systems there are."""

import json
import textwrap
from collections.abc import Mapping
from typing import Any

import click

import catalog
from fl.modulus_constants import ModulusConstant
from fl.parameters import Parameter
from fl.status import InputRules, Status
from proc.kinds import ATTACHED, NULL
from proc.systems import NULL_SYSTEM, NULL_WIDTHS

_WIDTH = 100
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
    """List every design and multiplier, the choices on each axis, and what systems there are.

    Shows each one's choice on the four axes, its parameters, widths, input rules, side channels
    (whether the number of cycles depends on the exponent or on the base) and source. A
    multiplier's name works in `rsaxcel sim` and `rsaxcel fpga`, too.

    The choices can be put in place of a design's own by --param, such as
    `--param schedule=window`. What is not given stays the design's where that fits, and otherwise
    follows, which the output then says.

    A system proc_DESIGN or axi_DESIGN has the parameters of its accelerator and those of the
    processor.
    """
    entries = [
        *(describe_design(design) for design in catalog.DESIGNS.values()),
        *(describe_multiplier(entry) for entry in catalog.multipliers().values()),
        *(describe_axis(name, choices) for name, choices in catalog.axes().items()),
        *describe_systems(),
    ]
    if as_json:
        for entry in entries:
            click.echo(json.dumps(entry))
        return
    click.echo("\n\n".join(_text(entry) for entry in entries))


def describe_axis(name: str, choices: Mapping[str, str]) -> dict[str, Any]:
    """Tokens of an axis with what they mean."""
    return {"name": name, "kind": "axis", "choices": dict(choices)}


def describe_design(design: catalog.Design) -> dict[str, Any]:
    """Facts about a design; defaults and allowed values are those at 32 bits."""
    configuration = design.default
    choices = configuration.choices
    return {
        "name": design.name,
        "kind": "design",
        "id": design.id,
        "summary": design.summary,
        "axes": {
            "multiplier": choices.multiplier.classes.name,
            "domain": choices.domain.name,
            "schedule": choices.schedule.meaning + _on_lanes(choices.lanes),
            "store": choices.store.name,
        },
        "choices": dict(choices.tokens),
        **_common(design.widths, design.default_nbits, design.parameters),
        "odd_modulus": configuration.odd_modulus,
        "host_constants": [describe_constant(c) for c in configuration.host_constants],
        "input_rules": _input_rules("base", configuration.rules),
        "exponent_dependent": configuration.exponent_dependent,
        "base_dependent": configuration.base_dependent,
        "source": design.source,
    }


def describe_constant(constant: ModulusConstant) -> dict[str, Any]:
    """Facts about a constant of the modulus m."""
    return {
        "name": constant.name,
        "formula": str(constant.formula),
        "description": constant.description,
    }


def describe_multiplier(entry: catalog.MultiplierEntry) -> dict[str, Any]:
    """Facts about a multiplier; defaults and allowed values are those at 32 bits."""
    contract = entry.classes.fl
    golden = entry.configure(entry.default_nbits).golden
    times = golden.operand_limit(1)
    limit = "n" if times == 1 else f"{times}n"
    only = golden.constant_modulus
    rules = InputRules(entry.default_nbits, contract.odd_modulus, constant_modulus=only)
    return {
        "name": entry.name,
        "kind": "multiplier",
        "summary": (contract.__doc__ or "").partition("\n")[0].replace("``", "").rstrip("."),
        **_common(entry.widths, entry.default_nbits, entry.parameters),
        "odd_modulus": contract.odd_modulus,
        "constants": [describe_constant(c) for c in golden.constants],
        "input_rules": _input_rules("a or b", rules, limit),
        "operand_dependent": not contract.constant_time,
        "source": contract.source,
    }


def describe_systems() -> list[dict[str, Any]]:
    """Facts about processors, without an accelerator and with any."""
    return [
        {
            "name": NULL_SYSTEM,
            "kind": "system",
            "summary": NULL.summary,
            **_common(NULL_WIDTHS, catalog.DEFAULT_NBITS, NULL.parameters),
        },
        *(
            {
                "name": f"{prefix}DESIGN",
                "kind": "system",
                "summary": kind.summary,
                "parameters": _parameters(kind.parameters, catalog.DEFAULT_NBITS),
            }
            for prefix, kind in ATTACHED.items()
        ),
    ]


def _on_lanes(lanes: int) -> str:
    return ", one lane" if lanes == 1 else f", {lanes} lanes"


def _common(widths: range, nbits: int, parameters: tuple[Parameter, ...]) -> dict[str, Any]:
    return {
        "nbits_min": widths[0],
        "nbits_max": widths[-1],
        "parameters": _parameters(parameters, nbits),
    }


def _parameters(parameters: tuple[Parameter, ...], nbits: int) -> list[dict[str, Any]]:
    return [
        {
            "name": parameter.name,
            "symbol": parameter.symbol,
            "default": parameter.default(nbits),
            "allowed": parameter.listed(nbits),
            "allowed_text": parameter.describe_allowed(nbits),
            "nbits": nbits,
            "meaning": parameter.meaning,
        }
        for parameter in parameters
    ]


def _input_rules(operand: str, rules: InputRules, limit: str = "n") -> dict[str, str]:
    """Status name to the operands that get it, in the order in which the rules are tried."""
    meanings = {
        Status.OPERAND_TOO_WIDE: "an operand does not fit nbits",
        Status.MODULUS_TOO_SMALL: f"n < {rules.min_modulus}",
        Status.MODULUS_EVEN: "n is even",
        Status.MODULUS_OTHER: f"n is not {rules.constant_modulus:#x}",
        Status.BASE_TOO_LARGE: f"{operand} >= {limit}",
        Status.CONSTANTS_MISSING: "not those of n",
    }
    if not rules.odd_modulus:
        del meanings[Status.MODULUS_EVEN]
    if not rules.constant_modulus:
        del meanings[Status.MODULUS_OTHER]
    if not rules.host_constants:
        del meanings[Status.CONSTANTS_MISSING]
    return {str(status): meaning for status, meaning in meanings.items()}


def _text(entry: dict[str, Any]) -> str:
    if entry["kind"] == "axis":
        return _axis_text(entry)
    if entry["kind"] == "system":
        return "\n".join([_title(entry), *_parameter_rows(entry)])
    if entry["kind"] == "design":
        rows = list(entry["axes"].items())
        channels = {"exponent": entry["exponent_dependent"], "base": entry["base_dependent"]}
        given = entry["host_constants"]
    else:
        rows = []
        channels = {"operands": entry["operand_dependent"]}
        given = entry["constants"]
    if given:
        label = "host gives" if entry["kind"] == "design" else "constants"
        rows.append((label, ", ".join(constant["description"] for constant in given)))
    rules = (f"{name} ({rule})" for name, rule in entry["input_rules"].items())
    rows += [
        ("widths", f"{entry['nbits_min']} to {entry['nbits_max']} bits"),
        ("input rules", ", ".join(rules)),
        ("cycles", _side_channel(channels)),
        ("source", entry["source"]),
    ]
    return "\n".join([_title(entry), *(_row(*row) for row in rows), *_parameter_rows(entry)])


def _title(entry: dict[str, Any]) -> str:
    return f"{click.style(entry['name'], bold=True)} ({entry['kind']}): {entry['summary']}"


def _parameter_rows(entry: dict[str, Any]) -> list[str]:
    rows = []
    for parameter in entry["parameters"]:
        allowed = f"{parameter['allowed_text']} (at {parameter['nbits']} bits)"
        symbol = f" ({parameter['symbol']})" if parameter["symbol"] else ""
        choice = f"{parameter['name']}={parameter['default']}{symbol}"
        rows.append(_row("parameter", f"{choice}: {parameter['meaning']}; {allowed}"))
    return rows


def _axis_text(entry: dict[str, Any]) -> str:
    """Show an axis with the choices that --param takes."""
    lines = [f"{click.style(entry['name'], bold=True)} (axis): --param {entry['name']}="]
    width = 1 + max(map(len, entry["choices"]))
    lines += [_row(token, meaning, width) for token, meaning in entry["choices"].items()]
    return "\n".join(lines)


def _side_channel(channels: dict[str, bool]) -> str:
    """Say which values change the number of cycles."""
    phrases = (
        f"{'depend' if depends else 'do not depend'} on the {name}"
        for name, depends in channels.items()
    )
    return ", ".join(phrases)


def _row(label: str, value: str, label_width: int = _LABEL_WIDTH) -> str:
    return textwrap.fill(
        value,
        width=_WIDTH,
        initial_indent=f"  {label:<{label_width}}",
        subsequent_indent=" " * (label_width + 2),
        break_long_words=False,
        break_on_hyphens=False,
    )
