"""``rsaxcel fidelity``: every printed figure of the documents beside measured ones."""

import click

from rsaxcel.cli.options.flow import activity_option, library_option
from rsaxcel.cli.options.plain import json_option
from rsaxcel.store.errors import UserError


@click.command(
    epilog="""\b
    Examples:
      rsaxcel fidelity
      rsaxcel fidelity --document li_chu
      rsaxcel fidelity --document cilardo --all
      rsaxcel fidelity --all --json | grep '"ours": null'
    """
)
@click.option(
    "--document",
    "documents",
    multiple=True,
    metavar="NAME",
    help="Only this document; can be repeated.",
)
@click.option("--all", "everything", is_flag=True, help="List every figure.")
@library_option("Standard cells of our figures.")
@activity_option
@json_option("A JSON object for each printed figure, and nothing else.")
def command(
    documents: tuple[str, ...], everything: bool, library: str, activity: str, as_json: bool
) -> None:
    """Set the printed figures of the documents beside ours, and say why they differ.

    Measures nothing: the figures are those that `rsaxcel report` has measured in this folder
    (`--document NAME` adds a document to the report, `--all` all of them).

    A figure of a system that is built `as printed`, as the document describes it, counts before one
    of our `own` systems. Both are counted apart. If several figures of ours belong to a printed
    one, that of the same subject and width is compared, then the nearest; the table names it.

    Without --all: a row for each table and drawing of a document, with the number of its figures,
    by how near ours come. `0 in both` counts apart, because zeros agree by themselves. With --all,
    or --json: a row for each printed figure. `why` tells the reason for a difference by more than
    25 %, and for figures that have none of ours beside them; `not measured yet` are those that a
    report would measure.
    """
    from rsaxcel.cli.output.fidelity import show_figures, show_json, show_places
    from rsaxcel.eval.facts.printed import printed
    from rsaxcel.eval.report.build import compare_kept
    from rsaxcel.eval.report.fidelity import by_place
    from rsaxcel.eval.studies import STUDIES

    known = {x.document: x for x in STUDIES if not x.without_document}
    for name in documents:
        if name not in known:
            raise UserError(f"--document={name}: {', '.join(known)} are allowed")
    studies = [study for name, study in known.items() if name in (documents or known)]
    compared = compare_kept(studies, library, activity)
    if as_json:
        show_json(compared)
    elif everything:
        show_figures(compared, printed().documents)
    else:
        show_places(compared, by_place(studies, printed(), compared), printed().documents)
