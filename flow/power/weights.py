"""Energy of one toggle of each net, from the energies of a whole activity.

The energy model is linear in the toggles of an activity, as long as the nets' probabilities and the
ratios of their toggles stay the same. So a pin's energy, divided by its toggles in an activity that
is typical of the circuit, is a weight: added up over the toggles of that activity, the weights give
the model's dynamic energy.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

from flow.power.activity import Activity
from flow.power.bank import Bank
from flow.power.energy import TOP, EnergyModel, charging_j
from flow.power.liberty import Pin
from flow.power.netlist import Instance, Netlist

_FJ = 1e15
# Toggles in a window of a net that did not toggle there: a small number gives its weight, too.
_RARE = 1e-6


@dataclass(frozen=True)
class ModuleWeights:
    """Energies in fJ inside a module, without the modules inside it, and of the nets it drives.

    Parameters
    ----------
    toggles_fj
        Energy of a toggle, by net.
    pulses_fj
        Energy of a pulse of gated clocks, by the net of the clock gate's enable.
    every_cycle_fj
        Energy of the clock that is never gated, in a cycle.
    """

    toggles_fj: Mapping[int, float]
    pulses_fj: Mapping[int, float]
    every_cycle_fj: float


@dataclass(frozen=True)
class Weights:
    """Weights of a netlist, by the path of the module instance; see ``energy.TOP``."""

    by_module: Mapping[str, ModuleWeights]

    def total_fj(self, activity: Activity) -> float:
        """Dynamic energy of an activity in fJ: toggles and pulses by their weights."""
        sums = 0.0
        for own in self.by_module.values():
            sums += own.every_cycle_fj * activity.cycles
            sums += sum(x * activity.toggles[bit] for bit, x in own.toggles_fj.items())
            pulses = own.pulses_fj.items()
            sums += sum(x * activity.high[bit] * activity.cycles for bit, x in pulses)
        return sums


def weights_of(model: EnergyModel, activity: Activity) -> Weights:
    """Return the weights of the toggles of a netlist.

    Parameters
    ----------
    model
        Energy model of the netlist.
    activity
        An activity typical of the circuit: it decides the mean over the states in which a pin
        toggles.
    """
    toggles = {bit: max(count, _RARE) for bit, count in activity.toggles.items()}
    typical = replace(activity, toggles=toggles)
    collected = _Collector(model.netlist, typical)
    for bank, pin, energies_j in model.pins(typical):
        for instance, energy_j in zip(bank.instances, energies_j.tolist(), strict=True):
            collected.add_pin(bank, pin, instance, energy_j)
    for bit, toggle_j in charging_j(model.netlist).items():
        collected.add(model.netlist.module_of.get(bit, TOP), bit, toggle_j)
    return collected.weights()


class _Collector:
    def __init__(self, netlist: Netlist, activity: Activity) -> None:
        self.netlist, self.toggles = netlist, activity.toggles
        self.of_toggles: defaultdict[str, defaultdict[int, float]] = defaultdict(_sums)
        self.of_pulses: defaultdict[str, defaultdict[int, float]] = defaultdict(_sums)
        self.always: defaultdict[str, float] = defaultdict(float)

    def add_pin(self, bank: Bank, pin: Pin, instance: Instance, energy_j: float) -> None:
        """Add the energy of all toggles of a pin to the net that causes it."""
        if energy_j == 0.0:
            return
        causes = [instance.nets.get(pin.name)]
        if causes[0] not in self.toggles:
            causes = _causes(bank, pin, instance)
        nets = [bit for bit in causes if isinstance(bit, int) and bit in self.toggles]
        count = sum(self.toggles[bit] for bit in nets)
        for bit in nets:
            self.add(instance.module, bit, energy_j / count)

    def add(self, module: str, bit: int, toggle_j: float) -> None:
        """Add the energy of one toggle of a net."""
        if bit not in self.netlist.clock_nets:
            self.of_toggles[module][bit] += toggle_j
        elif (enable := self.netlist.gated_clocks.get(bit, "1")) == "1":
            self.always[module] += 2 * toggle_j
        elif isinstance(enable, int):
            self.of_pulses[module][enable] += 2 * toggle_j

    def weights(self) -> Weights:
        modules = sorted({TOP, *self.of_toggles, *self.of_pulses, *self.always})
        return Weights(
            {
                module: ModuleWeights(
                    {bit: _FJ * x for bit, x in self.of_toggles[module].items()},
                    {bit: _FJ * x for bit, x in self.of_pulses[module].items()},
                    _FJ * self.always[module],
                )
                for module in modules
            }
        )


def _sums() -> defaultdict[int, float]:
    return defaultdict(float)


def _causes(bank: Bank, pin: Pin, instance: Instance) -> list[int | str | None]:
    """Nets whose toggles cause those of an output that nothing reads.

    For a flip-flop, this is its other output; for a gate, its inputs.
    """
    if bank.polarity(pin) is not None:
        others = [x for x in bank.cell.outputs if bank.polarity(x) is not None]
    else:
        others = list(bank.cell.inputs)
    return [instance.nets.get(x.name) for x in others if x is not pin]
