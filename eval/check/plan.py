"""The steps of a check, at each width, and what comes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from catalog import AnyConfiguration, Configuration, Design, MultiplierConfiguration
from catalog.design import MultiplierEntry
from eval.check import steps
from eval.check.compositions import NARROW, OVERLAPS, on_one_lane, widths_of
from eval.check.refused import Refused
from eval.diagnosis.explain import diagnose

_NARROWEST = NARROW[0]


@dataclass(frozen=True)
class Step:
    """A part of a check.

    Parameters
    ----------
    name
        What ``--only`` calls it.
    title
        What is tried, for people.
    of
        Name of the design or multiplier, with what is chosen.
    nbits
        Width in bits.
    run
        Gives what was run, in words; raises ``Refused``.
    """

    name: str
    title: str
    of: str
    nbits: int
    run: Callable[[], str]


@dataclass(frozen=True)
class Result:
    """What came of a step: what was run, or why the design is refused."""

    step: Step
    told: str
    fault: Refused | None = None


TITLES = {
    "declared": "what the contract declares",
    "golden": "golden model",
    "circuit": "circuit and cycles",
    "order": "order, stalls, resets",
    "waiting": "cycles with requests waiting",
    "parameters": "ends of parameters",
    "one-lane": "two products on one lane",
    "translation": "Verilog against PyMTL3",
}
"""Steps by their names, with what they try."""


def plan(
    entry: Design | MultiplierEntry, nbits: int, params: Mapping[str, Any], count: int, seed: int
) -> list[Step]:
    """List the steps for a design, its multiplier first, or for a multiplier.

    Raises
    ------
    ValueError
        For a width or a parameter that is not allowed.
    """
    entry.configure(nbits, **params)
    found: list[Step] = []
    own = list(_configured(entry, widths_of(entry, nbits), params))
    if isinstance(entry, Design):
        products = [_multiplier_of(x) for x in own]
        for multiplier in dict.fromkeys(products):
            found += _steps_of_multiplier(multiplier, count, seed)
        for configuration in own:
            found += _steps_of_design(configuration, params, count, seed)
    else:
        for configuration in own:
            found += _steps_of_multiplier(configuration, count, seed)
    return sorted(found, key=lambda step: step.of != own[-1].multiplier.classes.name)


def _configured(entry: Any, widths: Sequence[int], params: Mapping[str, Any]) -> Iterator[Any]:
    """Configure each width that the parameters go with."""
    for nbits in widths:
        try:
            yield entry.configure(nbits, **params)
        except ValueError:
            if nbits == widths[-1]:
                raise


def _multiplier_of(configuration: Configuration) -> MultiplierConfiguration:
    """Multiplier of a design, as wide as its products."""
    entry = MultiplierEntry(configuration.multiplier.classes)
    return MultiplierConfiguration(entry, configuration.product_nbits, configuration.multiplier)


def _steps_of_multiplier(
    configuration: MultiplierConfiguration, count: int, seed: int
) -> Iterator[Step]:
    make = partial(_step, configuration, count, seed)
    yield make("declared", steps.check_declared)
    yield make("golden", steps.check_golden_model)
    yield make("circuit", steps.check_circuit)
    yield make("order", steps.check_order)
    if configuration.nbits <= NARROW[-1]:
        yield make("waiting", steps.check_under_stalls)
    if configuration.nbits <= _NARROWEST:
        if configuration.parameters:
            yield make("parameters", steps.check_parameters)
        yield make("translation", steps.check_translation)


def _steps_of_design(
    configuration: Configuration, params: Mapping[str, Any], count: int, seed: int
) -> Iterator[Step]:
    make = partial(_step, configuration, count, seed)
    yield make("golden", steps.check_golden_model)
    yield make("circuit", steps.check_circuit)
    yield make("order", steps.check_order)
    if configuration.nbits <= NARROW[-1]:
        queued = on_one_lane(configuration.design, configuration.nbits, params)
        if queued is not None:
            yield _step(
                queued, count, seed, "one-lane", partial(steps.check_circuit, hint=OVERLAPS)
            )
    if configuration.nbits <= _NARROWEST:
        yield make("translation", steps.check_translation)


def _step(
    configuration: AnyConfiguration,
    count: int,
    seed: int,
    name: str,
    check: Callable[..., str],
) -> Step:
    changed = " ".join(f"{k}={v}" for k, v in configuration.changed.items())
    of = " ".join(filter(None, (configuration.design.name, changed)))
    run = partial(check, configuration, count, seed)
    return Step(name, TITLES[name], of, configuration.nbits, run)


def results(planned: Sequence[Step]) -> Iterator[Result]:
    """Run steps until one refuses the design.

    What the design's own code raises refuses it, too, with file and line where they are known.
    """
    for step in planned:
        try:
            yield Result(step, step.run())
        except Refused as fault:
            yield Result(step, "", fault)
            return
        except Exception as error:
            told = diagnose(error)
            if told is None:
                raise
            yield Result(step, "", Refused("broken", told.format_message()))
            return
