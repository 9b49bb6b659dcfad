"""The packages of this project."""

PACKAGES = (
    *("store", "plan", "fl", "cl", "rtl", "catalog", "proc", "diagnosis", "sim", "flow"),
    *("eval", "course", "rsaxcel"),
)
"""Packages, lowest first: each may import earlier ones, but ``rtl`` may not import ``cl``."""


def up_to(package: str) -> tuple[str, ...]:
    """Give a package and all packages that precede it in ``PACKAGES``."""
    return PACKAGES[: PACKAGES.index(package) + 1]
