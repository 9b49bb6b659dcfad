"""Rules for valid compositions: derive a choice on each axis from an entry and a user's choices.

A choice of the user is kept, or refused with a message of one line that says what is allowed. On
an axis without a choice of the user, the entry's choice is taken if it fits, otherwise the first
one that fits.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, NoReturn

from catalog.choices import AXES, Choices, cofactor_parameter, usual_cofactor
from catalog.constant_units import CONSTANT_UNITS, units_for
from catalog.entry import Entry
from catalog.multipliers import check_circuit, design_widths, multiplier_classes
from catalog.reductions import REDUCTIONS, reductions_for
from catalog.stores import STORES, store_of
from catalog.units import Classes, Unit
from fl.modulus_parameter import MODULUS
from fl.multipliers.contract import DigitMultiplier, Multiplier
from fl.pseudo_modulus import NoPseudoModulus, find_pseudo_modulus
from plan.domains import (
    CONVERSIONS,
    DOMAINS,
    HALF_NBITS,
    PRODUCT,
    crt,
    montgomery,
    one_constant,
    plain,
    pseudo_modulus,
)
from plan.domains import r_squared_constant as r2_constant
from plan.halves import Halves
from plan.modulus_constants import HOST, ModulusConstant
from plan.parameters import parse_parameters
from plan.programs import Program, multiple_nbits
from plan.schedules import EXPONENT_NBITS, SCHEDULES, WINDOW_NBITS, Schedule
from plan.steps import When

_MAX_LANES = 2
_BY_DIGIT = (When.SET, When.CLEAR, When.MORE)


def resolve(entry: Entry, nbits: int, asked: Mapping[str, Any]) -> Choices:
    """Make a choice on each axis.

    Parameters
    ----------
    entry : Entry
        Design to start from.
    nbits : int
        Width of operands in bits.
    asked : mapping
        The user's choices and parameters (values or their text) by name or symbol.

    Raises
    ------
    ValueError
        Names the choice or the parameter, the value and what is allowed.
    """
    left = dict(asked)
    classes = entry.multiplier
    if "multiplier" in left:
        known = multiplier_classes()
        classes = known[_token("multiplier", left.pop("multiplier"), tuple(known))]
    widths = design_widths(classes.fl)
    if nbits not in widths:
        name = entry.name if classes == entry.multiplier else classes.name
        raise ValueError(f"nbits={nbits}: {widths[0]} to {widths[-1]} bits allowed for {name}")
    check_circuit(classes)
    halves = None
    if left.get("domain", entry.domain) == "crt" and issubclass(classes.fl, DigitMultiplier):
        (half,) = parse_parameters((HALF_NBITS,), left, nbits)
        halves = Halves(half[1])
    product_nbits = halves.nbits if halves else nbits
    values = parse_parameters(classes.fl.parameters, left, product_nbits)
    asked_for = Unit(classes, values).build("fl", product_nbits)
    tokens: dict[str, Any] = {"multiplier": classes.name}
    tokens["domain"] = _choose_domain(entry, asked_for, left)
    cofactor = 1
    if tokens["domain"] == "pseudo_modulus":
        cofactor = _choose_cofactor(asked_for, left, nbits)
    multiplier, contract = _for_products(classes, values, cofactor, product_nbits)
    if cofactor > 1:
        values = (*values, ("cofactor", cofactor))
    if halves:
        values = (*values, (HALF_NBITS.name, halves.nbits))
        for name in ("conversions", "r_squared", "one"):
            if name in left:
                refuse(name, left[name], "the crt domain converts by constants of its own")
    else:
        tokens |= _choose_conversions(entry, contract, nbits, left)
    schedule = _choose_schedule(entry, bool(halves), left)
    domain = plain(schedule.unit)
    if halves:
        log2_r = contract.r.bit_length() - 1
        domain = crt(halves, log2_r, contract.final_factor, schedule.unit)
    elif contract.r != 1:
        domain = montgomery(
            nbits,
            contract.r.bit_length() - 1,
            tokens["conversions"],
            tokens["r_squared"],
            tokens["one"],
            schedule.unit,
            contract.final_factor,
        )
    if cofactor > 1:
        domain = pseudo_modulus(domain, cofactor)
    excess_nbits = contract.excess_nbits(cofactor)
    if excess_nbits:
        usual, fitting = entry.reduction, reductions_for(asked_for.constant_modulus)
        reason = "it is for a constant modulus"
        token = _choose("reduction", left, usual, REDUCTIONS, fitting, reason)
        built = REDUCTIONS[token].build(excess_nbits, asked_for.constant_modulus)
        domain = replace(domain, reduction=built)
        tokens["reduction"] = token
    elif "reduction" in left:
        refuse("reduction", left["reduction"], "the last product is below the modulus")
    constants, sources = _choose_sources(contract, left)

    choices = Choices(
        nbits=nbits,
        multiplier=multiplier,
        constant_modulus=asked_for.constant_modulus,
        domain=domain,
        constants=constants,
        schedule=schedule,
        lanes=1,
        exponent_nbits=product_nbits,
        window_nbits=WINDOW_NBITS.default(nbits),
        tokens=(),
        values=values,
    )
    given = parse_parameters(choices.parameters[len(values) :], left, product_nbits)
    widths_given = {k: v for k, v in given if k in (EXPONENT_NBITS.name, WINDOW_NBITS.name)}
    choices = replace(choices, values=(*values, *given), **widths_given)
    lanes = _choose_lanes(entry, choices, left)
    tokens |= {"schedule": schedule.name, "lanes": lanes}
    _check_known(entry, choices, tuple(tokens), left)
    ordered = {name: tokens[name] for name in AXES if name in tokens} | sources
    return replace(choices, lanes=lanes, tokens=tuple(ordered.items()))


def refuse(name: str, value: Any, reason: str) -> NoReturn:
    """Raise ``ValueError`` for a choice or a parameter, with the reason."""
    raise ValueError(f"{name}={value}: {reason}")


def _token(name: str, value: Any, allowed: Sequence[str] | Mapping[str, Any]) -> str:
    if value not in allowed:
        refuse(name, value, f"{', '.join(allowed)} are allowed")
    return value


def _choose(
    name: str,
    left: dict[str, Any],
    usual: str,
    known: Sequence[str] | Mapping[str, Any],
    fitting: Sequence[str],
    reason: str,
) -> str:
    """Choose the user's token, else the usual one if it fits, else the first one that fits."""
    if name in left:
        value = _token(name, left.pop(name), known)
        if value not in fitting:
            verb = "fits" if len(fitting) == 1 else "fit"
            refuse(name, value, f"{reason}; {', '.join(fitting)} {verb}")
        return value
    return usual if usual in fitting else fitting[0]


