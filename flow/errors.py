"""Exceptions of the flow; each message is one line."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from rsaxcel.store.errors import RunError, UserError


class FlowError(RunError):
    """A node failed; the message is one line, with the path of the log if there is one."""


class ToolFailure(FlowError):  # noqa: N818
    """A tool reported an error, or its output is not a result."""

    exit_status = UserError.exit_status


class WrongNetlist(FlowError):  # noqa: N818
    """A netlist does not compute what its circuit should; the message has the operands."""


class NoRoom(FlowError):  # noqa: N818
    files: Mapping[str, Path] = MappingProxyType({})  #: files of the layout, for a picture


class PowerError(FlowError, ValueError):
    """A library, netlist, file of slews or activity cannot be used; the message is one line."""

    exit_status = UserError.exit_status
