"""Long numbers for display: shortened in the middle, with both ends kept."""

_DOTS = "..."
LEAST = 9  # least width of a shortened text in characters: three digits on each side of the dots


def shorten(text: str, width: int) -> str:
    """Shorten a text to ``width`` characters, at least ``LEAST``, and keep both of its ends."""
    width = max(width, LEAST)
    if len(text) <= width:
        return text
    tail = (width - len(_DOTS)) // 2
    return f"{text[: width - len(_DOTS) - tail]}{_DOTS}{text[-tail:]}"
