"""The packages of this project."""

PACKAGES = (
    *("store", "plan", "fl", "cl", "rtl", "catalog", "proc", "diagnosis", "sim", "flow"),
    *("eval", "course", "rsaxcel"),
)
"""Packages from the lowest up: each may import earlier ones, but ``rtl`` not ``cl``."""


def up_to(package: str) -> tuple[str, ...]:
    """Give a package and all packages below it."""
    return PACKAGES[: PACKAGES.index(package) + 1]
