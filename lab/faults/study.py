"""The study of a design's faults: runs a campaign, tries the attacks, and gives all figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import Any

from rsaxcel.circuit import Circuit
from rsaxcel.fl.keys import Key
from rsaxcel.fl.status import Status
from rsaxcel.flow.runner import Progress
from rsaxcel.lab.blocks import Block
from rsaxcel.lab.faults.campaign import DRAWN, Campaign, Effect
from rsaxcel.lab.faults.safe_error import Attack, SafeError, why_not
from rsaxcel.lab.faults.target import (
    DEADLINE,
    FaultOutcome,
    KeyOperation,
    key_operation,
    open_target,
)

LEAST_FAULTS = 20  #: least number of faults in a register whose share of wrong results is ranked

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Counts:
    """Number of faults by outcome, and number of faults whose wrong result gave a factor."""

    by_outcome: tuple[int, ...]
    factors: int = 0

    @property
    def total(self) -> int:
        """Number of faults."""
        return sum(self.by_outcome)

    def share(self, outcome: FaultOutcome) -> float:
        return self.by_outcome[outcome] / self.total

    def as_json(self) -> dict[str, int]:
        """Return the counts by name."""
        found = {x.label.replace(" ", "_"): self.by_outcome[x] for x in FaultOutcome}
        return {"faults": self.total, **found}


def bound(total: int) -> float:
    """Upper bound of the share of an outcome that none of ``total`` independent draws had.

    The exact one-sided bound of Clopper and Pearson at a confidence of 95 %; about 3 / total.
    """
    return 1 - (1 - CONFIDENCE) ** (1 / total)


LEAST_SHELLED = 32  #: least width at which a core in Verilog may be found to use the primes

_MESSAGES = (2, 3, 0x1234)  #: messages for which a private exponent is tried


# If a fault leaves one half right, wrong and right result agree modulo one prime only. Sources: D.
# Boneh, R. DeMillo, R. Lipton, "On the Importance of Checking Cryptographic Protocols for Faults",
# EUROCRYPT 1997, for the difference of two results; A. Lenstra, "Memo on RSA signature generation
# in the presence of faults", 1996, for one wrong result alone.


def factor_of_two(wrong: int, right: int, n: int) -> int:
    """Return ``gcd(wrong - right, n)``: from a wrong and the right result (Boneh et al.)."""
    return gcd(wrong - right, n)


def factor_of_one(wrong: int, base: int, e: int, n: int) -> int:
    """Return ``gcd(wrong**e - base, n)``: from a wrong result and the message (Lenstra)."""
    return gcd(pow(wrong, e, n) - base, n)


def breaks_key(factor: int, e: int, n: int) -> bool:
    """Whether a private exponent made from a factor undoes the public exponent ``e``."""
    if not 1 < factor < n or n % factor:
        return False
    key = Key.of_primes(factor, n // factor, e)
    return key is not None and all(pow(pow(x % n, e, n), key.d, n) == x % n for x in _MESSAGES)


def factoring(results: set[int], operation: KeyOperation) -> frozenset[int]:
    """Return the wrong results that break the key by ``factor_of_two`` and ``factor_of_one``.

    ``ArithmeticError``: one breaks it by a single of them, which is impossible for a right key.
    """
    key, found = operation.key, set()
    for wrong in results:
        two = breaks_key(factor_of_two(wrong, operation.response, key.n), key.e, key.n)
        one = breaks_key(factor_of_one(wrong, operation.base, key.e, key.n), key.e, key.n)
        if one != two:
            raise ArithmeticError(f"result {wrong:#x}: the two attacks on the modulus disagree")
        if two:
            found.add(wrong)
    return frozenset(found)


_SHOWN_REGISTERS = 20


@dataclass(frozen=True)
class FaultRequest:
    """Request of ``rsaxcel fault``."""

    configuration: Circuit
    library: str
    clock_ns: float
    kinds: tuple[str, ...]
    second: tuple[str, ...]  #: kinds of the second fault of each run; none: there is one fault
    count: int | None  #: as in Campaign
    seed: int
    exhaustive: bool
    equal_primes: bool

    @cached_property
    def operation(self) -> KeyOperation:
        return key_operation(self.configuration, self.seed, equal_primes=self.equal_primes)

    def campaign(self, tell: Progress | None = None) -> Campaign:
        """Synthesize the design, or read its netlist, and plan the faults."""
        target = open_target(self.configuration, self.library, self.clock_ns, tell)
        drawn = self.kinds, self.count, self.seed, self.exhaustive, self.second
        return Campaign.of(target, self.operation, *drawn)


def blocks_of(asked: FaultRequest, campaign: Campaign) -> list[Block]:
    """Blocks of a campaign for workers."""
    return campaign.blocks(_run_blocks, (asked,))


def _run_blocks(asked: FaultRequest, numbers: Sequence[int], progress: Progress) -> None:
    campaign = asked.campaign(progress)
    for number in numbers:
        campaign.block(number)


@dataclass(frozen=True)
class FaultStudy:
    """Outcomes of a campaign."""

    campaign: Campaign
    effects: Sequence[Effect]
    #: wrong results that give a factor; None: the circuit does not use the primes
    factors: frozenset[int] | None
    safe_error: SafeError | str  #: result of the attack, or the reason why it was not run

    @cached_property
    def whole(self) -> Counts:
        return self._count(self.effects)

    @cached_property
    def by_kind(self) -> dict[str, Counts]:
        """Counts by name of the kind."""
        found = self._by(lambda effect: effect.kind_name)
        return {kind: found[kind] for kind in self.campaign.kind_names if kind in found}

    @cached_property
    def by_part(self) -> dict[str, Counts]:
        """Counts of a core in Verilog, and of the shell around it; none for other designs."""
        shelled = self.campaign.target.configuration.shelled
        if shelled is None:
            return {}

        def part(effect: Effect) -> str:
            return "core" if effect.first.place.module.split(".")[0] == shelled.core else "shell"

        return self._by(part)

    @cached_property
    def by_module_and_kind(self) -> dict[tuple[str, str], Counts]:
        """Counts by path of the module instance and name of the kind."""
        return self._by(lambda effect: (effect.first.place.module, effect.kind_name))

    @cached_property
    def registers(self) -> list[tuple[str, Counts]]:
        """Registers by their share of wrong results, from ``LEAST_FAULTS`` faults on.

        Of two faults in a run, the first one counts.
        """
        ranked = [
            (name, found)
            for name, found in self._by(lambda effect: effect.first.place.register).items()
            if name and found.total >= LEAST_FAULTS and found.by_outcome[FaultOutcome.WRONG]
        ]
        return sorted(ranked, key=lambda x: (-x[1].share(FaultOutcome.WRONG), -x[1].total, x[0]))

    def _count(self, effects: Sequence[Effect]) -> Counts:
        outcomes = Counter(effect.answer.outcome for effect in effects)
        return Counts(tuple(outcomes[x] for x in FaultOutcome), sum(map(self._is_factor, effects)))

    def _is_factor(self, effect: Effect) -> bool:
        """Whether an effect is a wrong result that gives a factor."""
        answer = effect.answer
        return answer.outcome is FaultOutcome.WRONG and answer.result in (self.factors or ())

    def _by(self, key: Callable[[Effect], Any]) -> dict[Any, Counts]:
        """Count outcomes apart for each key, in its order."""
        groups: dict[Any, list[Effect]] = {}
        for effect in self.effects:
            groups.setdefault(key(effect), []).append(effect)
        return {group: self._count(groups[group]) for group in sorted(groups)}

    @cached_property
    def statuses(self) -> dict[str, int]:
        """Number of refused operations by name of the status, or by number if it has no name."""
        found: dict[str, int] = {}
        for effect in self.effects:
            if effect.answer.outcome is FaultOutcome.REFUSED:
                code = effect.answer.status
                name = str(Status(code)) if code in set(Status) else str(code)
                found[name] = found.get(name, 0) + 1
        return dict(sorted(found.items(), key=lambda x: -x[1]))

    def __str__(self) -> str:
        """Return the outcomes in a few words."""
        whole = self.whole
        found = f"{whole.share(FaultOutcome.WRONG):.2%} of {whole.total:,} faults wrong"
        if self.factors is not None:
            found += f", {whole.factors:,} give a prime"
        return found

    @property
    def factor_share(self) -> float | None:
        """Share of the wrong results that give a factor; None: no result is wrong."""
        wrong = self.whole.by_outcome[FaultOutcome.WRONG]
        return self.whole.factors / wrong if wrong else None

    def bound(self, table: Counts, outcome: FaultOutcome) -> float | None:
        """Upper bound of the share of an outcome that was not seen; None: seen, or not drawn."""
        if self.campaign.exhaustive or table.by_outcome[outcome]:
            return None
        return bound(table.total)

    def as_json(self) -> dict[str, Any]:
        """All figures as one object for JSON."""
        campaign = self.campaign
        operation, configuration = campaign.operation, campaign.target.configuration
        base, exponent, modulus = operation.operands
        attack = self.safe_error
        parts = {part: self._described(x) for part, x in self.by_part.items()}
        return {
            "design": configuration.design_name,
            "nbits": configuration.nbits,
            "params": configuration.params,
            "operation": {"base": base, "exponent": exponent, "modulus": modulus},
            "response": operation.response,
            "cycles": operation.cycles,
            "deadline_cycles": DEADLINE * operation.cycles,
            "seed": campaign.seed,
            "exhaustive": campaign.exhaustive,
            "faults_in_run": 2 if campaign.second else 1,
            "space": campaign.size,
            **self._described(self.whole),
            "statuses": self.statuses,
            "by_kind": {kind: self._described(x) for kind, x in self.by_kind.items()},
            **({"by_part": parts} if parts else {}),
            "by_module_and_kind": [
                {"module": module, "kind": kind, **self._described(x)}
                for (module, kind), x in self.by_module_and_kind.items()
            ],
            "registers": [
                {"register": name, **self._described(x), "wrong_share": x.share(FaultOutcome.WRONG)}
                for name, x in self.registers[:_SHOWN_REGISTERS]
            ],
            "safe_error": attack.as_json() if isinstance(attack, SafeError) else None,
            "no_safe_error": attack if isinstance(attack, str) else None,
            "netlist": campaign.target.digest,
            "runs": [self._told(effect) for effect in self.effects],
        }

    def _told(self, effect: Effect) -> dict[str, Any]:
        answer = effect.answer
        found = {
            "faults": [fault.as_json() for fault in effect.faults],
            "outcome": answer.outcome.label,
            "status": answer.status,
            "result": answer.result,
        }
        if self.factors is None:
            return found
        return {**found, "factor": self._is_factor(effect)}

    def _described(self, table: Counts) -> dict[str, Any]:
        bounds = {x: self.bound(table, x) for x in FaultOutcome}
        found: dict[str, Any] = table.as_json()
        found["bounds_95"] = {x.name.lower(): y for x, y in bounds.items() if y is not None}
        if self.factors is not None:
            found["factors"] = table.factors
        return found


def run_study(
    campaign: Campaign,
    advance: Callable[[int], object] = lambda faults: None,
    *,
    safe_errors: bool = True,
) -> FaultStudy:
    """Run a campaign, try wrong results on the key, and, if it applies, the safe-error attack.

    ``advance`` gets the number of faults since its last call, ``faults_of`` is their sum.
    """
    effects = campaign.run(advance)
    factors = None
    if may_use_primes(campaign):
        wrong = {x.answer.result for x in effects if x.answer.outcome is FaultOutcome.WRONG}
        factors = factoring(wrong, campaign.operation)
    attack: SafeError | str = _left_out(campaign, safe_errors)
    if not attack:
        attack = Attack(campaign, _tried(campaign)).run(advance)
    return FaultStudy(campaign, effects, factors, attack)


def may_use_primes(campaign: Campaign) -> bool:
    """Whether the circuit computes by the primes of the key, or may, as a core in Verilog."""
    configuration, operation = campaign.target.configuration, campaign.operation
    if configuration.halves or not configuration.shelled:
        return configuration.halves is not None
    key = operation.key
    # In a narrower core, any wrong result is often right modulo a prime by chance.
    return operation.operands[1:] == (key.d, key.n) and configuration.nbits >= LEAST_SHELLED


def faults_of(campaign: Campaign, safe_errors: bool = True) -> int:
    """Return the number of a study's faults: the campaign's and the safe-error attack's."""
    return campaign.total + (0 if _left_out(campaign, safe_errors) else _tried(campaign))


def _left_out(campaign: Campaign, safe_errors: bool) -> str:
    """Say why the safe-error attack is not run; an empty text if it is."""
    if campaign.second:
        return "each run has two faults"
    return why_not(campaign) or ("" if safe_errors else "left out by --no-safe-errors")


def _tried(campaign: Campaign) -> int:
    return min(campaign.total, DRAWN)
