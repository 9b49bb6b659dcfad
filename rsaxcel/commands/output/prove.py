"""Prints proofs."""

import json
from collections.abc import Iterator
from typing import Any

from eval.proofs.claim import Claim, Proof
from rsaxcel.commands.options.common import design_text


def describe(claim: Claim, proof: Proof) -> Iterator[str]:
    """Yield lines of text on a claim and its proof."""
    configuration = claim.configuration
    yield _row("claim", f"{claim.kind}: {claim.statement}")
    yield _row(
        "circuit", design_text(configuration.design.name, configuration.nbits, configuration.params)
    )
    yield _row(proof.verdict, f"by {proof.method}, {proof.scope}, {proof.seconds:.1f} s")
    if example := proof.counterexample:
        yield _row("found", example.text)
        if example.replay:
            command = f"rsaxcel sim {configuration.design.name} --nbits {configuration.nbits}"
            params = "".join(f" --param {k}={v}" for k, v in configuration.changed.items())
            yield _row(
                "replay", f"echo '{json.dumps(example.replay)}' | {command}{params} --vectors -"
            )


def heads() -> str:
    """Head of the table of ``row``."""
    return _cells("claim", "circuit", "verdict", "CPU", "by, scope")


def row(claim: Claim, proof: Proof) -> str:
    """Row of a table for a claim and its proof."""
    configuration = claim.configuration
    changed = {k: v for k, v in configuration.changed.items() if k == "schedule"}
    circuit = design_text(configuration.design.name, configuration.nbits, changed)
    how = f"{proof.method}, {proof.scope}"
    return _cells(claim.kind, circuit, proof.verdict, f"{proof.seconds:.1f} s", how)


def _cells(kind: str, circuit: str, verdict: str, seconds: str, how: str) -> str:
    return f"{kind:<9} {circuit:<42} {verdict:<8} {seconds:>7}  {how}"


def as_object(claim: Claim, proof: Proof) -> dict[str, Any]:
    """Values of a proof for JSON."""
    configuration = claim.configuration
    example = proof.counterexample
    return {
        "design": configuration.design.name,
        "nbits": configuration.nbits,
        "params": configuration.params,
        "claim": claim.kind,
        "statement": claim.statement,
        "verdict": str(proof.verdict),
        "method": proof.method,
        "scope": proof.scope,
        "cpu_seconds": round(proof.seconds, 2),
        "counterexample": example and example.text,
        "vector": (example and dict(example.replay)) or None,
    }


def _row(label: str, text: str) -> str:
    return f"{label:<12}{text}"
