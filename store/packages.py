"""The packages of this project, parts of the package ``rsaxcel``."""

PACKAGES = (
    "store",
    "plan",
    "fl",
    "cl",
    "rtl",
    "catalog",
    "proc",
    "diagnosis",
    "sim",
    "flow",
    "lab",
    "eval",
    "course",
    "cli",
)
"""Packages, lowest first: each may import earlier ones, but ``rtl`` may not import ``cl``."""


def up_to(package: str) -> tuple[str, ...]:
    """Give a package and all packages that precede it in ``PACKAGES``."""
    return PACKAGES[: PACKAGES.index(package) + 1]
