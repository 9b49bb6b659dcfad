"""Finds systems by the names given to a command."""

from rsaxcel import catalog
from rsaxcel.circuit import Circuit
from rsaxcel.cli.options.common import configure, tell_choices
from rsaxcel.diagnosis.quiet_output import silent
from rsaxcel.proc.systems import System, find_system, is_system


def choose_system(name: str, nbits: int, params: dict[str, str]) -> System:
    """Find a system by name, and print notes on its choices (``tell_choices``)."""
    with silent():
        system = find_system(name, nbits, **params)
    tell_choices(system.configuration, params)
    return system


def choose_circuit(name: str, nbits: int, params: dict[str, str]) -> Circuit | System:
    """Find a design, a multiplier or a system by name; raise errors as ``choose_system`` does."""
    if is_system(name):
        return choose_system(name, nbits, params)
    return configure(catalog.find, name, nbits, params)
