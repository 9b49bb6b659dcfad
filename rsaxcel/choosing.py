"""Designs, multipliers and systems by their names."""

from typing import Any

import catalog
from catalog import DEFAULT_NBITS, Configuration, MultiplierConfiguration
from proc.systems import System, find_system


def designs() -> list[str]:
    """Names of all designs; ``rsaxcel list NAME`` has the details of one.

    Returns
    -------
    list of str
        Those of other packages included (``RSAXCEL_DESIGNS``, entry points, ``register``).
    """
    return list(catalog.DESIGNS)


def multipliers() -> list[str]:
    """Names of all multipliers.

    Returns
    -------
    list of str
        Each can be simulated on its own, and be a design's choice on the axis ``multiplier``.
    """
    return list(catalog.multipliers())


def design(name: str, nbits: int = DEFAULT_NBITS, /, **choices: Any) -> Configuration:
    """Choose an exponentiator.

    Parameters
    ----------
    name : str
        Name of a design, see ``designs``.
    nbits : int
        Width of base, modulus and result in bits.
    **choices
        Parameters by name, and choices on the axes such as ``schedule="window"`` (see ``axes``).
        What is not given stays the design's where that fits, and follows where it does not.

    Returns
    -------
    Configuration
        For ``simulate``, ``run_flow`` and ``run_fpga``. It also computes on its own:
        ``outcome(base, exponent, modulus)`` by the functional model, ``evaluate(...)`` with cycles;
        ``component(level)`` makes the PyMTL3 component.

    Raises
    ------
    ValueError
        Naming the choice, the value and what is allowed.
    """
    return catalog.get(name).configure(nbits, **choices)


def multiplier(name: str, nbits: int = DEFAULT_NBITS, /, **params: Any) -> MultiplierConfiguration:
    """Choose a multiplier on its own.

    Parameters
    ----------
    name : str
        Name of a multiplier, see ``multipliers``.
    nbits : int
        Width of operands and result in bits.
    **params
        Parameters by name.

    Returns
    -------
    MultiplierConfiguration
        For ``simulate``, ``run_flow`` and ``run_fpga``.

    Raises
    ------
    ValueError
        Naming the parameter, the value and what is allowed.
    """
    known = catalog.multipliers()
    if name not in known:
        raise ValueError(f"multiplier {name!r} is unknown; allowed: {', '.join(known)}")
    return known[name].configure(nbits, **params)


def system(name: str, nbits: int = DEFAULT_NBITS, /, **params: Any) -> System:
    """Choose a processor: on its own, with an accelerator, or with one on a bus.

    Parameters
    ----------
    name : str
        ``proc_null``, ``proc_DESIGN`` or ``axi_DESIGN``.
    nbits : int
        Width of the operands in bits.
    **params
        Parameters of the processor and of its accelerator, and choices on the accelerator's axes.

    Returns
    -------
    System
        For ``run_flow``.

    Raises
    ------
    ValueError
        Naming the parameter, the value and what is allowed.
    """
    return find_system(name, nbits, **params)
