"""Choices: one on each axis of the design space, with the programs and units that follow.

A choice is named by a token, such as ``window`` on the axis ``schedule``. ``resolve`` goes from
axis to axis: which tokens fit depends on earlier axes only. A user's token is kept or refused.
Without a user's token, the registered design's is taken if it fits, otherwise the first that fits.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import combinations
from operator import index
from typing import Any, NamedTuple, NoReturn

from rsaxcel.catalog.multipliers import COMPOSED, check_outside, design_widths
from rsaxcel.catalog.units import CONSTANT_UNITS, STORES, Classes, Unit, units_for
from rsaxcel.fl.contract import MODULUS, DigitMultiplier, Multiplier
from rsaxcel.fl.pseudo_modulus import FAMILY_COFACTOR, NoPseudoModulus, find_pseudo_modulus
from rsaxcel.plan import domains
from rsaxcel.plan.dual_port import dual_port
from rsaxcel.plan.halves import Halves
from rsaxcel.plan.measures import MEASURES, Measure
from rsaxcel.plan.modulus_constants import HOST, ModulusConstant, from_units
from rsaxcel.plan.parameters import Parameter, parse_parameters
from rsaxcel.plan.programs import Program, Reduction, multiple_nbits
from rsaxcel.plan.schedules import EXPONENT_NBITS, SCHEDULES, WINDOW_NBITS, Schedule, plan
from rsaxcel.plan.steps import BY_DIGIT
from rsaxcel.store.errors import UserError, nearest

_MOST_LISTED = 12  #: widths in a message

STREAMS, STROBE, MERGED = "streams", "strobe", "merged"
WIDE, DIGIT = "wide", "digit"
BANKS, DUAL_PORT = "banks", "dual_port"

MAX_GROWTH_NBITS = 16
"""Maximum of t minus the width of m in bits, for a pseudo-modulus ``2^t +- k`` of m."""

#: Parameters of designs by two primes; not all of these designs have the parameters of measures.
_OF_HALVES = (domains.HALF_NBITS, *(p for measure in MEASURES for p in measure.all_parameters))

_BY_PRIMES = "domain=crt, as in crt_window, has the choice"


class WidthError(UserError):
    """Raised for a width that a design does not allow; ``allowed`` names the allowed widths."""

    allowed = ""


def check_width(nbits: Any, widths: Sequence[int], name: str) -> int:
    """Return a width in bits; ``WidthError`` if it is not in ``widths``, the widths of ``name``."""
    if not hasattr(nbits, "__index__") or nbits not in widths:
        allowed = allowed_widths(widths, name)
        error = WidthError(f"nbits={nbits}: {allowed}")
        error.allowed = allowed
        raise error
    return index(nbits)


def allowed_widths(widths: Sequence[int], name: str) -> str:
    return f"{shown_widths(widths)} allowed for {name}"


def shown_widths(widths: Sequence[int]) -> str:
    """Text on widths: the first and the last, with the step, or some that are listed."""
    if not widths:
        return "no widths"
    step = getattr(widths, "step", 0)
    if step or 1 < len(widths) == 1 + widths[-1] - widths[0]:
        steps = f" in steps of {step}" if step > 1 else ""
        return f"{widths[0]} to {widths[-1]} bits{steps}"
    more = f", ... {widths[-1]}" if len(widths) > _MOST_LISTED else ""
    return f"{', '.join(map(str, widths[:_MOST_LISTED]))}{more} bits"


def refuse(name: str, value: Any, reason: str) -> NoReturn:
    """Raise ``ValueError`` that names a choice or parameter, its value and why it is refused."""
    raise ValueError(f"{name}={value}: {reason}")


def refuse_parameter(
    name: str, value: Any, owner: str, known: Sequence[str], others: str = ""
) -> NoReturn:
    """Refuse a name that is no parameter of ``owner``; ``others`` are choices that have it."""
    reason = f"not a parameter of {owner}"
    if others:
        refuse(name, value, f"{reason}; it goes with {others}")
    refuse(name, value, f"{reason}{nearest(name, known)}; allowed: {', '.join(known) or 'none'}")


@dataclass(eq=False, repr=False)
class Choices:
    """A choice on each axis, and the parameters; complete once ``resolve`` returns it."""

    design: Any  #: registered catalog.Design from which the choices start
    nbits: int
    #: the user's choices, by name or short symbol; used ones are removed, the rest is refused
    asked: dict[str, Any]
    #: choice by axis; then sources of constants that differ from the multiplier's declaration
    tokens: dict[str, Any] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    forced: set[str] = field(default_factory=set)  #: axes whose choice does not follow from others
    halves: Halves | None = None  #: layout of two halves
    #: multiplier of the lanes, and its golden model; for a pseudo-modulus, of the multiple of m
    multiplier: Unit = field(init=False)
    contract: Multiplier = field(init=False)
    log2_r: int = field(init=False)  #: log2 of R, by which products are divided; 0: no division
    constant_modulus: int = 0  #: the only modulus m; 0: any
    cofactor: int = 1  #: cofactor of the pseudo-modulus; 1: products run modulo m
    reduction: Reduction | None = None  #: reduction of the final result
    constants: tuple[ModulusConstant, ...] = ()  #: constants that the multiplier reads

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Choices) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def __repr__(self) -> str:
        return f"Choices({self.nbits}, {self.tokens}, {self.values})"

    @cached_property
    def _identity(self) -> Any:
        tokens, values = frozenset(self.tokens.items()), frozenset(self.values.items())
        return self.nbits, self.multiplier, tokens, values  # all other attributes follow from these

    @property
    def store(self) -> Classes:
        return STORES[self.contract.store]

    @property
    def modulus_nbits(self) -> int:
        """Width of the modulus in bits; with two halves, of the modulus of each half."""
        return self.halves.nbits if self.halves else self.nbits

    @property
    def odd_modulus(self) -> bool:
        """Whether an input rule demands an odd modulus."""
        return self.contract.odd_modulus or self.log2_r > 0

    @property
    def schedule(self) -> Schedule:
        return SCHEDULES[self.tokens["schedule"]]

    @property
    def lanes(self) -> int:
        return int(self.tokens["lanes"])

    @property
    def exponent_nbits(self) -> int:
        """Width of an exponent in bits, without blinding; with two halves, a half's."""
        return int(self.values.get(EXPONENT_NBITS.name, self.modulus_nbits))

    @property
    def domain(self) -> domains.Domain:
        """Representation of the residues."""
        factor, unit = self.contract.final_factor, self.schedule.unit
        if self.halves:
            return domains.crt(self.halves, self.log2_r, factor, unit)
        domain = domains.plain(unit)
        if self.log2_r:
            tokens = self.tokens
            sources = tokens["conversions"], tokens["r_squared"], tokens["one"]
            domain = domains.montgomery(self.nbits, self.log2_r, *sources, unit, factor)
        if self.cofactor > 1:
            domain = domains.pseudo_modulus(domain, self.cofactor)
        return replace(domain, reduction=self.reduction) if self.reduction else domain

    @property
    def all_constants(self) -> tuple[ModulusConstant, ...]:
        """Constants of the domain, then those that the multiplier reads."""
        return (*self.domain.constants, *self.constants)

    @property
    def programs(self) -> tuple[Program, ...]:
        scanned_nbits = self.exponent_nbits
        if self.halves and self.halves.multiple_nbits:
            # X (m - 1) + E < 2**(x + n), with X below 2**x, and m and E below 2**n
            scanned_nbits = self.halves.nbits + self.halves.multiple_nbits
        window_nbits = self.values.get(WINDOW_NBITS.name, WINDOW_NBITS.default(self.nbits))
        widths = scanned_nbits, window_nbits
        programs = plan(self.domain, self.schedule, self.lanes, *widths, self.constants)
        own = tuple((name, token) for name, token in self.tokens.items() if name in OWN_AXES)
        return tuple(replace(program, own_choices=own) for program in programs)

    @property
    def units(self) -> tuple[Unit, ...]:
        """Units that compute the first program's ``computed_constants``, in the same order."""
        found = []
        for constant in from_units(self.all_constants):
            classes = CONSTANT_UNITS[constant.source]
            names = [p.name for p in classes.fl.parameters(constant.formula)]
            params = ((name, self.values[f"{constant.name}_{name}"]) for name in names)
            found.append(Unit(classes, tuple(params)))
        return tuple(found)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Parameters of multiplier, domain, units that compute constants of m, and schedule."""
        of_schedule = self.schedule.parameters
        found = [*self.multiplier.classes.fl.parameters]
        if self.halves:
            found = [self._of_half(p, self.halves) for p in found]
            of_schedule = tuple(self._of_half(p, self.halves) for p in of_schedule)
        if self.cofactor > 1:
            found.append(_cofactor_parameter(self.constant_modulus, self.odd_modulus))
        found += [p for p in _OF_HALVES if p.name in self.values]
        for constant in from_units(self.all_constants):
            of = f" of the unit that computes {constant.description}"
            found += [
                replace(p, name=f"{constant.name}_{p.name}", meaning=p.meaning + of)
                for p in CONSTANT_UNITS[constant.source].fl.parameters(constant.formula)
            ]
        return (*found, *of_schedule)

    @staticmethod
    def _of_half(parameter: Parameter, halves: Halves) -> Parameter:
        """Return the parameter with values for the width of a half."""
        allowed = parameter.allowed(halves.nbits)
        if parameter.name == EXPONENT_NBITS.name:  # at most all bits of the 32-bit words of a half
            most = halves.nbits if halves.multiple_nbits else halves.padded_nbits
            allowed = range(1, most + 1)
        return replace(
            parameter,
            default=lambda nbits: parameter.default(halves.nbits),
            allowed=lambda nbits: allowed,
        )

    def take_parameter(self, parameter: Parameter) -> Any:
        """Store a parameter with the user's value, or its default; return the value."""
        self.values |= dict(parse_parameters((parameter,), self.asked, self.nbits))
        return self.values[parameter.name]


