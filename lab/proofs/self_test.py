"""Checks claims by planted faults, and tells the share that they refute.

A fault does not count if it has no effect on what the claim reads in the runs that it is about
(``equal``): these are all runs from a reset, or those with one request. ABC proves it, by other
means than the claim; or the claim, where it fixes all that it reads, is proven of the fault, and
random runs show no difference either. Each other fault that no claim refutes is listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rsaxcel.flow.errors import ToolFailure
from rsaxcel.flow.library import kept_library
from rsaxcel.flow.paths import temporary_folder
from rsaxcel.lab.proofs.answer import ProofVerdict
from rsaxcel.lab.proofs.circuits_alike import proved_equal, seen_apart
from rsaxcel.lab.proofs.claim import AROUND, Claim
from rsaxcel.lab.proofs.netlists import NetlistClaim
from rsaxcel.lab.proofs.planted import PlantedFault, plant, plant_in_netlist
from rsaxcel.lab.proofs.reading import read_machine
from rsaxcel.lab.proofs.secrecy import SecrecyClaim

FAULTS = 30  #: faults that are planted in a circuit, if no other number is given

REFUTED, EQUAL, PROVEN, OPEN = "refuted", "equal", "proven", "open"
"""What becomes of a fault; proven: the claims hold in spite of it; open: one is not decided."""

_EQUAL_SECONDS = 5
_LOOP = "logic loop"  #: in Yosys's message


@dataclass(frozen=True)
class SelfTest:
    """Faults in the circuit of claims of one class, and what became of each."""

    claims: Sequence[Claim]
    found: Sequence[tuple[PlantedFault, str]]

    def count(self, what: str) -> int:
        return sum(found == what for _, found in self.found)

    @property
    def share(self) -> float:
        """Share of the faults in the logic that the claims read that is refuted."""
        counted = self.count(REFUTED) + len(self.surviving)
        return self.count(REFUTED) / counted if counted else 1.0

    @property
    def surviving(self) -> list[tuple[PlantedFault, str]]:
        """Faults that no claim refutes, each with ``PROVEN`` or ``OPEN``."""
        return [(fault, found) for fault, found in self.found if found in (PROVEN, OPEN)]


def grouped(claims: Sequence[Claim]) -> list[list[Claim]]:
    """Group claims of one class about one circuit."""
    groups: dict[tuple[Any, ...], list[Claim]] = {}
    for claim in claims:
        key = claim.kind, claim.name, claim.nbits, str(claim.changed)
        groups.setdefault(key, []).append(claim)
    return list(groups.values())


def self_test(claims: Sequence[Claim], count: int, seed: int, seconds: float) -> SelfTest:
    """Plant faults in the circuit of claims; try them until one claim refutes the fault."""
    faults = faults_in(claims, count, seed)
    return SelfTest(claims, [(fault, fate_of(claims, fault, seconds)) for fault in faults])


def faults_in(claims: Sequence[Claim], count: int, seed: int) -> list[PlantedFault]:
    """Plant faults in the circuit of claims."""
    claim: Any = claims[0]
    if isinstance(claim, NetlistClaim):
        library = kept_library(claim.kit.liberty)
        return plant_in_netlist(claim.netlist, claim.module.top, library, count, seed)
    secret = None
    if isinstance(claim, SecrecyClaim):
        (e,) = (x for x in claim.module.request.fields if x.name == "e")
        secret = e.lsb, claim.configuration.rules.exponent_nbits or claim.nbits
    return plant(claim.module, count, seed, claim.read_bits, secret)


def fate_of(claims: Sequence[Any], fault: PlantedFault, seconds: float) -> str:
    """Say what becomes of a fault."""
    if isinstance(claims[0], NetlistClaim):
        return _FATES[claims[0].prove_other(fault.verilog, seconds).verdict]
    faulty = [replace(claim, verilog=fault.verilog) for claim in claims]
    fate = PROVEN
    for claim in faulty:
        try:
            verdict = claim.prove(seconds).verdict
            if verdict is ProofVerdict.REFUTED:
                return REFUTED
            if verdict is ProofVerdict.OPEN:
                fate = OPEN
        except ToolFailure as error:
            if _LOOP not in str(error):
                raise
            return REFUTED  # a circuit whose gates form a loop is refused
    own, around = (claims[0], faulty[0]), claims[0].around
    one, other = (x.text + around if around else x.module.text for x in own)
    with temporary_folder() as folder:
        top = AROUND if around else claims[0].module.top
        if proved_equal(one, other, top, folder / "pair", _EQUAL_SECONDS):
            return EQUAL
    # A leak has no effect where its bit of the exponent is 0: secrecy proven, it never has any.
    if fate == PROVEN and (cycles := claims[0].fixed_cycles):
        machines = read_machine(one, top), read_machine(other, top)
        return PROVEN if seen_apart(*machines, cycles) else EQUAL
    return fate


#: A netlist is compared with the circuit in all states: what is proven is equal.
_FATES = {ProofVerdict.REFUTED: REFUTED, ProofVerdict.PROVEN: EQUAL, ProofVerdict.OPEN: OPEN}
