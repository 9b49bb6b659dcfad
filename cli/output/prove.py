"""Prints proofs."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from rsaxcel.cli.options.common import design_text
from rsaxcel.lab.proofs.answer import Verdict
from rsaxcel.lab.proofs.claim import NOT_TRIED, Claim, Proof


def describe(claim: Claim, proof: Proof) -> Iterator[str]:
    """Yield lines of text on a claim and its proof."""
    yield _row("claim", f"{claim.kind}: {claim.statement}")
    yield _row("circuit", design_text(claim.name, claim.nbits, claim.params))
    by = "" if proof.method == NOT_TRIED else "by "
    yield _row(proof.verdict, f"{by}{proof.method}, {proof.scope}, {proof.seconds:.1f} s")
    if example := proof.counterexample:
        yield _row("found", example.text)
        if example.vectors:
            command = f"rsaxcel sim {claim.name} --nbits {claim.nbits}"
            if getattr(claim, "verilog", ""):
                yield _row("note", "the replay runs the built-in circuit, not the given Verilog")
            params = "".join(f" --param {k}={v}" for k, v in claim.changed.items())
            lines = " ".join(f"'{json.dumps(vector)}'" for vector in example.vectors)
            echo = "echo" if len(example.vectors) == 1 else r"printf '%s\n'"
            yield _row("replay", f"{echo} {lines} | {command}{params} --vectors -")


def table(proofs: Sequence[tuple[Claim, Proof]]) -> Iterator[str]:
    """Yield a row for each claim with its proof, then the numbers of claims by verdict."""
    circuits = [_circuit(claim) for claim, _ in proofs]
    width = max(map(len, circuits))
    yield _cells("claim", "circuit", "verdict", "CPU", "by, scope", width)
    for (claim, proof), circuit in zip(proofs, circuits, strict=True):
        how = f"{proof.method}, {proof.scope}"
        yield _cells(claim.kind, circuit, proof.verdict, f"{proof.seconds:.1f} s", how, width)
    counts = Counter(proof.verdict for _, proof in proofs)
    listed = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict)
    seconds = sum(proof.seconds for _, proof in proofs)
    yield f"{len(proofs)} claims: {listed}; {seconds:.0f} s of processor time without Yosys"


def step(claim: Claim, proof: Proof, done: int, total: int) -> str:
    """Line of progress for a claim that has ended."""
    return f"{claim.kind} {_circuit(claim)} {proof.verdict}: done, {done} of {total}"


def _circuit(claim: Claim) -> str:
    text = design_text(claim.name, claim.nbits, claim.changed)
    return ", ".join(filter(None, (text, claim.part)))


def _cells(kind: str, circuit: str, verdict: str, seconds: str, how: str, width: int) -> str:
    return f"{kind:<11} {circuit:<{width}} {verdict:<8} {seconds:>7}  {how}"


def as_object(claim: Claim, proof: Proof) -> dict[str, Any]:
    """Values of a proof for JSON."""
    example = proof.counterexample
    return {
        "design": claim.name,
        "nbits": claim.nbits,
        "params": dict(claim.params),
        "claim": claim.kind,
        **({"part": claim.part} if claim.part else {}),
        "statement": claim.statement,
        "verdict": str(proof.verdict),
        "method": proof.method,
        "scope": proof.scope,
        "cpu_seconds": round(proof.seconds, 2),
        "counterexample": example and example.text,
        "vectors": [dict(vector) for vector in example.vectors] if example else [],
    }


def _row(label: str, text: str) -> str:
    return f"{label:<12}{text}"
