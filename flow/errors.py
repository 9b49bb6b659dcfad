"""Exceptions of the flow; each message is one line."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType


class FlowError(Exception):
    """A node failed; the message is one line, with the path of the log if there is one."""


class ToolFailure(FlowError):  # noqa: N818
    """A tool reported an error, or its output is not a result."""


class WrongNetlist(FlowError):  # noqa: N818
    """A netlist does not compute what its circuit should; the message has the operands."""


class SetupError(FlowError):
    """A tool is missing or a folder cannot be written."""


class NoRoom(FlowError):  # noqa: N818
    files: Mapping[str, Path] = MappingProxyType({})  # of the layout, for a picture
