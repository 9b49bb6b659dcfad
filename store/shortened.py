"""Long numbers for people: shortened in the middle, never cut at an end."""

_DOTS = "..."
LEAST = 9
"""Characters below which nothing is shortened: three digits on each side say little already."""


def shorten(text: str, width: int) -> str:
    """Keep both ends of a text that is longer than so many characters (or than ``LEAST``)."""
    width = max(width, LEAST)
    if len(text) <= width:
        return text
    tail = (width - len(_DOTS)) // 2
    return f"{text[: width - len(_DOTS) - tail]}{_DOTS}{text[-tail:]}"
