"""Reads the messages of commands on standard error."""

import re

_FAR = re.compile(
    r"^(?:\w+ .*: \d+ of \d+ (?:vectors|cycles)|set-up of .*|compiling .*, about \d+ (?:s|min))\n",
    re.MULTILINE,
)


def without_progress(text: str) -> str:
    """Remove lines on progress from messages; they appear only if a command takes long."""
    return _FAR.sub("", text)
