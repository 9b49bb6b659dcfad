"""The packages of the tree."""

PACKAGES = (
    *("store", "plan", "fl", "cl", "rtl", "catalog", "proc", "diagnosis", "sim", "flow"),
    *("eval", "course", "rsaxcel"),
)
"""From the lowest up: each may import those before it, ``cl`` and ``rtl`` not each other."""


def up_to(package: str) -> tuple[str, ...]:
    """Give a package and those below it."""
    return PACKAGES[: PACKAGES.index(package) + 1]
