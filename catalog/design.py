"""What the registry lists: designs, and multipliers used alone; each makes configurations."""

from dataclasses import dataclass
from typing import Any

from rsaxcel.catalog.choices import Entry, check_width, refuse_parameter
from rsaxcel.catalog.configuration import Configuration, MultiplierConfiguration
from rsaxcel.catalog.fit import resolve
from rsaxcel.catalog.multipliers import check_outside, design_widths
from rsaxcel.catalog.units import Classes, Unit
from rsaxcel.plan.parameters import Parameter, parse_parameters

DEFAULT_NBITS = 32  # default width of operands in bits


@dataclass(frozen=True)
class Design(Entry):
    """An exponentiator with a name: one choice on each axis."""

    @property
    def widths(self) -> range:
        """Widths of operands that are supported, in bits."""
        return design_widths(self.multiplier.fl)

    @property
    def default_nbits(self) -> int:
        """Default width of operands in bits."""
        return nearest_default(self.widths)

    @property
    def default(self) -> Configuration:
        """The design with its default parameters, at its default width."""
        return self.configure(self.default_nbits)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Parameters of multiplier, domain, schedule, and units that compute constants of m."""
        return self.default.choices.parameters

    def configure(self, nbits: int = DEFAULT_NBITS, /, **params: Any) -> Configuration:
        """Make a configuration of the design; width, choices and parameters are checked.

        ``params`` holds choices on the axes, and parameters, each as a value or as text;
        ``ValueError`` lists the allowed values.
        """
        choices = resolve(self, nbits, params)
        # The design's own choices: the name of a configuration and its records list only choices
        # that differ from the design's.
        own = resolve(self, nbits if nbits in self.widths else self.default_nbits, {})
        found = Configuration(self, nbits, choices, own.tokens)
        if not found.composition:
            return found
        # Beside another choice, one of the design's own may be unusual: it is listed, too, because
        # it would not follow from the others.
        again = dict(resolve(self, nbits, found.params).tokens)
        kept = tuple((k, v) for k, v in own.tokens if again.get(k) == dict(choices.tokens).get(k))
        return Configuration(self, nbits, choices, kept)


@dataclass(frozen=True)
class MultiplierEntry:
    """A multiplier of the registry, to be simulated and synthesized alone."""

    classes: Classes

    @property
    def name(self) -> str:
        """Name in the registry."""
        return self.classes.name

    @property
    def summary(self) -> str:
        """One line of text."""
        doc = (self.classes.fl.__doc__ or "").partition("\n")[0]
        return doc.replace("``", "").rstrip(".")

    @property
    def source(self) -> str:
        """Where the multiplier comes from."""
        return self.classes.fl.source

    @property
    def widths(self) -> range:
        """Widths of operands that are supported, in bits."""
        return self.classes.fl.widths

    @property
    def default_nbits(self) -> int:
        """Default width of operands in bits."""
        return nearest_default(self.widths)

    @property
    def default(self) -> MultiplierConfiguration:
        """The multiplier with its defaults, at its default width."""
        return self.configure(self.default_nbits)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Parameters of the multiplier."""
        return self.classes.fl.parameters

    def configure(self, nbits: int = DEFAULT_NBITS, /, **params: Any) -> MultiplierConfiguration:
        """Make a configuration of the multiplier; width and parameters (or texts) are checked."""
        check_width(nbits, self.widths, self.name)
        check_outside(self.classes)
        left = dict(params)
        values = parse_parameters(self.parameters, left, nbits)
        for name, value in left.items():
            refuse_parameter(name, value, self.name, [p.name for p in self.parameters])
        return MultiplierConfiguration(self, nbits, Unit(self.classes, values))


def nearest_default(widths: range) -> int:
    """Return the width in ``widths`` that is nearest to ``DEFAULT_NBITS``."""
    return max(widths[0], min(DEFAULT_NBITS, widths[-1]))
