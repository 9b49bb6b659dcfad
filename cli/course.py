"""``rsaxcel course``: what a teacher needs around the grading of a class."""

from pathlib import Path

import click

from rsaxcel.cli import rank
from rsaxcel.store.errors import UserError


@click.command(
    epilog="""\b
    Examples:
      rsaxcel course autograder --rubric lab2.toml
      rsaxcel course autograder --rubric lab2.toml -- --nbits 16 --objective energy
    """
)
@click.argument("what", type=click.Choice(("autograder",)))
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--rubric",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Points, cases, limits and deadline, in TOML, as for `rsaxcel rank`.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("autograder.zip"),
    show_default=True,
    metavar="FILE",
    help="The archive.",
)
def command(what: str, options: tuple[str, ...], rubric: Path, output: Path) -> None:
    """Write the autograder of an assignment for Gradescope, an archive with all that it needs.

    It has this rsaxcel as a wheel, the rubric, and the scripts setup.sh and run_autograder for an
    Ubuntu or Debian with Python 3.11 or later. OPTIONS, after --, are those of `rsaxcel rank`. A
    hand-in gets the points that `rsaxcel rank --one` gives.
    """
    from rsaxcel.course.autograder import write
    from rsaxcel.course.rank.rubric import read_rubric

    given = rank.command.make_context("rank", ["--one", *options, "."]).params
    rank.check_width(given["nbits"])
    read_rubric(rubric, given["nbits"])
    if not output.parent.is_dir():
        raise UserError(f"--output={output}: there is no folder {output.parent}")
    write(output, rubric.read_bytes(), options)
    click.echo(f"{output}: upload it as the autograder of a programming assignment")
