"""Records traces of a design's operations on its netlist, and checks their results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from rsaxcel.circuit import Circuit
from rsaxcel.flow.errors import FlowError
from rsaxcel.flow.gates.engine import LANES
from rsaxcel.flow.gates.traces import Traced, TracedSimulator
from rsaxcel.flow.layout import NOT_PLACED, TIMED, ZERO, Layout
from rsaxcel.flow.names import register_part
from rsaxcel.flow.outline import read_slews
from rsaxcel.flow.power.activity import Activity
from rsaxcel.flow.power.energy import TOP, EnergyModel
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.flow.power.slews import Slews
from rsaxcel.flow.power.weights import PartWeights, weights_of
from rsaxcel.lab.design_netlist import DesignNetlist, read_files
from rsaxcel.sim.answers import Expected, difference
from rsaxcel.sim.corners import Operands
from rsaxcel.sim.operations import expected_response, operation
from rsaxcel.sim.runners import cycles_of
from rsaxcel.sim.translate import VerilogModule
from rsaxcel.store.code import closure, code_digest

_SLACK = 8
_LONGER = 3  #: multiple of a typical operation's cycles that an operation may take
_LARGEST_NBYTES = 5 << 28
_MOST_IN_TURN = 8
_MOST_COLUMNS = 4e6  #: cycles times modules, above which modules are joined
#: most cycles times modules and registers: above, no registers are recorded
_MOST_COLUMNS_OF_REGISTERS = 1e6
_REGISTERS_SEED = 0

_LAB = Path(__file__).parents[1]
#: Files whose imports make the netlist: its key has their code.
_AROUND = _LAB / "design_netlist.py", _LAB.with_name("flow") / "outline.py"


@dataclass(frozen=True, eq=False)
class Traces:
    """Energies of operations; a trace begins in the cycle in which its request is offered."""

    #: energies by trace, cycle and column (circuit; modules, each without inner ones; registers); 0
    #: after the end of a trace
    energies_fj: np.ndarray
    lengths: np.ndarray  #: cycles until the response is taken
    accepted: np.ndarray  #: cycle in which the request is accepted
    valid: np.ndarray  #: first cycle of the response


@dataclass(frozen=True)
class Typical:
    """Typical operations, by which a recorder is calibrated."""

    activity: Activity
    cycles: int  #: most cycles from the end of an operation to the end of the next one


class Recorder(DesignNetlist):
    """The netlist of a design, whose operations are run to record their energies.

    ``calibration``: operands of typical operations, whose activity decides the weights.
    ``activity``: ``timed`` (gates have delays, traces glitches) or ``zero``. ``kept`` returns what
    the function that it gets makes, or made earlier.
    """

    def __init__(
        self,
        configuration: Circuit,
        netlist: Netlist,
        interface: VerilogModule,
        slews: Slews,
        calibration: Sequence[Sequence[Operands]],
        activity: str = ZERO,
        kept: Callable[[Callable[[], Typical]], Typical] = lambda make: make(),
    ) -> None:
        super().__init__(configuration, netlist, interface)
        self._operation = operation(configuration)
        self.activity = activity
        self._cut_energies = np.zeros(0, np.float32)  # kept: new memory takes long
        self.simulator = TracedSimulator(netlist, slews if activity == TIMED else None)
        self.cycles = max(cycles_of(configuration, [lane[0] for lane in calibration]))
        found = kept(lambda: self._typical(calibration))
        model, typical, self.cycles = EnergyModel(netlist, slews), found.activity, found.cycles
        self.weights = weights_of(model, typical)
        self.modules, groups = _groups(self.weights, self.cycles)
        self.registers: list[str] = []
        of_registers: dict[str, PartWeights] = {}
        parts = {register_part(instance.name) for instance in netlist.instances}
        if (len(self.modules) + len(parts)) * self.cycles < _MOST_COLUMNS_OF_REGISTERS:
            of_registers |= weights_of(model, typical, register_part)
            self.registers = [name for name in of_registers if name != TOP]
        groups |= {name: n for n, name in enumerate(self.registers, start=len(self.modules))}
        self.simulator.weigh({**of_registers, **self.weights}, groups)

    @classmethod
    def of_files(
        cls,
        configuration: Circuit,
        files: Mapping[str, Path],
        library: str,
        calibration: Sequence[Sequence[Operands]],
        activity: str = ZERO,
        layout: Layout = NOT_PLACED,
        **options: Any,
    ) -> Recorder:
        """Make a recorder from the files that ``netlist_files`` returns for a layout."""
        netlist, interface = read_files(files, library, layout)
        slews = read_slews(files, layout)
        return cls(configuration, netlist, interface, slews, calibration, activity, **options)

    def _typical(self, calibration: Sequence[Sequence[Operands]]) -> Typical:
        run = self._simulate(calibration, counts=True).run
        return Typical(run.activity, int((run.taken[:, 1:] - run.taken[:, :-1]).max()))

    @cached_property
    def in_turn(self) -> int:
        """Number of operations of a lane whose traces one simulation gives."""
        nbytes = 4 * LANES * self.cycles * self.simulator.group_count
        return max(1, min(_MOST_IN_TURN, _LARGEST_NBYTES // nbytes))

    def record(self, lanes: Sequence[Sequence[Operands]]) -> Iterator[Traces]:
        """Run operations one after the other in each lane; give traces of all but the first.

        The energies of a turn hold until the next turn.
        """
        # The first operation brings the circuit into the state of a circuit in use.
        traced = self._simulate(lanes)
        return (self._cut(traced, turn) for turn in range(1, len(lanes[0])))

    def _cut(self, traced: Traced, turn: int) -> Traces:
        run, energies_fj = traced.run, traced.energies_fj
        first, last = run.taken[:, turn - 1] + 1, run.taken[:, turn]
        lengths = last - first + 1
        modules = len(self.modules)
        columns = 1 + self.simulator.group_count
        # Lanes are the last axis in memory, as in the simulator's rows.
        shape = int(lengths.max()), columns, len(first)
        if self._cut_energies.size < prod(shape):
            self._cut_energies = np.zeros(prod(shape), np.float32)
        cut = self._cut_energies[: prod(shape)].reshape(shape)
        if lengths.min() < lengths.max():
            cut[:] = 0.0
        for begin, length in sorted({*zip(first.tolist(), lengths.tolist(), strict=True)}):
            alike = np.flatnonzero((first == begin) & (lengths == length))
            lanes = slice(None) if len(alike) == len(first) else alike
            cut[:length, 1:, lanes] = energies_fj[begin : begin + length, :, lanes]
        cut[:, 1 : 1 + modules].sum(axis=1, out=cut[:, 0])
        energies = cut.transpose(2, 0, 1)
        return Traces(energies, lengths, run.accepted[:, turn] - first, run.valid[:, turn] - first)

    def _simulate(self, lanes: Sequence[Sequence[Operands]], counts: bool = False) -> Traced:
        """Simulate operations, check results and cycles; the first operation is not counted."""
        configuration, digits = self.configuration, self.digits
        most = _LONGER * (self.cycles + configuration.load_cycles + sum(digits) + _SLACK)
        traced = self.simulator.trace(
            [[self.request(row) for row in lane] for lane in lanes],
            capacity=most * len(lanes[0]),
            uncounted=1,
            counts=counts,
            registers=np.random.default_rng(_REGISTERS_SEED),
            digits=digits,
            max_idle_cycles=most,
        )
        run, modelled = traced.run, dict[Operands, int | None]()
        for lane, rows in enumerate(lanes):
            for turn, row in enumerate(rows):
                cycles = int(run.latencies[lane, turn])
                # The model takes longer than the netlist at small widths. So it runs once for all
                # operations that differ only in operands on which the cycles do not depend, as
                # declared; the test of time compares the model with this declaration.
                alike = self._counted(row)
                if alike not in modelled:
                    modelled[alike] = configuration.cycles(*row)
                expected = Expected(expected_response(self._operation, row), modelled[alike])
                got = self.response(run.responses[lane][turn])
                if told := difference(expected, got, cycles):
                    raise FlowError(f"the netlist of {configuration.name}, for {row}: {told}")
        return traced

    def _counted(self, operands: Operands) -> Operands:
        """Operands, with 0 for those on which the cycles do not depend, as declared."""
        base, exponent, modulus = operands
        still = self.configuration.base_dependent, self.configuration.exponent_dependent
        return base * (still[0] is not False), exponent * (still[1] is not False), modulus


def code_of(module: str) -> str:
    """Digest of the file of a module with all by which its traces are measured."""
    read = closure([Path(module)], [_LAB, *(_LAB.with_name(x) for x in ("flow", "sim"))], _AROUND)
    return code_digest([*read, *_AROUND])


def _groups(modules: Mapping[str, object], cycles: int) -> tuple[list[str], dict[str, int]]:
    """Names of the columns, and the column of each module."""
    # In long traces, a module inside an instance of the top module counts as that instance, so that
    # the traces fit into memory.
    joined = len(modules) * cycles > _MOST_COLUMNS
    own = {path: path.split(".")[0] if joined else path for path in modules}
    names = sorted(set(own.values()))
    return names, {path: names.index(name) for path, name in own.items()}
