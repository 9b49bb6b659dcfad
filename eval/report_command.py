"""``rsaxcel report``: the standard systems and designs side by side."""

from pathlib import Path

import click

OUTPUT_DIR = Path("build", "report")


@click.command(
    epilog="""\b
    Examples:
      rsaxcel report
      rsaxcel report --all
    """
)
@click.option("--all", "everything", is_flag=True, help="Every document's tables, for hours.")
def command(everything: bool) -> None:
    """Measure the standard systems and designs and write build/report/index.html.

    Takes the processor without and with each standard 32-bit accelerator, and the accelerators on
    their own, through the ASIC flow; runs encryption and decryption on each, by software or by
    accelerator; and sets cycles, speed-up, area, clock period, power and energy beside the figures
    that the source documents print. What has been measured before is reused, and an interrupted run
    goes on where it stopped.
    """
    from eval.report import write_report

    page = write_report(OUTPUT_DIR, everything=everything)
    click.echo(f"\nreport: {page}")
