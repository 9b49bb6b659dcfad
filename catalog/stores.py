"""The stores, by name: registers, words of a memory, or registers that are read by digits."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rsaxcel.catalog.units import class_in
from rsaxcel.fl.multipliers.contract import DigitMultiplier, Multiplier, WordMultiplier


@dataclass(frozen=True)
class Store:
    """A store: its cycle model and its circuit, each imported when first used; none at FL."""

    name: str  # of its modules in cl.stores and rtl.stores, too
    class_name: str  # in both modules

    @property
    def cl(self) -> type[Any]:
        return class_in(f"rsaxcel.cl.stores.{self.name}", self.class_name)

    @property
    def rtl(self) -> type[Any]:
        return class_in(f"rsaxcel.rtl.stores.{self.name}", self.class_name)


STORES: Mapping[str, Store] = {
    store.name: store
    for store in (
        Store("registers", "RegisterStore"),
        Store("words", "WordStore"),
        Store("digits", "DigitStore"),
    )
}
"""Every store by its name."""


def store_of(multiplier: type[Multiplier]) -> Store:
    """Store for a multiplier; the base class of the multiplier's golden model decides it."""
    for kind, name in ((WordMultiplier, "words"), (DigitMultiplier, "digits")):
        if issubclass(multiplier, kind):
            return STORES[name]
    return STORES["registers"]
