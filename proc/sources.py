"""Source files of systems."""

from pathlib import Path

from rsaxcel import catalog, proc
from rsaxcel.catalog import Configuration
from rsaxcel.catalog.configuration import Exponentiator


def system_sources(accelerator: Exponentiator | None) -> tuple[Path, ...]:
    """Source files and folders on which a system and its programs depend.

    Unless the accelerator is a design of the catalog, the files of all designs are included.
    """
    own = () if accelerator is None else accelerator.sources
    levels = () if isinstance(accelerator, Configuration) else catalog.sources()
    return (*levels, *own, *map(Path, proc.__path__))
