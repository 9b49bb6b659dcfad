"""The axes of the design space: the choices on each axis, and which of them fit.

A choice is named by a token, such as ``window`` on the axis ``schedule``. The axes are decided one
after the other (``catalog.fit``). A ``Draft`` holds the choices made so far, and in ``entry`` the
registered design from which it starts.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, NamedTuple

from rsaxcel.catalog.choices import (
    AXES,
    BANKS,
    BUSES,
    CONTROLS,
    DIGIT,
    DUAL_PORT,
    MEMORIES,
    STREAMS,
    WIDE,
    Choices,
    Entry,
    check_width,
    cofactor_parameter,
    refuse,
    usual_cofactor,
)
from rsaxcel.catalog.multipliers import MULTIPLIERS, check_outside, design_widths
from rsaxcel.catalog.reductions import REDUCTIONS, reductions_for
from rsaxcel.catalog.units import CONSTANT_UNITS, STORES, Classes, Store, Unit, units_for
from rsaxcel.fl.modulus_parameter import MODULUS
from rsaxcel.fl.multipliers.contract import DigitMultiplier, Multiplier
from rsaxcel.fl.pseudo_modulus import NoPseudoModulus, find_pseudo_modulus
from rsaxcel.plan.blinding import Blinding
from rsaxcel.plan.domains import (
    BLIND_NBITS,
    BLINDINGS,
    CHECKS,
    CONVERSIONS,
    DOMAINS,
    HALF_NBITS,
    OF_EXPONENTS,
    OF_MESSAGE,
    PUBLIC_NBITS,
    Domain,
    crt,
    montgomery,
    plain,
    pseudo_modulus,
)
from rsaxcel.plan.dual_port import dual_port
from rsaxcel.plan.dummies import DUMMIES, DUMMY_COUNT, Dummies
from rsaxcel.plan.halves import Halves
from rsaxcel.plan.modulus_constants import HOST, ModulusConstant
from rsaxcel.plan.parameters import Parameter, parse_parameters
from rsaxcel.plan.programs import STATES, Program, multiple_nbits
from rsaxcel.plan.schedules import EXPONENT_NBITS, SCHEDULES, WINDOW_NBITS, Schedule
from rsaxcel.plan.steps import When


@dataclass
class Draft:
    """Choices and parameters so far; each axis reads the earlier choices and adds its own."""

    entry: Entry  # the registered design to start from
    nbits: int  # width of operands
    # the user's, by name or short symbol; an axis removes what it uses, the rest is refused
    asked: dict[str, Any]
    tokens: dict[str, Any] = field(default_factory=dict)  # choice by axis
    # of constants, where not the source that the multiplier declares
    sources: dict[str, str] = field(default_factory=dict)
    values: tuple[tuple[str, Any], ...] = ()  # of parameters
    halves: Halves | None = None  # layout of two halves, set by the axis of the multiplier
    # multiplier of the lanes; rebuilt, as the contract, for the wider pseudo-modulus
    unit: Unit = field(init=False)
    contract: Multiplier = field(init=False)  # golden model of the multiplier
    constant_modulus: int = 0  # 0: any
    cofactor: int = 1  # of the pseudo-modulus; 1: products run modulo m
    # set with the domain, which forms 1 in a residue that the schedule names
    schedule: Schedule = field(init=False)
    domain: Domain = field(init=False)
    constants: list[ModulusConstant] = field(default_factory=list)  # that the multiplier reads

    @property
    def classes(self) -> Classes:
        return self.unit.classes

    @property
    def store(self) -> Store:
        return STORES[self.classes.fl.store]

    @property
    def modulus_nbits(self) -> int:
        """Width of the modulus in bits; with two halves, of the modulus of each half."""
        return self.halves.nbits if self.halves else self.nbits

    @property
    def log2_r(self) -> int:
        """Binary logarithm of R, where the multiplier forms ``a * b / R mod m``."""
        return self.contract.r.bit_length() - 1

    def choices(self, lanes: int = 1) -> Choices:
        """Return the choices as an object, with the given number of lanes."""
        values = dict(self.values)
        tokens = {name: self.tokens[name] for name in AXES if name in self.tokens}
        return Choices(
            nbits=self.nbits,
            multiplier=self.unit,
            constant_modulus=self.constant_modulus,
            domain=self.domain,
            constants=tuple(self.constants),
            schedule=self.schedule,
            lanes=lanes,
            exponent_nbits=values.get(EXPONENT_NBITS.name, self.modulus_nbits),
            window_nbits=values.get(WINDOW_NBITS.name, WINDOW_NBITS.default(self.nbits)),
            tokens=tuple((tokens | self.sources).items()),
            values=self.values,
        )

    def take_parameters(self) -> None:
        """Add the parameters that no axis has added, with the user's values or the defaults."""
        others = self.choices().parameters[len(self.values) :]
        self.values += parse_parameters(others, self.asked, self.modulus_nbits)


