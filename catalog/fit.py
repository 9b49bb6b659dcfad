"""Rules for valid compositions: a choice on each axis, from a design and a user's choices.

A user's choice is kept or refused. On other axes, the registered design's choice is taken if it
fits, otherwise the first that fits.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from rsaxcel.catalog.axis import (
    Axis,
    BlindingAxis,
    BusAxis,
    CheckAxis,
    ControlAxis,
    ConversionsAxis,
    ConversionSourceAxis,
    DomainAxis,
    Draft,
    DummiesAxis,
    LanesAxis,
    MemoryAxis,
    MultiplierAxis,
    MultiplierConstantAxis,
    ReductionAxis,
    ScheduleAxis,
    StatesAxis,
)
from rsaxcel.catalog.choices import AXES, Choices, Entry, refuse_parameter
from rsaxcel.catalog.multipliers import MULTIPLIERS
from rsaxcel.plan.domains import (
    BLIND_NBITS,
    BY_PUBLIC_EXPONENT,
    OF_BOTH,
    OF_EXPONENTS,
    PRODUCT,
    PUBLIC_NBITS,
    one_constant,
)
from rsaxcel.plan.domains import r_squared_constant as r2_constant
from rsaxcel.plan.dummies import DUMMY_COUNT, SQUARES
from rsaxcel.plan.schedules import SCHEDULES

_BEFORE_CONSTANTS: Sequence[Axis] = (
    MultiplierAxis(),
    DomainAxis(),
    CheckAxis(),
    BlindingAxis(),
    DummiesAxis(),
    StatesAxis(),
    ConversionsAxis(),
    ConversionSourceAxis("r_squared", r2_constant),
    ConversionSourceAxis("one", one_constant, PRODUCT),
    ScheduleAxis(),
    ReductionAxis(),
)
_LANES = LanesAxis()
_CONTROL = ControlAxis()
_BUS = BusAxis()
_MEMORY = MemoryAxis()


def resolve(entry: Entry, nbits: int, asked: Mapping[str, Any]) -> Choices:
    """Make a choice on each axis, in an order in which each axis depends on earlier ones only."""
    # ``asked`` has values or their text, by name or by the short symbol of a parameter.
    draft = Draft(entry, nbits, dict(asked))
    for axis in _BEFORE_CONSTANTS:
        axis.choose(draft)
    for constant in draft.contract.constants:
        constant.check_width(draft.contract.nbits)
        MultiplierConstantAxis(constant).choose(draft)
    draft.take_parameters()
    _LANES.choose(draft)
    _CONTROL.choose(draft)
    _BUS.choose(draft)
    _MEMORY.choose(draft)
    choices = draft.choices(draft.tokens[_LANES.name])
    _check_nothing_left(draft, choices)
    return choices


def _check_nothing_left(draft: Draft, choices: Choices) -> None:
    """Raise ``ValueError`` if no axis used a name that the user gave; tell where it is allowed."""
    for name, value in draft.asked.items():
        allowed = [
            *(p.name for p in choices.parameters),
            *(name for name in AXES if name in draft.tokens),
            *(c.choice_name for c in choices.constants),
        ]
        where = draft.entry.name
        if draft.classes != draft.entry.multiplier:
            where += f" with multiplier={draft.classes.name}"
        refuse_parameter(name, value, where, allowed, _place_of(name))


def _place_of(name: str) -> str:
    """Choices that have the parameter ``name``, such as ``schedule=window``; empty: none has it."""
    if name == "cofactor":
        return "domain=pseudo_modulus"
    if name == PUBLIC_NBITS.name:
        return f"check={BY_PUBLIC_EXPONENT}"
    if name == BLIND_NBITS.name:
        return f"blinding={OF_EXPONENTS} or {OF_BOTH}"
    if name == DUMMY_COUNT.name:
        return f"dummies={SQUARES}"
    for axis, known in (
        ("schedule", {x.name: x.parameters for x in SCHEDULES.values()}),
        ("multiplier", {x: y.fl.parameters for x, y in MULTIPLIERS.items()}),
    ):
        having = [x for x, parameters in known.items() if name in {p.name for p in parameters}]
        if having:
            return f"{axis}={', '.join(having)}"
    return ""
