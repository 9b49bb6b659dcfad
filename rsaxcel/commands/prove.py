"""``rsaxcel prove``: proves claims about circuits for all inputs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

import catalog
from eval.progress import progress
from flow.errors import FlowError, SetupError, ToolFailure
from rsaxcel.commands.options.common import (
    check_circuit,
    check_folder,
    complete,
    configure,
    ending_in,
    param_option,
)
from sim.translator import TranslationError
from store.errors import RunError, UserError

if TYPE_CHECKING:  # its import takes long
    from eval.proofs.claim import Claim

_NBITS = 4  # default width in bits


@click.command(
    epilog="""\b
    Classes of claims:
      product    multipliers: the result is right for all operands and all moduli
      secrecy    designs: with other exponents, handshakes and statuses are the same in
                 every cycle
      status     designs: a request that breaks an input rule gets the rule's status
      response   designs of constant time: a request that meets the rules gets status ok
                 in the cycle that the cycle model gives
      netlist    the synthesized netlist computes what the Verilog computes

    \b
    Examples:
      rsaxcel prove mont_mul
      rsaxcel prove mont_mul --nbits 9
      rsaxcel prove orup_window --claim secrecy
      rsaxcel prove --json                  all standard claims
      rsaxcel verilog mont_mul --nbits 4 -o out   # edit out/mont_mul_4.sv, then
      rsaxcel prove mont_mul --nbits 4 --verilog out/mont_mul_4.sv --vcd wrong.vcd
    """
)
@click.argument(
    "design",
    required=False,
    shell_complete=complete(lambda: [*catalog.multipliers(), *catalog.DESIGNS]),
)
@click.option(
    "--nbits",
    type=int,
    metavar="N",
    help="Width of operands and result in bits.  [default: 4, or the least allowed width]",
)
@param_option
@click.option("--claim", default="", metavar="CLAIM", help="Prove claims of one class only.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=60,
    show_default=True,
    help="Time limit of the solvers for each claim.",
)
@click.option(
    "--verilog",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Prove this Verilog, which has the ports and the top module that `rsaxcel verilog` "
    "writes, in place of the design's own.",
)
@click.option(
    "--vcd",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=ending_in(".vcd"),
    metavar="FILE.vcd",
    help="Write the waveform of the first counterexample.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=2,
    show_default=True,
    help="Claims that are proven at the same time.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per claim, nothing else.")
def command(
    design: str | None,
    nbits: int | None,
    params: dict[str, str],
    claim: str,
    seconds: float,
    verilog: Path | None,
    vcd: Path | None,
    jobs: int,
    as_json: bool,
) -> int:
    """Prove claims about the circuit of DESIGN, or of a multiplier, for all inputs.

    Without DESIGN, it proves the standard claims, derived from the registry: products at 9 bits,
    and designs at 8 bits; secrecy for the designs that declare it.

    A claim is proven, refuted, or open if the time limit ends first. A refuted claim comes with a
    counterexample: operands as a vector, which `rsaxcel sim --vectors` replays, and a waveform.

    The circuit is the translated Verilog, read by Yosys. Results are stored: the same command
    answers at once.

    Exit status: 0 if no claim is refuted, 1 if one is, 2 for bad input or a missing tool.
    """
    from eval.proofs.signals import write_vcd
    from eval.proofs.standard import standard_claims
    from eval.proofs.study import proofs_of
    from rsaxcel.commands.output.prove import as_object, describe, heads, row

    if vcd is not None:
        check_folder("--vcd", vcd)
    if design is None:
        if nbits is not None or params or claim or verilog:
            raise UserError("--nbits, --param, --claim and --verilog go with a DESIGN")
        claims: Sequence[Claim] = list(standard_claims())
    else:
        claims = _claims(design, nbits, params, claim, verilog)
    refuted = 0
    try:
        with progress("prove", len(claims), "claims") as advance:
            if design is None and not as_json:
                click.echo(heads())
            for each, proof in proofs_of(claims, seconds, jobs):
                advance(1)
                example = proof.counterexample
                if example and vcd is not None and not refuted:
                    write_vcd(vcd, example)
                refuted += example is not None
                if as_json:
                    click.echo(json.dumps(as_object(each, proof)))
                elif design is None:
                    click.echo(row(each, proof))
                else:
                    click.echo("\n".join(describe(each, proof)))
    except (SetupError, ToolFailure) as error:
        raise UserError(str(error)) from error
    except (FlowError, TranslationError) as error:
        raise RunError(str(error)) from error
    return int(refuted > 0)


def _claims(
    design: str, nbits: int | None, params: dict[str, str], claim: str, verilog: Path | None
) -> Sequence[Claim]:
    """Claims about a design or a multiplier."""
    from eval.proofs.study import claims_of

    if design.startswith(("proc_", "axi_")):
        raise UserError(f"{design} is a system; designs and multipliers are allowed")
    if nbits is None:
        nbits = max(_least(design), _NBITS)
    configuration = configure(catalog.find, design, nbits, params)
    check_circuit(configuration)
    return claims_of(configuration, claim, verilog.read_text() if verilog else "")


def _least(design: str) -> int:
    """Least width of a design; 1 if it is unknown."""
    try:
        return catalog.find(design).widths[0]
    except ValueError:
        return 1
