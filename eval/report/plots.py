"""The report's plots, as inline SVG for the page and as PNG files."""

from collections.abc import Mapping
from pathlib import Path

import matplotlib

from eval.report import accelerator_plots, system_plots
from eval.report.drawing import STYLE, Plot, finish
from eval.report.notes import constants_note
from eval.report.published import Published
from eval.report.results import Result


def draw(
    systems: Mapping[str, Result],
    accelerators: Mapping[str, Result],
    published: Published,
    colour_of: Mapping[str, str],
    output_dir: Path,
) -> list[Plot]:
    """Draw every plot that there are results for, and write the PNG files."""
    with matplotlib.rc_context(STYLE):
        return [
            *(_systems(systems, published, colour_of, output_dir) if systems else ()),
            *(
                _accelerators(accelerators, published, colour_of, output_dir)
                if accelerators
                else ()
            ),
        ]


def _systems(
    results: Mapping[str, Result],
    published: Published,
    colour_of: Mapping[str, str],
    output_dir: Path,
) -> list[Plot]:
    return [
        finish(
            system_plots.area_performance(results, published, colour_of),
            output_dir,
            "systems_area_performance",
            "Systems: area against performance (as figure 17)",
            "Area of each system over operations per second, encryption and decryption; down and "
            "right is better.",
            ("systems_plot",),
        ),
        finish(
            system_plots.energy_performance(results, published, colour_of),
            output_dir,
            "systems_energy_performance",
            "Systems: energy against performance (as figure 18)",
            "Normalized energy of each system over operations per second, encryption and "
            "decryption; down and right is better.",
            (*constants_note(results.values()), "glitches"),
        ),
    ]


def _accelerators(
    results: Mapping[str, Result],
    published: Published,
    colour_of: Mapping[str, str],
    output_dir: Path,
) -> list[Plot]:
    return [
        finish(
            accelerator_plots.area_performance(results, colour_of),
            output_dir,
            "area_performance",
            "Area against performance",
            "Area over operations per second; down and right is better.",
            (),
        ),
        finish(
            accelerator_plots.energy_performance(results, colour_of),
            output_dir,
            "energy_performance",
            "Energy against performance",
            "Energy per operation over operations per second; down and right is better.",
            ("glitches",),
        ),
        finish(
            accelerator_plots.area_by_module(results, published, colour_of),
            output_dir,
            "area_by_module",
            "Area by module",
            "Cell area of every multiplier, of the constants unit and of the rest.",
            (),
        ),
    ]