BY_PRIMES = "domain=crt, as in crt_window, has the choice"
"""Words on the designs that compute by two primes, for messages to users of other designs."""


class Fitting(NamedTuple):
    """The tokens of an axis that fit the earlier choices."""

    tokens: Sequence[Any]  # the first one is the default
    reason: str = ""  # why no other token fits, for a message


class Axis(ABC):
    """An axis: its tokens (names of choices), and those that fit the choices on earlier axes."""

    name: str  # for users

    @abstractmethod
    def known(self) -> Sequence[str]:
        """Give every token, whether it fits or not."""

    def needless(self, draft: Draft) -> str:
        """Return why nothing can be chosen on this axis; an empty text if there is a choice."""
        return ""

    @abstractmethod
    def usual(self, draft: Draft) -> Any:
        """Return the token that the registered design has on this axis."""

    @abstractmethod
    def fits(self, draft: Draft) -> Fitting:
        """Return the tokens that fit the choices on earlier axes."""

    def parse(self, value: Any) -> Any:
        """Return the token for a user's value or text; ``ValueError`` if there is none."""
        if value not in self.known():
            refuse(self.name, value, f"{', '.join(self.known())} are allowed")
        return value

    def take(self, draft: Draft, token: Any) -> None:
        """Store the chosen token in the draft, with the values that follow from it."""
        draft.tokens[self.name] = token

    def choose(self, draft: Draft) -> None:
        """Choose a token: the user's, else the registered design's if it fits, else the first.

        If the user's token does not exist or does not fit, a ``ValueError`` of one line says so.
        """
        if reason := self.needless(draft):
            if self.name in draft.asked:
                refuse(self.name, draft.asked[self.name], reason)
            return
        fitting = self.fits(draft)
        usual = self.usual(draft)
        token = usual if usual in fitting.tokens else fitting.tokens[0]
        if self.name in draft.asked:
            asked = draft.asked.pop(self.name)
            token = self.parse(asked)
            if token not in fitting.tokens:
                verb = "fits" if len(fitting.tokens) == 1 else "fit"
                allowed = ", ".join(map(str, fitting.tokens))
                refuse(self.name, asked, f"{fitting.reason}; {allowed} {verb}")
        self.take(draft, token)


class MultiplierAxis(Axis):
    """Axis of the multiplier: how one product is formed."""

    name = "multiplier"

    def known(self) -> Sequence[str]:
        return tuple(MULTIPLIERS)

    def usual(self, draft: Draft) -> str:
        return draft.entry.multiplier.name

    def fits(self, draft: Draft) -> Fitting:
        """Return all registered multipliers, and the design's own, which may be unregistered."""
        return Fitting((*self.known(), self.usual(draft)))

    def take(self, draft: Draft, token: Any) -> None:
        """Build the multiplier with its parameters, at the width of the modulus or of a half."""
        super().take(draft, token)
        entry, nbits = draft.entry, draft.nbits
        own = token == entry.multiplier.name
        classes = entry.multiplier if own else MULTIPLIERS[token]
        check_width(nbits, design_widths(classes.fl), entry.name if own else classes.name)
        check_outside(classes)
        splits = draft.asked.get("domain", entry.domain) == "crt"
        if splits and issubclass(classes.fl, DigitMultiplier):
            ((_, half_nbits),) = parse_parameters((HALF_NBITS,), draft.asked, nbits)
            draft.halves = Halves(half_nbits)
        draft.values = parse_parameters(classes.fl.parameters, draft.asked, draft.modulus_nbits)
        draft.unit = Unit(classes, draft.values)
        draft.contract = draft.unit.build("fl", draft.modulus_nbits)
        draft.constant_modulus = draft.contract.constant_modulus


