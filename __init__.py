"""Public interface of rsaxcel: RSA accelerators in PyMTL3, from model to energy.

Choose a design with ``design``, ``multiplier`` or ``system``; ``simulate`` it at any level; take it
through the ASIC flow with ``run_flow``, or estimate FPGA resources with ``run_fpga``. ``__all__``
lists the public names. All other names, in this package and below it, may change.

The names are imported when the first one is used, so that ``rsaxcel --help`` imports no design.
"""

from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, Any

from rsaxcel.store import old_names

old_names.install()

if TYPE_CHECKING:
    from rsaxcel.interface import *  # noqa: F403  # interface.__all__ is the only list of names
else:  # hidden from type checkers, so that they report unknown names

    def __getattr__(name: str) -> Any:
        """Import all public names when one is first used, and return the value of ``name``."""
        private = name.startswith("_") and name not in ("__all__", "__version__")
        # `from rsaxcel import catalog` asks for the name first, and then imports the module.
        if private or PathFinder.find_spec(f"{__name__}.{name}", __path__):  # noqa: F405
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from rsaxcel import interface

        names = {known: getattr(interface, known) for known in interface.__all__}
        globals().update(names, __all__=interface.__all__)
        if name not in globals():
            raise AttributeError(f"rsaxcel has no {name!r}; it has {', '.join(interface.__all__)}")
        return globals()[name]

    def __dir__() -> list[str]:
        """Public names, for completion in a shell."""
        return sorted(__getattr__("__all__"))
