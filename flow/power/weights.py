"""Energy of one toggle of each net, from the energies of a whole activity.

The energy model is linear in the toggles of an activity while probabilities and ratios of toggles
stay the same. So a pin's energy over its toggles, in a typical activity, is a weight: added up over
that activity, the weights give the model's dynamic energy.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from rsaxcel.flow.names import module_path
from rsaxcel.flow.power.activity import Activity
from rsaxcel.flow.power.bank import CellBank
from rsaxcel.flow.power.energy import TOP, EnergyModel, charging_j
from rsaxcel.flow.power.liberty import Pin
from rsaxcel.flow.power.netlist import Instance, Netlist

_FJ = 1e15
# Toggles in a window of a net that did not toggle there: a small number gives its weight, too.
_RARE = 1e-6


#: Function that maps a cell's name to the part of the cell; None: the cell is in no part.
Part = Callable[[str], str | None]


@dataclass(frozen=True)
class PartWeights:
    """Energies in fJ inside the cells of a part, and of the nets that these cells drive."""

    toggles_fj: Mapping[int, float]  #: energy of a toggle, by net
    pulses_fj: Mapping[int, float]  #: energy of a pulse of gated clocks, by net of the enable
    every_cycle_fj: float  #: energy of the clock that is never gated, per cycle


def weights_of(
    model: EnergyModel, activity: Activity, part: Part = module_path
) -> dict[str, PartWeights]:
    """Return the weights of toggles by part, which depend on the typical states of ``activity``.

    Nets that ports drive are of the part ``energy.TOP``. ``part`` gives the innermost module
    instance, or is ``flow.names.register_part``.
    """
    toggles = {bit: max(count, _RARE) for bit, count in activity.toggles.items()}
    typical = replace(activity, toggles=toggles)
    collected = _Collector(model.netlist, typical, part)
    for bank, pin, energies_j in model.pins(typical):
        for instance, energy_j in zip(bank.instances, energies_j.tolist(), strict=True):
            collected.add_pin(bank, pin, instance, energy_j)
    for bit, toggle_j in charging_j(model.netlist).items():
        driver = model.netlist.drivers.get(bit)
        collected.add(TOP if driver is None else part(driver), bit, toggle_j)
    return collected.weights()


class _Collector:
    def __init__(self, netlist: Netlist, activity: Activity, part: Part) -> None:
        self.netlist, self.toggles, self.part = netlist, activity.toggles, part
        self.of_toggles: defaultdict[str, defaultdict[int, float]] = defaultdict(_sums)
        self.of_pulses: defaultdict[str, defaultdict[int, float]] = defaultdict(_sums)
        self.always: defaultdict[str, float] = defaultdict(float)
        self.causes: dict[tuple[str, str], list[str]] = {}

    def add_pin(self, bank: CellBank, pin: Pin, instance: Instance, energy_j: float) -> None:
        """Add the energy of all toggles of a pin to the net that causes it."""
        part = self.part(instance.name)
        if energy_j == 0.0 or part is None:
            return
        causes = [instance.nets.get(pin.name)]
        if causes[0] not in self.toggles:
            causes = [instance.nets.get(x) for x in self._causes(bank, pin)]
        nets = [bit for bit in causes if isinstance(bit, int) and bit in self.toggles]
        count = sum(self.toggles[bit] for bit in nets)
        for bit in nets:
            self.add(part, bit, energy_j / count)

    def add(self, part: str | None, bit: int, toggle_j: float) -> None:
        """Add the energy of one toggle of a net."""
        if part is None:
            return
        if bit not in self.netlist.clock_nets:
            self.of_toggles[part][bit] += toggle_j
        elif (enable := self.netlist.gated_clocks.get(bit, "1")) == "1":
            self.always[part] += 2 * toggle_j
        elif isinstance(enable, int):
            self.of_pulses[part][enable] += 2 * toggle_j

    def _causes(self, bank: CellBank, pin: Pin) -> list[str]:
        """Pins that cause an unread output's toggles: a flip-flop's other output, or inputs."""
        key = bank.cell.name, pin.name
        if key not in self.causes:
            others = list(bank.cell.inputs)
            if bank.polarity(pin) is not None:
                others = [x for x in bank.cell.outputs if bank.polarity(x) is not None]
            self.causes[key] = [x.name for x in others if x is not pin]
        return self.causes[key]

    def weights(self) -> dict[str, PartWeights]:
        parts = sorted({TOP, *self.of_toggles, *self.of_pulses, *self.always})
        return {
            part: PartWeights(
                {bit: _FJ * x for bit, x in self.of_toggles[part].items()},
                {bit: _FJ * x for bit, x in self.of_pulses[part].items()},
                _FJ * self.always[part],
            )
            for part in parts
        }


def _sums() -> defaultdict[int, float]:
    return defaultdict(float)