def _choose_source(
    name: str,
    constant: ModulusConstant,
    contract: Multiplier,
    nbits: int,
    left: dict[str, Any],
    usual: str,
    *first: str,
) -> str:
    """Choose the source of a constant; the host comes last among the sources that fit."""
    units: tuple[str, ...] = ()
    store = store_of(type(contract))
    reason = f"constants of residues in {store.name} come from the host"
    if store is STORES["registers"]:
        units = units_for(constant.formula, nbits)
        reason = f"it can't compute {constant.formula}"
    known = (*first, *CONSTANT_UNITS, HOST)
    return _choose(name, left, usual, known, (*first, *units, HOST), reason)


def _in_engine(contract: Multiplier) -> bool:
    """Whether the multiplier reads residues itself, as words or digits."""
    return store_of(type(contract)) is not STORES["registers"]


def _choose_domain(entry: Entry, contract: Multiplier, left: dict[str, Any]) -> str:
    """Choose the domain."""
    needed = "plain" if contract.r == 1 else "montgomery"
    fitting = [needed, "pseudo_modulus"]
    reason = f"this multiplier forms {'a * b' if needed == 'plain' else 'a * b / R'} mod m"
    if isinstance(contract, DigitMultiplier):
        fitting = [needed, "crt"]
    elif _in_engine(contract) or contract.constants:
        fitting = [needed]
        if left.get("domain") == "pseudo_modulus":
            reason = "the words, digits or constants of this multiplier are those of m"
    if left.get("domain") == "crt":
        reason = "it needs a multiplier that keeps its last result"
    return _choose("domain", left, entry.domain or needed, DOMAINS, fitting, reason)


def _choose_schedule(entry: Entry, split: bool, left: dict[str, Any]) -> Schedule:
    """Choose the schedule; with two halves, digits must not decide which products are formed."""
    fitting = [
        name
        for name, x in SCHEDULES.items()
        if not split or (x.fixed and not any(p.when in _BY_DIGIT for p in x.products))
    ]
    reason = "with two halves, the exponent must not decide which products are formed"
    return SCHEDULES[_choose("schedule", left, entry.schedule, SCHEDULES, fitting, reason)]


def _choose_cofactor(contract: Multiplier, left: dict[str, Any], nbits: int) -> int:
    """Choose the cofactor of the pseudo-modulus."""
    modulus = contract.constant_modulus
    if "cofactor" not in left:
        try:
            usual = usual_cofactor(modulus)
        except NoPseudoModulus as error:
            refuse("domain", "pseudo_modulus", f"{error}; give cofactor= to take any multiple")
        if usual == 1:
            form = find_pseudo_modulus(modulus, 0)
            refuse("domain", "pseudo_modulus", f"modulus {modulus:#x} is {form} itself; plain fits")
    parameter = cofactor_parameter(modulus, contract.odd_modulus)
    ((_, cofactor),) = parse_parameters((parameter,), left, nbits)
    return cofactor


def _for_products(
    classes: Classes, values: tuple[tuple[str, Any], ...], cofactor: int, nbits: int
) -> tuple[Unit, Multiplier]:
    """Multiplier of the lanes and its contract, for ``cofactor`` times the modulus."""
    own = dict(values)
    width = multiple_nbits(cofactor, nbits)
    if cofactor > 1 and MODULUS.name in own:
        own[MODULUS.name] = hex(cofactor * int(own[MODULUS.name], 16))
    elif cofactor > 1:
        for parameter in classes.fl.parameters:
            if own[parameter.name] == parameter.default(nbits):
                own[parameter.name] = parameter.default(width)
            own[parameter.name] = parameter.parse(own[parameter.name], width)
    unit = Unit(classes, tuple(own.items()))
    return unit, unit.build("fl", width)


