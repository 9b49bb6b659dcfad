"""How the flow fails: with one line."""


class FlowError(Exception):
    """A node failed; the message is one line and names the log."""


class ToolFailure(FlowError):  # noqa: N818
    """A tool reports an error, or something that is no result."""


class SetupError(FlowError):
    """A tool is missing or a folder cannot be written."""
