"""``rsaxcel report``: measures systems and designs, and compares them with published documents."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from eval.widest import MAX_NBITS
from rsaxcel.commands.options.common import param_option
from rsaxcel.commands.options.flow import activity_option, library_option
from store.errors import UserError

if TYPE_CHECKING:
    from eval.report.content import Content

OUTPUT_DIR = Path("build", "report")


@click.command(
    epilog="""\b
    Examples:
      rsaxcel report
      rsaxcel report --design ssmm_r2l --design montmul_r2l
      rsaxcel report --design mont_r2l --param stages=8
      rsaxcel report --document vassoler
      rsaxcel report --document stages --max-bits 32
      rsaxcel report --all --max-bits 256
      rsaxcel report --library osu018
      rsaxcel report --all
      rsaxcel report --json | grep '"clock_ns"'
    """
)
@click.option(
    "--design",
    "names",
    multiple=True,
    metavar="NAME",
    help="Another design to measure, alone and on the processor; can be repeated.",
)
@param_option
@click.option(
    "--document",
    "documents",
    multiple=True,
    metavar="NAME",
    help="Another document or topic to add with its tables; can be repeated.",
)
@click.option("--all", "everything", is_flag=True, help="Add all documents; takes hours.")
@click.option(
    "--max-bits",
    type=click.IntRange(8, MAX_NBITS),
    metavar="N",
    help="With --all or --document: leave out designs wider than N bits in the documents' tables.",
)
@library_option(
    "Standard cells. Some documents print figures for other cells; the order may differ."
)
@activity_option
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Every fact as a JSON object per line, then failures; nothing else.",
)
def command(
    names: tuple[str, ...],
    params: dict[str, str],
    documents: tuple[str, ...],
    everything: bool,
    max_bits: int | None,
    library: str,
    activity: str,
    as_json: bool,
) -> None:
    """Measure the standard systems and designs and write build/report/index.html.

    The ASIC flow measures the processor, the processor with each standard 32-bit accelerator, and
    the accelerators alone. Encryption and decryption run on each, in software or on the
    accelerator. The page compares cycles, speed-up, area, clock period, power and energy with the
    figures that the source documents print; the systems of McNay's document are placed, too. The
    topic `stages` has every design, synthesized and placed. --design adds a design of the registry,
    with ratios to the standard ones; --param holds for all added designs. --document adds the
    tables of another document at its widths, --all those of all. Earlier measurements are reused,
    and an interrupted run goes on where it stopped.

    With --json, standard output has the rows of build/report/facts.csv as JSON instead of tables:
    subject, quantity, value, unit, width, conditions and source of every figure, measured, printed
    or derived. Measurements that failed follow as "failed" with their "message".
    """
    if max_bits is not None and not (everything or documents):
        raise UserError("--max-bits: has a meaning with --all or --document only")
    if params and not names:
        raise UserError("--param: has a meaning with --design only")
    from eval.report.build import write_report
    from eval.studies import STUDIES
    from flow.errors import SetupError
    from flow.preparation import check_tools

    standard, *others = STUDIES
    known = {study.document: study for study in others}
    always = {standard.document, standard.document.partition("_")[0]}
    for name in always.intersection(documents):
        click.echo(f"rsaxcel: --document={name}: it is always in the report", err=True)
    for name in documents:
        if name not in known and name not in always:
            raise UserError(f"--document={name}: {', '.join(known)} are allowed")
    chosen = [study for name, study in known.items() if everything or name in documents]
    try:
        studies = [
            study.extended(names, params) if names and study.extended else study
            for study in (standard, *chosen)
        ]
        check_tools(library)  # before the tables of what needs no tool
    except (ValueError, SetupError) as error:
        raise UserError(str(error)) from error
    show = _show_json if as_json else None
    page = write_report(
        OUTPUT_DIR,
        studies,
        max_nbits=max_bits or MAX_NBITS,
        library=library,
        activity=activity,
        show=show,
    )
    if not as_json:
        click.echo(f"\nreport: {page}")


def _show_json(content: "Content") -> None:
    from eval.report.export import lines

    for line in lines(content):
        click.echo(line)
