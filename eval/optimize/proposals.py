"""Compositions that Optuna's TPE sampler proposes, by what is measured and what is expected."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import inf, isfinite
from typing import Any

import optuna

from eval.optimize.space import Composition, axes_values

_PROPOSALS = 40  # at most, for each that is taken
_CANDIDATES = 6  # of which the one that promises most is taken
_KIND = "multiplier"


class Proposer:
    """A study of Optuna over the compositions of each multiplier.

    Parameters
    ----------
    of_kind : mapping of str to sequence of Composition
        Compositions by their multipliers.
    seed : int
        Seed of the sampler.

    Attributes
    ----------
    proposals, taken : int
        Compositions that were proposed, and those that were taken.
    """

    def __init__(self, of_kind: Mapping[str, Sequence[Composition]], seed: int) -> None:
        self.proposals = self.taken = 0
        self._of_kind = of_kind
        self._kinds = list(of_kind)
        self._values = {kind: axes_values(own) for kind, own in of_kind.items()}
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        sampler = optuna.samplers.TPESampler(seed=seed, n_startup_trials=len(self._kinds))
        self._study = optuna.create_study(sampler=sampler)

    def propose(
        self, wanted: Collection[Composition], forecast: Mapping[Composition, float]
    ) -> Composition | None:
        """Ask the sampler, and take what promises most of the first that are wanted.

        Of those that are not taken the sampler is told what is expected (``forecast``). None if it
        proposes none that is wanted.
        """
        found: list[Composition] = []
        for _ in range(_PROPOSALS):
            trial = self._study.ask()
            self.proposals += 1
            composition = self._suggested(trial)
            if composition is not None and isfinite(forecast.get(composition, inf)):
                trial.report(float(forecast[composition]), 0)
            self._study.tell(trial, state=optuna.trial.TrialState.PRUNED)
            if composition is not None and composition in wanted:
                found.append(composition)
                if len(found) == _CANDIDATES:
                    break
        self.taken += bool(found)
        return min(found, key=forecast.__getitem__, default=None)

    def learn(self, composition: Composition, value: float) -> None:
        """Tell the sampler what is measured."""
        chosen = dict(composition.coordinates)
        kind = chosen.pop(_KIND)
        params: dict[str, Any] = {_KIND: kind}
        spaces: dict[str, Sequence[Any]] = {_KIND: self._kinds}
        for name, choice in chosen.items():
            if len(self._values[kind][name]) > 1:
                params[f"{kind} {name}"] = choice
                spaces[f"{kind} {name}"] = self._values[kind][name]
        distributions: dict[str, Any] = {
            name: optuna.distributions.CategoricalDistribution(choices)
            for name, choices in spaces.items()
        }
        self._study.add_trial(
            optuna.trial.create_trial(params=params, distributions=distributions, value=value)
        )

    def _suggested(self, trial: optuna.Trial) -> Composition | None:
        """Composition that the sampler proposes, multiplier first; None for what does not fit."""
        kind = trial.suggest_categorical(_KIND, self._kinds)
        left = list(self._of_kind[kind])
        for name, values in self._values[kind].items():
            if len(values) == 1 or not any(name in dict(x.coordinates) for x in left):
                continue
            chosen = trial.suggest_categorical(f"{kind} {name}", values)
            left = [x for x in left if dict(x.coordinates).get(name) == chosen]
        return left[0] if len(left) == 1 else None
