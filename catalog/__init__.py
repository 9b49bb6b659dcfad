"""Registry of designs and multipliers, configurations, and the rules for valid compositions.

Tests, engines, flow and evaluation take a ``Configuration`` and iterate over the registry.
"""

from catalog.any_configuration import AnyConfiguration
from catalog.configuration import Configuration
from catalog.design import DEFAULT_NBITS, Design, MultiplierEntry
from catalog.multiplier_configuration import MultiplierConfiguration
from catalog.registry import (
    DESIGNS,
    PROBLEMS,
    axes,
    find,
    first_design,
    get,
    multipliers,
    register,
    register_outside,
)
from catalog.sources import CATALOG, outside, sources
from catalog.units import LEVELS, Classes

__all__ = [
    "CATALOG",
    "DEFAULT_NBITS",
    "DESIGNS",
    "LEVELS",
    "PROBLEMS",
    "AnyConfiguration",
    "Classes",
    "Configuration",
    "Design",
    "MultiplierConfiguration",
    "MultiplierEntry",
    "axes",
    "find",
    "first_design",
    "get",
    "multipliers",
    "outside",
    "register",
    "sources",
]

# Last, because designs from outside import this package.
register_outside()
