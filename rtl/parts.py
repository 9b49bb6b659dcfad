"""Parts of circuits: the type of each part, with the changes that measures make."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

from rsaxcel.plan.programs import Program


@dataclass(frozen=True)
class CircuitMeasure:
    """A measure against faults or observers, as the parts of a circuit that it changes.

    Types of a lane with measures are in the lane's ``measured``, by the measure's name.
    """

    name: str
    belongs: Callable[[Program], bool]  #: whether circuits of a program have the measure
    #: Changed type by part, or by the type that an earlier measure gives the part: a subclass of
    #: it, or another type with its ports. PyMTL3 takes update blocks of one name for the same
    #: block, also in a class and its subclass.
    parts: Mapping[type, type]
    around: type | None = None  #: type that replaces an executor, and contains one

    def kind(self, part: type, changed: Sequence[type]) -> type | None:
        """Return the measure's type for a part that earlier ones have ``changed``, or None."""
        for known in (x for each in (*changed, part) for x in each.__mro__):
            found = self.parts.get(known) or vars(known).get("measured", {}).get(self.name)
            if found:
                return found
        return None


_MEASURES: list[CircuitMeasure] = []


def add_measures(*measures: CircuitMeasure) -> None:
    """Register the measures; they are built from parts, so that parts cannot import them."""
    _MEASURES.extend(measures)


def part_of(program: Program, part: type, *more: type) -> type:
    """Return the type of a part in circuits of a program, as changed by all its measures.

    ``more`` changes it further, for a copy of the part, which has the name of ``more``.
    """
    kinds: list[type] = []  # the latest first, as bases of a class come
    for measure in _measures(program):
        kind = measure.kind(part, kinds)
        kinds = [kind, *kinds] if kind else kinds
    return _combined(part, *more, *kinds, name=(*more, part)[0].__name__)


def executor_of(program: Program, executor: type) -> type:
    """Return the type of an executor, with the circuits that measures put around it."""
    arounds = [measure.around for measure in _measures(program) if measure.around]
    return arounds[-1] if arounds else part_of(program, executor)


def _measures(program: Program) -> list[CircuitMeasure]:
    assert _MEASURES or not program.own_choices, "import rsaxcel.rtl.measures first"
    return [measure for measure in _MEASURES if measure.belongs(program)]


@cache
def _combined(part: type, *kinds: type, name: str) -> type:
    replaced = [kind for kind in kinds if not issubclass(kind, part)]
    if replaced or not kinds:
        return replaced[0] if replaced else part
    for above, below in combinations(kinds, 2):
        if issubclass(above, below):
            continue
        for each in {*vars(above)} & {*vars(below)}:
            code = getattr(vars(above)[each], "__code__", None)
            if not each.startswith("_") and "__class__" not in getattr(code, "co_freevars", ()):
                twice = f"{above.__name__} and {below.__name__} change {each}"
                raise ValueError(f"{twice}; the former undoes the latter: it calls no super()")
    # The type has the part's name: that of its module in Verilog, which no measure changes.
    # Update blocks are emptied, because PyMTL3 would keep the type's blocks with those of one of
    # its bases: which base depends on what was elaborated before.
    own: dict[str, Any] = {name: {} for name in ("_name_info", "_name_rd", "_name_wr", "_name_fc")}
    return type(name, (*kinds, part), own | {"__module__": part.__module__})
