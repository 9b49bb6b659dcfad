"""The stores, by name: registers, words of a memory, or registers that are read by digits."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rsaxcel.catalog.units import OnUse
from rsaxcel.cl import stores as cl_stores
from rsaxcel.fl.multipliers.contract import DigitMultiplier, Multiplier, WordMultiplier
from rsaxcel.rtl import stores as rtl_stores


@dataclass(frozen=True)
class Store:
    """A store: its cycle model and its circuit, each imported when first used; none at FL."""

    name: str
    class_in: Callable[[Any], type[Any]]  # names the class in the package of stores at CL or RTL

    @property
    def cl(self) -> type[Any]:
        return self.class_in(OnUse(cl_stores))

    @property
    def rtl(self) -> type[Any]:
        return self.class_in(OnUse(rtl_stores))


STORES: Mapping[str, Store] = {
    store.name: store
    for store in (
        Store("registers", lambda at: at.registers.RegisterStore),
        Store("words", lambda at: at.words.WordStore),
        Store("digits", lambda at: at.digits.DigitStore),
    )
}
"""Every store by its name."""


def store_of(multiplier: type[Multiplier]) -> Store:
    """Store for a multiplier; the base class of the multiplier's golden model decides it."""
    for kind, name in ((WordMultiplier, "words"), (DigitMultiplier, "digits")):
        if issubclass(multiplier, kind):
            return STORES[name]
    return STORES["registers"]