class Fitting(NamedTuple):
    """The tokens of an axis that fit the choices on earlier axes."""

    tokens: Sequence[Any]  #: fitting tokens; the first one is the default; none: there is no choice
    reason: str = ""  #: reason why no other token fits, for a message


@dataclass(frozen=True)
class Axis:
    """An axis: its tokens, a test whether tokens fit earlier choices, the effect of a choice."""

    name: str  #: name for users, and of the design's field with the choice
    tokens: Collection[Any]  #: all tokens, whether these fit or not
    fits: Callable[[Choices], Fitting]
    take: Callable[[Choices, Any], None] | None = None
    usual: str = ""  #: token that is not listed among the choices, as every design has it

    def choose(self, chosen: Choices) -> None:
        """Choose a token; ``ValueError`` if the user's does not exist or does not fit."""
        fitting, reason = self.fits(chosen)
        if not fitting:
            if self.name in chosen.asked:
                refuse(self.name, chosen.asked[self.name], reason)
            return
        own = getattr(chosen.design, self.name, None)
        usual = own or self.usual
        token = usual if usual in fitting else fitting[0]
        if self.name in chosen.asked:
            asked = self._parse(chosen.asked.pop(self.name))
            if asked not in fitting:
                verb = "fits" if len(fitting) == 1 else "fit"
                refuse(self.name, asked, f"{reason}; {', '.join(map(str, fitting))} {verb}")
            if asked != token:
                chosen.forced.add(self.name)
            token = asked
        if own or token != self.usual:
            chosen.tokens[self.name] = token
        if self.take:
            self.take(chosen, token)

    def _parse(self, value: Any) -> Any:
        """Return the token for a user's value or text; ``ValueError`` if there is none."""
        tokens = self.tokens
        if isinstance(tokens, range):
            token = int(value) if isinstance(value, str) and value.isdecimal() else value
            known = type(token) is int and token in tokens
            allowed = f"{tokens[0]} to {tokens[-1]}"
        else:
            token, known = value, isinstance(value, str) and value in tokens
            allowed = ", ".join(tokens)
        if not known:
            refuse(self.name, value, f"{allowed} are allowed")
        return token


