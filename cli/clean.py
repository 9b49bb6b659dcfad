"""``rsaxcel clean``: removes old results and build folders."""

from collections.abc import Iterator
from pathlib import Path

import click

from rsaxcel.eval.measure.witness import left_witnesses
from rsaxcel.flow.paths import STORE, linked_folder
from rsaxcel.store.cleaning import Old, describe_old, find_old, remove_old
from rsaxcel.store.folders import cache_root

_BUILD = Path("build")
_EARLIER_CACHE = "native"  #: compiled code of earlier versions; nothing reads it
_MAX_DAYS = 36500


@click.command(
    epilog="""\b
    Examples:
      rsaxcel clean --older 30 --dry-run    what would be removed, and how large it is
      rsaxcel clean --older 30              remove what was not used for 30 days
      rsaxcel clean --older 0               remove all of it
    """
)
@click.option(
    "--older",
    "days",
    type=click.IntRange(0, _MAX_DAYS),
    required=True,
    metavar="DAYS",
    help="Days since the last use; 0 for everything.",
)
@click.option("--dry-run", is_flag=True, help="Only list.")
def command(days: int, dry_run: bool) -> None:
    """Remove results and folders that were not used for some days.

    These are results of the flow's nodes and runs (build/flow, build/fpga, or the folder to which a
    link "work" in them leads), cycle measurements (build/measurements), and what all folders share:
    compiled circuits and programs, in the folder that RSAXCEL_CACHE names, or else in ~/.cache
    (earlier versions kept them in build/native). A removed result is made again when it is needed.
    Reports and other files stay, and so do the figures of sweeps and searches. `rsaxcel results`
    shows a single flow only while its results stay.

    Files that a killed command has left (drafts of results, build/here-*) are removed at any age.
    """
    found = list(_old(days))
    for old in found:
        click.echo(f"{_size(old.nbytes):>9}  {old.days:5.0f} days  {_shown(old.path)}")
    gone = found if dry_run else [old for old in found if remove_old(old)]
    for old in found:
        if old not in gone:
            click.echo(f"{_shown(old.path)} is in use and stays", err=True)
    total = _size(sum(old.nbytes for old in gone))
    click.echo(f"{len(gone)} {'found' if dry_run else 'removed'}, {total}")


def _old(days: int) -> Iterator[Old]:
    for name in ("flow", "fpga"):
        folder = _BUILD.absolute() / name
        for place in filter(None, (folder, linked_folder(folder))):
            yield from find_old(place / STORE, days)
            yield from find_old(place, days)
    yield from find_old(_BUILD.absolute() / "measurements", days)
    yield from map(describe_old, left_witnesses(_BUILD.absolute()))
    for cache in {cache_root(), _BUILD.absolute() / _EARLIER_CACHE}:
        for folder in (cache / "programs", cache / "code", cache):
            yield from find_old(folder, days)


def _shown(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def _size(nbytes: float) -> str:
    for unit in ("B", "kB", "MB"):
        if nbytes < 1000:
            return f"{nbytes:.0f} {unit}" if unit == "B" else f"{nbytes:.1f} {unit}"
        nbytes /= 1000
    return f"{nbytes:.1f} GB"
