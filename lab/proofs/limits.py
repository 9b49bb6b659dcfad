"""Checks of widths and parameters for proofs about a circuit that is not in the registry."""

from __future__ import annotations

from collections.abc import Collection

from rsaxcel.store.errors import UserError


def check_width(name: str, nbits: int, least: int, most: int) -> None:
    """Raise ``UserError`` if a width in bits is not allowed for proofs about a circuit."""
    if not least <= nbits <= most:
        allowed = f"{least} is allowed" if least == most else f"{least} to {most} are allowed"
        raise UserError(f"nbits={nbits}: {allowed} for proofs about {name}")


def check_parameters(name: str, given: Collection[str], allowed: Collection[str]) -> None:
    """Raise ``UserError`` if a circuit does not have a parameter that is given."""
    for parameter in given:
        if parameter not in allowed:
            known = ", ".join(allowed) or "none"
            raise UserError(f"parameter {parameter} is unknown; allowed for {name}: {known}")
