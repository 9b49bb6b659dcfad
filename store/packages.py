"""The parts of the package ``rsaxcel``: packages, and modules of its own."""

#: Packages, lowest first: each may import earlier ones, but ``rtl`` may not import ``cl``.
PACKAGES = (
    "store",
    "plan",
    "fl",
    "cl",
    "rtl",
    "cores",
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

#: Modules in the folder of ``rsaxcel`` itself.
MODULES = ("__init__.py", "__main__.py", "circuit.py", "interface.py")


def up_to(package: str) -> tuple[str, ...]:
    """Return a package and all packages that precede it in ``PACKAGES``."""
    return PACKAGES[: PACKAGES.index(package) + 1]
