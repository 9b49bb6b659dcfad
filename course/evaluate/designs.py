"""The designs of an evaluation: circuits alone, and the processor with programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rsaxcel import catalog
from rsaxcel.circuit import Target, is_product
from rsaxcel.course.programs import compile_program, with_programs
from rsaxcel.course.project import Project
from rsaxcel.proc.elf import Image
from rsaxcel.proc.systems import NULL_SYSTEM, OVERHEAD, System, find_system
from rsaxcel.store.errors import UserError

CIRCUIT, SOFTWARE, SYSTEM = ROLES = ("circuit", "software", "system")
"""A circuit alone; the processor alone, with software; the processor with the accelerator."""


@dataclass(frozen=True)
class Design:
    """A design of the evaluation."""

    role: str  #: of `ROLES`
    title: str
    target: Target
    #: Programs by their names, with what is shown of them; empty: the target is a circuit.
    programs: Mapping[str, str] = field(default_factory=dict)

    def without(self, programs: Sequence[str]) -> Design:
        """Return the design without some programs of the project."""
        system = self.target
        assert isinstance(system, System)
        kept = [x for x in system.programs if x not in programs]
        other = with_programs(system, {x: system.build(x) for x in kept})
        return Design(self.role, self.title, other, {x: self.programs[x] for x in kept})


def compiled(project: Project) -> dict[str, tuple[str, Image]]:
    """Compile the project's programs; file and image of each by its name, the baseline first."""
    found: dict[str, tuple[str, Image]] = {}
    for file in project.programs:
        name = Path(file).stem
        if not (name.isascii() and name.isidentifier()) or name in (*found, OVERHEAD):
            others = ", ".join((*found, OVERHEAD))
            raise UserError(
                f"evaluation.programs: {file}: a name of letters, digits and underscores is "
                f"allowed, other than {others}"
            )
        # messages name the file in the project, wherever that is
        found[name] = file, replace(compile_program(project.folder / file), name=file)
    return found


def designs_of(
    project: Project,
    nbits: int,
    programs: Mapping[str, tuple[str, Image]],
    around: str,
    remark: Callable[[str], object],
) -> Iterator[Design]:
    """Yield the designs of a project at a width, in the order of the report.

    A processor runs the project's programs, or those of rsaxcel if the project has none. A
    multiplier that comes without a design is in the design ``around``. ``remark`` gets a line on
    what is left out.
    """
    circuits = [catalog.find(x).configure(nbits) for x in project.circuits]
    for circuit in sorted(circuits, key=lambda x: not is_product(x)):
        kind = "multiplier" if is_product(circuit) else "accelerator"
        yield Design(CIRCUIT, f"{kind} {circuit.design_name} alone", circuit)
    power = next((x for x in circuits if not is_product(x)), None)
    params, of = {}, ""
    if power is None:
        params, of = {"multiplier": circuits[0].design_name}, f" of {circuits[0].design_name}"
        power = catalog.find(around).configure(nbits, **params)
        yield Design(CIRCUIT, f"{around}{of} alone", power)
    baseline = dict([*programs.items()][:1])
    yield _running(SOFTWARE, "processor with software", find_system(NULL_SYSTEM, nbits), baseline)
    is_own = project.settings.kind == "xcel"  # with registers of its own
    name = project.system if is_own else f"proc_{power.design_name}"
    try:
        system = find_system(name, nbits, **params)
    except ValueError as error:
        remark(f"the processor with {power.design_name} is left out: {error}")
        return
    yield _running(SYSTEM, f"processor with {power.design_name}{of}", system, programs)


def _running(
    role: str, title: str, system: System, programs: Mapping[str, tuple[str, Image]]
) -> Design:
    if programs:
        system = with_programs(system, {name: image for name, (_, image) in programs.items()})
    files = {name: file for name, (file, _) in programs.items()}
    return Design(role, title, system, {x: files.get(x, x) for x in system.programs})
