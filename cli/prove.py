"""``rsaxcel prove``: proves claims about circuits for all inputs."""

from __future__ import annotations

import json
import math
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rsaxcel import catalog
from rsaxcel.cli.options.common import (
    check_circuit,
    choose_system,
    complete,
    configure,
    design_text,
    named,
    nbits_option,
    output_file,
    system_param_option,
)
from rsaxcel.cli.options.plain import (
    FiniteRange,
    excludes,
    file_option,
    json_option,
    only_with,
    seed_option,
    worker_options,
)
from rsaxcel.cli.progress import steps
from rsaxcel.flow.errors import ToolFailure
from rsaxcel.proc.isa import XLEN
from rsaxcel.proc.systems import NULL_SYSTEM, is_system
from rsaxcel.sim import replay
from rsaxcel.store.errors import UserError
from rsaxcel.store.whole_files import read_text

if TYPE_CHECKING:  # these imports take long
    from rsaxcel.eval.measure.job import Workers
    from rsaxcel.lab.proofs.claim import Claim, Proof
    from rsaxcel.lab.proofs.self_test import SelfTest


def describe(claim: Claim, proof: Proof) -> Iterator[str]:
    """Yield lines of text on a claim and its proof."""
    from rsaxcel.lab.proofs.claim import NOT_TRIED

    yield _row("claim", f"{claim.kind}: {claim.statement}")
    yield _row("circuit", design_text(claim.name, claim.nbits, claim.params))
    by = "" if proof.method == NOT_TRIED else "by "
    yield _row(proof.verdict, f"{by}{proof.method}, {proof.scope}, {proof.seconds:.1f} s")
    if example := proof.counterexample:
        yield _row("found", example.text)
        if example.vectors:
            command = replay.command("sim", claim.name, claim.nbits, claim.changed)
            if getattr(claim, "verilog", ""):
                yield _row("note", "the replay runs the built-in circuit, not the given Verilog")
            lines = " ".join(f"'{json.dumps(vector)}'" for vector in example.vectors)
            echo = "echo" if len(example.vectors) == 1 else r"printf '%s\n'"
            yield _row("replay", f"{echo} {lines} | {command} --vectors -")


def table(proofs: Sequence[tuple[Claim, Proof]]) -> Iterator[str]:
    """Yield a row for each claim with its proof, then the numbers of claims by verdict."""
    from rsaxcel.lab.proofs.solver import ProofVerdict

    circuits = [_circuit(claim) for claim, _ in proofs]
    width = max(map(len, circuits))
    yield _cells("claim", "circuit", "verdict", "CPU", "by, scope", width)
    for (claim, proof), circuit in zip(proofs, circuits, strict=True):
        how = f"{proof.method}, {proof.scope}"
        yield _cells(claim.kind, circuit, proof.verdict, f"{proof.seconds:.1f} s", how, width)
    counts = Counter(proof.verdict for _, proof in proofs)
    listed = ", ".join(f"{counts[verdict]} {verdict}" for verdict in ProofVerdict)
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


def describe_test(found: SelfTest) -> Iterator[str]:
    """Yield lines of text on the faults in the circuit of claims."""
    from rsaxcel.lab.proofs.self_test import EQUAL, REFUTED

    claim, refuted = found.claims[0], found.count(REFUTED)
    counted = refuted + len(found.surviving)
    circuit = design_text(claim.name, claim.nbits, claim.changed)
    yield _row("self-test", f"{claim.kind}: {circuit}")
    told = f"{refuted} of {counted} planted faults, {found.share:.0%}"
    yield _row("refuted", f"{told}; {found.count(EQUAL)} others have no effect in its runs")
    for fault, verdict in found.surviving:
        yield _row(verdict, f"{fault.kind}: {fault.text}")


