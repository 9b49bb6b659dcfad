"""Multipliers by name, with checks of their classes and of their constants."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from pymtl3 import Component, InPort

from rsaxcel.catalog.units import Classes
from rsaxcel.fl.contract import DigitMultiplier, Multiplier, WordMultiplier
from rsaxcel.plan.modulus_constants import widths_of

MULTIPLIERS: dict[str, Classes] = {}
"""Classes (at FL, CL and RTL) of every multiplier, by the multiplier's name."""

GIVEN: dict[str, Any] = {}
"""Designs and multipliers as Verilog by their names: circuits without choices on the axes."""


class _Composed(Mapping[str, Classes]):
    """Classes of all multipliers that a composition may have, those as Verilog last."""

    def __getitem__(self, name: str) -> Classes:
        found = MULTIPLIERS.get(name) or getattr(GIVEN.get(name), "classes", None)
        if found is None:
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        yield from MULTIPLIERS
        yield from (name for name, entry in GIVEN.items() if hasattr(entry, "divisor"))

    def __len__(self) -> int:
        return len(list(iter(self)))


COMPOSED = _Composed()

_MIN_DESIGN_NBITS = 8
_OPERANDS = ("a", "b", "m")
_MORE_NBITS = 7
_DECLARED_IN = {"fl": "rsaxcel.fl.contract.Multiplier", "cl": "rsaxcel.cl.elastic.Timing"}


def check_classes(classes: Any) -> None:
    """Check that an object has a multiplier's classes; ``ValueError`` names a missing one."""
    if not isinstance(classes, Classes):
        raise ValueError(f"multiplier {classes!r}: it is no rsaxcel.catalog.units.Classes")
    for level, cls, base in (("fl", classes.fl, Multiplier), ("rtl", classes.rtl, Component)):
        if not (isinstance(cls, type) and issubclass(cls, base)):
            raise ValueError(f"multiplier: its {level} class {cls!r} is no {base.__name__}")
    for level, cls, names in (
        ("fl", classes.fl, ("odd_modulus", "source")),
        ("cl", classes.cl, ("durations", "overlaps")),
    ):
        for name in names:
            if not hasattr(cls, name):
                where = _DECLARED_IN[level]
                raise ValueError(f"multiplier: its {level} class {cls!r} has no {name} ({where})")


def design_widths(contract: type[Multiplier]) -> Sequence[int]:
    """Operand widths in bits that are allowed for designs with the multiplier ``contract``."""
    least, widths = _MIN_DESIGN_NBITS, contract.widths
    if isinstance(widths, range) and widths.step == 1:
        return range(max(least, widths[0]), widths[-1] + 1)
    return tuple(x for x in widths if x >= least)


def check_outside(classes: Classes) -> None:
    """Check the circuit of a multiplier from outside this project, unless it is checked already."""
    if not classes.is_checked:
        check_constants(classes)


@cache
def check_constants(classes: Classes) -> None:
    """Check that a multiplier's circuit reads the constants that its golden model declares.

    Names and widths are compared, and the widths must suffice for the constants: at the
    multiplier's smallest width and at a larger width.
    """
    least = classes.fl.widths[0]
    for nbits in sorted({least, min(least + _MORE_NBITS, classes.fl.widths[-1])}):
        _check_constants_at(classes, nbits)


def _check_constants_at(classes: Classes, nbits: int) -> None:
    from rsaxcel.rtl.lib.lanes import LANE_INPUTS

    params = {p.name: p.default(nbits) for p in classes.fl.parameters}
    contract = classes.fl(nbits, **params)
    for constant in contract.constants:
        constant.check_width(nbits)
    declared = dict(widths_of(contract.constants))
    if isinstance(contract, WordMultiplier | DigitMultiplier):
        in_words = isinstance(contract, WordMultiplier)
        circuit = classes.rtl(nbits, *((1, 1) if in_words else ()), **params)
        circuit.elaborate()
        ports = {
            port._dsl.my_name: port._dsl.Type.nbits
            for port in circuit.get_all_object_filter(lambda x: isinstance(x, InPort))
            if port.get_parent_object() is circuit
        }
        others = ("clk", "reset", *(() if in_words else LANE_INPUTS))
        read = {k: width for k, width in ports.items() if k not in others}
        what = "ports"
    else:
        circuit = classes.rtl(nbits, **params)
        circuit.elaborate()
        fields = circuit.recv.msg._dsl.Type.__bitstruct_fields__
        read = {k: kind.nbits for k, kind in fields.items() if k not in _OPERANDS}
        what = "fields of requests"
    if read != declared:
        raise ValueError(
            f"multiplier {classes.name}: its circuit has {_listed(read)} as {what} for constants, "
            f"its contract declares {_listed(declared)}"
        )


def _listed(widths: dict[str, int]) -> str:
    return ", ".join(f"{name} ({nbits} bits)" for name, nbits in widths.items()) or "none"
