"""What goes through the flow: a circuit, and the work by which its energy is measured."""

from __future__ import annotations

import catalog
from catalog import Configuration
from flow.requests import from_words
from flow.subjects.exponentiator import ExponentiatorSubject
from flow.subjects.subject import Subject
from flow.subjects.system import SystemSubject
from proc.systems import System, find_system, is_system

Target = Configuration | System
"""A design of the registry with width and parameters, or a processor with one."""

_SUBJECTS = {Configuration: ExponentiatorSubject, System: SystemSubject}


def subject_of(measured: Target) -> Subject:
    """Give a configuration or a system the work that the flow measures."""
    return _SUBJECTS[type(measured)](measured)


def find_measured(design: str, nbits: int, params: dict[str, str]) -> Target:
    """Find a design or a system (``proc_null``, ``proc_DESIGN``) and configure it.

    Raises
    ------
    ValueError
        Naming what is unknown or out of range.
    """
    if is_system(design):
        return find_system(design, nbits, **params)
    return catalog.get(design).configure(nbits, **params)


def configuration_of(measured: Target) -> Configuration | None:
    """Give the configuration of a design, or of a system's accelerator."""
    return measured.configuration if isinstance(measured, System) else measured


def find_subject(design: str, nbits: str, params: str) -> Subject:
    """Subject of a node's parameters, which are words."""
    return subject_of(find_measured(design, int(nbits), from_words(params)))
