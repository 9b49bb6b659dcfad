"""``rsaxcel prove``: proves claims about circuits for all inputs."""

import json
from pathlib import Path

import click

import catalog
from eval.progress import steps
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

_NBITS = 4  # default width in bits


@click.command(
    epilog="""\b
    Examples:
      rsaxcel prove mont_mul
      rsaxcel prove mont_mul --nbits 9
      rsaxcel verilog mont_mul --nbits 4 -o out   # edit out/mont_mul_4.sv, then
      rsaxcel prove mont_mul --nbits 4 --verilog out/mont_mul_4.sv --vcd wrong.vcd
    """
)
@click.argument(
    "design", shell_complete=complete(lambda: [*catalog.multipliers(), *catalog.DESIGNS])
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
@click.option("--json", "as_json", is_flag=True, help="One JSON object per claim, nothing else.")
def command(
    design: str,
    nbits: int | None,
    params: dict[str, str],
    claim: str,
    seconds: float,
    verilog: Path | None,
    vcd: Path | None,
    as_json: bool,
) -> int:
    r"""Prove claims about the circuit of DESIGN, or of a multiplier, for all inputs.

    \b
    Classes of claims:
      product    multipliers: the result is right for all operands and all moduli

    A claim is proven, refuted, or open if the time limit ends first. A refuted claim comes with a
    counterexample: operands as a vector, which `rsaxcel sim --vectors` replays, and a waveform.

    The circuit is the translated Verilog, read by Yosys. Results are stored: the same command
    answers at once.

    Exit status: 0 if no claim is refuted, 1 if one is, 2 for bad input or a missing tool.
    """
    from eval.proofs.signals import write_vcd
    from eval.proofs.study import claims_of, proofs_of
    from rsaxcel.commands.output.prove import as_object, describe

    if vcd is not None:
        check_folder("--vcd", vcd)
    least = _least(design)
    configuration = configure(
        catalog.find, design, max(least, _NBITS) if nbits is None else nbits, params
    )
    check_circuit(configuration)
    claims = claims_of(configuration, claim, verilog.read_text() if verilog else "")
    refuted = 0
    try:
        with steps(f"prove {configuration.name}") as tell:
            for each, proof in proofs_of(claims, seconds, tell):
                example = proof.counterexample
                if example and vcd is not None and not refuted:
                    write_vcd(vcd, example)
                refuted += example is not None
                click.echo(
                    json.dumps(as_object(each, proof))
                    if as_json
                    else "\n".join(describe(each, proof))
                )
    except (SetupError, ToolFailure) as error:
        raise UserError(str(error)) from error
    except (FlowError, TranslationError) as error:
        raise RunError(str(error)) from error
    return int(refuted > 0)


def _least(design: str) -> int:
    """Least width of a design; 1 if it is unknown."""
    try:
        return catalog.find(design).widths[0]
    except ValueError:
        return 1
