"""Energy of a netlist from measured toggles: switching, internal, clock and leakage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields

import numpy as np

from rsaxcel.flow.errors import PowerError
from rsaxcel.flow.power.activity import Activity
from rsaxcel.flow.power.bank import Bank, Banks
from rsaxcel.flow.power.internal import input_energy_j, leakage_w, output_energy_j
from rsaxcel.flow.power.liberty import Pin
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.power.slews import Slews

TOP = ""  # module path of the top module's cells, and of nets that ports drive


@dataclass(frozen=True)
class EnergyItems:
    """Energy of a window in joules, split into items that add up to the total."""

    switching_j: float = 0.0  # nets that cells drive, without clock nets
    input_nets_j: float = 0.0  # nets that input ports drive, without clock nets
    internal_combinational_j: float = 0.0
    internal_sequential_j: float = 0.0  # for toggles of outputs and data pins
    clock_pins_j: float = 0.0  # in registers; also all inside clock gates and clock buffers
    clock_nets_j: float = 0.0
    leakage_j: float = 0.0

    @property
    def internal_j(self) -> float:
        return self.internal_combinational_j + self.internal_sequential_j + self.clock_pins_j

    @property
    def clock_j(self) -> float:
        """Energy of the clock: clock nets, and toggles of clock pins inside cells."""
        return self.clock_nets_j + self.clock_pins_j

    @property
    def total_j(self) -> float:
        return sum(getattr(self, item.name) for item in fields(self))

    def __add__(self, other: EnergyItems) -> EnergyItems:
        names = [item.name for item in fields(self)]
        return EnergyItems(**{n: getattr(self, n) + getattr(other, n) for n in names})


@dataclass(frozen=True)
class Energy:
    """Energy of a netlist over a window."""

    items: EnergyItems
    # Energy by path of a module, without the modules inside it; a clock net belongs to TOP.
    by_module: Mapping[str, EnergyItems]
    by_cell: Mapping[str, float]  # joules inside the cell, with leakage, without nets
    cycles: float  # length of the window
    period_ns: float

    @property
    def time_s(self) -> float:
        return self.cycles * self.period_ns * 1e-9

    @property
    def power_mw(self) -> float:
        return self.items.total_j / self.time_s * 1e3

    def energy_per_operation_nj(self, operations: int) -> float:
        if operations < 1:
            raise PowerError(f"operations must be at least 1, not {operations}")
        return self.items.total_j / operations * 1e9

    def items_mw(self) -> dict[str, float]:
        """Return the power of every item in milliwatts, under names that end in ``_mw``."""
        return {
            item.name.removesuffix("_j") + "_mw": getattr(self.items, item.name) / self.time_s * 1e3
            for item in fields(self.items)
        }


@dataclass(frozen=True, eq=False)
class Window:
    """Energy of all counted cycles of a type of operation."""

    netlist: Netlist
    activity: Activity
    energy: Energy
    lower: Energy | None  # without glitches; None: not counted
    operations: float  # smaller in proportion if only part of each was simulated


class EnergyModel:
    """Computes energies of a netlist for any number of activities."""

    def __init__(self, netlist: Netlist, slews: Slews) -> None:
        self.netlist = netlist
        self._banks = Banks(netlist, slews)
        self._modules: dict[str, tuple[np.ndarray, np.ndarray]] = {}

    def energy(self, activity: Activity, *, period_ns: float) -> Energy:
        """Return the energy for an activity; see ``analyse``."""
        if not period_ns > 0:
            raise PowerError(f"period_ns must be positive, not {period_ns}")
        time_s = activity.cycles * period_ns * 1e-9
        by_module: dict[str, EnergyItems] = {}
        by_cell: dict[str, float] = {}

        def add(module: str, item: str, energy_j: float) -> None:
            more = EnergyItems(**{item: energy_j})
            by_module[module] = by_module.get(module, EnergyItems()) + more

        for bank in self._banks.under(activity):
            modules, member = self._members(bank)
            items = _cell_items(bank, time_s)
            self._move_clock_buffers(bank, items)
            names = (instance.name for instance in bank.instances)
            by_cell.update(zip(names, sum(items.values(), bank.zeros).tolist(), strict=True))
            for item, cell_j in items.items():
                sums = np.bincount(member, weights=cell_j, minlength=len(modules))
                for module, total_j in zip(modules, sums, strict=True):
                    add(str(module), item, float(total_j))

        for item, module, net_j in _net_items(self.netlist, activity):
            add(module, item, net_j)
        return Energy(
            items=sum(by_module.values(), EnergyItems()),
            by_module=dict(sorted(by_module.items())),
            by_cell=by_cell,
            cycles=activity.cycles,
            period_ns=period_ns,
        )

    def pins(self, activity: Activity) -> Iterator[tuple[Bank, Pin, np.ndarray]]:
        """Yield each pin of each cell type, with the joules inside each instance."""
        # Added up, they are `internal_j` of `energy`.
        for bank in self._banks.under(activity):
            for pin, energy_j in _pin_energies(bank):
                yield bank, pin, energy_j

    def _move_clock_buffers(self, bank: Bank, items: dict[str, np.ndarray]) -> None:
        """Count the energy inside combinational cells that drive clock nets as the clock's."""
        if bank.cell.sequential is not None or "internal_combinational_j" not in items:
            return
        in_clock = bank.fixed("in the clock tree", lambda: self._drives_clock(bank))
        if in_clock.any():
            inside = items["internal_combinational_j"]
            items["clock_pins_j"] = np.where(in_clock, inside, 0.0)
            items["internal_combinational_j"] = np.where(in_clock, 0.0, inside)

    def _drives_clock(self, bank: Bank) -> np.ndarray:
        clock = self.netlist.clock_nets
        outputs = [pin.name for pin in bank.cell.outputs]
        return np.array([any(x.nets.get(pin) in clock for pin in outputs) for x in bank.instances])

    def _members(self, bank: Bank) -> tuple[np.ndarray, np.ndarray]:
        """Modules of the instances in a bank, and for each instance the index of its module."""
        if bank.cell.name not in self._modules:
            modules = [instance.module for instance in bank.instances]
            self._modules[bank.cell.name] = np.unique(modules, return_inverse=True)
        return self._modules[bank.cell.name]


