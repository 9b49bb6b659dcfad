"""Measures the energy of an exponentiation that a program calls with the key already loaded.

The measured energy is the one that a second call adds to a program with one call.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import rsaxcel.flow.subjects.system
from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.measure.errors import MeasureError
from rsaxcel.eval.measure.job import Job, Measurement, Progress
from rsaxcel.eval.measure.memo import memoize
from rsaxcel.flow import gates, power
from rsaxcel.flow.files import read_json
from rsaxcel.flow.gates.level import GateLevel
from rsaxcel.flow.interface import read_interface
from rsaxcel.flow.job import circuit_job, energy_job
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.flow.layout import SYNTHESIZED, TIMED
from rsaxcel.flow.nodes.power import power_period_ns
from rsaxcel.flow.outline import NETLIST, read_netlist, read_slews
from rsaxcel.flow.power.energy import EnergyModel
from rsaxcel.flow.requests import default_exponents
from rsaxcel.flow.run import RECORD, run
from rsaxcel.flow.subjects.system import SystemSubject
from rsaxcel.proc.elf import Image
from rsaxcel.proc.programs.build import build_calls
from rsaxcel.proc.systems import OVERHEAD, System, find_system

# Weight (estimated time) of the job per bit of width. Jobs begin in the order of their weights. The
# flow has a larger weight than this job, so it begins first; the job needs the flow's netlist.
_WEIGHT = 0.5
_CODE = (gates, power, rsaxcel.flow.subjects.system)
_COUNTS = {"once": 1, "twice": 2}


def loaded_energy(
    system: str,
    nbits: int,
    clock_ns: float,
    programs: Mapping[str, str],
    library: str = DEFAULT_LIBRARY,
) -> Measurement:
    """Measurement of the energy of a call with the key loaded, less the energy of a dummy call.

    ``programs`` names the measured programs by the subjects of their facts.
    """
    arguments = system, nbits, clock_ns, tuple(programs.values()), library
    label = f"energy with the key loaded {system} {nbits} at {clock_ns:g} ns"
    if library != DEFAULT_LIBRARY:
        label += f" in {library}"
    job = Job(label, loaded_energies, arguments, _WEIGHT * nbits, loaded_energies)
    about: Any = {"nbits": nbits, "clock_ns": clock_ns, "library": library, "stage": SYNTHESIZED}

    def facts(result: Mapping[str, Any]) -> Iterator[Fact]:
        own: Any = {**about, "activity": result["activity"]}
        for subject, program in programs.items():
            for operation, value in result["energies_nj"][program].items():
                measured = partial(Fact, subject, "loaded_energy_nj", value, "measured")
                yield measured(operation=operation, **own)

    return Measurement(job, facts)


def loaded_energies(
    system: str,
    nbits: int,
    clock_ns: float,
    programs: tuple[str, ...],
    library: str = DEFAULT_LIBRARY,
    activity: str = TIMED,
    progress: Progress | None = None,
) -> dict[str, Any] | None:
    """Energy in nJ that a second call adds, less that of the dummy, by program and operation.

    Energies are means over several bases. Results and netlist are checked against the RTL. Without
    ``progress``, the result is the stored one, or None. ``MeasureError``: the host computes the
    constants.
    """
    target = find_system(system, nbits)
    if target.constants:
        raise MeasureError(
            f"{system} needs constants from its host: no energy of a call with the key loaded"
        )
    if progress:
        run(energy_job(target, library, clock_ns, activity=activity), RECORD, progress)
    found = run(circuit_job(target, library, clock_ns), NETLIST, lookup=True)
    if found is None:
        return None
    files = found.files
    repeated = Repeated(target.design_name, nbits, target.configuration, target.values, programs)
    subject, exponents = SystemSubject(repeated), default_exponents(nbits)

    def measure(progress: Progress) -> dict[str, Any]:
        progress("one call and two on the netlist")
        netlist, slews = read_netlist(files, library, subject.design), read_slews(files)
        model = EnergyModel(netlist, slews)
        level = GateLevel(netlist, slews if activity == TIMED else None)
        timing = read_json(files["timing.json"])
        period_ns = power_period_ns(timing["clock_ns"], timing["min_period_ns"])
        energies = {}
        for done in subject.simulate(level, read_interface(files["interface.json"]), exponents):
            energy = model.energy(done.activity, period_ns=period_ns)
            energies[done.name] = energy.energy_per_operation_nj(done.operations)
        once, twice = _COUNTS

        def one_more(program: str, name: str) -> float:
            return energies[f"{program}_{twice}_{name}"] - energies[f"{program}_{once}_{name}"]

        found = {
            x: {name: one_more(x, name) - one_more(OVERHEAD, name) for name in exponents}
            for x in programs
        }
        return {"activity": activity, "energies_nj": found}

    code = (Path(str(x.__file__)) for x in _CODE)
    folders = (path.parent if path.stem == "__init__" else path for path in code)
    sources = (Path(__file__), *folders)
    inputs = {"netlist": found.key, "work": subject.work(exponents), "activity": activity}
    name = f"loaded energy {system} {nbits}, {activity}"
    return memoize(name, inputs, sources, measure, progress)


@dataclass(frozen=True)
class Repeated(System):
    """System whose programs, and the dummy program, call the exponentiation once or twice."""

    drivers: tuple[str, ...] = ()

    @property
    def programs(self) -> tuple[str, ...]:
        """Names of the variants, such as ``dummy_once`` and ``dummy_twice``."""
        return tuple(f"{x}_{count}" for x in (*self.drivers, OVERHEAD) for count in _COUNTS)

    def build(self, program: str) -> Image:
        driver, _, count = program.rpartition("_")
        return build_calls(driver, _COUNTS[count])
