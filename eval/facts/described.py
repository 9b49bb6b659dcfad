"""Describes designs, multipliers, axes and systems as dictionaries, from their declarations."""

from collections.abc import Mapping, Sequence
from typing import Any

from rsaxcel import catalog
from rsaxcel.catalog import AnyConfiguration, Configuration, Design
from rsaxcel.catalog.choices import DIGIT, OWN_AXES
from rsaxcel.catalog.given import GivenEntry
from rsaxcel.circuit import Circuit, ModulusConstant
from rsaxcel.fl.status import InputRules, Status
from rsaxcel.plan.parameters import Parameter
from rsaxcel.proc.kinds import ATTACHED, NULL
from rsaxcel.proc.systems import NULL_SYSTEM, NULL_WIDTHS, find_system, is_system
from rsaxcel.store.errors import UserError

_ANY = "DESIGN"  #: placeholder for the name of a design in the names of systems

SYSTEMS = {
    NULL_SYSTEM: NULL.summary,
    **{f"{prefix}{_ANY}": kind.summary for prefix, kind in ATTACHED.items()},
}

#: Columns of the choices on the axes; ``modulus``: ``any``, or ``one`` for a constant modulus.
AXES = ("multiplier", "domain", "schedule", "lanes", "store", "modulus")

#: Choices that another choice goes with, by the axis of the latter.
_NEEDED = {"memory": {"bus": DIGIT}}


def all_names() -> list[str]:
    """Names of all designs, multipliers, reducers, axes and systems."""
    circuits = *catalog.circuits(), *catalog.REDUCERS
    return [*circuits, *catalog.axes(), *OWN_AXES, *SYSTEMS]


def describe(name: str) -> dict[str, Any]:
    if name in catalog.designs():
        return describe_design(catalog.find_design(name))
    if catalog.is_multiplier(name):
        return describe_multiplier(catalog.find(name))
    if name in catalog.REDUCERS:
        return describe_multiplier(catalog.REDUCERS[name]) | {"kind": "reducer"}
    if name in catalog.axes():
        return describe_axis(name, catalog.axes()[name])
    if name in OWN_AXES:
        return describe_axis(name, OWN_AXES[name])
    if is_system(name):
        return describe_system(name)
    raise UserError(f"name {name!r} is unknown; allowed: {', '.join(all_names())}")


def describe_axis(name: str, choices: Mapping[str, str]) -> dict[str, Any]:
    """Describe an axis: its choices with their meanings."""
    return {"name": name, "kind": "axis", "choices": dict(choices)}


def describe_design(design: Design | GivenEntry) -> dict[str, Any]:
    """Describe a design; its parameters have the defaults and values of its default width."""
    configuration = design.default
    return {
        "name": design.name,
        "kind": "design",
        "id": design.id,
        "summary": design.summary,
        **(_of_axes(design) if isinstance(design, Design) else {"axes": {}, "choices": {}}),
        **_common(design.widths, design.default_nbits, design.parameters),
        "odd_modulus": configuration.rules.odd_modulus,
        "host_constants": [describe_constant(c) for c in configuration.host_constants],
        "input_rules": _input_rules("base", configuration.rules),
        "exponent_dependent": configuration.exponent_dependent,
        "base_dependent": configuration.base_dependent,
        "source": design.source,
    }


def _of_axes(design: Design) -> dict[str, Any]:
    choices = design.default.choices
    axes = {
        "multiplier": choices.multiplier.classes.name,
        "domain": choices.domain.name,
        "schedule": choices.schedule.meaning + _on_lanes(choices.lanes),
        "store": choices.store.name,
    }
    return {"axes": axes | _own_axes(design), "choices": dict(choices.tokens)}


def axes_of(configuration: Circuit) -> dict[str, Any]:
    """Choices on the axes; for a multiplier, all but ``multiplier`` and ``modulus`` are None."""
    named: dict[str, Any] = dict.fromkeys(AXES)
    if isinstance(configuration, AnyConfiguration):
        named["multiplier"] = configuration.multiplier.classes.name
    named["modulus"] = "one" if configuration.constant_modulus else "any"
    if isinstance(configuration, Configuration):
        choices = configuration.choices
        named |= {"domain": dict(choices.tokens)["domain"], "schedule": choices.schedule.name}
        named |= {"lanes": choices.lanes, "store": choices.store.name}
    return named


