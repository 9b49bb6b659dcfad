"""Counts cycles of operations on an accelerator on the bus, with and without padding."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from pathlib import Path

from rsaxcel import catalog, rtl
from rsaxcel.catalog import Configuration
from rsaxcel.eval.facts.fact import Fact
from rsaxcel.eval.measure.errors import MeasureError
from rsaxcel.eval.measure.job import Job, Measurement, Progress
from rsaxcel.eval.measure.memo import of_design
from rsaxcel.fl.pkcs1 import OVERHEAD_NBYTES, PADDING_NBYTES
from rsaxcel.fl.register_map import MODE, UNPADDED
from rsaxcel.flow.requests import default_exponents
from rsaxcel.sim.bus import READ, WAIT, BusScript, open_bus
from rsaxcel.sim.runners import hang_cycles

_CIRCUIT = Path(str(rtl.__file__)).parent / "axi"
_RANDOM = bytes(range(1, PADDING_NBYTES + 1))


def bus(design: str, nbits: int) -> Measurement:
    """Cycles on the bus from start to interrupt, padded by PKCS#1 v1.5 and bare (cycle model)."""
    configuration = catalog.get(design).configure(nbits)
    name = f"bus {configuration.name}"
    job = Job(name, bus_cycles, (configuration,), float(nbits), bus_cycles)

    def facts(counts: Mapping[str, Mapping[str, int]]) -> Iterator[Fact]:
        for operation, cycles in counts.items():
            for quantity, count in cycles.items():
                own = f"axi_{design}"
                yield Fact(own, quantity, count, "modelled", nbits, operation=operation)

    return Measurement(job, facts)


def bus_cycles(
    configuration: Configuration, progress: Progress | None = None
) -> dict[str, dict[str, int]] | None:
    """Count the cycles of both operations with the standard exponents, each padded and bare."""
    exponents = default_exponents(configuration.nbits)

    def measure(progress: Progress) -> dict[str, dict[str, int]]:
        progress("registers on the bus")
        run = open_bus(configuration, "cl")
        golden = open_bus(configuration, "fl")
        found: dict[str, dict[str, int]] = {}
        for operation in exponents:
            for quantity, padded in (("padded_cycles", True), ("bare_cycles", False)):
                script = _Operation(configuration, exponents, operation == "decrypt", padded)
                done = run(script, hang_cycles(configuration))
                if done.accepted is None or done.answers != golden(script).answers:
                    raise MeasureError(f"{operation} of {configuration.name} on the bus is wrong")
                ends = done.accepted[script.waited] - done.accepted[script.started]
                found.setdefault(operation, {})[quantity] = ends
        return found

    return of_design("bus", configuration, exponents, measure, progress, [_CIRCUIT])


class _Operation(BusScript):
    """Accesses of one operation; a decryption takes as long if it finds no padding."""

    def __init__(
        self, configuration: Configuration, exponents: Mapping[str, int], private: bool, pads: bool
    ) -> None:
        super().__init__()
        modulus = configuration.usable_modulus((1 << configuration.nbits) - 1)
        nbytes = configuration.block_nbytes(modulus)
        draw = random.Random(configuration.name)
        self.load_key(modulus, exponents["encrypt"], exponents["decrypt"])
        self.write(MODE, (not pads) << UNPADDED.lsb)
        whole = private or not pads
        number = (
            draw.randrange(modulus) if whole else draw.getrandbits(8 * (nbytes - OVERHEAD_NBYTES))
        )
        self.load_message(number.to_bytes(nbytes if whole else nbytes - OVERHEAD_NBYTES, "big"))
        self.started = len(self)
        self.start(private)
        if not whole:
            self.feed(_RANDOM)
        self.wait()
        self.waited = self.accesses.index((READ, WAIT, 0, 0))
        self.read_output(nbytes)