def analyse(netlist: Netlist, activity: Activity, slews: Slews, *, period_ns: float) -> Energy:
    """Return the energy of a netlist for an activity."""
    # `PowerError` if activity or slews lack a net or pin, or the period is not positive.
    return EnergyModel(netlist, slews).energy(activity, period_ns=period_ns)


def by_instance_j(netlist: Netlist, activity: Activity, energy: Energy) -> np.ndarray:
    """Return the energy of each instance in joules: inside the cell, and of the nets it drives.

    Only nets that input ports drive are in no instance.
    """
    half_v2 = netlist.library.nominal_v**2 / 2
    load_f, toggles = netlist.load_f, activity.toggles
    found = np.empty(len(netlist.instances))
    for at, instance in enumerate(netlist.instances):
        own_j = energy.by_cell[instance.name]
        for pin in instance.cell.outputs:
            bit = instance.nets.get(pin.name)
            if isinstance(bit, int) and (charged_f := load_f.get(bit, 0.0)):
                own_j += charged_f * half_v2 * toggles[bit]
        found[at] = own_j
    return found


def _cell_items(bank: Bank, time_s: float) -> dict[str, np.ndarray]:
    """Return the energy of each instance of one cell type, by item of ``EnergyItems``."""
    sequential = bank.cell.sequential
    items = {"leakage_j": leakage_w(bank) * time_s}
    for pin, energy_j in _pin_energies(bank):
        if sequential is None:
            item = "internal_combinational_j"
        elif pin.clock or pin.name in sequential.clock.pins or bank.cell.clock_gate:
            item = "clock_pins_j"
        else:
            item = "internal_sequential_j"
        items[item] = items.get(item, bank.zeros) + energy_j
    return items


def _pin_energies(bank: Bank) -> Iterator[tuple[Pin, np.ndarray]]:
    """Yield the pins of a cell type that take energy, with the energy inside each instance."""
    for pin in bank.cell.pins.values():
        if pin.internal_powers:
            yield pin, output_energy_j(bank, pin) if pin.is_output else input_energy_j(bank, pin)


def _net_items(netlist: Netlist, activity: Activity) -> list[tuple[str, str, float]]:
    """Return the energy that charges the nets: item of ``EnergyItems``, module and joules."""
    module_of = netlist.module_of
    charged: dict[tuple[str, str], float] = {}
    for bit, toggle_j in charging_j(netlist).items():
        if bit in netlist.clock_nets:
            key = "clock_nets_j", TOP
        elif bit in module_of:
            key = "switching_j", module_of[bit]
        else:
            key = "input_nets_j", TOP
        charged[key] = charged.get(key, 0.0) + toggle_j * activity.toggles[bit]
    return [(item, module, energy_j) for (item, module), energy_j in charged.items()]


def charging_j(netlist: Netlist) -> dict[int, float]:
    """Return the energy in joules of a toggle of each net with a capacitance."""
    # A rise draws C V^2 from the supply: half is lost in the rise, half in the fall.
    half_v2 = netlist.library.nominal_v**2 / 2
    return {bit: load_f * half_v2 for bit, load_f in netlist.load_f.items() if load_f}
