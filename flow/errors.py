"""How the flow fails: with one line."""


class FlowError(Exception):
    """A stage failed; the message is one line and names the log."""


class SetupError(FlowError):
    """A tool is missing or a folder cannot be written: nothing has been tried yet."""
