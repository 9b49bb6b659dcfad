"""Proves claims, and keeps the results under keys of the claims' Verilog."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import rsaxcel.flow
from rsaxcel.circuit import Circuit, is_product
from rsaxcel.flow.yosys import yosys_version
from rsaxcel.lab.proofs.blocks import BLOCKS
from rsaxcel.lab.proofs.claim import NOT_TRIED, CircuitClaim, Claim, Proof, check_parameters
from rsaxcel.lab.proofs.exchanges import ExchangeClaim, exchange_claims
from rsaxcel.lab.proofs.functions import FunctionClaim
from rsaxcel.lab.proofs.instructions import CYCLES, InstructionClaim, instruction_claims
from rsaxcel.lab.proofs.netlists import NetlistClaim
from rsaxcel.lab.proofs.operation import solver_version
from rsaxcel.lab.proofs.products import ProductClaim
from rsaxcel.lab.proofs.responses import ResponseClaim, StatusClaim
from rsaxcel.lab.proofs.secrecy import SecrecyClaim
from rsaxcel.lab.proofs.solver import ProofVerdict
from rsaxcel.lab.proofs.surroundings import EXCHANGES
from rsaxcel.proc.isa import XLEN
from rsaxcel.proc.systems import System
from rsaxcel.store.code import closure, code_digest
from rsaxcel.store.errors import UserError
from rsaxcel.store.folders import find_json, keep_json, key_of, remove
from rsaxcel.store.places import MEASUREMENTS

_MULTIPLIER_CLAIMS: tuple[type[CircuitClaim], ...] = (ProductClaim, NetlistClaim)
_DESIGN_CLAIMS: tuple[type[CircuitClaim], ...] = (
    SecrecyClaim,
    StatusClaim,
    ResponseClaim,
    NetlistClaim,
)

_CLASSES: tuple[type[Claim], ...] = (
    *_MULTIPLIER_CLAIMS,
    *_DESIGN_CLAIMS,
    FunctionClaim,
    ExchangeClaim,
    InstructionClaim,
)

KINDS: dict[str, type[Claim]] = {x.kind: x for x in _CLASSES}


def claims_of(configuration: Circuit, kind: str = "", verilog: str = "") -> Sequence[Claim]:
    """Claims about a configuration; without ``kind``, of all classes that apply."""
    fitting = _fitting(configuration)
    if kind and kind not in KINDS:
        raise UserError(f"claim={kind}: {', '.join(x.kind for x in fitting)} are allowed")
    asked = [x for x in fitting if kind in ("", x.kind)]
    if not asked:
        allowed = ", ".join(x.kind for x in fitting) or "none"
        params = "".join(f" {x}={y}" for x, y in configuration.changed.items())
        of = f"{configuration.design_name}{' with' * bool(params)}{params}"
        raise UserError(f"claim={kind}: not for {of}; allowed: {allowed}")
    nbits = configuration.nbits
    found = [x(configuration, verilog) for x in asked if nbits <= x.most_nbits]
    if not found:
        widest = ", ".join(f"{x.kind} up to {x.most_nbits}" for x in fitting)
        raise UserError(f"nbits={nbits}: too wide for a proof; allowed: {widest}")
    return found


def too_wide(configuration: Circuit) -> list[type[CircuitClaim]]:
    """Classes of claims that ``claims_of`` leaves out, because the circuit is too wide for them."""
    return [x for x in _fitting(configuration) if configuration.nbits > x.most_nbits]


def _fitting(configuration: Circuit) -> list[type[CircuitClaim]]:
    is_multiplier = is_product(configuration)
    classes = _MULTIPLIER_CLAIMS if is_multiplier else _DESIGN_CLAIMS
    return [x for x in classes if x.applies(configuration)]


def block_claims(
    name: str, nbits: int | None, params: Mapping[str, str], kind: str = "", verilog: str = ""
) -> Sequence[Claim]:
    """Claims about a block; without ``nbits``, at the width of the standard claim."""
    _check_kind(kind, FunctionClaim, name)
    values = {}
    for key, value in params.items():
        if not value.isdecimal():
            raise UserError(f"{key}={value}: a whole number is allowed")
        values[key] = int(value)
    block = BLOCKS[name]
    return [FunctionClaim(block, block.nbits if nbits is None else nbits, values, verilog)]


def claims_of_exchange(
    name: str, nbits: int | None, params: Mapping[str, str], kind: str = "", verilog: str = ""
) -> Sequence[Claim]:
    """Claims about a circuit of ``EXCHANGES``; parameters as in ``block_claims``."""
    _check_kind(kind, ExchangeClaim, name)
    check_parameters(name, params, ())
    return exchange_claims(EXCHANGES[name], nbits, verilog)


def processor_claims(
    system: System,
    nbits: int | None = None,
    kind: str = "",
    about: Sequence[str] = (),
    cycles: int | None = None,
) -> Sequence[Claim]:
    """Claims about the processor of ``proc_null``; ``about``: mnemonics or checks, empty: all."""
    _check_kind(kind, InstructionClaim, system.design_name)
    if nbits not in (None, XLEN):
        raise UserError(f"nbits={nbits}: {XLEN} is allowed for proofs about {system.design_name}")
    return instruction_claims(system, about, cycles or CYCLES)


def _check_kind(kind: str, only: type[Claim], name: str) -> None:
    """Refuse a class of claims other than ``only``, the one that there is about a circuit."""
    if kind not in ("", only.kind):
        raise UserError(f"claim={kind}: not for {name}; allowed: {only.kind}")


def proof_of(claim: Claim, seconds: float) -> Proof:
    """Prove a claim, or return the stored proof; open claims are tried again with more time."""
    if not (name := _name(claim)):
        claim.make()
        name = _name(claim)
    root = MEASUREMENTS.absolute()
    stored = find_json(root, name)
    if stored and stored["verdict"] == ProofVerdict.OPEN and stored["limit_seconds"] < seconds:
        remove(root, name)

    def prove() -> dict[str, Any]:
        return {**claim.prove(seconds).as_json(), "limit_seconds": seconds}

    return _restored(keep_json(root, name, prove))


#: Folders of the code by which claims are proven: ``lab`` and ``flow``.
_ROOMS = Path(__file__).parents[1], Path(rsaxcel.flow.__file__).parent


def _name(claim: Claim) -> str:
    """Name of the stored proof; empty: something that the claim reads has to be made first."""
    if claim.read is None:
        return ""
    module = Path(str(sys.modules[type(claim).__module__].__file__))
    code = code_digest(closure([module], _ROOMS))
    versions = yosys_version(), solver_version(), sys.version
    parts = claim.kind, claim.text, claim.statement, claim.figures, claim.read
    return f"proof-{claim.kind}-{claim.name}-{claim.nbits}-{key_of(*parts, *versions, code)}"


def proof_until(claim: Claim, seconds: float, until: float) -> Proof:
    """Prove a claim as ``proof_of``, which ends at ``until`` (a time of ``time.time``).

    After ``until``, nothing is tried: the proof is the stored one, or open.
    """
    left = until - time.time()
    if left > 0:
        return proof_of(claim, min(seconds, left))
    name = _name(claim)
    if name and (stored := find_json(MEASUREMENTS.absolute(), name)):
        return _restored(stored)
    return Proof(ProofVerdict.OPEN, NOT_TRIED, "the run's time is up", 0)


def _restored(values: Mapping[str, Any]) -> Proof:
    return Proof.from_json({k: v for k, v in values.items() if k != "limit_seconds"})