def _fit_multiplier(chosen: Choices) -> Fitting:
    """Return the design's own multiplier, which may be unregistered, and all registered ones."""
    others = COMPOSED if "multiplier" in chosen.asked else ()
    return Fitting((chosen.design.multiplier.name, *others))


def _take_multiplier(chosen: Choices, token: str) -> None:
    """Build the multiplier with its parameters, at the width of the modulus or of a half."""
    design, asked = chosen.design, chosen.asked
    own = token == design.multiplier.name
    classes = design.multiplier if own else COMPOSED[token]
    check_width(chosen.nbits, design_widths(classes.fl), design.name if own else token)
    check_outside(classes)
    if asked.get("domain", design.domain) == "crt" and issubclass(classes.fl, DigitMultiplier):
        chosen.halves = Halves(chosen.take_parameter(domains.HALF_NBITS))
    nbits = chosen.modulus_nbits
    params = parse_parameters(classes.fl.parameters, asked, nbits)
    chosen.values = dict(params) | chosen.values
    _build(chosen, Unit(classes, params), nbits)
    chosen.constant_modulus = chosen.contract.constant_modulus


def _build(chosen: Choices, multiplier: Unit, nbits: int) -> None:
    chosen.multiplier, chosen.contract = multiplier, multiplier.build("fl", nbits)
    chosen.log2_r = chosen.contract.r.bit_length() - 1