def _own_axes(design: Design) -> dict[str, str]:
    """Return a design's choices on those of the axes ``OWN_AXES`` that it has."""
    found = {}
    for axis, tokens in OWN_AXES.items():
        other = list(tokens)[-1]
        try:
            design.configure(design.default_nbits, **_NEEDED.get(axis, {}), **{axis: other})
        except ValueError:
            continue
        found[axis] = "; ".join(f"{token}: {meaning}" for token, meaning in tokens.items())
    return found


def describe_constant(constant: ModulusConstant) -> dict[str, Any]:
    return {
        "name": constant.name,
        "formula": str(constant.formula),
        "description": constant.description,
    }


def describe_multiplier(entry: Any) -> dict[str, Any]:
    """Describe a multiplier; its parameters have the defaults and values of its default width."""
    golden = entry.default.golden
    times = golden.operand_limit(1)
    limit = "n" if times == 1 else f"{times}n"
    only = golden.constant_modulus
    rules = InputRules(entry.default_nbits, golden.odd_modulus, constant_modulus=only)
    return {
        "name": entry.name,
        "kind": "multiplier",
        "summary": entry.summary,
        **_common(entry.widths, entry.default_nbits, entry.parameters),
        "odd_modulus": golden.odd_modulus,
        "constants": [describe_constant(c) for c in golden.constants],
        "input_rules": _input_rules("a" if golden.unary else "a or b", rules, limit),
        "operand_dependent": not golden.constant_time,
        "source": entry.source,
    }


def describe_system(name: str) -> dict[str, Any]:
    """Describe a system: a processor alone, with any accelerator, or with a certain design."""
    entry: dict[str, Any] = {"name": name, "kind": "system"}
    if name == NULL_SYSTEM:
        common = _common(NULL_WIDTHS, catalog.DEFAULT_NBITS, NULL.parameters)
        return entry | {"summary": NULL.summary} | common
    prefix = next(prefix for prefix in ATTACHED if name.startswith(prefix))
    kind, design = ATTACHED[prefix], name.removeprefix(prefix)
    entry["summary"] = kind.summary
    if design == _ANY:
        return entry | {"parameters": _parameters(kind.parameters, catalog.DEFAULT_NBITS)}
    if design not in catalog.designs():
        find_system(name)  # raises with the names of all systems of this kind
    found = catalog.find_design(design)
    parameters = (*found.parameters, *kind.parameters)
    return entry | {"design": design} | _common(found.widths, found.default_nbits, parameters)


def _on_lanes(lanes: int) -> str:
    return ", one lane" if lanes == 1 else f", {lanes} lanes"


def _common(widths: Sequence[int], nbits: int, parameters: tuple[Parameter, ...]) -> dict[str, Any]:
    return {
        "nbits_min": widths[0],
        "nbits_max": widths[-1],
        "parameters": _parameters(parameters, nbits),
    }


def _parameters(parameters: tuple[Parameter, ...], nbits: int) -> list[dict[str, Any]]:
    return [
        {
            "name": parameter.name,
            "symbol": parameter.symbol,
            "default": parameter.default(nbits),
            "allowed": parameter.listed(nbits),
            "allowed_text": parameter.describe_allowed(nbits),
            "nbits": nbits,
            "meaning": parameter.meaning,
        }
        for parameter in parameters
    ]


def _input_rules(operand: str, rules: InputRules, limit: str = "n") -> dict[str, str]:
    """Describe the condition of each status, by its name, in the order of the checks."""
    modulus, width, its = ("p or q", "its width", "them") if rules.halves else ("n", "nbits", "n")
    conditions = (
        (Status.OPERAND_TOO_WIDE, True, f"an operand does not fit {width}"),
        (Status.MODULUS_TOO_SMALL, True, f"{modulus} < {rules.min_modulus}"),
        (Status.MODULUS_EVEN, rules.odd_modulus, f"{modulus} is even"),
        (Status.MODULUS_OTHER, rules.constant_modulus, f"n is not {rules.constant_modulus:#x}"),
        # with halves, which reduce the base, it may have any size
        (Status.BASE_TOO_LARGE, not rules.halves, f"{operand} >= {limit}"),
        (Status.CONSTANTS_MISSING, rules.host_constants, f"constants are not those of {its}"),
        (Status.EXPONENT_TOO_SMALL, rules.min_exponent, f"e < {rules.min_exponent}"),
    )
    return {str(status): text for status, applies, text in conditions if applies}