class DomainAxis(Axis):
    """Axis of the domain: in which representation the products run."""

    name = "domain"

    def known(self) -> Sequence[str]:
        return tuple(DOMAINS)

    def usual(self, draft: Draft) -> str:
        """Return the registered design's domain; if none, Montgomery or plain, as in ``fits``."""
        return draft.entry.domain or _domain_of_r(draft)

    def fits(self, draft: Draft) -> Fitting:
        """Return the domains that fit the multiplier: Montgomery if it divides by R, or plain."""
        # Multipliers with words, digits or constants for m itself cannot use a multiple of m. The
        # crt domain needs a multiplier that keeps its last result (a ``DigitMultiplier``).
        needed = _domain_of_r(draft)
        asked = draft.asked.get(self.name)
        reason = f"this multiplier forms {'a * b' if needed == 'plain' else 'a * b / R'} mod m"
        tokens = [needed, "pseudo_modulus"]
        if isinstance(draft.contract, DigitMultiplier):
            tokens = [needed, "crt"]
        elif draft.store is not STORES["registers"] or draft.contract.constants:
            tokens = [needed]
            if asked == "pseudo_modulus":
                reason = "this multiplier has words, digits or constants for m only"
        if asked == "crt":
            reason = "it needs a multiplier that keeps its last result"
        return Fitting(tokens, reason)

    def take(self, draft: Draft, token: Any) -> None:
        """Store the domain and its parameter; for a pseudo-modulus, build a wider multiplier."""
        super().take(draft, token)
        if token == "pseudo_modulus":
            draft.cofactor = _cofactor(draft)
            width = multiple_nbits(draft.cofactor, draft.nbits)
            draft.unit = _unit_of_multiple(draft, width)
            draft.contract = draft.unit.build("fl", width)
            draft.values = (*draft.values, ("cofactor", draft.cofactor))
        if draft.halves:
            draft.values = (*draft.values, (HALF_NBITS.name, draft.halves.nbits))


class ReductionAxis(Axis):
    """Axis of the reduction: how the final result is brought below the modulus."""

    name = "reduction"

    def known(self) -> Sequence[str]:
        return tuple(REDUCTIONS)

    def needless(self, draft: Draft) -> str:
        """Return why no reduction is needed; an empty text if one is needed."""
        if draft.contract.excess_nbits(draft.cofactor):
            return ""
        return "the last product is below the modulus"

    def usual(self, draft: Draft) -> str:
        return draft.entry.reduction

    def fits(self, draft: Draft) -> Fitting:
        """Return the reductions that support the modulus of the design: a constant one, or any."""
        return Fitting(reductions_for(draft.constant_modulus), "it is for a constant modulus")

    def take(self, draft: Draft, token: Any) -> None:
        """Store the reduction in the draft, and in the draft's domain."""
        super().take(draft, token)
        excess_nbits = draft.contract.excess_nbits(draft.cofactor)
        built = REDUCTIONS[token].build(excess_nbits, draft.constant_modulus)
        draft.domain = replace(draft.domain, reduction=built)


def _domain_of_r(draft: Draft) -> str:
    return "plain" if draft.contract.r == 1 else "montgomery"


def _cofactor(draft: Draft) -> int:
    """Return the user's cofactor, or by default the cofactor of the cheapest pseudo-modulus."""
    modulus = draft.constant_modulus
    if "cofactor" not in draft.asked:
        try:
            usual = usual_cofactor(modulus)
        except NoPseudoModulus as error:
            refuse("domain", "pseudo_modulus", f"{error}; give cofactor= to take any multiple")
        if usual == 1:
            form = find_pseudo_modulus(modulus, 0)
            refuse("domain", "pseudo_modulus", f"modulus {modulus:#x} is {form} itself; plain fits")
    parameter = cofactor_parameter(modulus, draft.contract.odd_modulus)
    ((_, cofactor),) = parse_parameters((parameter,), draft.asked, draft.nbits)
    return cofactor


def _unit_of_multiple(draft: Draft, nbits: int) -> Unit:
    """Return the multiplier for the cofactor times the modulus, a number of ``nbits`` bits."""
    # A parameter with its default for the design's width gets its default for ``nbits``.
    own = dict(draft.values)
    if MODULUS.name in own:
        own[MODULUS.name] = hex(draft.cofactor * int(own[MODULUS.name], 16))
        return Unit(draft.classes, tuple(own.items()))
    for parameter in draft.classes.fl.parameters:
        if own[parameter.name] == parameter.default(draft.nbits):
            own[parameter.name] = parameter.default(nbits)
        own[parameter.name] = parameter.parse(own[parameter.name], nbits)
    return Unit(draft.classes, tuple(own.items()))


def _no_conversions(draft: Draft) -> str:
    """Return why the domain leaves no choice of conversions; an empty text if there is a choice."""
    if draft.halves:
        return "the crt domain converts by constants of its own; domain=montgomery has the choice"
    if draft.contract.r == 1:
        return "the plain domain converts nothing; domain=montgomery has the choice"
    return ""