def _fit_domain(chosen: Choices) -> Fitting:
    """Return the domains that fit the multiplier: Montgomery if it divides by R, or plain."""
    # Multipliers with words, digits or constants for m itself cannot use a multiple of m. The
    # crt domain needs a multiplier that keeps its last result (a ``DigitMultiplier``).
    contract, asked = chosen.contract, chosen.asked.get("domain")
    needed, formed = ("montgomery", "a * b / R") if chosen.log2_r else ("plain", "a * b")
    reason = f"this multiplier forms {formed} mod m"
    tokens = [needed, "pseudo_modulus"]
    if isinstance(contract, DigitMultiplier):
        tokens = [needed, "crt"]
    elif contract.store != "registers" or contract.constants:
        tokens = [needed]
        if asked == "pseudo_modulus":
            reason = "this multiplier has words, digits or constants for m only"
    if asked == "crt":
        reason = "it needs a multiplier that keeps its last result"
    return Fitting(tokens, reason)


def _take_domain(chosen: Choices, token: str) -> None:
    """Build a wider multiplier for a pseudo-modulus."""
    if token != "pseudo_modulus":
        return
    chosen.cofactor = _cofactor(chosen)
    nbits = multiple_nbits(chosen.cofactor, chosen.nbits)
    classes, params = chosen.multiplier.classes, dict(chosen.multiplier.params)
    if MODULUS.name in params:
        params[MODULUS.name] = hex(chosen.cofactor * int(params[MODULUS.name], 16))
    else:
        # The multiplier is wider than the design, and defaults depend on the width.
        for p in classes.fl.parameters:
            if params[p.name] == p.default(chosen.nbits):
                params[p.name] = p.default(nbits)
            params[p.name] = p.parse(params[p.name], nbits)
    _build(chosen, Unit(classes, tuple(params.items())), nbits)


def _cofactor(chosen: Choices) -> int:
    """Return the user's cofactor, or by default the cofactor of the cheapest pseudo-modulus."""
    modulus = chosen.constant_modulus
    if "cofactor" not in chosen.asked:
        try:
            usual = _usual_cofactor(modulus)
        except NoPseudoModulus as error:
            refuse("domain", "pseudo_modulus", f"{error}; give cofactor= to take any multiple")
        if usual == 1:
            form = find_pseudo_modulus(modulus, 0)
            refuse("domain", "pseudo_modulus", f"modulus {modulus:#x} is {form} itself; plain fits")
    parameter = _cofactor_parameter(modulus, chosen.contract.odd_modulus)
    return int(chosen.take_parameter(parameter))


@cache
def _usual_cofactor(constant_modulus: int) -> int:
    """Cofactor c of the cheapest pseudo-modulus ``c * m``; 3 for any m (0), as in Vassoler."""
    if not constant_modulus:
        return FAMILY_COFACTOR
    return find_pseudo_modulus(constant_modulus, MAX_GROWTH_NBITS).cofactor


def _cofactor_parameter(constant_modulus: int, odd: bool) -> Parameter:
    """Make the parameter c of the pseudo-modulus ``c * m``; ``constant_modulus`` 0: for any m."""
    try:
        default = _usual_cofactor(constant_modulus)
    except NoPseudoModulus:
        default = FAMILY_COFACTOR
    # A modulus m of the given width in bits is at least 2^(bits - 1). A pseudo-modulus c * m is at
    # most about 2^(bits + MAX_GROWTH_NBITS). So a cofactor c is below 2^(MAX_GROWTH_NBITS + 1).
    end = 2 << MAX_GROWTH_NBITS
    allowed = range(3, end, 2) if odd else range(2, end)
    return Parameter(
        "cofactor",
        lambda nbits: default,
        lambda nbits: allowed,
        "c, in decimal: products run modulo c times the modulus; by default the cofactor of its "
        "cheapest pseudo-modulus, 3 where any modulus is allowed",
    )


