"""Checks a circuit, and the models of its multiplier, before simulation or translation."""

from collections.abc import Sequence
from inspect import signature, unwrap
from numbers import Integral
from pathlib import Path

from pymtl3 import Component

from rsaxcel.catalog import AnyConfiguration
from rsaxcel.circuit import Target, is_circuit
from rsaxcel.diagnosis.blocks import blocks_of
from rsaxcel.diagnosis.component import message_types
from rsaxcel.diagnosis.constructs import check_constructs
from rsaxcel.diagnosis.dataflow import Execution
from rsaxcel.diagnosis.drivers import check_drivers, check_names
from rsaxcel.diagnosis.error import DesignError, Place
from rsaxcel.diagnosis.loops import check_loops
from rsaxcel.rtl.lib.verilog_core import VerilogText
from rsaxcel.store.code import code_digest
from rsaxcel.store.folders import cache_root, keep_json, key_of

SOURCES = tuple(Path(__file__).parent.glob("*.py"))
"""Files of the checks: what has passed is checked again after a change of them."""

_OPERANDS = 0, 0, 3  #: values of a, b and the modulus, which every multiplier accepts


def check_circuit(top: Component) -> tuple[type, type]:
    """Check an elaborated circuit, and return the types of its request and response messages."""
    types = message_types(top)
    check_component(top)
    return types


def check_component(top: Component) -> None:
    """Check an elaborated circuit with any ports; see ``check_circuit``."""
    cores = [x for x in top.get_all_components() if isinstance(x, VerilogText)]
    if cores:
        from rsaxcel.diagnosis.verilog import check_core  # takes a while to load

        for core in cores:
            check_core(core)
    blocks = list(blocks_of(top))
    for block in blocks:
        check_constructs(block)
    check_names(top)
    executions = [Execution(block) for block in blocks]
    for execution in executions:
        execution.check()
    check_drivers(top, executions)
    check_loops(top)


def check_models(configuration: AnyConfiguration) -> None:
    """Check the FL and CL models of a multiplier: parameters and results of their methods."""
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


def check_target(target: Target) -> None:
    """Check a circuit or a system, unless these source files passed before."""
    examine = check_circuit if is_circuit(target) else check_component

    def check() -> bool:
        component = target.component("rtl")
        component.elaborate()
        examine(component)
        return True

    digest = key_of(code_digest([*target.sources, *SOURCES]))
    keep_json(cache_root(), f"checked-{target.name}-{digest}", check)
