"""Divides a circuit into a few groups of modules that a picture can colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rsaxcel.flow.names import SEPARATOR

MOST_GROUPS = 11
LEAST_SHARE = 0.025
"""Smallest share of the circuit's area that a group of its own has; the rest is one group."""

OTHERS = "all others"  #: label of the group with all that is too small for a group of its own


@dataclass(frozen=True)
class CellGroup:
    """Group of cells with one colour."""

    label: str  #: in the legend
    own: frozenset[str]  #: paths of the modules whose cells belong to the group


def module_groups(areas: Mapping[str, float], most: int = MOST_GROUPS) -> list[CellGroup]:
    """Divide modules into groups: as few levels as show where the area is.

    The largest group is divided until there are enough groups, or none has a part of
    ``LEAST_SHARE`` of the circuit. A group has a module with all inside it, or a module's rest
    beside its larger parts. The last group has all modules that are too small.
    """
    tree = _Tree(areas)
    whole = areas[""]
    found: dict[str, list[str]] = {"": []}  #: by module: its parts that are groups of their own
    while True:
        for path in sorted(found, key=lambda path: -tree.own(path, found)):
            more = {module: list(parts) for module, parts in found.items()}
            for around, inner in tree.large_parts(path, LEAST_SHARE * whole, set(found)):
                more[around].append(inner)
                more[inner] = []
            shown = sum(tree.own(x, more) >= LEAST_SHARE * whole for x in more)
            if len(more) > len(found) and shown <= most:
                found = more
                break
        else:
            break
    large = [x for x in found if tree.own(x, found) >= LEAST_SHARE * whole]
    small = [x for x in found if x not in large]
    members = tree.members(found)
    groups = [CellGroup(_label(x, found[x]), frozenset(members[x])) for x in sorted(large)]
    rest = frozenset(path for x in small for path in members[x])
    if sum(tree.own(x, found) for x in small) > 1e-6 * whole:
        return [*groups, CellGroup(OTHERS, rest)]
    # Modules without cells of their own.
    return [CellGroup(groups[0].label, groups[0].own | rest), *groups[1:]]


def group_of(groups: Sequence[CellGroup]) -> dict[str, int]:
    """Return the number of each module's group."""
    return {path: index for index, group in enumerate(groups) for path in group.own}


class _Tree:
    """Modules as a tree; the parent of a module is the nearest one around it that has an area."""

    def __init__(self, areas: Mapping[str, float]) -> None:
        self.areas = areas
        self.inner: dict[str, list[str]] = {path: [] for path in areas}
        for path in areas:
            if path:
                self.inner[self.parent(path)].append(path)

    def parent(self, path: str) -> str:
        around = path
        while around:
            around = around.rpartition(SEPARATOR)[0]
            if around in self.areas:
                return around
        return ""

    def own(self, path: str, found: Mapping[str, Sequence[str]]) -> float:
        """Area of a module without those of its parts that are groups of their own."""
        return self.areas[path] - sum(self.areas[x] for x in found[path])

    def large_parts(self, path: str, least_um2: float, seen: set[str]) -> list[tuple[str, str]]:
        """Pairs of a module and a large part of it, to divide a group into."""
        # A shell, which has one large part and little else, is divided only with that part.
        parts = [x for x in self.inner[path] if self.areas[x] >= least_um2 and x not in seen]
        if not parts:
            return []
        pairs = [(path, x) for x in parts]
        left = self.areas[path] - sum(self.areas[x] for x in self.inner[path])
        others = sum(self.areas[x] for x in self.inner[path] if x not in parts)
        if len(parts) == 1 and left + others < least_um2:
            more = self.large_parts(parts[0], least_um2, seen)
            return [*pairs, *more] if more else []
        return pairs

    def members(self, found: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
        """Modules of each group, by the group's outermost module."""
        result: dict[str, list[str]] = {path: [] for path in found}
        for path in self.areas:
            around = path
            while around not in found:
                around = self.parent(around)
            result[around].append(path)
        return result


def _label(path: str, parts: Sequence[str]) -> str:
    name = path or "top level"
    return f"{name}, the rest" if parts and path else name
