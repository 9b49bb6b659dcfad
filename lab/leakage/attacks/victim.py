"""The device under attack: operations with an unknown exponent, and their noisy traces."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from rsaxcel.catalog import Configuration
from rsaxcel.circuit import Circuit
from rsaxcel.flow.gates.engine import LANES
from rsaxcel.lab.leakage.measure import signals_fj
from rsaxcel.lab.leakage.operands import OperandSource
from rsaxcel.lab.leakage.recorder import Recorder, Traces
from rsaxcel.plan.programs import Program


@dataclass(frozen=True, eq=False)
class Observed:
    """An attacker's data on one exponent."""

    exponent: int  #: exponent with which the result is compared
    bases: list[int]
    #: energies of the circuit with noise, in units of the signal; cycle 0: acceptance
    energies: np.ndarray


class Victim:
    """A design that runs operations with exponents that the attacker does not know.

    The attacker knows ``known_bits`` and the random bases; the modulus is the standard key's. Noise
    is Gaussian on each cycle, its deviation in units of the signal (``measure.signals_fj``).
    """

    def __init__(self, recorder: Recorder, noise: float, seed: int) -> None:
        self.recorder, self.noise, self.seed = recorder, noise, seed
        self.source = OperandSource(recorder.configuration)
        draw = random.Random(f"{seed}/attack/pilot")
        lanes = [
            [(self.source.base(draw), self.exponent(draw), self.source.modulus) for _ in range(2)]
            for _ in range(LANES)
        ]
        (traces,) = recorder.record(lanes)
        self._signal_fj = signals_fj(traces)[0]

    def exponent(self, draw: random.Random) -> int:
        """Draw an exponent whose outer bits are 1."""
        nbits = self.source.exponent_nbits
        return draw.getrandbits(nbits) | known_bits(nbits)

    def observe(self, number: int, count: int) -> Observed:
        """Run ``count`` operations with the exponent of a number, and record them."""
        draw = random.Random(f"{self.seed}/attack/{number}")
        noise = np.random.default_rng([self.seed, number])
        exponent, modulus = self.exponent(draw), self.source.modulus
        bases: list[int] = []
        found: list[np.ndarray] = []
        while len(bases) < count:
            turns = min(self.recorder.in_turn, -(-(count - len(bases)) // LANES))
            rows = [[self.source.base(draw) for _ in range(1 + turns)] for _ in range(LANES)]
            lanes = [[(base, exponent, modulus) for base in row] for row in rows]
            recorded = self.recorder.record(lanes)
            for turn, traces in enumerate(recorded, start=1):
                bases += [row[turn] for row in rows]
                found.append(self._noisy(traces, noise))
        return Observed(exponent, bases[:count], np.concatenate(found)[:count])

    def _noisy(self, traces: Traces, noise: np.random.Generator) -> np.ndarray:
        """Energies from the request's acceptance on, with noise, in units of the signal."""
        energies = traces.energies_fj[:, int(traces.accepted[0]) :, 0] / self._signal_fj
        return energies + self.noise * noise.standard_normal(energies.shape, np.float32)


def known_bits(nbits: int) -> int:
    """Bits known to be 1: the uppermost, and the lowest, as private exponents for RSA are odd."""
    return 1 << nbits - 1 | 1


def attacked_program(configuration: Circuit) -> Program:
    """Return the program that reads the exponent; ``ValueError`` if no attack suits the design."""
    # Attacks suit no design with two halves (the attacker knows neither modulus), none whose
    # products take cycles that depend on the base, and none that counts the exponent down.
    name = configuration.design_name
    if configuration.halves:
        raise ValueError(f"{name}: attacks are for designs without halves")
    if not isinstance(configuration, Configuration):
        raise ValueError(
            f"{name}: attacks need a schedule; that of a design in Verilog is not known"
        )
    if configuration.base_dependent:
        raise ValueError(f"{name}: attacks are for designs whose cycles do not depend on the base")
    (program,) = (x for x in configuration.programs if x.loop)
    if program.scan.counts or program.scan.sliding_nbits:
        raise ValueError(f"{name}: attacks are for schedules whose digits have fixed places")
    return program
