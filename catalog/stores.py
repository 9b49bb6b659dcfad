"""Where residues live, and how multipliers reach them."""

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
    """A store at the levels that have one.

    Parameters
    ----------
    name : str
        Token.
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
    """Store that a multiplier is built on; it follows from the kind of its contract."""
    for kind, name in ((WordMultiplier, "words"), (DigitMultiplier, "digits")):
        if issubclass(multiplier, kind):
            return STORES[name]
    return STORES["registers"]
