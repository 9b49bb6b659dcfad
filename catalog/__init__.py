"""Registry of designs and multipliers, configurations, and the rules for valid compositions."""

from rsaxcel.catalog.configuration import AnyConfiguration, Configuration, MultiplierConfiguration
from rsaxcel.catalog.designs import DEFAULT_NBITS, REDUCERS, Design, MultiplierEntry
from rsaxcel.catalog.registry import (
    DESIGNS,
    GIVEN,
    PROBLEMS,
    axes,
    circuits,
    designs,
    find,
    find_design,
    first_design,
    get,
    is_multiplier,
    multipliers,
    named,
    register,
    register_outside,
    typed,
)
from rsaxcel.catalog.sources import CATALOG, outside, sources
from rsaxcel.catalog.units import LEVELS, Classes

__all__ = [
    "CATALOG",
    "DEFAULT_NBITS",
    "DESIGNS",
    "GIVEN",
    "LEVELS",
    "PROBLEMS",
    "REDUCERS",
    "AnyConfiguration",
    "Classes",
    "Configuration",
    "Design",
    "MultiplierConfiguration",
    "MultiplierEntry",
    "axes",
    "circuits",
    "designs",
    "find",
    "find_design",
    "first_design",
    "get",
    "is_multiplier",
    "multipliers",
    "named",
    "outside",
    "register",
    "sources",
    "typed",
]

# This call comes last: it imports designs of other packages, which import this package, so that it
# must be complete by then.
register_outside()
