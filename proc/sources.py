"""Source files of systems."""

from pathlib import Path

import catalog
import proc
from catalog import Configuration


def system_sources(accelerator: Configuration | None) -> tuple[Path, ...]:
    """Source files and folders on which a system and its programs depend.

    For a system without an accelerator, the files of all designs are included.
    """
    levels = catalog.sources() if accelerator is None else accelerator.sources
    return (*levels, *map(Path, proc.__path__))
