"""Programs that tests plant in the place of those of the machine."""

from pathlib import Path


def program(path: Path, text: str = "#!/bin/sh\n") -> Path:
    """Write a program in place of what is there, with its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path
