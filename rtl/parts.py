"""Parts: the type of each part of a circuit, with what measures change in it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

from rsaxcel.plan.programs import Program


@dataclass(frozen=True)
class Measure:
    """A measure against faults or observers, as the parts of a circuit that it changes.

    A lane tells itself which type has the measure, by the measure's name: ``measured``.
    """

    name: str  # of the axis
    belongs: Callable[[Program], bool]  # whether circuits of a program have the measure
    # By part, or by what an earlier measure makes of it: a subclass, which changes the part, or a
    # type with its ports, which replaces it.
    # PyMTL3 takes update blocks of one name for the same block, also in a class and its subclass.
    parts: Mapping[type, type]
    around: type | None = None  # stands in place of an executor, and contains one

    def kind(self, part: type, changed: Sequence[type]) -> type | None:
        """Give what this measure makes of a part that earlier measures have ``changed``."""
        for known in (x for each in (*changed, part) for x in each.__mro__):
            found = self.parts.get(known) or vars(known).get("measured", {}).get(self.name)
            if found:
                return found
        return None


_MEASURES: list[Measure] = []


def add_measures(*measures: Measure) -> None:
    """Add the measures that exist: they are made of parts, which do not import them."""
    _MEASURES.extend(measures)


def part_of(program: Program, part: type) -> type:
    """Give the type of a part in circuits of a program: the part as all its measures change it."""
    kinds: list[type] = []  # the latest first
    for measure in _measures(program):
        kind = measure.kind(part, kinds)
        kinds = [kind, *kinds] if kind else kinds
    return _combined(part, *kinds)


def executor_of(program: Program, executor: type) -> type:
    """Give the type of an executor with what measures put around it."""
    arounds = [measure.around for measure in _measures(program) if measure.around]
    return arounds[-1] if arounds else part_of(program, executor)


def _measures(program: Program) -> list[Measure]:
    assert _MEASURES or not program.own_choices, "import rsaxcel.rtl.measures first"
    return [measure for measure in _MEASURES if measure.belongs(program)]


@cache
def _combined(part: type, *kinds: type) -> type:
    replaced = [kind for kind in kinds if not issubclass(kind, part)]
    if replaced or not kinds:
        return replaced[0] if replaced else part
    for above, below in combinations(kinds, 2):
        if issubclass(above, below):
            continue
        for name in {*vars(above)} & {*vars(below)}:
            code = getattr(vars(above)[name], "__code__", None)
            if not name.startswith("_") and "__class__" not in getattr(code, "co_freevars", ()):
                twice = f"{above.__name__} and {below.__name__} change {name}"
                raise ValueError(f"{twice}; the former undoes the latter: it calls no super()")
    # Its name is that of its module in Verilog, which no measure changes. PyMTL3 would keep its
    # blocks with those of one of its bases: which one depends on what was elaborated before.
    own: dict[str, Any] = {name: {} for name in ("_name_info", "_name_rd", "_name_wr", "_name_fc")}
    return type(part.__name__, (*kinds, part), own | {"__module__": part.__module__})
