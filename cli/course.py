"""``rsaxcel course``: labs, their check before the term, and the autograder of an assignment."""

import json
from dataclasses import asdict
from pathlib import Path

import click

from rsaxcel.cli import rank
from rsaxcel.cli.options.plain import file_option, json_option
from rsaxcel.store.errors import UserError
from rsaxcel.store.shown import shown

_WHAT = "lab", "rubric", "check", "autograder"
_ARCHIVE = Path("autograder.zip")


@click.command(
    epilog="""\b
    Examples:
      rsaxcel course lab
      rsaxcel course lab multiplier
      rsaxcel course rubric multiplier > lab2.toml
      rsaxcel course autograder --rubric lab2.toml -- --nbits 16 --objective energy
      rsaxcel course check
      rsaxcel course check proof -- --as-user
    """
)
@click.argument("what", type=click.Choice(_WHAT))
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[NAME]... [-- OPTIONS]")
@file_option(
    "--rubric", "Of autograder: points, cases, limits and deadline, as for `rsaxcel rank`."
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Of lab, where the folder NAME is made, here unless given; of autograder, the archive, "
    f"{_ARCHIVE} unless given.",
)
@json_option("Of check: one JSON object per lab, nothing else.")
def command(
    what: str, words: tuple[str, ...], rubric: Path | None, output: Path | None, as_json: bool
) -> int:
    """Labs of a course, their check before the term, and autograders of assignments.

    lab lists the labs; with NAME it writes what students get: a folder NAME with the hand-out
    lab.md, and with a project or a form for answers. rubric prints the rubric of a lab, which stays
    with the teacher.

    check does the labs, or those that are named, as a student would: each in an empty folder, with
    all commands of its hand-out. Then it grades the starting point, which may not get all points,
    and a solution, which has to. Exit status: 0 if all labs work, 1 if one does not.

    autograder writes the autograder of an assignment for Gradescope, an archive with all that it
    needs: this rsaxcel as a wheel, the rubric, and the scripts setup.sh and run_autograder for an
    Ubuntu or Debian with Python 3.11 or later. A hand-in gets the points that `rsaxcel rank --one`
    gives.

    OPTIONS, after --, are those of `rsaxcel rank`, for check and autograder.
    """
    at = next((at for at, x in enumerate(words) if x.startswith("-")), len(words))
    names, options = words[:at], words[at:]
    for option, value, of in (
        ("--rubric", rubric, ("autograder",)),
        ("--output", output, ("lab", "autograder")),
        ("--json", as_json, ("check",)),
        (" ".join(options), options, ("check", "autograder")),
    ):
        if value and what not in of:
            raise UserError(f"{option}: not for {what}; {' or '.join(of)} is allowed")
    if what == "autograder":
        _write_autograder(names, options, rubric, output or _ARCHIVE)
        return 0
    if what == "check":
        return _check(names, options, as_json)
    from rsaxcel.course.lab import find_lab, labs
    from rsaxcel.course.new import write_new

    if len(names) > 1 or (what == "rubric" and not names):
        raise UserError(f"{what}: the name of one lab is allowed; `rsaxcel course lab` lists them")
    if not names:
        for one in labs():
            click.echo(f"{one.name:<12} {one.title}")
    elif what == "rubric":
        click.echo(find_lab(names[0]).rubric_text, nl=False)
    else:
        place = (output or Path()) / names[0]
        write_new(find_lab(names[0]).start(), place)
        click.echo(f"{place}: begin with {place / 'lab.md'}")
    return 0


def _check(names: tuple[str, ...], options: tuple[str, ...], as_json: bool) -> int:
    from rsaxcel.cli.progress import steps
    from rsaxcel.course.lab import check_lab, find_lab, labs

    _check_options(options)
    failed = False
    for lab in [find_lab(x) for x in names] or labs():
        with steps(f"check the lab {lab.name}") as progress:
            done = check_lab(lab, options, progress)
        failed |= bool(done.fault)
        if as_json:
            click.echo(json.dumps(asdict(done)))
            continue
        points = f"points {done.start:g} at the start, {done.solution:g} of {done.most:g} solved"
        works = "FAILS" if done.fault else "works"
        click.echo(f"{lab.name:<12} {works}  {points}, {done.seconds:.0f} s")
        if done.fault:
            click.echo(f"{'':<12} {shown(done.fault)}")
    return int(failed)


def _check_options(options: tuple[str, ...]) -> int:
    """Width that options of ``rsaxcel rank`` ask for; an error for a wrong option."""
    arguments = ["--one", *options, "."]
    # This context has no parent from which it could have the setting.
    nbits = rank.command.make_context("rank", arguments, show_default=True).params["nbits"]
    rank.check_width(nbits)
    return int(nbits)


def _write_autograder(
    names: tuple[str, ...], options: tuple[str, ...], rubric: Path | None, output: Path
) -> None:
    from rsaxcel.course.autograder import write
    from rsaxcel.course.rank.rubric import read_rubric

    if names or rubric is None:
        raise UserError("autograder: --rubric=FILE, and options of `rsaxcel rank` after --")
    read_rubric(rubric, _check_options(options))
    if output.is_dir():
        raise UserError(f"--output={output}: it is a folder; a file is allowed")
    if not output.parent.is_dir():
        raise UserError(f"--output={output}: there is no folder {output.parent}")
    write(output, rubric.read_bytes(), options)
    click.echo(f"{output}: upload it as the autograder of a programming assignment")