def test_as_object(found: SelfTest) -> dict[str, Any]:
    """Values of a self-test for JSON."""
    from rsaxcel.lab.proofs.self_test import EQUAL, REFUTED

    claim = found.claims[0]
    return {
        "design": claim.name,
        "nbits": claim.nbits,
        "params": dict(claim.params),
        "claim": claim.kind,
        "planted": len(found.found),
        "refuted": found.count(REFUTED),
        "no_effect": found.count(EQUAL),
        "share": round(found.share, 3),
        "survive": [
            {"fault": f"{fault.kind}: {fault.text}", "verdict": verdict}
            for fault, verdict in found.surviving
        ],
    }


def _row(label: str, text: str) -> str:
    return f"{label:<12}{text}"


_NBITS = 4  #: default width in bits
_MINUTES = 28  #: default time limit of a run without NAME
_MODULE = re.compile(r"^\s*module\s+(\w+)", re.MULTILINE)
_AT_LINE = re.compile(r"(\d+): ERROR: (.*?)(?: \(log: |$)")


@click.command(
    epilog="""\b
    Classes of claims:
      function     blocks (adders, compressor trees, recoded digits, dividers): the
                   outputs are right for all inputs
      product      multipliers: the result is right for all operands and all moduli
      secrecy      designs: with other exponents, handshakes and statuses are the same
                   in every cycle; with a check, the handshakes
      status       designs: a request that breaks an input rule gets the rule's status
      response     designs whose cycles depend on neither exponent nor base: a request
                   that meets the rules gets status ok in the cycle model's cycle
      exchange     xcel_adapter, axi_slave, axi_accelerator: every request gets one
                   response, in time, whatever is around the circuit
      netlist      the synthesized netlist computes what the Verilog computes
      instruction  proc_null: each instruction that retires within some cycles after a
                   reset does what the ISA says

    \b
    Examples:
      rsaxcel prove mont_mul
      rsaxcel prove mont_mul --nbits 9
      rsaxcel prove divider --param bits_per_cycle=4
      rsaxcel prove xcel_adapter
      rsaxcel prove orup_window --claim secrecy
      rsaxcel prove proc_null --instruction add --instruction registers
      rsaxcel prove mont_mul --self-test    faults are planted: which are refuted?
      rsaxcel prove --json                  all standard claims
      rsaxcel verilog mont_mul --nbits 4 -o out   # edit out/mont_mul_4.sv, then
      rsaxcel prove mont_mul --nbits 4 --verilog out/mont_mul_4.sv --vcd wrong.vcd
    """
)
@click.argument(
    "name",
    required=False,
    callback=named,
    shell_complete=complete(lambda: [*catalog.circuits(), NULL_SYSTEM]),
)
@nbits_option(
    "Width of operands and result in bits.  [default: 4, or the least allowed width; of a "
    "block: the width of its standard claim]",
    default=None,
)
@system_param_option
@click.option("--claim", metavar="CLAIM", help="Prove claims of one class only.")
@click.option(
    "--instruction",
    "instructions",
    multiple=True,
    metavar="NAME",
    help="Of proc_null: prove the claims about this instruction only, such as add, or about pc, "
    "order, registers, fetch, illegal or end; can be repeated.",
)
@click.option(
    "--cycles",
    type=click.IntRange(6, 40),
    metavar="N",
    help="Of proc_null: cycles after a reset in which instructions retire, the first in the sixth "
    "one.  [default: 8]",
)
@click.option(
    "--seconds",
    type=FiniteRange(min=0, min_open=True),
    default=60,
    metavar="T",
    help="Processor time in seconds of all solvers for a claim, at most.",
)
@file_option(
    "--verilog",
    "Prove this Verilog, which has the ports and the top module that `rsaxcel verilog` "
    "writes, in place of the design's own. No claim about a design covers its results.",
)
@output_file("--vcd", "Write the waveform of the first counterexample.", ".vcd", metavar="FILE.vcd")
@worker_options()
@click.option(
    "--minutes",
    type=FiniteRange(min=0),
    metavar="T",
    help="Time limit in minutes of the whole run; claims that are not proven by then stay open; 0 "
    "shows stored results.  "
    "[default: none with NAME, else 28]",
)
@click.option(
    "--self-test",
    "tests",
    is_flag=True,
    help="Plant faults in the circuit of each claim, and tell the share that the claim refutes.",
)
@click.option(
    "--faults",
    type=click.IntRange(4, 1000),
    default=30,
    metavar="N",
    help="Of --self-test: faults that are planted in a circuit.",
)
@seed_option("Of --self-test: seed by which faults are drawn.", default=1)
@json_option("One JSON object per claim, nothing else.")
@only_with(("--faults", "--seed"), "--self-test")
@excludes("--self-test", "--vcd", "--minutes")
@only_with(("--nbits", "--param", "--claim", "--verilog"), "NAME")
@only_with(("--instruction", "--cycles"), f"NAME {NULL_SYSTEM}")
def command(
    name: str | None,
    nbits: int | None,
    params: dict[str, str],
    claim: str | None,
    instructions: tuple[str, ...],
    cycles: int | None,
    seconds: float,
    verilog: Path | None,
    vcd: Path | None,
    pool: Workers,
    minutes: float | None,
    tests: bool,
    faults: int,
    seed: int,
    as_json: bool,
) -> int:
    """Prove claims about the circuit of NAME, for all inputs.

    NAME is a design, a multiplier, a block, such as `add_red_select`, `divider` or `xcel_adapter`,
    or proc_null: the processor.

    Without NAME, it proves the standard claims, derived from the registry: blocks, most at 8 bits;
    adapter and bus; products at 9 bits; netlists of multipliers and of designs at 32 bits; all
    other claims about designs at 8 bits, secrecy only if their cycles do not depend on the
    exponent; and all instructions of the processor. A table follows at the end.

    A claim is proven, refuted, or open if a limit of time or size is met first. A refuted claim
    comes with a counterexample: a waveform, and vectors, which `rsaxcel sim --vectors` replays, if
    the claim is about operations.

    The circuit is the translated Verilog, read by Yosys. Results are stored: the same command
    answers at once, and one that was interrupted goes on where it ended.

    With --self-test, faults are planted in the circuits, each claim is tried on each, and faults
    that no claim refutes are listed, but for those without an effect.

    Exit status: 0 if no claim is refuted, 1 if one is, 2 for bad input or a missing tool.
    """
    from rsaxcel.eval.measure.claims import proofs_of, self_tests_of
    from rsaxcel.lab.findings import PROVEN, keep_findings
    from rsaxcel.lab.proofs.claim import CircuitClaim
    from rsaxcel.lab.proofs.signals import write_vcd
    from rsaxcel.lab.proofs.solver import ProofVerdict
    from rsaxcel.lab.proofs.standard import standard_claims
    from rsaxcel.sim.traces import prepare

    if name is None:
        claims: Sequence[Claim] = list(standard_claims())
    else:
        of_processor = instructions, cycles
        claims = _claims(name, nbits, params, claim or "", verilog, of_processor)
    if tests:
        with steps("self-test") as tell:
            for found in self_tests_of(claims, seconds, faults, seed, pool, tell):
                lines = [json.dumps(test_as_object(found))] if as_json else describe_test(found)
                click.echo("\n".join(lines))
        return 0
    if minutes is None:
        minutes = _MINUTES if name is None else math.inf
    until = time.time() + 60 * minutes
    proven: dict[int, tuple[Claim, Proof]] = {}
    refuted = 0
    place = {id(each): i for i, each in enumerate(claims)}
    try:
        shown = name is None or bool(pool.scheduler)
        with steps("prove") if shown else nullcontext(lambda line: None) as tell:
            for each, proof in proofs_of(claims, seconds, until, pool, tell):
                proven[place[id(each)]] = each, proof
                if name is None:
                    tell(step(each, proof, len(proven), len(claims)))
                if (
                    isinstance(each, CircuitClaim)
                    and proof.verdict != ProofVerdict.OPEN
                    and not verilog
                ):
                    told = f"{proof.verdict} by {proof.method}, {proof.scope}"
                    options = f"prove --claim {each.kind}"
                    keep_findings(PROVEN, each.configuration, {each.kind: told}, options)
                example = proof.counterexample
                if example and vcd is not None and not refuted:
                    write_vcd(vcd, example)
                    prepare(vcd)
                    click.echo(f"{'written':<12}{vcd}", err=as_json)
                refuted += example is not None
                if as_json:
                    click.echo(json.dumps(as_object(each, proof)))
                elif name is not None:
                    click.echo("\n".join(describe(each, proof)))
    except ToolFailure as error:
        raise UserError(_of_file(error, verilog)) from error
    if name is None and not as_json:
        click.echo("\n".join(table([proven[i] for i in sorted(proven)])))
    return int(refuted > 0)


