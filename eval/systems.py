"""Systems of the processor with an accelerator, by their names."""

from dataclasses import dataclass

import designs
from eval.errors import UserError
from eval.options import DEFAULT_NBITS, configure

NULL_SYSTEM = "proc_null"
_PREFIX = "proc_"


@dataclass(frozen=True)
class System:
    """A processor with an accelerator.

    Parameters
    ----------
    name : str
        ``proc_`` and the design, or ``proc_null``.
    configuration : designs.Configuration or None
        The accelerator; None where there is none.
    """

    name: str
    configuration: designs.Configuration | None


def find_system(name: str, nbits: int = DEFAULT_NBITS) -> System:
    """System by its name, or by that of its design.

    Raises
    ------
    UserError
        For an unknown name or a width that the design does not have.
    """
    design = name.removeprefix(_PREFIX)
    if design == NULL_SYSTEM.removeprefix(_PREFIX):
        return System(NULL_SYSTEM, None)
    if design not in designs.DESIGNS:
        systems = ", ".join((NULL_SYSTEM, *(_PREFIX + known for known in designs.DESIGNS)))
        raise UserError(f"system {name!r} is unknown; allowed: {systems}")
    return System(_PREFIX + design, configure(designs.get, design, nbits, {}))
