"""Activities for tests: the same for every net, or read from Verilator's SAIF."""

from __future__ import annotations

from pathlib import Path

from rsaxcel.flow.errors import PowerError
from rsaxcel.flow.power.activity import Activity
from rsaxcel.flow.power.netlist import Netlist
from tests.flow.saif import SaifScope


def uniform_activity(
    netlist: Netlist, *, toggles_per_cycle: float, cycles: float = 1.0
) -> Activity:
    """Return one activity for every net but the clock's, which toggle twice in a cycle."""
    toggles = {
        bit: cycles * (2.0 if bit in netlist.clock_nets else toggles_per_cycle)
        for bit in netlist.load_f
    }
    return Activity(cycles, toggles, dict.fromkeys(toggles, 0.5))


def activity_from_saif(
    path: str | Path,
    netlist: Netlist,
    *,
    baseline: str | Path | None = None,
    cycles: float | None = None,
) -> Activity:
    """Read what Verilator's ``--trace-saif --trace-underscore`` counted in the netlist.

    Parameters
    ----------
    path
        SAIF of a run of the netlist's Verilog. Every net starts at 0 in it, whatever its value.
    baseline
        SAIF of the same run, ended where the window of interest begins; it is subtracted, and
        with it the false first toggles.
    cycles
        Clock cycles in the window; by default half the toggles of the clock.

    Raises
    ------
    PowerError
        If a file is not readable, a net that something reads is not in it, the window is
        empty, or the baseline is not the beginning of the run.
    """
    run = SaifScope.read(path, netlist.top)
    base = None if baseline is None else SaifScope.read(baseline, netlist.top)
    duration = run.duration - (base.duration if base else 0)
    if duration <= 0:
        raise PowerError(f"{path}: nothing is left after the baseline {baseline}")
    toggles, high = {}, {}
    for bit in netlist.observed:
        names = netlist.names.get(bit, ())
        high_time, count = run.find(names)
        if base is not None:
            base_time, base_count = base.find(names)
            high_time, count = high_time - base_time, count - base_count
        if count < 0 or not 0 <= high_time <= duration:
            name = netlist.name_of(bit)
            raise PowerError(f"{baseline} is not the beginning of {path}: net {name} differs")
        toggles[bit], high[bit] = float(count), high_time / duration
    if cycles is None:
        cycles = max((toggles.get(bit, 0.0) for bit in netlist.clock_nets), default=0.0) / 2
    if cycles <= 0:
        raise PowerError(f"{path}: no clock cycle in the window")
    return Activity(cycles, toggles, high)