def _without_conversions(chosen: Choices) -> str:
    """Return why the domain leaves no choice of conversions; an empty text if there is a choice."""
    if chosen.halves:
        return "the crt domain converts by constants of its own; domain=montgomery has the choice"
    if not chosen.log2_r:
        return "the plain domain converts nothing; domain=montgomery has the choice"
    return ""


def _fit_conversions(chosen: Choices) -> Fitting:
    """Return both tokens if residues are in registers and as wide as operands.

    ``shared``: the lanes (multipliers) also convert. ``dedicated``: separate units convert.
    """
    if reason := _without_conversions(chosen):
        return Fitting((), reason)
    if chosen.contract.store != "registers":
        return Fitting(("shared",), f"residues stay in {chosen.contract.store}")
    if chosen.contract.operand_nbits > chosen.nbits:
        return Fitting(("shared",), "residues are wider than operands")
    return Fitting(("shared", "dedicated"))


_SOURCES = (*CONSTANT_UNITS, HOST)
"""Tokens of the axis of a constant of the modulus: the unit that computes it, or the host."""


def _fit_source(
    chosen: Choices, constant: ModulusConstant, nbits: int, first: Sequence[str] = ()
) -> Fitting:
    """Return ``first``, units for the constant if residues are in registers, and the host."""
    if chosen.contract.store != "registers":
        reason = f"constants of residues in {chosen.contract.store} come from the host"
        return Fitting((*first, HOST), reason)
    units = units_for(constant.formula, nbits)
    return Fitting((*first, *units, HOST), f"it can't compute {constant.formula}")


def _fit_conversion_source(
    declare: Callable[[int, int], ModulusConstant], first: Sequence[str], chosen: Choices
) -> Fitting:
    """Return the sources of a constant by which values are converted to the Montgomery domain."""
    if "conversions" not in chosen.tokens:
        return Fitting((), _without_conversions(chosen))
    constant = declare(chosen.nbits, chosen.log2_r)
    return _fit_source(chosen, constant, chosen.nbits, first)


def _multiplier_constant(constant: ModulusConstant) -> Axis:
    """Return the axis of a constant that the multiplier reads, and for which it names a source."""

    def take(chosen: Choices, token: str) -> None:
        chosen.constants += (replace(constant, source=token),)

    def fits(chosen: Choices) -> Fitting:
        return _fit_source(chosen, constant, chosen.contract.nbits)

    return Axis(constant.choice_name, _SOURCES, fits, take, constant.source)


REDUCTIONS: Mapping[str, str] = {
    "subtraction": "multiples of the modulus are subtracted, one a cycle",
    "compressor_tree": "a tree of compressors for a constant modulus",
    "remainder": "a combinational remainder by a constant modulus",
}
"""Ways to bring the final result below m, with their meanings; see ``rtl.reducers.CIRCUITS``."""


def reduction(kind: str, excess_nbits: int, modulus: int = 0) -> Reduction:
    """Return the reduction of results below ``2**excess_nbits * m``; ``modulus``: the only m."""
    if kind == "subtraction":
        return Reduction(excess_nbits, excess_nbits, kind)
    return Reduction(excess_nbits, 1, kind, (("modulus", hex(modulus)),))


def _fit_reduction(chosen: Choices) -> Fitting:
    """Return the reductions that fit: subtraction always, the others for a constant modulus."""
    if not chosen.contract.excess_nbits(chosen.cofactor):
        return Fitting((), "the last product is below the modulus")
    if chosen.constant_modulus:
        return Fitting(("compressor_tree", "remainder", "subtraction"))
    return Fitting(("subtraction",), "it is for a constant modulus")


def _take_reduction(chosen: Choices, token: str) -> None:
    excess_nbits = chosen.contract.excess_nbits(chosen.cofactor)
    chosen.reduction = reduction(token, excess_nbits, chosen.constant_modulus)


#: Schedules in which no digit of the exponent decides whether a product is formed.
_UNIFORM = [
    name
    for name, schedule in SCHEDULES.items()
    if schedule.fixed and not {p.when for p in schedule.products} & {*BY_DIGIT}
]


def _fit_schedule(chosen: Choices) -> Fitting:
    """Return the schedules that fit; two halves run the same steps, so no digit may decide."""
    if not chosen.halves:
        return Fitting(tuple(SCHEDULES))
    reason = "with two halves, the exponent must not decide which products are formed"
    return Fitting(_UNIFORM, reason)