class ConversionsAxis(Axis):
    """Axis of the conversions: which units convert values to and from the Montgomery domain."""

    name = "conversions"

    def known(self) -> Sequence[str]:
        return tuple(CONVERSIONS)

    def needless(self, draft: Draft) -> str:
        """Return why the domain leaves no choice of conversions; empty if there is a choice."""
        return _no_conversions(draft)

    def usual(self, draft: Draft) -> str:
        """Return the token of the registered design; ``shared`` if the design names none."""
        return draft.entry.conversions or "shared"

    def fits(self, draft: Draft) -> Fitting:
        """Return both tokens if residues are in registers and as wide as operands."""
        # ``shared``: the lanes (multipliers) also convert. ``dedicated``: separate units convert.
        if draft.store is not STORES["registers"]:
            return Fitting(("shared",), f"residues stay in {draft.store.name}")
        if draft.contract.operand_nbits > draft.nbits:
            return Fitting(("shared",), "residues are wider than operands")
        return Fitting(self.known())


class SourceAxis(Axis):
    """Axis of a constant of the modulus: which unit computes it, or whether the host sends it.

    ``first`` has the tokens that are neither a unit nor the host; they are listed before these.
    """

    def __init__(self, name: str, first: tuple[str, ...] = ()):
        self.name = name
        self._first = first

    def known(self) -> Sequence[str]:
        return (*self._first, *CONSTANT_UNITS, HOST)

    def constant(self, draft: Draft) -> ModulusConstant:
        """Return the constant whose source is chosen, for the draft's multiplier and width."""
        raise NotImplementedError

    def nbits(self, draft: Draft) -> int:
        """Return the width in bits of the modulus from which a unit computes the constant."""
        return draft.nbits

    def fits(self, draft: Draft) -> Fitting:
        """Return ``first``, units for the constant if residues are in registers, and the host."""
        if draft.store is not STORES["registers"]:
            reason = f"constants of residues in {draft.store.name} come from the host"
            return Fitting((*self._first, HOST), reason)
        formula = self.constant(draft).formula
        units = units_for(formula, self.nbits(draft))
        return Fitting((*self._first, *units, HOST), f"it can't compute {formula}")


class ConversionSourceAxis(SourceAxis):
    """Axis of a constant with which values are converted to the Montgomery domain.

    ``name`` is also a field of ``Entry``; ``constant`` takes the width of residues and log2(R).
    """

    def __init__(
        self, name: str, constant: Callable[[int, int], ModulusConstant], *first: str
    ) -> None:
        super().__init__(name, first)
        self._constant = constant

    def needless(self, draft: Draft) -> str:
        """Return why the domain needs no such constant; an empty text if it needs the constant."""
        return _no_conversions(draft)

    def usual(self, draft: Draft) -> str:
        """Return the source of the constant in the registered design; empty if it names none."""
        return getattr(draft.entry, self.name)

    def constant(self, draft: Draft) -> ModulusConstant:
        return self._constant(draft.nbits, draft.log2_r)


class MultiplierConstantAxis(SourceAxis):
    """Axis of a constant that the multiplier reads: which unit computes it, or the host."""

    def __init__(self, constant: ModulusConstant):
        super().__init__(constant.choice_name)
        self._constant = constant

    def usual(self, draft: Draft) -> str:
        """Return the source (a unit, or the host) that the multiplier declares for the constant."""
        return self._constant.source

    def constant(self, draft: Draft) -> ModulusConstant:
        return self._constant

    def nbits(self, draft: Draft) -> int:
        """Return the width in bits of the modulus by which the multiplier reduces products."""
        return draft.contract.nbits

    def take(self, draft: Draft, token: Any) -> None:
        """Add the constant with its source, also to ``draft.sources`` if not the declared one."""
        if token != self._constant.source:
            draft.sources[self.name] = token
        draft.constants.append(replace(self._constant, source=token))


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


class BusAxis(Axis):
    """Axis of the bus: operands in one message, or digit by digit on a bus of one word."""

    name = "bus"

    def known(self) -> Sequence[str]:
        return BUSES

    def needless(self, draft: Draft) -> str:
        """Return why there is no choice of a bus; empty if residues are in words of a memory."""
        if draft.store is not STORES["words"]:
            return "only operands in words of a memory come digit by digit, as in digit_serial_r2l"
        return ""

    def usual(self, draft: Draft) -> str:
        return WIDE

    def fits(self, draft: Draft) -> Fitting:
        """Return the buses that fit: all that is sent digit by digit goes to the memory."""
        name = draft.classes.name
        if draft.contract.constants:
            return Fitting((WIDE,), f"{name} reads constants of the modulus that are in no memory")
        if draft.cofactor > 1:
            return Fitting((WIDE,), "with a pseudo-modulus, there are two programs in a row")
        return Fitting(self.known())

    def take(self, draft: Draft, token: Any) -> None:
        """Store the bus, unless it is the wide one, which every design has."""
        if token != WIDE:
            super().take(draft, token)


