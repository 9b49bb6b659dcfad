"""Subjects of the flow: a circuit, with the workload for its energy."""

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
"""A configuration of a design or multiplier, a system, or a design given as Verilog."""

_SUBJECTS: dict[type, Callable[[Any], Subject]] = {
    Configuration: ExponentiatorSubject,
    MultiplierConfiguration: MultiplierSubject,
    System: SystemSubject,
    GivenDesign: GivenSubject,
}


def subject_of(target: Target) -> Subject:
    """Create the subject of a target: the target's circuit, with the target's workload."""
    return _SUBJECTS[type(target)](target)


def find_target(design: str, nbits: int, params: Mapping[str, Any]) -> Target:
    """Find and configure a design, a multiplier or a system.

    A system is ``proc_null``, ``proc_DESIGN`` or ``axi_DESIGN``. A design given as Verilog is found
    only by the key in ``params``.

    Raises
    ------
    ValueError
        If the design is unknown or a parameter is out of range.
    """
    if is_given(params):
        return find_given(params)
    if is_system(design):
        return find_system(design, nbits, **params)
    return catalog.find(design).configure(nbits, **params)


def configuration_of(target: Target) -> AnyConfiguration | None:
    """Return a target's configuration; for a system, the configuration of its accelerator.

    None for a design given as Verilog, and for a system without an accelerator.
    """
    if isinstance(target, GivenDesign):
        return None
    return target.configuration if isinstance(target, System) else target
