"""Slews of all pins, from the static timing analyzer OpenSTA (command `sta`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isinf
from pathlib import Path

from rsaxcel.flow.errors import PowerError
from rsaxcel.flow.power.liberty import RISE, Edge
from rsaxcel.flow.yosys_json import without_collection

_UNIT_S = 1e-9  #: unit of the slews from the flow's timing analysis; set in opensta.tcl


@dataclass(frozen=True, repr=False)
class Slews:
    """Rise and fall slew in seconds of every pin, by instance and pin name."""

    by_pin_s: Mapping[tuple[str, str], tuple[float, float]]

    def slew_s(self, instance: str, pin: str, edge: Edge) -> float:
        """Return a slew in seconds; ``PowerError`` if the timing tool did not report the pin."""
        try:
            rise, fall = self.by_pin_s[instance, pin]
        except KeyError:
            raise PowerError(f"no slew is known for pin {pin} of cell {instance}") from None
        return rise if edge == RISE else fall

    @classmethod
    @without_collection()
    def from_file(cls, path: str | Path) -> Slews:
        """Read a file of slews from OpenSTA: lines with a pin, its rise slew and its fall slew."""
        by_pin_s = {}
        # Tcl puts names with brackets into braces; OpenSTA escapes the brackets.
        text = Path(path).read_text().translate(dict.fromkeys(map(ord, "\\{}")))
        for number, line in enumerate(text.splitlines(), start=1):
            name, *values = line.split()
            instance, _, pin = name.rpartition("/")
            try:
                rise, fall = map(float, values)
            except ValueError as error:
                raise PowerError(f"{path}, line {number}: not a pin and two slews") from error
            # inf: an edge that never comes, such as one behind a clock gate that stays shut
            rise, fall = (0.0 if isinf(x) else x for x in (rise, fall))
            by_pin_s[instance, pin] = rise * _UNIT_S, fall * _UNIT_S
        return cls(by_pin_s)
