"""``rsaxcel list``: lists designs, multipliers, choices and systems."""

import json
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import click

from rsaxcel import catalog
from rsaxcel.cli.options.common import complete, named
from rsaxcel.cli.options.plain import json_option
from rsaxcel.eval.facts.described import SYSTEMS, all_names, describe
from rsaxcel.lab.findings import PROVEN, Finding, findings

_WIDTH = 80
_LABEL_WIDTH = 13
_WRAPPED: Any = {"width": _WIDTH, "break_long_words": False, "break_on_hyphens": False}


def overview(systems: Mapping[str, str]) -> Iterator[str]:
    """Yield lines with all names: designs by multiplier, choices on the axes, systems.

    With twelve multipliers the lines and a prompt fit a terminal of 80 columns and 24 rows. No
    design is configured, because that would take longer than everything else.
    """
    designs: defaultdict[str, list[str]] = defaultdict(list)
    for design in catalog.DESIGNS.values():
        designs[design.multiplier.name].append(design.name)
    multipliers = catalog.multipliers()
    width = 1 + max(map(len, multipliers))
    yield _heading("multiplier", width, "bits    designs that use it (more: `rsaxcel list NAME`)")
    for name, entry in multipliers.items():
        bits = f"{entry.widths[0]}-{entry.widths[-1]}"
        yield _row(name, f"{bits:<8}{', '.join(designs[name])}", width, width + 8)
    if catalog.GIVEN:
        longest = max(width, *(1 + len(x) for x in catalog.GIVEN))
        yield _heading("verilog", longest, "bits    designs in Verilog")
    for name, given in catalog.GIVEN.items():
        bits = f"{given.widths[0]}-{given.widths[-1]}"
        yield _row(name, f"{bits:<7} {given.summary}", longest, longest + 8)
    choices = catalog.axes()
    choices.pop("multiplier")
    yield _heading("axis", width, "--param AXIS=CHOICE (multiplier=NAME); more: `list NAME`")
    axes = "; ".join(f"{name}: {', '.join(tokens)}" for name, tokens in choices.items())
    yield textwrap.fill(axes, **_WRAPPED, initial_indent="  ", subsequent_indent="  ")
    yield _heading("system", width, "for `rsaxcel run` and `rsaxcel flow`")
    for name, summary in systems.items():
        yield _row(name, summary.partition(";")[0], width)


def _heading(label: str, width: int, text: str) -> str:
    return click.style(f"{label:<{width + 2}}{text}", bold=True)


def text(entry: Mapping[str, Any]) -> str:
    """Text with the details of a design, a multiplier, an axis or a system."""
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


def laboratory(found: Iterable[Finding]) -> Iterator[str]:
    """Yield lines with the laboratory's findings, each with its command."""
    for each in found:
        result = ": ".join(filter(None, (each.conditions, each.item, each.text)))
        label = "proofs" if each.kind == PROVEN else each.kind
        yield _row(label, f"{result} ({each.command})")


def _title(entry: Mapping[str, Any]) -> str:
    name = entry["name"]
    title = f"{name} ({entry['kind']}): {entry['summary']}"
    wrapped = textwrap.fill(title, width=_WIDTH, subsequent_indent="  ")
    return click.style(name, bold=True) + wrapped.removeprefix(name)


def _parameter_rows(entry: Mapping[str, Any]) -> list[str]:
    rows = []
    for parameter in entry["parameters"]:
        allowed = f"{parameter['allowed_text']} (at {parameter['nbits']} bits)"
        symbol = f" ({parameter['symbol']})" if parameter["symbol"] else ""
        choice = f"{parameter['name']}={parameter['default']}{symbol}"
        rows.append(_row("parameter", f"{choice}: {parameter['meaning']}; {allowed}"))
    return rows


def _axis_text(entry: Mapping[str, Any]) -> str:
    """Text on an axis with its choices for --param."""
    lines = [f"{click.style(entry['name'], bold=True)} (axis): --param {entry['name']}="]
    width = 1 + max(map(len, entry["choices"]))
    lines += [_row(token, meaning, width) for token, meaning in entry["choices"].items()]
    return "\n".join(lines)


def _side_channel(channels: Mapping[str, bool]) -> str:
    """Text on the values on which the number of cycles depends."""
    phrases = (
        f"{'depend' if depends else 'do not depend'} on the {name}"
        for name, depends in channels.items()
    )
    return ", ".join(phrases)


def _row(label: str, value: str, label_width: int = _LABEL_WIDTH, indent: int = 0) -> str:
    return textwrap.fill(
        value,
        **_WRAPPED,
        initial_indent=f"  {label:<{label_width}}",
        subsequent_indent=" " * ((indent or label_width) + 2),
    )


@click.command(
    epilog="""\b
    Examples:
      rsaxcel list
      rsaxcel list mont_r2l
      rsaxcel list schedule
      rsaxcel list --json | python -m json.tool --json-lines
    """
)
@click.argument("name", required=False, callback=named, shell_complete=complete(all_names))
@json_option("One JSON object per line, nothing else.")
def command(name: str | None, as_json: bool) -> None:
    """List the designs, multipliers, choices on each axis and systems, or the details of NAME.

    NAME is one of a design, a multiplier, an axis or a system. Its details are: its choice on the
    four axes, its parameters, widths, input rules, side channels (whether the number of cycles
    depends on the exponent or on the base) and source. A multiplier's name works in `rsaxcel sim`
    and `rsaxcel fpga`, too.

    --param replaces a design's choice, such as `--param schedule=window`. All other choices remain
    the design's own; one that no longer fits is replaced by one that does, and a message says so.

    A system proc_DESIGN or axi_DESIGN has the parameters of its accelerator and of the
    processor.

    What leak, fault and prove have found here on a design or a multiplier follows, with the command
    of each.

    With --json, the output is one object for NAME, or without NAME one object for each name.
    """
    if as_json:
        for known in all_names() if name is None else [name]:
            click.echo(json.dumps(describe(known)))
    elif name is not None:
        click.echo("\n".join([text(describe(name)), *laboratory(findings(name))]))
    else:
        click.echo("\n".join(overview(SYSTEMS)))
