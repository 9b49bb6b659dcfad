"""``rsaxcel fpga``: estimates the FPGA resources of a design."""

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from rsaxcel import catalog
from rsaxcel.circuit import Circuit
from rsaxcel.cli.options.common import (
    check_circuit,
    configure,
    design_options,
    design_text,
    refuse_system,
)
from rsaxcel.cli.options.flow import with_shell_option
from rsaxcel.cli.options.plain import json_option
from rsaxcel.cli.progress import steps

if TYPE_CHECKING:
    from rsaxcel.flow.fpga import FpgaRecord

_WORDS = {
    "functions_of_6": "functions of 6 inputs",
    "functions_to_5": "functions of up to 5 inputs",
}
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
@with_shell_option
@click.option(
    "--family",
    "families",
    type=click.Choice(FAMILIES),
    multiple=True,
    default=FAMILIES,
    show_default=False,
    help="Cyclone V or Xilinx 7 series; both unless given.",
)
@json_option("A JSON object per family and line, nothing else.")
def command(
    design: str, nbits: int, params: dict[str, str], families: tuple[str, ...], as_json: bool
) -> None:
    """Estimate the FPGA resources of DESIGN, or of a multiplier.

    Yosys maps the translated design to the family's cells, which are counted. Nothing is packed,
    placed or routed. Earlier mappings with the same sources and tools are reused.
    """
    refuse_system(design)
    configuration = configure(catalog.find, design, nbits, params)
    for record in estimates(configuration, families):
        click.echo(json.dumps(record.as_json()) if as_json else describe(record))


def estimates(configuration: Circuit, families: Iterable[str]) -> Iterator["FpgaRecord"]:
    """Yield the resources of a configuration on each family, in the order of the names."""
    check_circuit(configuration)
    from rsaxcel.diagnosis.check import check_target
    from rsaxcel.flow.fpga import run_fpga

    check_target(configuration)
    for family in dict.fromkeys(families):
        with steps(f"fpga {configuration.name}") as progress:
            record = run_fpga(configuration, family, progress=progress)
        yield record


def describe(record: "FpgaRecord") -> str:
    """Text of a record: design, device, and a line for each resource with its count."""
    lines = [design_text(record.design, record.nbits, record.params)]
    lines.append(f"{record.device} ({record.note})")
    if record.shell:
        lines.append(f"the shell of the core is {record.shell}")
    lines += [f"{x:>10,}  {_words(name)}" for name, x in record.resources.items()]
    return "\n".join(lines)


def _words(resource: str) -> str:
    """Name of a resource in words."""
    return _WORDS.get(resource) or resource.replace("_", " ")
