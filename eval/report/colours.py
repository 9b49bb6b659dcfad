"""Colours of designs: a design has the same colour everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from colorsys import hls_to_rgb
from functools import cache

from rsaxcel import catalog
from rsaxcel.proc.kinds import ATTACHED
from rsaxcel.proc.systems import NULL_SYSTEM

_SHARED = "_shared"

#: Readable on white and on near-black; neighbours in the list differ clearly.
_HUES = (
    "#a855f7",
    "#3b82f6",
    "#dc2626",
    "#0d9488",
    "#db2777",
    "#ca8a04",
    "#4f8f1d",
    "#0891b2",
    "#6d6af0",
    "#e8710a",
    "#a0673c",
    "#16a34a",
    "#c2549d",
    "#7c8b2a",
    "#d0575f",
    "#2f7fb8",
)
_GOLDEN = (5**0.5 - 1) / 2
_SOFTWARE = {"software_naive": "#c2690c", "software_montgomery": "#128a4a", NULL_SYSTEM: "#64748b"}
_OTHERS = ("#64748b", "#8b6f5c", "#6f7f52", "#7a6a94", "#4f7f86", "#96606e")
#: How to make the shades of a colour, in their order: a colour to mix in, and its share.
_TOWARDS = (("#ffffff", 0.42), ("#000000", 0.28), ("#ffffff", 0.66), ("#000000", 0.45))


@cache
def _of_designs() -> Mapping[str, str]:
    """Colours of the registry's designs; ``NAME_shared`` has a shade of the colour of ``NAME``."""
    found: dict[str, str] = dict(_SOFTWARE)
    names = (*catalog.designs(), *catalog.multipliers())
    for names_of_kind in (catalog.designs(), catalog.multipliers()):
        unshared = (name for name in names_of_kind if not name.endswith(_SHARED))
        found |= {name: _hue(number) for number, name in enumerate(unshared)}
    for name in names:
        if name.endswith(_SHARED):
            found[name] = mix(found.get(name.removesuffix(_SHARED), _OTHERS[0]), *_TOWARDS[0])
    return found


def _hue(number: int) -> str:
    """Colour by its number: from the list, then hues that divide the circle by the golden ratio."""
    if number < len(_HUES):
        return _HUES[number]
    parts = hls_to_rgb(number * _GOLDEN % 1, 0.45, 0.6)
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


def design_of(subject: str) -> str:
    """Name of the design whose colour a subject has; a system has its accelerator's colour."""
    *_, hardware = subject.split("_on_")
    for prefix in ATTACHED:
        if hardware.startswith(prefix) and hardware != NULL_SYSTEM:
            return hardware.removeprefix(prefix)
    return hardware


def colours_of(subjects: Iterable[str]) -> dict[str, str]:
    """Colour of each subject; colours of designs do not depend on the other subjects."""
    found: dict[str, str] = {}
    others = iter(_OTHERS * len(list(subjects := list(subjects))))
    for subject in subjects:
        if subject not in found:
            found[subject] = _of_designs().get(design_of(subject)) or next(others)
    return found


def shades(subjects: Mapping[str, str]) -> dict[str, str]:
    """Give each column its subject's colour, or a shade if another name has that already."""
    colour_of = colours_of(subjects.values())
    seen: dict[str, list[str]] = {}
    found = {}
    for name, subject in subjects.items():
        # A system and its accelerator have the same colour, without a shade, because their names
        # tell both apart.
        same = seen.setdefault(colour_of[subject], [])
        alike = design_of(name)
        if alike not in same:
            same.append(alike)
        index = same.index(alike)
        colour = colour_of[subject]
        found[name] = mix(colour, *_TOWARDS[(index - 1) % len(_TOWARDS)]) if index else colour
    return found


def mix(colour: str, other: str, share: float) -> str:
    parts = (
        round(int(colour[i : i + 2], 16) * (1 - share) + int(other[i : i + 2], 16) * share)
        for i in (1, 3, 5)
    )
    return "#" + "".join(f"{part:02x}" for part in parts)
