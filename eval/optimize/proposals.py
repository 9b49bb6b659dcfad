"""Compositions proposed by Optuna's TPE sampler, from measured values and forecasts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import inf, isfinite
from typing import Any

import optuna

from rsaxcel.eval.optimize.space import Composition, axes_values

_PROPOSALS = 40  # most proposals for one accepted composition
_CANDIDATES = 6  # proposals among the wanted ones; the one with the best forecast is accepted
_KIND = "multiplier"


class Proposer:
    """An Optuna study over the compositions of all multipliers; counts what it has taken."""

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
        """Return the wanted composition with the best forecast among some of the sampler's."""
        # Six proposals are in ``wanted``, of at most 40; None if none is. The sampler is told the
        # forecast (expected logarithm of the value) of each of its proposals.
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
        """Let the sampler choose multiplier and coordinates; None if no composition has them."""
        kind = trial.suggest_categorical(_KIND, self._kinds)
        left = list(self._of_kind[kind])
        for name, values in self._values[kind].items():
            if len(values) == 1 or not any(name in dict(x.coordinates) for x in left):
                continue
            chosen = trial.suggest_categorical(f"{kind} {name}", values)
            left = [x for x in left if dict(x.coordinates).get(name) == chosen]
        return left[0] if len(left) == 1 else None
