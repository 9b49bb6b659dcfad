"""Subjects of the flow: a circuit, with the workload for its energy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import catalog
from catalog import AnyConfiguration, Configuration, MultiplierConfiguration
from flow.job import Job
from flow.subjects.exponentiator import ConfiguredCircuit, ExponentiatorSubject
from flow.subjects.given import GivenDesign, GivenSubject, find_given, is_given
from flow.subjects.multiplier import MultiplierSubject
from flow.subjects.subject import Circuit, Subject
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
    """Subject of a target: its circuit with its workload."""
    return _SUBJECTS[type(target)](target)


def circuit_of(target: Target | AnyConfiguration) -> Circuit:
    """Circuit of a target, without its workload if possible."""
    if isinstance(target, System | GivenDesign):
        return subject_of(target)
    return ConfiguredCircuit(target)


def find_target(design: str, nbits: int, params: Mapping[str, Any]) -> Target:
    """Find and configure a design, a multiplier or a system.

    A system is ``proc_null``, ``proc_DESIGN`` or ``axi_DESIGN``. A design given as Verilog is found
    only by the key in ``params``.

    Raises
    ------
    ValueError
        Naming the unknown design, or the parameter out of range.
    """
    if is_given(params):
        return find_given(params)
    if is_system(design):
        return find_system(design, nbits, **params)
    return catalog.find(design).configure(nbits, **params)


def configuration_of(target: Target) -> AnyConfiguration | None:
    """Return the configuration of a target, or of a system's accelerator; None without one."""
    if isinstance(target, GivenDesign):
        return None
    return target.configuration if isinstance(target, System) else target


def find_subject(job: Job) -> Subject:
    """Subject of a job."""
    return subject_of(find_target(job.design, job.nbits, job.params))


def find_circuit(job: Job) -> Circuit:
    """Circuit of a job."""
    if is_given(job.params) or is_system(job.design):
        return find_subject(job)
    return circuit_of(catalog.find(job.design).configure(job.nbits, **job.params))
