"""Counters of loops that several processes share: in a netlist, each process has one of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from rsaxcel.cores.locations import spot_of


def shared_by(symbol: Any, drivers: Iterable[Any]) -> tuple[Any, Any] | None:
    """Find two drivers of the same bits, each in a process of its own or none.

    Bits that a loop chooses by a counter of the module count as others: they are not known here.
    """
    own = [x for x in drivers if not (x.isInputPort or is_start(x))]
    for at, one in enumerate(own):
        for two in own[at + 1 :]:
            if _overlap(one, two) and _process(one) != _process(two):
                if not (_by_rounds(symbol, one) or _by_rounds(symbol, two)):
                    return one, two
    return None


def _by_rounds(symbol: Any, driver: Any) -> bool:
    """Whether a driver gives values to parts of a variable in the rounds of a loop."""
    if driver.kind.name == "Continuous":
        return False
    spot, found = spot_of(symbol.location), False

    def chosen(node: Any) -> None:
        nonlocal found
        if _kind(node) == "Assignment" and node.left.kind.name in ("ElementSelect", "RangeSelect"):
            found |= spot in _spots(getattr(node.left, "value", None))

    def loop(node: Any) -> None:
        if _kind(node) == "ForLoop" and node.initializers:
            node.visit(chosen)

    driver.containingSymbol.visit(loop)
    return found


def is_start(driver: Any) -> bool:
    """Whether a driver is the initial value of a declaration."""
    from pyslang import analysis

    return bool(driver.flags & analysis.DriverFlags.Initializer)


def _overlap(one: Any, two: Any) -> bool:
    return bool(max(one.bounds[0], two.bounds[0]) <= min(one.bounds[1], two.bounds[1]))


def _process(driver: Any) -> Any:
    """Return the process of a driver; one outside of processes equals no other."""
    if driver.kind.name == "Continuous":
        return object()
    process = driver.containingSymbol
    return spot_of(process.location), process.hierarchicalPath


def counters(instance: Any, variables: Iterable[Any]) -> dict[Any, list[Any]]:
    """Return, by place, variables that only count rounds of loops, with the loops' processes."""
    shared = {spot_of(x.location) for x in variables}
    uses: Counter[Any] = Counter()
    counted: Counter[Any] = Counter()
    found: dict[Any, list[Any]] = {}

    def used(node: Any) -> None:
        uses.update(_spots(node) & shared)
        if _kind(node) == "ProceduralBlock":
            own: Counter[Any] = Counter()
            node.body.visit(lambda x: _count_rounds(x, shared, own))
            for spot in own:
                found.setdefault(spot, []).append(node)
            counted.update(own)

    instance.body.visit(used)
    return {spot: blocks for spot, blocks in found.items() if counted[spot] == uses[spot]}


def _count_rounds(node: Any, shared: set[Any], own: Counter[Any]) -> None:
    """Count how often a variable stands in a loop that begins with its first value."""
    if _kind(node) != "ForLoop":
        return
    spots = {spot for x in node.initializers for spot in _spots(getattr(x, "left", None))} & shared
    node.visit(lambda x: own.update(_spots(x) & spots))


def _spots(node: Any) -> set[Any]:
    symbol: Any = getattr(node, "symbol", None)
    is_value = symbol is not None and _kind(node).endswith("Value")
    return {spot_of(symbol.location)} if is_value else set()


def _kind(node: Any) -> str:
    return str(getattr(getattr(node, "kind", None), "name", ""))
