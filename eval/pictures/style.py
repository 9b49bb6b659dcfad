"""Colours, texts and file formats that all pictures of circuits share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

#: Colours of modules.
COLOURS = (
    "#3b6fd4",
    "#e8710a",
    "#16a34a",
    "#a855f7",
    "#0891b2",
    "#db2777",
    "#7c8b2a",
    "#8b5e3c",
    "#dc2626",
    "#5eb5e8",
    "#f2a7c3",
    "#64748b",
)

#: Colours of what is too small for a colour of its own, of the background, and of text.
GREY, FAINT, INK = "#c3c8d0", "#e4e7ec", "#222222"

#: Settings of Matplotlib.
STYLE: Any = {
    **{"font.family": "sans-serif", "font.size": 8.5, "axes.edgecolor": "#666666"},
    **{"axes.linewidth": 0.6, "svg.fonttype": "none", "svg.hashsalt": "rsaxcel"},
    **{"xtick.major.width": 0.6, "ytick.major.width": 0.6, "axes.titlesize": 9.5},
    "text.parse_math": False,  # a dollar in the name of a module is no formula
}

FORMATS = (".svg", ".png", ".pdf")  #: suffixes of the files that save writes

#: Settings of :func:`save` for charts, whose layout fills the page already.
CHART: Any = {"style": {"svg.hashsalt": "rsaxcel"}, "dpi": 150, "crop": None}


def save(
    figure: Figure, path: Path, *, style: Any = STYLE, dpi: int = 200, crop: str | None = "tight"
) -> None:
    """Write a picture; the suffix of the file decides its format. Equal figures, equal files."""
    dated: Any = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(path.suffix, {})
    with mpl.rc_context(style):
        figure.savefig(path, metadata=dated, dpi=dpi, facecolor="white", bbox_inches=crop)


def area_text(um2: float) -> str:
    return f"{um2:,.0f} µm²" if um2 < 1e5 else f"{um2 / 1e6:.4g} mm²"


def percent(share: float) -> str:
    return f"{100 * share:.1f} %" if share < 0.1 else f"{100 * share:.0f} %"