def _fit_lanes(chosen: Choices) -> Fitting:
    """Return the numbers of lanes that the schedule can use and the multiplier supports."""
    name, schedule = chosen.multiplier.classes.name, chosen.schedule
    most = 2 if chosen.halves else schedule.lanes
    reason = f"schedule={schedule.name} forms one product at a time"
    if most > 1 and chosen.contract.store == "digits" and not chosen.halves:
        most, reason = 1, f"{name} multiplies its own last result"
    if most > 1 and chosen.contract.shares_b and (unlike := _unlike(chosen, most)):
        most, reason = 1, f"{name} needs one b for {unlike}"
    return Fitting(range(1, most + 1), reason)


def _unlike(chosen: Choices, lanes: int) -> str:
    """First two products that run in parallel but differ in operand ``b``, as text; else empty."""
    domain, schedule = chosen.domain, chosen.schedule
    loop = schedule.per_bit + schedule.per_digit
    for step in domain.enter + schedule.enter + domain.begin + loop + domain.leave:
        for p, q in combinations(step, 2):
            if p.lane % lanes != q.lane % lanes and p.b != q.b and not p.when.excludes(q.when):
                return ", ".join(f"{x.dst} = mul({x.a}, {x.b})" for x in (p, q))
    return ""


def _fit_control(chosen: Choices) -> Fitting:
    is_plain = chosen.tokens["domain"] == "plain" and not chosen.reduction
    if is_plain and chosen.contract.merges and chosen.schedule.name == "l2r":
        return Fitting((STREAMS, MERGED), "strobes go from right to left; schedule=r2l has them")
    # Strobes start two products right to left, as Li and Chu print it, of a multiplier that counts
    # its iterations and needs no constants.
    if not chosen.contract.strobes or not is_plain:
        reason = "strobes start two shift-sub products in the plain domain"
        helps = "ssmm_r2l has the choice, and interleaved_l2r that of merged"
        return Fitting((), f"{reason}; {helps}")
    if (chosen.lanes, chosen.schedule.name) != (2, "r2l"):
        reason = "strobes start two lanes, right to left; lanes=2 with schedule=r2l fits"
        return Fitting((), reason)
    return Fitting((STREAMS, STROBE), "merged goes from left to right; schedule=l2r has it")


def _fit_bus(chosen: Choices) -> Fitting:
    """Return the buses that fit; values that are sent digit by digit all go to the memory."""
    if chosen.contract.store != "words":
        reason = "only operands in words of a memory come digit by digit, as in digit_serial_r2l"
        return Fitting((), reason)
    if chosen.contract.constants:
        reason = "reads constants of the modulus that are in no memory"
        return Fitting((WIDE,), f"{chosen.multiplier.classes.name} {reason}")
    if chosen.cofactor > 1:
        return Fitting((WIDE,), "with a pseudo-modulus, there are two programs in a row")
    return Fitting((WIDE, DIGIT))


def _fit_memory(chosen: Choices) -> Fitting:
    """Return both tokens if the accesses of all products fit two ports."""
    if chosen.tokens.get("bus") != DIGIT:
        reason = "numbers share a memory only with bus=digit, a choice of digit_serial_r2l"
        return Fitting((), reason)
    classes = chosen.multiplier.classes
    if not classes.fl.runs_on_ports:
        reason = f"{classes.name} has no circuit for a memory with two ports"
        return Fitting((BANKS,), reason)
    (program,) = chosen.programs
    try:
        dual_port(program)
    except ValueError as error:
        return Fitting((BANKS,), str(error))
    return Fitting((BANKS, DUAL_PORT))


def _of_measure(measure: Measure) -> Axis:
    """Return the axis of a measure, which only designs by two primes (CRT) can have."""
    known = tuple(measure.tokens)

    def fits(chosen: Choices) -> Fitting:
        return Fitting(known if chosen.halves else (), f"{measure.lacking}; {_BY_PRIMES}")

    def take(chosen: Choices, token: str) -> None:
        values = [chosen.take_parameter(p) for p in measure.parameters.get(token, ())]
        assert chosen.halves is not None
        if token in measure.adds:
            added = measure.adds[token](*values).dividing(chosen.log2_r)
            chosen.halves = replace(chosen.halves, measures=(*chosen.halves.measures, added))

    return Axis(measure.name, measure.tokens, fits, take, usual=known[0])


