"""How one subject does against another, measured and printed."""

from collections.abc import Mapping
from dataclasses import dataclass

from eval.report import derived
from eval.report.comparison import ranking
from eval.report.published import Published
from eval.report.results import OPERATIONS, Result


@dataclass(frozen=True)
class Headline:
    """Ratios of one subject over another.

    Parameters
    ----------
    base, other : Result
        The subjects.
    speed, energy : dict of str to float
        Ratios by operation, of operations per second and of energy per operation.
    area : float
        Ratio.
    printed_speed, printed_energy : dict of str to (float or None)
        The document's, where it prints them or what they follow from.
    printed_area : float or None
        The document's.
    """

    base: Result
    other: Result
    speed: dict[str, float]
    energy: dict[str, float]
    area: float
    printed_speed: dict[str, float | None]
    printed_energy: dict[str, float | None]
    printed_area: float | None


def headline(
    results: Mapping[str, Result], published: Published, base: str, other: str
) -> Headline | None:
    """Compare two subjects; None if one of them has no figures."""
    if base not in results or other not in results:
        return None
    one, two = results[base], results[other]

    def ratios(figure: str) -> dict[str, float]:
        return {
            x: getattr(two.operations[x], figure) / getattr(one.operations[x], figure)
            for x in OPERATIONS
        }

    def printed(one: tuple[str, ...], other: tuple[str, ...]) -> float | None:
        figure = derived.ratio(published.get(*one), published.get(*other), "ratio")
        return figure.value if figure else None

    return Headline(
        one,
        two,
        ratios("operations_per_s"),
        ratios("energy_nj"),
        two.area_um2 / one.area_um2,
        {
            x: printed((base, x, "cycles_normalized"), (other, x, "cycles_normalized"))
            for x in OPERATIONS
        },
        {
            x: printed((other, x, "energy_normalized"), (base, x, "energy_normalized"))
            for x in OPERATIONS
        },
        printed((two.hardware, "area"), (one.hardware, "area")),
    )


@dataclass(frozen=True)
class Order:
    """Subjects by their normalized energy, the least first.

    Parameters
    ----------
    operation : str
        Of which operation.
    measured, printed : tuple of str
        Names; those alone of which a document prints the energy.
    """

    operation: str
    measured: tuple[str, ...]
    printed: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Whether the measured order is the printed one."""
        return self.measured == self.printed


def energy_orders(results: Mapping[str, Result], published: Published) -> list[Order]:
    """Order of every operation; none if fewer than two have printed energies."""
    orders = []
    for x in OPERATIONS:
        printed = {name: published.value(name, x, "energy_normalized") for name in results}
        theirs = ranking(printed)
        ours = ranking({name: results[name].operations[x].energy_nj for name in theirs})
        if len(theirs) > 1:
            orders.append(Order(x, tuple(ours), tuple(theirs)))
    return orders
