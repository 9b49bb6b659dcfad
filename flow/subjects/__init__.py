"""Subjects of the flow: a circuit, with the workload for its energy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rsaxcel import catalog
from rsaxcel.catalog.given import find_given, is_given
from rsaxcel.circuit import Target, is_circuit, is_product
from rsaxcel.flow.subjects.subject import Subject


def subject_of(target: Target) -> Subject:
    # Each kind of subject is imported when it is needed: imports are slow.
    if not is_circuit(target):
        from rsaxcel.flow.subjects.system import SystemSubject
        from rsaxcel.proc.systems import System

        assert isinstance(target, System)
        return SystemSubject(target)
    if is_product(target):
        from rsaxcel.flow.subjects.circuits import MultiplierSubject

        return MultiplierSubject(target)
    from rsaxcel.flow.subjects.circuits import ExponentiatorSubject

    return ExponentiatorSubject(target)


def find_target(design: str, nbits: int, params: Mapping[str, Any]) -> Target:
    """Configure a design, multiplier or system (``proc_null``, ``proc_DESIGN``, ``axi_DESIGN``).

    A design that is handed in as Verilog is found only by the key in ``params``.
    """
    if is_given(params):
        return find_given(params)
    if design not in catalog.circuits():
        from rsaxcel.proc.systems import find_system, is_system  # as slow to import

        if is_system(design):
            return find_system(design, nbits, **params)
    return catalog.find(design).configure(nbits, **params)
