"""Looks at a circuit before it is simulated or translated."""

from collections.abc import Sequence
from inspect import unwrap
from numbers import Integral
from pathlib import Path

from pymtl3 import Component

from catalog import AnyConfiguration
from eval.diagnosis.blocks import blocks_of
from eval.diagnosis.constructs import check_constructs
from eval.diagnosis.drivers import check_drivers, check_names
from eval.diagnosis.error import DesignError, Place
from eval.diagnosis.loops import combinational_loop
from eval.diagnosis.paths import check_paths
from sim.component import message_types
from sim.sources import design_sources
from store.code import code_digest
from store.folders import cache_root, keep_json, key_of


def check_circuit(top: Component) -> tuple[type, type]:
    """Check an elaborated circuit, and give its request and response type.

    Raises
    ------
    DesignError
        For a statement that no circuit can have, a latch, a signal that a block reads before it
        assigns it, and a signal without a driver or with a word of Verilog as its name.
    ValueError
        Without the streams ``recv`` and ``send``; see ``sim.component.message_types``.
    """
    types = message_types(top)
    for block in blocks_of(top):
        check_constructs(block)
        check_paths(block)
    check_names(top)
    check_drivers(top)
    return types


def loop_of(configuration: AnyConfiguration) -> DesignError:
    """Say where the circuit of a configuration has a combinational loop, which a tool has found.

    It is looked for in the multiplier first: what is around it serves all.
    """
    top = configuration.component("rtl")
    top.elaborate()
    multiplier = configuration.multiplier.classes.rtl

    def within(component: Component | None, _: str) -> bool:
        while component is not None and not isinstance(component, multiplier):
            component = component.get_parent_object()
        return component is not None

    told = combinational_loop(top, within)
    return told if told.place else combinational_loop(top)


def check_timing(configuration: AnyConfiguration) -> None:
    """Check what the cycle model of a multiplier gives.

    Raises
    ------
    DesignError
        Unless it is a row of numbers of cycles.
    """
    timing = configuration.multiplier.build("cl", configuration.product_nbits)
    found = timing.durations(0, 0, 3)
    if isinstance(found, Sequence) and found and all(isinstance(x, Integral) for x in found):
        return
    code = unwrap(type(timing).durations).__code__
    raise DesignError(
        f"durations of {type(timing).__name__} gives {found!r}",
        "a tuple with the cycles of each stage, for a single one such as (9,)",
        Place(code.co_filename, code.co_firstlineno),
    )


def check_configuration(configuration: AnyConfiguration) -> None:
    """Check the circuit of a configuration, unless its sources passed before.

    Raises
    ------
    DesignError, ValueError
        See ``check_circuit``.
    """
    sources = [*design_sources(configuration), *Path(__file__).parent.glob("*.py")]

    def check() -> bool:
        component = configuration.component("rtl")
        component.elaborate()
        check_circuit(component)
        return True

    keep_json(cache_root(), f"checked-{configuration.name}-{key_of(code_digest(sources))}", check)
