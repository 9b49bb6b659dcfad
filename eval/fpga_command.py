"""``rsaxcel fpga``: FPGA resources of a design."""

import json
from collections.abc import Mapping
from typing import Any

import click

import catalog
from eval.errors import RunError, UserError
from eval.options import configure, design_options
from eval.progress import steps
from flow.errors import FlowError, SetupError

FAMILIES = ("cyclonev", "xc7")


@click.command(
    epilog="""\b
    Examples:
      rsaxcel fpga ssmm_r2l --nbits 64
      rsaxcel fpga systolic --nbits 1024 --family xc7
      rsaxcel fpga digit_serial_r2l --nbits 1024 --param S=32 --json
    """
)
@design_options
@click.option(
    "--family",
    "families",
    type=click.Choice(FAMILIES),
    multiple=True,
    default=FAMILIES,
    help="Cyclone V or Xilinx 7 series; both unless given.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="A JSON object per family and line, nothing else."
)
def command(
    design: str, nbits: int, params: dict[str, str], families: tuple[str, ...], as_json: bool
) -> None:
    """Estimate the FPGA resources of DESIGN, or of a multiplier.

    Yosys maps the translated design to the family's cells, which are counted. Nothing is packed,
    placed or routed. What has been mapped before with the same sources and tools is reused.
    """
    configuration = configure(catalog.find, design, nbits, params)
    from flow.fpga import run_fpga

    for family in dict.fromkeys(families):
        try:
            with steps(f"fpga {configuration.name}") as progress:
                record = run_fpga(configuration, family, progress=progress)
        except (ValueError, SetupError) as error:
            raise UserError(str(error)) from error
        except FlowError as error:
            raise RunError(str(error)) from error
        click.echo(json.dumps(record) if as_json else describe(record))


def describe(record: Mapping[str, Any]) -> str:
    """Lines of text on a record."""
    numbers = {k: v for k, v in record.items() if isinstance(v, int) and k != "nbits"}
    params = " ".join(f"{name}={value}" for name, value in record["params"].items())
    lines = [f"{record['design']}, {record['nbits']} bits {params}".rstrip()]
    lines.append(f"{record['device']} ({record['note']})")
    lines += [f"{value:>10,}  {name.replace('_', ' ')}" for name, value in numbers.items()]
    return "\n".join(lines)