def _choose_conversions(
    entry: Entry, contract: Multiplier, nbits: int, left: dict[str, Any]
) -> dict[str, str]:
    """Choose the conversions of a Montgomery domain; empty if the domain is plain."""
    if contract.r == 1:
        for name in ("conversions", "r_squared", "one"):
            if name in left:
                refuse(name, left[name], "the plain domain converts nothing")
        return {}
    wider = contract.operand_nbits > nbits
    engine = _in_engine(contract)
    reason = "residues are wider than operands"
    if engine:
        reason = f"residues stay in {store_of(type(contract)).name}"
    conversions = _choose(
        "conversions",
        left,
        entry.conversions or "shared",
        CONVERSIONS,
        ("shared",) if wider or engine else tuple(CONVERSIONS),
        reason,
    )
    log2_r = contract.r.bit_length() - 1
    chosen = {"conversions": conversions}
    for name, constant, usual, first in (
        ("r_squared", r2_constant(nbits, log2_r), entry.r_squared, ()),
        ("one", one_constant(nbits, log2_r), entry.one or PRODUCT, (PRODUCT,)),
    ):
        chosen[name] = _choose_source(name, constant, contract, nbits, left, usual, *first)
    return chosen


def _choose_sources(
    contract: Multiplier, left: dict[str, Any]
) -> tuple[tuple[ModulusConstant, ...], dict[str, str]]:
    """Give the multiplier's constants with their sources, and sources that were not declared."""
    constants, sources = [], {}
    for constant in contract.constants:
        constant.check_width(contract.nbits)
        name = constant.choice_name
        source = _choose_source(name, constant, contract, contract.nbits, left, constant.source)
        if source != constant.source:
            sources[name] = source
        constants.append(replace(constant, source=source))
    return tuple(constants), sources


def _choose_lanes(entry: Entry, choices: Choices, left: dict[str, Any]) -> int:
    """Choose the number of lanes of the loop."""
    schedule: Schedule = choices.schedule
    reason = f"schedule={schedule.name} forms one product at a time"
    most = 2 if choices.domain.halves else schedule.lanes
    if most > 1 and choices.store is STORES["digits"] and not choices.domain.halves:
        most, reason = 1, f"{choices.multiplier.classes.name} multiplies its own last result"
    if most > 1 and choices.multiplier.classes.fl.shares_b:
        unlike = _unlike(replace(choices, lanes=most).programs)
        if unlike:
            most, reason = 1, f"{choices.multiplier.classes.name} needs one b for {unlike}"
    if "lanes" not in left:
        return min(entry.lanes, most)
    asked = left.pop("lanes")
    lanes = int(asked) if isinstance(asked, str) and asked.isdecimal() else asked
    if type(lanes) is not int or not 1 <= lanes <= _MAX_LANES:
        refuse("lanes", asked, f"1 to {_MAX_LANES} are allowed")
    if lanes > most:
        refuse("lanes", asked, f"{reason}; 1 fits")
    return lanes


def _unlike(programs: Sequence[Program]) -> str:
    """Text of two products that run in parallel lanes with different b; empty if there are none."""
    for program in programs:
        for step in program.steps:
            for p, q in combinations(step, 2):
                apart = p.lane % program.lanes != q.lane % program.lanes
                if apart and p.b != q.b and not p.when.excludes(q.when):
                    return ", ".join(f"{x.dst} = mul({x.a}, {x.b})" for x in (p, q))
    return ""


def _check_known(
    entry: Entry, choices: Choices, axes: Sequence[str], left: Mapping[str, Any]
) -> None:
    """Refuse names that are left over; the message says which choice has such a parameter."""
    for name, value in left.items():
        allowed = [
            *(p.name for p in choices.parameters),
            *axes,
            *(c.choice_name for c in choices.constants),
        ]
        where = entry.name
        if choices.multiplier.classes != entry.multiplier:
            where += f" with multiplier={choices.multiplier.classes.name}"
        reason = f"not a parameter of {where}; "
        if elsewhere := _place_of(name):
            refuse(name, value, f"{reason}it goes with {elsewhere}")
        refuse(name, value, f"{reason}allowed: {', '.join(allowed)}")


def _place_of(name: str) -> str:
    """Choices that have a parameter of this name, as text; empty if there are none."""
    if name == "cofactor":
        return "domain=pseudo_modulus"
    for axis, known in (
        ("schedule", {x.name: x.parameters for x in SCHEDULES.values()}),
        ("multiplier", {x: y.fl.parameters for x, y in multiplier_classes().items()}),
    ):
        having = [x for x, parameters in known.items() if name in {p.name for p in parameters}]
        if having:
            return f"{axis}={', '.join(having)}"
    return ""
