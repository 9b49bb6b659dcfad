"""``rsaxcel report``: measures systems and designs, and compares them with published documents."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rsaxcel.cli.options.common import named, param_option
from rsaxcel.cli.options.flow import activity_option, library_option
from rsaxcel.cli.options.plain import Widths, json_option, only_with
from rsaxcel.cli.progress import steps
from rsaxcel.eval import MAX_NBITS, unchanged
from rsaxcel.store.errors import UserError

if TYPE_CHECKING:
    from rsaxcel.eval.report.content import Content

OUTPUT_DIR = Path("build", "report")


@click.command(
    epilog="""\b
    Examples:
      rsaxcel report
      rsaxcel report --nbits 8,16,32,64
      rsaxcel report --document mcnay
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
    callback=named,
    help="Another design to measure on the processor; can be repeated.",
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
@click.option(
    "--nbits",
    "widths",
    type=Widths(8, MAX_NBITS),
    multiple=True,
    callback=Widths.together,
    default=("32",),
    metavar="N,N,...",
    help="Widths at which all designs are compared; of several, the page draws how cost grows.",
)
@library_option(
    "Standard cells. Some documents print figures for other cells; the order may differ."
)
@activity_option
@json_option("Every fact as a JSON object per line, then failures; nothing else.")
@only_with(("--max-bits",), "--all", "--document")
@only_with(("--param",), "--design")
def command(
    names: tuple[str, ...],
    params: dict[str, str],
    documents: tuple[str, ...],
    everything: bool,
    max_bits: int | None,
    widths: tuple[int, ...],
    library: str,
    activity: str,
    as_json: bool,
) -> None:
    """Measure all designs, and the processor with some of them; write build/report/index.html.

    The ASIC flow measures every design, your own ones among them, as synthesized: first area, clock
    period, cycles and time; the page is there as soon as these are, and compares the designs. Then
    the energies follow, and the processor with software and with the accelerators of McNay's
    document. --document mcnay adds its systems as printed and placed, --document NAME the tables of
    another document at its widths, --all those of all. The topic `stages` has every design placed.
    --design adds a design to the systems, with ratios to the standard ones; --param holds for all
    of these. Earlier measurements are reused, and an interrupted run goes on where it stopped.

    With --json, standard output has the rows of build/report/facts.csv as JSON instead of tables:
    subject, quantity, value, unit, width, conditions and source of every figure, measured, printed
    or derived. Measurements that failed follow as "failed" with their "message".
    """
    options = names, params, documents, everything, max_bits, widths, library, activity
    before = unchanged.state(options, widths)
    if not as_json and unchanged.is_unchanged(OUTPUT_DIR, before):
        click.echo(f"report: {OUTPUT_DIR / 'index.html'}; nothing has changed since it was written")
        return
    from rich.console import Console

    from rsaxcel.eval.report import terminal
    from rsaxcel.eval.report.build import write_report
    from rsaxcel.eval.studies import STUDIES, designs, mcnay
    from rsaxcel.flow.run import check_tools

    known = {study.document: study for study in STUDIES[1:]}
    short = {mcnay.DOCUMENT.partition("_")[0]: mcnay.DOCUMENT}
    asked = {short.get(name, name) for name in documents}
    for name in asked - known.keys():
        raise UserError(f"--document={name}: {', '.join(known)} are allowed")
    whole = everything or mcnay.DOCUMENT in asked
    systems = mcnay.study(names, params, whole=whole)
    check_tools(library)  # checked before the tables of work that needs no tool
    del known[mcnay.DOCUMENT]
    others = [study for name, study in known.items() if everything or name in asked]
    studies = [designs.study(widths), systems, *others]
    shown: list[Content] = []
    try:
        with steps("report") as tell:
            page = write_report(
                OUTPUT_DIR,
                studies,
                max_nbits=max_bits or MAX_NBITS,
                library=library,
                activity=activity,
                progress=tell,
                show=shown.append,
            )
    finally:  # after a failure, too, the measured figures are shown
        for content in shown:
            _show_json(content) if as_json else terminal.show(Console(), content)
    unchanged.note(OUTPUT_DIR, before)
    if not as_json:
        click.echo(f"\nreport: {page}")


def _show_json(content: "Content") -> None:
    from rsaxcel.eval.report.build import lines

    for line in lines(content):
        click.echo(line)
