"""What commands say on standard error."""

import re

_FAR = re.compile(r"^\w+ .*: \d+ of \d+ (vectors|cycles)\n", re.MULTILINE)


def without_progress(text: str) -> str:
    """All but how far a command is, which is told where that takes long."""
    return _FAR.sub("", text)
