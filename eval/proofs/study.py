"""Proves claims, and keeps the results under keys of the claims' Verilog."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from catalog import AnyConfiguration, MultiplierConfiguration
from eval.measure.memo import FOLDER
from eval.proofs.answer import Verdict
from eval.proofs.claim import Claim, Proof, Tell, quiet
from eval.proofs.netlists import NetlistClaim
from eval.proofs.products import ProductClaim
from eval.proofs.responses import ResponseClaim, StatusClaim
from eval.proofs.secrecy import SecrecyClaim
from flow.yosys import yosys_version
from store.code import code_digest
from store.errors import UserError
from store.folders import find_json, keep_json, key_of, remove

_MULTIPLIER_CLAIMS: tuple[type[Claim], ...] = (ProductClaim, NetlistClaim)
_DESIGN_CLAIMS: tuple[type[Claim], ...] = (
    SecrecyClaim,
    StatusClaim,
    ResponseClaim,
    NetlistClaim,
)

KINDS: dict[str, type[Claim]] = {x.kind: x for x in (*_MULTIPLIER_CLAIMS, *_DESIGN_CLAIMS)}
"""Classes of claims by name."""


def claims_of(
    configuration: AnyConfiguration, kind: str = "", verilog: str = ""
) -> Sequence[Claim]:
    """Claims about a configuration.

    Parameters
    ----------
    configuration
        Design or multiplier.
    kind
        Class of claims; empty: all that apply.
    verilog
        Verilog in place of the configuration's own.

    Raises
    ------
    UserError
        If there is no such class, or it does not apply.
    """
    if kind and kind not in KINDS:
        raise UserError(f"claim={kind}: {', '.join(KINDS)} are allowed")
    is_multiplier = isinstance(configuration, MultiplierConfiguration)
    classes = _MULTIPLIER_CLAIMS if is_multiplier else _DESIGN_CLAIMS
    fitting = [x for x in classes if x.applies(configuration)]
    found = [x(configuration, verilog) for x in fitting if kind in ("", x.kind)]
    if not found:
        allowed = ", ".join(x.kind for x in fitting) or "none"
        raise UserError(f"claim={kind}: not for {configuration.design.name}; allowed: {allowed}")
    return found


def proof_of(claim: Claim, seconds: float, tell: Tell = quiet) -> Proof:
    """Prove a claim, or return the stored proof.

    An open claim is tried again if there is more time than at the last attempt.

    Raises
    ------
    flow.errors.ToolFailure
        If Yosys is missing, or refuses the Verilog.
    """
    root, name = FOLDER.absolute(), _name(claim)
    stored = find_json(root, name)
    if stored and stored["verdict"] == Verdict.OPEN and stored["limit_seconds"] < seconds:
        remove(root, name)

    def prove() -> dict[str, Any]:
        return {**claim.prove(seconds, tell).as_json(), "limit_seconds": seconds}

    found = keep_json(root, name, prove)
    del found["limit_seconds"]
    return Proof.from_json(found)


def _name(claim: Claim) -> str:
    code = code_digest([Path(__file__).parent])
    key = key_of(claim.kind, claim.text, claim.statement, yosys_version(), code, sys.version)
    return f"proof-{claim.kind}-{claim.configuration.design.name}-{claim.configuration.nbits}-{key}"


def proofs_of(
    claims: Sequence[Claim], seconds: float, jobs: int = 1
) -> Iterator[tuple[Claim, Proof]]:
    """Prove claims, several at the same time, and yield each with its proof in their order."""
    if jobs == 1 or len(claims) == 1:
        for claim in claims:
            yield claim, proof_of(claim, seconds)
        return
    context = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(jobs, context) as pool:
        yield from zip(claims, pool.map(partial(_proof, seconds), claims), strict=True)


def _proof(seconds: float, claim: Claim) -> Proof:
    return proof_of(claim, seconds)