class MemoryAxis(Axis):
    """Axis of the memory: one for each number, or one with two ports for all but the constant."""

    name = "memory"

    def known(self) -> Sequence[str]:
        return MEMORIES

    def needless(self, draft: Draft) -> str:
        """Return why there is no choice of a memory; empty with a bus of one digit."""
        if draft.tokens.get("bus") == DIGIT:
            return ""
        return "numbers share a memory only with bus=digit, a choice of digit_serial_r2l"

    def usual(self, draft: Draft) -> str:
        return BANKS

    def fits(self, draft: Draft) -> Fitting:
        """Return both tokens if the accesses of all products fit two ports."""
        name = draft.classes.name
        if not draft.classes.fl.runs_on_ports:
            return Fitting((BANKS,), f"{name} has no circuit for a memory with two ports")
        (program,) = draft.choices(draft.tokens["lanes"]).programs
        try:
            dual_port(program)
        except ValueError as error:
            return Fitting((BANKS,), str(error))
        return Fitting((BANKS, DUAL_PORT))

    def take(self, draft: Draft, token: Any) -> None:
        """Store the token, unless each number has a memory of its own."""
        if token != BANKS:
            super().take(draft, token)


class CrtAxis(Axis):
    """An axis of the designs by two primes (CRT): its first token means none, and is not stored."""

    tokens: Mapping[str, str]  # description by token
    told: str  # why a design without two primes has no choice

    def known(self) -> Sequence[str]:
        return tuple(self.tokens)

    def needless(self, draft: Draft) -> str:
        """Return why there is no choice; empty if the design computes by two primes."""
        return "" if draft.halves else f"{self.told}; {BY_PRIMES}"

    def usual(self, draft: Draft) -> str:
        """Return the first token, which every registered design has."""
        return self.known()[0]

    def fits(self, draft: Draft) -> Fitting:
        return Fitting(self.known())

    def take(self, draft: Draft, token: Any) -> None:
        """Store a choice, and what it changes in the layout of the halves."""
        if token != self.usual(draft):
            super().take(draft, token)
            assert draft.halves is not None
            draft.halves = replace(draft.halves, **self.changes(draft, token))

    @abstractmethod
    def changes(self, draft: Draft, token: str) -> Mapping[str, Any]:
        """Return fields of ``plan.halves.Halves`` with the values that follow from a choice."""


def take_parameter(draft: Draft, parameter: Parameter) -> Any:
    """Add a parameter with the user's value, or its default, to the draft; return the value."""
    values = parse_parameters((parameter,), draft.asked, draft.nbits)
    draft.values = (*draft.values, *values)
    return values[0][1]


class CheckAxis(CrtAxis):
    """Axis of the check: none, or by the public exponent."""

    name = "check"
    tokens = CHECKS
    told = "only a result that two halves are joined to is checked"

    def changes(self, draft: Draft, token: str) -> Mapping[str, Any]:
        return {"public_nbits": take_parameter(draft, PUBLIC_NBITS)}


class BlindingAxis(CrtAxis):
    """Axis of the blinding: none, of the message, of the exponents, or of both."""

    name = "blinding"
    tokens = BLINDINGS
    told = "only designs by two primes are blinded"

    def changes(self, draft: Draft, token: str) -> Mapping[str, Any]:
        exponent_nbits = 0 if token == OF_MESSAGE else take_parameter(draft, BLIND_NBITS)
        return {"blinding": Blinding(token != OF_EXPONENTS, exponent_nbits)}


class DummiesAxis(CrtAxis):
    """Axis of the dummies: none, or squares between the products of the exponent."""

    name = "dummies"
    tokens = DUMMIES
    told = "only designs by two primes have dummies"

    def changes(self, draft: Draft, token: str) -> Mapping[str, Any]:
        return {"dummies": Dummies(take_parameter(draft, DUMMY_COUNT))}


class StatesAxis(CrtAxis):
    """Axis of the states: one machine each, or two that are compared in every cycle."""

    name = "states"
    tokens = STATES
    told = "only designs by two primes have doubled states"

    def changes(self, draft: Draft, token: str) -> Mapping[str, Any]:
        """Return nothing: the operands of a request are the same."""
        return {}