_AXES = (
    Axis("multiplier", COMPOSED, _fit_multiplier, _take_multiplier),
    Axis("domain", domains.DOMAINS, _fit_domain, _take_domain),
    Axis("conversions", domains.CONVERSIONS, _fit_conversions),
    Axis("r_squared", _SOURCES, partial(_fit_conversion_source, domains.r_squared_constant, ())),
    Axis("one", (domains.PRODUCT, *_SOURCES),
         partial(_fit_conversion_source, domains.one_constant, (domains.PRODUCT,))),
    Axis("reduction", REDUCTIONS, _fit_reduction, _take_reduction),
    Axis("schedule", SCHEDULES, _fit_schedule),
    Axis("lanes", range(1, 3), _fit_lanes),
    Axis("control", {STREAMS: "handshakes start the lanes and the exponentiator",
                     STROBE: "pulses start them, as in Li and Chu's Verilog",
                     MERGED: "one state machine for exponent and products, on the same registers"},
         _fit_control, usual=STREAMS),
    Axis("bus", {WIDE: "all operands in one message", DIGIT: "operands and result digit by digit"},
         _fit_bus, usual=WIDE),
    Axis("memory", {BANKS: "a memory for each number",
                    DUAL_PORT: "with bus=digit: one memory with two ports for all numbers but the "
                               "constant"},
         _fit_memory, usual=BANKS),
    *map(_of_measure, MEASURES),
)  # fmt: skip

AXES: Mapping[str, Axis] = {axis.name: axis for axis in _AXES}
"""Every axis by its name, in the order in which choices are made, and in which names list them."""

OWN_AXES: Mapping[str, Mapping[str, str]] = {x.name: dict(x.tokens) for x in _AXES if x.usual}
"""Axes that only some designs have, with the meanings of their tokens."""


def resolve(design: Any, nbits: int, asked: Mapping[str, Any]) -> Choices:
    """Make a choice on each axis; ``asked`` has values or their texts."""
    # The cache would take 32.0 or numpy's 32 for 32.
    if not hasattr(nbits, "__index__"):
        check_width(nbits, design_widths(design.multiplier.fl), design.name)
    nbits = index(nbits)
    if not asked:
        return usual_choices(design, nbits)
    return _resolve(design, nbits, asked)


@cache
def usual_choices(design: Any, nbits: int) -> Choices:
    """Return the choices of a design for which the user chooses only a width."""
    return _resolve(design, nbits, {})


def _resolve(design: Any, nbits: int, asked: Mapping[str, Any]) -> Choices:
    chosen = Choices(design, nbits, dict(asked))
    for axis in _AXES:
        if axis.name in asked or not axis.usual or getattr(design, axis.name, None):
            axis.choose(chosen)
    for constant in chosen.contract.constants:
        constant.check_width(chosen.contract.nbits)
        _multiplier_constant(constant).choose(chosen)
    others = [p for p in chosen.parameters if p.name not in chosen.values]
    chosen.values |= dict(parse_parameters(others, chosen.asked, chosen.modulus_nbits))
    for name, value in chosen.asked.items():
        _refuse_unused(chosen, name, value)
    return chosen


def _refuse_unused(chosen: Choices, name: str, value: Any) -> NoReturn:
    """Refuse a name that no choice has used; the message tells where it is allowed."""
    allowed = [
        *(p.name for p in chosen.parameters),
        *(name for name in AXES if name in chosen.tokens),
        *(c.choice_name for c in chosen.constants),
    ]
    where, classes = chosen.design.name, chosen.multiplier.classes
    if classes != chosen.design.multiplier:
        where += f" with multiplier={classes.name}"
    refuse_parameter(name, value, where, allowed, _place_of(name))


_PLACES = {
    "cofactor": "domain=pseudo_modulus",
    **{
        parameter.name: f"{measure.name}={' or '.join(measure.having(parameter))}"
        for measure in MEASURES
        for parameter in measure.all_parameters
    },
}


def _place_of(name: str) -> str:
    """Choices that have the parameter ``name``, such as ``schedule=window``; empty: none has it."""
    if name in _PLACES:
        return _PLACES[name]
    for axis, known in (
        ("schedule", {x.name: x.parameters for x in SCHEDULES.values()}),
        ("multiplier", {x: y.fl.parameters for x, y in COMPOSED.items()}),
    ):
        having = [x for x, parameters in known.items() if name in {p.name for p in parameters}]
        if having:
            return f"{axis}={', '.join(having)}"
    return ""
