"""Checks a circuit, and the models of its multiplier, before simulation or translation."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from inspect import signature, unwrap
from numbers import Integral
from pathlib import Path

from pymtl3 import Component

from catalog import AnyConfiguration
from diagnosis.blocks import blocks_of
from diagnosis.component import message_types
from diagnosis.constructs import check_constructs
from diagnosis.drivers import check_drivers, check_names
from diagnosis.error import DesignError, Place
from diagnosis.loops import combinational_loop, tells_loop
from diagnosis.paths import check_paths
from proc.sources import design_sources
from store.code import code_digest
from store.folders import cache_root, keep_json, key_of

_OPERANDS = 0, 0, 3
"""Values of a, b and the modulus that every multiplier accepts."""


def check_circuit(top: Component) -> tuple[type, type]:
    """Check an elaborated circuit, and give its request and response type.

    Raises
    ------
    DesignError
        For a statement that no circuit can have, a latch, a signal that a block reads before it
        assigns it, a signal without a driver, and a signal named by a reserved word of Verilog.
    ValueError
        Without the streams ``recv`` and ``send``; see ``diagnosis.component.message_types``.
    """
    types = message_types(top)
    for block in blocks_of(top):
        check_constructs(block)
        check_paths(block)
    check_names(top)
    check_drivers(top)
    return types


@contextmanager
def telling_loops(configuration: AnyConfiguration | None) -> Iterator[None]:
    """Locate a combinational loop in the circuit, if a tool reports one inside this context.

    Parameters
    ----------
    configuration : AnyConfiguration or None
        Configuration that the tool processes; None if there is no circuit to search.

    Raises
    ------
    DesignError
        In place of the tool's error.
    """
    try:
        yield
    except Exception as error:
        if configuration and tells_loop(error):
            raise _loop_of(configuration) from error
        raise


def _loop_of(configuration: AnyConfiguration) -> DesignError:
    """Locate the combinational loop that a tool has found in the circuit of a configuration.

    The multiplier is searched first, because the circuit around it is shared by all multipliers.
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


def check_models(configuration: AnyConfiguration) -> None:
    """Check the signatures of a multiplier's models, the golden model's result, and the durations.

    Raises
    ------
    DesignError
        If a model does not take the operands and the modulus, the product is not an integer, or
        the cycle model does not give a sequence of cycles.
    """
    classes, constants = configuration.multiplier.classes, configuration.multiplier_golden.constants
    named = {constant.name: 0 for constant in constants}
    for cls, name, more in ((classes.fl, "product", named), (classes.cl, "durations", {})):
        try:
            signature(getattr(cls, name)).bind(None, *_OPERANDS, **more)
        except TypeError as error:
            takes = ", ".join(("self, a, b, modulus", *more))
            raise DesignError(
                f"{name} of {cls.__name__}: {error}", takes, _place(cls, name)
            ) from None
    _check_contract(classes.fl, configuration)
    found = configuration.multiplier.build("cl", configuration.product_nbits).durations(*_OPERANDS)
    if isinstance(found, Sequence) and found and all(isinstance(x, Integral) for x in found):
        return
    raise DesignError(
        f"durations of {classes.cl.__name__} gives {found!r}",
        "a tuple with the cycles of each stage as integers, such as (9,) for one stage",
        _place(classes.cl, "durations"),
    )


def _check_contract(cls: type, configuration: AnyConfiguration) -> None:
    """Check that ``odd_modulus`` of a golden model is a bool and that its product is an integer."""
    golden = configuration.multiplier_golden
    if type(golden.odd_modulus) is not bool:
        raise DesignError(f"odd_modulus of {cls.__name__} is {golden.odd_modulus!r}", "True, False")
    modulus = configuration.usable_modulus(7)
    if type(modulus) is not int or golden.constant_modulus:
        return
    values = {x.name: x.formula.value(modulus) for x in golden.constants}
    product = golden.product(1, 2, modulus, **values)
    if not isinstance(product, Integral):
        told = f"product of {cls.__name__} gives {product!r}"
        raise DesignError(told, "an integer", _place(cls, "product"))


def _place(cls: type, name: str) -> Place:
    code = unwrap(getattr(cls, name)).__code__
    return Place(code.co_filename, code.co_firstlineno)


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
