"""Keeps results in ``build/measurements``, under keys of their inputs and code."""

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from rsaxcel import sim
from rsaxcel.circuit import Circuit
from rsaxcel.eval.measure.job import Progress
from rsaxcel.store.code import code_digest
from rsaxcel.store.folders import find_json, keep_json, key_of
from rsaxcel.store.places import MEASUREMENTS

#: Code of the simulation engines, on which measurements of a circuit depend.
ENGINES = Path(str(sim.__file__)).parent


def memoize(
    name: str,
    inputs: Mapping[str, Any],
    sources: Iterable[Path],
    measure: Callable[[Progress], Any],
    progress: Progress | None,
) -> Any:
    """Return the JSON result of ``measure``, kept for the same inputs and code (``sources``).

    Without ``progress`` nothing is measured: the result is the kept one, or None.
    """
    label = re.sub(r"[^A-Za-z0-9_]+", "-", name)[:80]  # a file's name has at most 255 characters
    entry = f"{label}-{key_of(name, inputs, code_digest(sources))}"
    if progress is None:
        return find_json(MEASUREMENTS.absolute(), entry)
    return keep_json(MEASUREMENTS.absolute(), entry, lambda: measure(progress))


def of_design(
    what: str,
    configuration: Circuit,
    inputs: Mapping[str, Any],
    measure: Callable[[Progress], Any],
    progress: Progress | None,
    sources: Iterable[Path] = (),
) -> Any:
    """Memoize a measurement of a circuit, by the code of the design, engines and ``sources``."""
    inputs = {"params": configuration.params, **inputs}
    sources = (*configuration.sources, ENGINES, *sources)
    return memoize(f"{what} {configuration.name}", inputs, sources, measure, progress)


def texts(choices: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in choices.items()}
