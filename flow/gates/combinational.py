"""Netlists without flip-flops: their only nets are inputs and what gates drive."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flow.gates.circuit import Circuit
from flow.gates.streams import GateSimulator
from flow.power.netlist import Netlist

_CONSTANTS = 2
"""Positions of a circuit before its nets."""


class CombinationalSimulator(GateSimulator):
    """A netlist without flip-flops, whose ports may be wired to each other.

    Parameters
    ----------
    netlist
        See :class:`~flow.gates.engine.GateEngine`.
    """

    def __init__(self, netlist: Netlist) -> None:
        super().__init__(netlist)
        bits = (bit for port in self.ports.all for bit in netlist.ports[port])
        self.circuit = _with_wires(
            self.circuit, [bit for bit in dict.fromkeys(bits) if isinstance(bit, int)]
        )
        self._positions |= self.circuit.nets


def _with_wires(circuit: Circuit, bits: list[int]) -> Circuit:
    """Add those bits of ports that no gate reads or drives, such as recv.rdy = send.rdy.

    They come first among the nets that no gate drives; where the first gate's output is, these end.
    """
    wires = [bit for bit in bits if bit not in circuit.nets]
    count = len(wires)

    def moved(positions: np.ndarray) -> np.ndarray:
        return np.where(positions < _CONSTANTS, positions, positions + count).astype(np.int32)

    runs = circuit.runs + np.array([0, 0, 0, count])
    own = {bit: _CONSTANTS + index for index, bit in enumerate(wires)}
    return replace(
        circuit,
        nets=own | {net: position + count for net, position in circuit.nets.items()},
        net_count=circuit.net_count + count,
        first_state=int(min(runs[:, 3], default=circuit.net_count + count)),
        runs=runs,
        operands=moved(circuit.operands),
    )
