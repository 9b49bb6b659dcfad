"""``rsaxcel report``: the standard systems and designs, and the documents, side by side."""

from pathlib import Path

import click

from eval.errors import UserError

OUTPUT_DIR = Path("build", "report")
MAX_BITS = 4096


@click.command(
    epilog="""\b
    Examples:
      rsaxcel report
      rsaxcel report --all --max-bits 256
      rsaxcel report --all
    """
)
@click.option("--all", "everything", is_flag=True, help="Every document's tables, for hours.")
@click.option(
    "--max-bits",
    type=click.IntRange(8, MAX_BITS),
    metavar="N",
    help="With --all: no designs wider than N bits in the documents' tables.",
)
def command(everything: bool, max_bits: int | None) -> None:
    """Measure the standard systems and designs and write build/report/index.html.

    Takes the processor without and with each standard 32-bit accelerator, and the accelerators on
    their own, through the ASIC flow; runs encryption and decryption on each, by software or by
    accelerator; and sets cycles, speed-up, area, clock period, power and energy beside the figures
    that the source documents print. With --all, the tables of the other documents follow, at their
    own widths. What has been measured before is reused, and an interrupted run goes on where it
    stopped.
    """
    if max_bits is not None and not everything:
        raise UserError("--max-bits: has a meaning with --all only")
    from eval.report import write_report
    from eval.report.studies import STUDIES

    studies = STUDIES if everything else ()
    page = write_report(OUTPUT_DIR, studies=studies, max_nbits=max_bits or MAX_BITS)
    click.echo(f"\nreport: {page}")
