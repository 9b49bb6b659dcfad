"""``rsaxcel list``: lists designs, multipliers, choices and systems."""

import json

import click

from rsaxcel.cli.options.common import complete
from rsaxcel.cli.options.plain import json_option
from rsaxcel.cli.output.list import laboratory, overview, text
from rsaxcel.eval.facts.described import SYSTEMS, all_names, describe
from rsaxcel.lab.findings import findings


@click.command(
    epilog="""\b
    Examples:
      rsaxcel list
      rsaxcel list mont_r2l
      rsaxcel list schedule
      rsaxcel list --json | python -m json.tool --json-lines
    """
)
@click.argument("name", required=False, shell_complete=complete(all_names))
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
