"""The public interface of rsaxcel: RSA accelerators in PyMTL3, from model to energy.

Choose a design with ``design``, ``multiplier`` or ``system``; ``simulate`` it at any level; take it
through the ASIC flow with ``run_flow``, or estimate FPGA resources with ``run_fpga``. ``__all__``
has every public name. What the other packages of the tree offer beside these may change.

The names are imported when the first one is used, so that ``rsaxcel --help`` waits for no design.
"""

from typing import TYPE_CHECKING, Any

from rsaxcel.hidden import check_packages

if TYPE_CHECKING:
    from rsaxcel.interface import *  # noqa: F403  # the one list of names is there
else:  # type checkers know the names, and tell one that there is not

    def __getattr__(name: str) -> Any:
        """Import the public names when the first one is used."""
        if name.startswith("_") and name not in ("__all__", "__version__"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        check_packages()
        # Not `from rsaxcel import interface`, which would ask this function for it.
        import rsaxcel.interface as interface

        names = {known: getattr(interface, known) for known in interface.__all__}
        globals().update(names, __all__=interface.__all__)
        if name not in globals():
            raise AttributeError(f"rsaxcel has no {name!r}; it has {', '.join(interface.__all__)}")
        return globals()[name]

    def __dir__() -> list[str]:
        """Public names, for completion."""
        return sorted(__getattr__("__all__"))
