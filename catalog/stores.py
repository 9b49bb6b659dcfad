"""Stores: where residues live, by name."""

from collections.abc import Mapping
from dataclasses import dataclass

import cl.stores.digits
import cl.stores.registers
import cl.stores.words
import rtl.stores.digits
import rtl.stores.registers
import rtl.stores.words
from fl.multipliers.contract import DigitMultiplier, Multiplier, WordMultiplier


@dataclass(frozen=True)
class Store:
    """A store, with its cycle model and its circuit; FL has no store.

    Parameters
    ----------
    name : str
        Name of the store.
    cl, rtl : type
        Cycle model and circuit.
    """

    name: str
    cl: type
    rtl: type


STORES: Mapping[str, Store] = {
    store.name: store
    for store in (
        Store(
            "registers",
            cl.stores.registers.RegisterStore,
            rtl.stores.registers.RegisterStore,
        ),
        Store(
            "words",
            cl.stores.words.WordStore,
            rtl.stores.words.WordStore,
        ),
        Store(
            "digits",
            cl.stores.digits.DigitStore,
            rtl.stores.digits.DigitStore,
        ),
    )
}
"""Every store by its name."""


def store_of(multiplier: type[Multiplier]) -> Store:
    """Store of a multiplier; it follows from the base class of the multiplier's contract."""
    for kind, name in ((WordMultiplier, "words"), (DigitMultiplier, "digits")):
        if issubclass(multiplier, kind):
            return STORES[name]
    return STORES["registers"]
