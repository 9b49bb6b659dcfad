"""Finds designs, multipliers and systems by name."""

from typing import Any

import catalog
from catalog import DEFAULT_NBITS, Configuration, MultiplierConfiguration
from proc.systems import System, find_system


def designs() -> list[str]:
    """List the names of all designs; ``rsaxcel list NAME`` prints the details of a design.

    Returns
    -------
    list of str
        Names, including the designs of other packages (``RSAXCEL_DESIGNS``, entry points,
        ``register``).
    """
    return list(catalog.DESIGNS)


def multipliers() -> list[str]:
    """List the names of all multipliers.

    Returns
    -------
    list of str
        Names. Each multiplier can be simulated alone, or chosen on the axis ``multiplier``.
    """
    return list(catalog.multipliers())


def design(name: str, nbits: int = DEFAULT_NBITS, /, **choices: Any) -> Configuration:
    """Configure an exponentiator.

    Parameters
    ----------
    name : str
        Name of a design, see ``designs``.
    nbits : int
        Width of base, modulus and result in bits.
    **choices
        Parameters by name, and choices on the axes such as ``schedule="window"`` (see ``axes``).
        On all other axes, the design's own choice remains if it fits the given choices. Otherwise
        a choice that fits replaces it.

    Returns
    -------
    Configuration
        Argument for ``simulate``, ``run_flow`` and ``run_fpga``. Its methods: ``outcome(base,
        exponent, modulus)`` runs the functional model, ``evaluate(...)`` also counts cycles,
        ``component(level)`` makes the PyMTL3 component.

    Raises
    ------
    ValueError
        If a name or a value is not allowed; the message lists the allowed ones.
    """
    return catalog.get(name).configure(nbits, **choices)


def multiplier(name: str, nbits: int = DEFAULT_NBITS, /, **params: Any) -> MultiplierConfiguration:
    """Configure a multiplier without an exponentiator.

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
        Argument for ``simulate``, ``run_flow`` and ``run_fpga``.

    Raises
    ------
    ValueError
        If a name or a value is not allowed; the message lists the allowed ones.
    """
    known = catalog.multipliers()
    if name not in known:
        raise ValueError(f"multiplier {name!r} is unknown; allowed: {', '.join(known)}")
    return known[name].configure(nbits, **params)


def system(name: str, nbits: int = DEFAULT_NBITS, /, **params: Any) -> System:
    """Configure a system: a processor alone, with an accelerator, or with one on a bus.

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
        Argument for ``run_flow``.

    Raises
    ------
    ValueError
        If a name or a value is not allowed; the message lists the allowed ones.
    """
    return find_system(name, nbits, **params)
