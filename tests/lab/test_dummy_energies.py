"""Dummies in traces: they take as long as squares, and about as much energy."""

import random

import numpy as np
import pytest

from rsaxcel import catalog
from rsaxcel.flow.gates.engine import LANES
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.lab.design_netlist import netlist_files
from rsaxcel.lab.leakage.measure import calibration
from rsaxcel.lab.leakage.operands import OperandSource
from rsaxcel.lab.leakage.recorder import Recorder
from rsaxcel.plan.measures import DUMMY
from rsaxcel.plan.steps import ENTRY


def spans(configuration, operands, accepted):
    """Kind, first cycle and end of the products in the loop, of a request accepted in a cycle."""
    timing, program = configuration.timing, configuration.programs[0]
    states = timing.golden.begin(*operands, ())
    moduli, more = [state.modulus for state in states], timing.more_cycles(program)
    at = accepted + timing.handshake.request_cycles + timing.handshake.start_cycles
    for formed in timing.golden.run(program, states):
        cycles = timing.step_cycles(formed, program, moduli, more)
        if formed and (kind := _kind(formed[0].product)):
            yield kind, at, at + cycles
        at += cycles


def _kind(product):
    if product.a == product.b == product.dst:
        return "dummy" if product.dst == DUMMY else "square"
    return "product" if product.dst == "r" and ENTRY in product.operands else ""


@pytest.mark.slow  # synthesizes a circuit
def test_dummies_look_like_squares(here):
    """The mean energies of dummies, squares and products differ by a few per cent."""
    configuration = catalog.get("crt_window").configure(16, dummies="squares")
    files, _ = netlist_files(configuration, DEFAULT_LIBRARY, 3.0)
    recorder = Recorder.of_files(configuration, files, DEFAULT_LIBRARY, calibration(configuration))
    source, draw = OperandSource(configuration), random.Random(0)
    exponent = source.exponent(draw)
    found = {"dummy": [], "square": [], "product": []}
    for _ in range(256 // LANES):
        lanes = [
            [source.request(draw, source.base(draw), exponent, source.modulus) for _ in range(2)]
            for _ in range(LANES)
        ]
        (traces,) = recorder.record(lanes)
        accepted = int(traces.accepted[0])
        for (_, row), energies_fj in zip(lanes, traces.energies_fj[:, :, 0], strict=True):
            for kind, begin, end in spans(configuration, row, accepted):
                found[kind].append(energies_fj[begin:end].sum())
    means = [np.mean(energies) for energies in found.values()]
    assert max(means) < 1.1 * min(means)