def _claims(
    name: str,
    nbits: int | None,
    params: dict[str, str],
    claim: str,
    verilog: Path | None,
    of_processor: tuple[tuple[str, ...], int | None],
) -> Sequence[Claim]:
    """Claims about a design, a multiplier, a block, or the processor (instructions, cycles)."""
    from rsaxcel.lab.proofs.blocks import BLOCKS
    from rsaxcel.lab.proofs.study import (
        block_claims,
        claims_of,
        claims_of_exchange,
        processor_claims,
        too_wide,
    )
    from rsaxcel.lab.proofs.surroundings import EXCHANGES

    if name == NULL_SYSTEM:
        if verilog:
            raise UserError(f"--verilog: designs, multipliers and blocks are allowed, not {name}")
        system = choose_system(name, XLEN, params)
        return processor_claims(system, nbits, claim, *of_processor)
    text = _read(verilog) if verilog else ""
    if name in BLOCKS or name in EXCHANGES:
        of_name = block_claims if name in BLOCKS else claims_of_exchange
        found = of_name(name, nbits, params, claim, text)
        _check_top(found, verilog, text)
        return found
    if is_system(name):
        raise UserError(
            f"{name} is a system; designs, multipliers and blocks are allowed, and {NULL_SYSTEM}"
        )
    try:
        least = catalog.find(name).widths[0]
    except ValueError as error:
        raise UserError(
            f"{error}; blocks: {', '.join([*BLOCKS, *EXCHANGES])}; the processor: {NULL_SYSTEM}"
        ) from error
    nbits = max(least, _NBITS) if nbits is None else nbits
    configuration = configure(catalog.find, name, nbits, params)
    found = claims_of(configuration, claim, text)
    check_circuit(configuration)
    if described := getattr(configuration, "described", None):
        described.check_netlist(nbits)  # of what no gates are made, no claim is proven
    _check_top(found, verilog, text)
    if not claim:
        for each in too_wide(configuration):
            told = f"{each.kind} is not tried: up to {each.most_nbits} bits"
            click.echo(f"rsaxcel: {told}", err=True)
    return found


def _read(verilog: Path) -> str:
    """Read Verilog; raise ``UserError`` for a file that cannot be any."""
    try:
        text = read_text(verilog)
    except UnicodeDecodeError as error:
        raise UserError(f"{verilog}: not Verilog (not UTF-8 text: {error.reason})") from error
    if not _MODULE.search(text):
        raise UserError(f"{verilog}: not Verilog (no module in it)")
    return text


def _check_top(claims: Sequence[Any], verilog: Path | None, text: str) -> None:
    """Raise ``UserError`` if the Verilog lacks the top module of the circuit that claims are of."""
    if verilog and (top := claims[0].module.top) not in _MODULE.findall(text):
        raise UserError(f"module {top} is not in {verilog}")


def _of_file(error: Exception, verilog: Path | None) -> str:
    """Message of a tool about Verilog; it names the file if its line is one of the user's."""
    found = _AT_LINE.search(str(error))
    if verilog is None or not found or int(found[1]) > len(_read(verilog).splitlines()):
        return str(error)
    return f"{verilog}: Yosys refuses line {found[1]}: {found[2]}"
