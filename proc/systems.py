"""Systems: a processor of any level with any accelerator, or none."""

from pymtl3 import Component, connect

from designs import Configuration
from fl.xcel import NullRegisters, RegisterUnit
from proc.ports import SYSTEM_PORTS, add_system_ports
from proc.proc_fl import ProcFL
from proc.proc_rtl import ProcRTL
from rtl.xcel.null import NullXcel

PROCESSORS = {"fl": ProcFL, "rtl": ProcRTL}
"""Processors by level."""


class ProcXcel(Component):
    """A processor and an accelerator.

    Parameters
    ----------
    processor : Component
        With the ports of ``proc.ports``, not elaborated.
    accelerator : Component
        With ``xcel`` minion, not elaborated.

    Ports
    -----
    Those of the processor, except ``xcel``.
    """

    def construct(s, processor, accelerator):
        add_system_ports(s)

        s.proc = processor
        s.xcel = accelerator
        s.proc.xcel //= s.xcel.xcel
        for name in SYSTEM_PORTS:
            connect(getattr(s, name), getattr(s.proc, name))

    def line_trace(s):
        return f"{s.proc.line_trace()} {s.xcel.line_trace()}"


def build_accelerator(level: str, configuration: Configuration | None) -> Component:
    """Accelerator of a configuration at a level, ``fl``, ``cl`` or ``rtl``; None: the null one."""
    if configuration is not None:
        return configuration.accelerator(level)
    return RegisterUnit(NullRegisters) if level == "fl" else NullXcel()


def build_system(
    level: str, configuration: Configuration | None = None, accelerator_level: str | None = None
) -> ProcXcel:
    """Build a system, not elaborated.

    Parameters
    ----------
    level : str
        Level of the processor: ``fl`` or ``rtl``.
    configuration : designs.Configuration, optional
        The accelerator; without one, the null accelerator (``proc_null``).
    accelerator_level : str, optional
        Level of the accelerator: ``fl``, ``cl`` or ``rtl``; that of the processor unless given.

    Raises
    ------
    ValueError
        For another level.
    """
    if level not in PROCESSORS:
        raise ValueError(f"level {level!r}: {', '.join(PROCESSORS)} are allowed")
    accelerator = build_accelerator(accelerator_level or level, configuration)
    return ProcXcel(PROCESSORS[level](), accelerator)
