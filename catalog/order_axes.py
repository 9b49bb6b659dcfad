"""Axes that say in which order products run, and what starts them: schedule, lanes, control."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from rsaxcel.catalog.axis import Axis, Fitting
from rsaxcel.catalog.choices import CONTROLS, STREAMS
from rsaxcel.catalog.draft import Draft, refuse
from rsaxcel.catalog.stores import STORES
from rsaxcel.plan.domains import Domain, crt, montgomery, plain, pseudo_modulus
from rsaxcel.plan.programs import Program
from rsaxcel.plan.schedules import SCHEDULES, Schedule
from rsaxcel.plan.steps import When

_MAX_LANES = 2
_BY_DIGIT = (When.SET, When.CLEAR, When.MORE)


class ScheduleAxis(Axis):
    """Axis of the schedule: in which order the products run."""

    name = "schedule"

    def known(self) -> Sequence[str]:
        return tuple(SCHEDULES)

    def usual(self, draft: Draft) -> str:
        return draft.entry.schedule

    def fits(self, draft: Draft) -> Fitting:
        """Return the schedules that fit; two halves run the same steps, so no digit may decide."""
        if not draft.halves:
            return Fitting(self.known())
        reason = "with two halves, the exponent must not decide which products are formed"
        return Fitting([x for x, schedule in SCHEDULES.items() if _is_uniform(schedule)], reason)

    def take(self, draft: Draft, token: Any) -> None:
        """Store the schedule, and build the domain, which forms the residue that starts as 1."""
        super().take(draft, token)
        draft.schedule = SCHEDULES[token]
        draft.domain = _domain(draft)


class LanesAxis(Axis):
    """Axis of the lanes: how many multipliers form products at the same time."""

    name = "lanes"

    def known(self) -> Sequence[str]:
        return tuple(str(lanes) for lanes in range(1, _MAX_LANES + 1))

    def usual(self, draft: Draft) -> int:
        return draft.entry.lanes

    def fits(self, draft: Draft) -> Fitting:
        """Return the numbers of lanes that the schedule can use and the multiplier supports."""
        name = draft.classes.name
        most = 2 if draft.halves else draft.schedule.lanes
        reason = f"schedule={draft.schedule.name} forms one product at a time"
        if most > 1 and draft.store is STORES["digits"] and not draft.halves:
            most, reason = 1, f"{name} multiplies its own last result"
        if most > 1 and draft.classes.fl.shares_b:
            unlike = _unlike(draft.choices(most).programs)
            if unlike:
                most, reason = 1, f"{name} needs one b for {unlike}"
        return Fitting(range(1, most + 1), reason)

    def parse(self, value: Any) -> int:
        """Return a number of lanes; ``ValueError`` if no schedule can use so many lanes."""
        lanes = int(value) if isinstance(value, str) and value.isdecimal() else value
        if type(lanes) is not int or not 1 <= lanes <= _MAX_LANES:
            refuse(self.name, value, f"1 to {_MAX_LANES} are allowed")
        return lanes


class ControlAxis(Axis):
    """Axis of the control: whether handshakes or strobes start the products."""

    name = "control"

    def known(self) -> Sequence[str]:
        return CONTROLS

    def needless(self, draft: Draft) -> str:
        """Return why only streams are possible; an empty text if strobes are possible, too."""
        # Strobes start two products right to left, as Li and Chu print it, of a multiplier that
        # counts its iterations and needs no constants.
        lanes, schedule = draft.tokens[LanesAxis.name], draft.schedule.name
        if draft.classes.fl.strobes and draft.domain == plain(draft.schedule.unit):
            if (lanes, schedule) == (2, "r2l"):
                return ""
            return "strobes start two lanes, right to left; lanes=2 with schedule=r2l fits"
        return "strobes start two shift-sub products in the plain domain; ssmm_r2l has the choice"

    def usual(self, draft: Draft) -> str:
        """Return ``streams``, which every registered design has."""
        return STREAMS

    def fits(self, draft: Draft) -> Fitting:
        return Fitting(self.known())

    def take(self, draft: Draft, token: Any) -> None:
        """Store strobes only: streams, which every design has, are no part of its name."""
        if token != STREAMS:
            super().take(draft, token)


def _is_uniform(schedule: Schedule) -> bool:
    """Whether the same products are formed for every exponent."""
    return schedule.fixed and not any(p.when in _BY_DIGIT for p in schedule.products)


def _domain(draft: Draft) -> Domain:
    """Build the domain for the draft's multiplier, schedule and sources of constants."""
    contract, unit = draft.contract, draft.schedule.unit
    if draft.halves:
        return crt(draft.halves, draft.log2_r, contract.final_factor, unit)
    domain = plain(unit)
    if contract.r != 1:
        conversions, r_squared, one = (
            draft.tokens[name] for name in ("conversions", "r_squared", "one")
        )
        factor = contract.final_factor
        domain = montgomery(draft.nbits, draft.log2_r, conversions, r_squared, one, unit, factor)
    return pseudo_modulus(domain, draft.cofactor) if draft.cofactor > 1 else domain


def _unlike(programs: Sequence[Program]) -> str:
    """First two products that run in parallel but differ in operand ``b``, as text; else empty."""
    for program in programs:
        for step in program.steps:
            for p, q in combinations(step, 2):
                apart = p.lane % program.lanes != q.lane % program.lanes
                if apart and p.b != q.b and not p.when.excludes(q.when):
                    return ", ".join(f"{x.dst} = mul({x.a}, {x.b})" for x in (p, q))
    return ""
