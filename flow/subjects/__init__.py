"""What goes through the flow: a circuit, and the work by which its energy is measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import catalog
from catalog import AnyConfiguration, Configuration, MultiplierConfiguration
from flow.subjects.exponentiator import ExponentiatorSubject
from flow.subjects.given import GivenDesign, GivenSubject, find_given, is_given
from flow.subjects.multiplier import MultiplierSubject
from flow.subjects.subject import Subject
from flow.subjects.system import SystemSubject
from proc.systems import System, find_system, is_system

Target = AnyConfiguration | System | GivenDesign
"""A design or multiplier with width and parameters, a processor with a design, or Verilog."""

_SUBJECTS: dict[type, Callable[[Any], Subject]] = {
    Configuration: ExponentiatorSubject,
    MultiplierConfiguration: MultiplierSubject,
    System: SystemSubject,
    GivenDesign: GivenSubject,
}


def subject_of(target: Target) -> Subject:
    """Give a configuration or a system the work that the flow measures."""
    return _SUBJECTS[type(target)](target)


def find_target(design: str, nbits: int, params: Mapping[str, Any]) -> Target:
    """Find a design, a multiplier or a system, and configure it.

    A system is ``proc_null``, ``proc_DESIGN`` or ``axi_DESIGN``. What was given as Verilog is
    found by its key alone.

    Raises
    ------
    ValueError
        Naming what is unknown or out of range.
    """
    if is_given(params):
        return find_given(params)
    if is_system(design):
        return find_system(design, nbits, **params)
    return catalog.find(design).configure(nbits, **params)


def configuration_of(target: Target) -> AnyConfiguration | None:
    """Give the configuration of a design, of a multiplier, or of a system's accelerator."""
    if isinstance(target, GivenDesign):
        return None
    return target.configuration if isinstance(target, System) else target
