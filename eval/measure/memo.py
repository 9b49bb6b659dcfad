"""Results that are kept in ``build/measurements``, and found by all that decides them."""

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import sim
from catalog import Configuration
from eval.measure.job import Progress
from proc.sources import design_sources
from store.code import code_digest
from store.folders import find_json, keep_json, key_of

FOLDER = Path("build", "measurements")
"""Where they are, in the current folder."""

ENGINES = Path(str(sim.__file__)).parent
"""Code of the simulation engines, which decides what is measured on a circuit."""


def memoize(
    name: str,
    inputs: Mapping[str, Any],
    sources: Iterable[Path],
    measure: Callable[[Progress], Any],
    progress: Progress | None,
) -> Any:
    """Return what ``measure`` returns, from its file if it ran before with the same code.

    Parameters
    ----------
    name : str
        Name of the measurement, for its file.
    inputs : mapping of str to any
        What else decides the result; for JSON.
    sources : iterable of Path
        Files, and folders of files, that decide the result.
    measure : callable
        Takes ``progress`` and gives the result, for JSON.
    progress : callable, optional
        Takes a line for each step; without it nothing is measured, and there may be no result.

    Raises
    ------
    CacheError
        If the file can't be written.
    """
    label = re.sub(r"[^A-Za-z0-9_]+", "-", name)
    entry = f"{label}-{key_of(name, inputs, code_digest(sources))}"
    if progress is None:
        return find_json(FOLDER.absolute(), entry)
    return keep_json(FOLDER.absolute(), entry, lambda: measure(progress))


def of_design(
    what: str,
    configuration: Configuration,
    inputs: Mapping[str, Any],
    measure: Callable[[Progress], Any],
    progress: Progress | None,
    sources: Iterable[Path] = (),
) -> Any:
    """Memoize what the circuit of a design, the simulation and more sources decide."""
    inputs = {"params": configuration.params, **inputs}
    sources = (*design_sources(configuration), ENGINES, *sources)
    return memoize(f"{what} {configuration.name}", inputs, sources, measure, progress)


def texts(choices: Mapping[str, Any]) -> dict[str, str]:
    """Parameters as they are typed."""
    return {name: str(value) for name, value in choices.items()}
