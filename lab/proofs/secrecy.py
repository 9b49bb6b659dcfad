"""Claim: the exponent cannot be seen from handshakes and statuses.

Two copies get the same requests but for the exponent, the same back-pressure and resets, and begin
with the same arbitrary contents (self-composition); an undefined value (x) may be another one in
each copy; ``ready``, ``valid`` and status must be equal
in every cycle. A design that checks its result by a public exponent tells by the status whether
private exponents belong to it: there, the claim is about ``ready`` and ``valid`` alone.

If equal registers suffice for an induction, ABC's ``scorr`` proves the claim for all times. Else an
operation is unrolled, or one for each modulus (public exponent: 65537, or 3 if that does not fit);
a dependence is shown by two exponents. If unrolling decides nothing, ABC's ``bmc3`` searches for
such exponents.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rsaxcel.circuit import is_checked
from rsaxcel.flow.paths import temporary_folder
from rsaxcel.lab.proofs.aig import TRUE, Aig, Machine, beginning
from rsaxcel.lab.proofs.claim import TOP, Counterexample, Proof, processor_seconds, shown_cycles
from rsaxcel.lab.proofs.operation import other
from rsaxcel.lab.proofs.reading import read_machine
from rsaxcel.lab.proofs.responses import METHOD, _DesignClaim, shown_operations
from rsaxcel.lab.proofs.sequential import is_constant
from rsaxcel.lab.proofs.signals import signals_of, step
from rsaxcel.lab.proofs.solver import ProofVerdict, read_frames, run_abc
from rsaxcel.lab.proofs.unrolled import assignments

_INDUCTION = "induction (scorr)"
_SIMULATION = "simulation of random requests"
_SEARCH = "bounded search (bmc3)"
_RUNS = 256  #: runs that are simulated
#: Shares of the time; the search has the rest.
_INDUCTION_SHARE, _UNROLLING_SHARE = 0.25, 0.5


@dataclass(frozen=True)
class SecrecyClaim(_DesignClaim):
    """Claim: handshakes, and without a check statuses, do not depend on the exponent."""

    kind = "secrecy"
    meaning = "handshakes and statuses do not depend on the exponent"

    @property
    def declared(self) -> bool:
        """Whether the design declares that the claim holds."""
        return not self.configuration.exponent_dependent

    @property
    def statement(self) -> str:
        seen = "handshakes and statuses" if "status" in self._seen else "handshakes"
        secret = "exponents" if "status" in self._seen else "private exponents"
        return (
            f"with other {secret}, {seen} are the same in every cycle, at least up to the "
            "first response after a reset"
        )

    @property
    def _seen(self) -> tuple[str, ...]:
        """Outputs in the claim."""
        checked = is_checked(self.configuration.halves)
        return ("ready", "valid") if checked else ("ready", "valid", "status")

    def prove(self, seconds: float) -> Proof:
        machine = read_machine(self.text, TOP)
        begun = processor_seconds()

        def proof(verdict: ProofVerdict, method: str, scope: str, example=None) -> Proof:
            return Proof(verdict, method, scope, processor_seconds() - begun, example)

        composed = SelfComposition(machine, self.design.secret, self._seen)
        if composed.holds_by_induction(_INDUCTION_SHARE * seconds):
            return proof(ProofVerdict.PROVEN, _INDUCTION, "every request, any back-pressure")
        if drawn := self._simulated(machine):
            scope = f"{len(drawn)} cycles from a reset"
            return proof(ProofVerdict.REFUTED, _SIMULATION, scope, self._difference(machine, drawn))
        until = processor_seconds() + _UNROLLING_SHARE * seconds
        took: list[list[int]] = []
        for legal in (False, True):
            cycles, example = self._unroll(machine, legal, until - processor_seconds())
            if example:
                return proof(
                    ProofVerdict.REFUTED, METHOD, f"{cycles[0]} cycles from a reset", example
                )
            if not cycles:
                break
            took.append(cycles)
        else:
            refused, answered = took
            fixed = "".join(f", {x} = {y}" for x, y in self.design.usual_public.items())
            shown = f"{shown_operations(answered)}; {shown_cycles(refused)} if refused"
            return proof(
                ProofVerdict.PROVEN, METHOD, f"first request after a reset{fixed}, {shown}"
            )
        frames = composed.search(seconds - (processor_seconds() - begun))
        if frames is None:
            return proof(ProofVerdict.OPEN, _SEARCH, "from a reset")
        example = replace(self._difference(machine, frames), vectors=())
        return proof(ProofVerdict.REFUTED, _SEARCH, f"{len(frames)} cycles from a reset", example)

    def _simulated(self, machine: Machine) -> list[dict[str, int]]:
        """Draw requests, each with two exponents; return inputs of a run that tells them apart."""
        # Half of the requests break a rule. Half of the runs have the same request in all cycles,
        # in the others each cycle has another one; in every other run a response may wait.
        design, draw, ones = self.design, random.Random(0), (1 << _RUNS) - 1
        own = _own(machine, design.secret)
        half = _RUNS // 2
        requests = [*design.requests(half, legal=True), *design.requests(half, legal=False)]
        draw.shuffle(requests)
        held = assignments(requests, design.widths)
        held |= {name: 0 for name in ("wide", "missing") if name in held}  # `sim` can replay these
        stays, waits = draw.getrandbits(_RUNS), draw.getrandbits(_RUNS)
        names = [*machine.inputs, *map(other, sorted(own))]
        held |= {other(x): draw.getrandbits(_RUNS) for x in sorted(own - machine.undefined)}
        begin = {beginning(latch.name): draw.getrandbits(_RUNS) for latch in machine.latches}
        states = [[*begin.values()], [*begin.values()]]
        accepted, frames = 0, []
        for cycle in range(self._most_cycles({})):
            frame = {name: draw.getrandbits(_RUNS) for name in names}
            for name, value in held.items():
                same = stays | ~accepted
                frame[name] = value & same | frame[name] & ~same
            taken = frame["taken"] | ~waits & ones
            reset = 0 if cycle else ones
            frame |= {"clk": 0, "reset": reset, "offered": ones ^ reset, "taken": taken}
            frames.append(frame)
            seen = []
            for copy in (0, 1):
                given = {name: frame[_in_copy(name, copy, own)] for name in machine.inputs}
                outputs, states[copy] = step(machine, given, states[copy], ones)
                seen.append(outputs)
            if not cycle:
                continue
            for port in self._seen:
                where = seen[0]["valid"] if port == "status" else ones
                for bit in machine.bits(port, outputs=True):
                    if differ := (seen[0][bit] ^ seen[1][bit]) & where:
                        run = (differ & stays or differ).bit_length() - 1
                        frames[0] |= begin
                        return [{x: y >> run & 1 for x, y in f.items()} for f in frames]
            accepted |= seen[0]["ready"]
        return []

    def _unroll(
        self, machine: Machine, legal: bool, seconds: float
    ) -> tuple[list[int], Counterexample | None]:
        """Cycles of operations whose handshakes are proven not to depend on the exponent.

        If handshakes of two exponents are found to differ: an example, and the number of its
        cycles.
        """
        took = []
        for op in self.operations(machine, legal, seconds, self.design.usual_public):
            found = op.requests_apart("status" in self._seen)
            if isinstance(found, dict):
                return [op.cycle + 1], self._difference(machine, op.frames(found))
            if found is None or not op.answered:
                return [], None
            took.append(op.took)
        return took, None

    def _difference(self, machine: Machine, frames: list[dict[str, int]]) -> Counterexample:
        """Describe the cycles after which the two copies differ."""
        own = _own(machine, self.design.secret)
        begin = {beginning(latch.name): beginning(latch.name) for latch in machine.latches}
        runs = []
        for copy in (0, 1):
            names = begin | {x: _in_copy(x, copy, own) for x in machine.inputs}
            given = [
                {x: frame.get(name, 0) | (x == "reset" and at == 0) for x, name in names.items()}
                for at, frame in enumerate(frames)
            ]
            runs.append(signals_of(machine, given))
        (first, widths), (second, _) = runs
        signals = first | {f"other.{name}": values for name, values in second.items()}
        both = widths | {f"other.{name}": width for name, width in widths.items()}
        last = len(frames) - 1
        differing = [x for x in self._seen if first[x][last] != second[x][last]]
        accepted = [at for at in range(last) if first["offered"][at] and first["ready"][at] and at]
        at = accepted[-1] if accepted else 0
        requests = [
            {port: run[port][at] if port in run else 0 for port in self.design.widths}
            for run in (first, second)
        ]
        values = [", ".join(f"{port} = {x}" for port, x in ports.items()) for ports in requests]
        pins = ", ".join(f"{x} = {first[x][last]} and {second[x][last]}" for x in differing)
        text = f"{values[0]} and {values[1]}: {pins}, {last - at} cycles after the request"
        vectors = self.vectors(*requests) if accepted else ()
        return Counterexample(text, vectors, signals, both)


class SelfComposition:
    """Two copies of a machine that share all inputs but the secret ones and undefined values.

    ``seen`` must not differ: ``ready``, ``valid`` and, where ``valid`` is 1, ``status``.
    """

    def __init__(self, machine: Machine, secret: Sequence[str], seen: Sequence[str]) -> None:
        inputs = _own(machine, secret)
        graph = self._graph = Aig()
        shared = {name: graph.add_input(name) for name in machine.inputs if name not in inputs}
        begin = [graph.add_input(beginning(latch.name)) for latch in machine.latches]
        own = [
            {name: graph.add_input(_in_copy(name, copy, inputs)) for name in sorted(inputs)}
            for copy in (0, 1)
        ]
        self._count = len(graph.inputs)
        started = graph.add_input("started")
        shared["reset"] = graph.either(shared["reset"], started ^ 1)
        self._latches, self._nexts, outputs = [started], [TRUE], []
        for copy in (0, 1):
            held = [graph.add_input(f"{copy}:{latch.name}") for latch in machine.latches]
            states = [
                graph.either(graph.both(started, x), graph.both(started ^ 1, free))
                for x, free in zip(held, begin, strict=True)
            ]
            frame = graph.copy(machine, {**shared, **own[copy]}, states)
            self._latches += held
            self._nexts += frame.nexts
            outputs.append(frame.outputs)
        one, second = outputs
        differ = []
        for port in seen:
            where = one["valid"] if port == "status" else TRUE
            for bit in machine.bits(port, outputs=True):
                differ.append(graph.both(where, graph.differ(one[bit], second[bit])))
        self._wrong = graph.both(started, graph.any_of(differ))

    def holds_by_induction(self, seconds: float) -> bool:
        """Whether induction over equal registers proves that outputs never differ."""
        with temporary_folder() as folder:
            self._write(folder / "pair.aig")
            run_abc("read_aiger pair.aig; scorr; dc2; write_aiger out.aig", folder, seconds)
            if not (folder / "out.aig").exists():
                return False
            return is_constant(folder / "out.aig")

    def search(self, seconds: float) -> list[dict[str, int]] | None:
        """Search for inputs of some cycles after which outputs differ; None: none found."""
        with temporary_folder() as folder:
            self._write(folder / "pair.aig")
            told = run_abc("read_aiger pair.aig; bmc3; write_cex -n found.txt", folder, seconds)
            if "asserted" not in told or not (folder / "found.txt").exists():
                return None
            return read_frames(folder / "found.txt", self._graph.inputs[: self._count])

    def _write(self, path: Path) -> None:
        self._graph.write(path, self._wrong, self._count, self._latches, self._nexts)


def _own(machine: Machine, secret: Sequence[str]) -> frozenset[str]:
    """Names of the inputs that each copy has for itself."""
    return machine.undefined.union(name for port in secret for name in machine.bits(port))


def _in_copy(name: str, copy: int, own: Collection[str]) -> str:
    """Name of an input of copy 0 or 1."""
    return other(name) if copy and name in own else name
