"""Shells: the framework's streams around a core in Verilog, by a protocol of ``plan.protocols``."""

from rsaxcel.fl.status import InputRules
from rsaxcel.plan.protocols import Core
from rsaxcel.rtl.shells.shell import SHELL, Apart, Shell

__all__ = ["CORE", "SHELL", "Apart", "shell"]

CORE = "pins"
"""Path of the core in the component of a shell."""


def shell(core: Core, rules: InputRules | None, text: str) -> Shell:
    """Make the component around a core, not elaborated, with the streams ``recv`` and ``send``.

    Its translation (``sim.translate``) has the text word for word. Messages are those of
    ``fl.messages``: ``power_request`` and ``power_response``, for a product ``product_request`` and
    ``product_response``.

    Parameters
    ----------
    core
        The core for one width.
    rules
        Input rules that the shell checks; None for a product, whose response has no status.
    text
        Verilog of the core's module and of all modules that it needs.
    """
    return Shell(core, rules, text)
