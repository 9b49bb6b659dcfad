"""``rsaxcel verilog``: writes the Verilog of a design, and a testbench."""

import shlex
from pathlib import Path

import click

from catalog import AnyConfiguration
from eval.progress import steps
from flow.errors import FlowError, SetupError, ToolFailure
from flow.plain_verilog import plain_verilog
from proc.sources import system_sources
from proc.systems import System
from rsaxcel.commands.options.common import design_options
from rsaxcel.commands.options.systems import choose_circuit
from rsaxcel.commands.options.vectors import VectorSource, choose_vectors, vector_options
from sim.operations import operation
from sim.runners import translation
from sim.system_run import check_system
from sim.testbench import SUFFIX, testbench
from sim.translate import VerilogModule, translate_cached
from sim.translator import TranslationError
from store.errors import RunError, UserError

_VECTORS = 20
_FILES = (".v", ".sv", ".vh", ".svh")


def _check_folder(_context: click.Context, _parameter: click.Parameter, folder: Path) -> Path:
    """Refuse a name with the ending of a file: the command writes several files to a folder."""
    if folder.suffix in _FILES and not folder.is_dir():
        raise click.BadParameter(
            f"{folder}: a folder is needed, in which NAME{folder.suffix} is written"
        )
    return folder


@click.command(
    epilog="""\b
    Examples:
      rsaxcel verilog mont_r2l
      rsaxcel verilog ssmm_r2l --nbits 64 --testbench --output verilog
      rsaxcel verilog mul_rem --testbench --random 1000 --seed 7
      rsaxcel verilog mont_r2l --param schedule=window --testbench --vectors vectors.jsonl
      rsaxcel verilog proc_mont_r2l --plain

    \b
    To run the testbench (the command prints these lines with the names filled in):
      verilator --binary -Wno-fatal -Wno-lint --top NAME_tb NAME.sv NAME_tb.sv && obj_dir/VNAME_tb
      iverilog -g2012 -o NAME_tb NAME.v NAME_tb.sv && vvp NAME_tb
    The Verilator in .venv (lib/python*/site-packages/verilator/bin) lacks two settings: give it
    VERILATOR_ROOT, -CFLAGS -fcoroutines and -MAKEFLAGS CFG_CXXFLAGS_PCH_I=-include, too.
    """
)
@design_options
@click.option(
    "--testbench",
    "with_testbench",
    is_flag=True,
    help="Write a self-checking testbench, too; includes --plain.",
)
@click.option(
    "--plain", is_flag=True, help="Write Verilog-2005, too, for simulators such as Icarus."
)
@vector_options
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    callback=_check_folder,
    metavar="FOLDER",
    help="Folder to write to; the current one unless given.",
)
def command(
    design: str,
    nbits: int,
    params: dict[str, str],
    with_testbench: bool,
    plain: bool,
    source: VectorSource,
    output: Path,
) -> None:
    """Write the Verilog of DESIGN, of a multiplier or of a system (proc_DESIGN, axi_DESIGN).

    NAME.sv is the translation that the native engine simulates and the flow synthesizes:
    SystemVerilog with packed structs, and each update block's Python above it. With --plain, NAME.v
    is the same in Verilog-2005 (by Yosys), with the same modules, registers and ports.

    With --testbench, NAME_tb.sv has vectors in it: 20 random ones, or others as for `rsaxcel sim`.
    It checks results, statuses and cycles, prints PASS or FAIL, and needs no Python: any Verilog
    simulator runs it on either file. It ends with $fatal if anything is wrong.
    """
    if not with_testbench and source.given:
        raise UserError("--vectors, --random, --seed, --key and --operation are for --testbench")
    texts: dict[str, str] = {}
    try:
        with steps(f"verilog {design}"):
            configuration, module = _translate(design, nbits, params)
            if with_testbench and configuration is None:
                raise UserError(
                    f"{design}: --testbench is for designs and multipliers; `rsaxcel run` runs "
                    "programs on a system"
                )
            translated, plain_name, bench_name = _names(module.top)
            texts[translated] = module.text
            if configuration and with_testbench:
                chosen = choose_vectors(operation(configuration), nbits, source, _VECTORS)
                text = testbench(configuration, module, chosen.vectors, chosen.origin)
                texts[bench_name] = text
            if plain or with_testbench:
                texts[plain_name] = plain_verilog(module)
    except (ValueError, SetupError, ToolFailure) as error:
        raise UserError(str(error)) from error
    except (FlowError, TranslationError) as error:
        raise RunError(str(error)) from error
    output.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        path = output / name
        path.write_text(text)
        click.echo(f"{'written':<12}{path}")
    if with_testbench:
        bench = f"{module.top}{SUFFIX}"
        names = (translated, plain_name, bench_name)
        system, other, test = (shlex.quote(str(output / name)) for name in names)
        click.echo(
            f"{'Verilator':<12}verilator --binary -Wno-fatal -Wno-lint --top {bench} "
            f"{system} {test} && obj_dir/V{bench}"
        )
        click.echo(f"{'Icarus':<12}iverilog -g2012 -o {bench} {other} {test} && vvp {bench}")


def _names(top: str) -> tuple[str, str, str]:
    """Names of the files: SystemVerilog, Verilog-2005 and testbench."""
    return f"{top}.sv", f"{top}.v", f"{top}{SUFFIX}.sv"


def _translate(
    design: str, nbits: int, params: dict[str, str]
) -> tuple[AnyConfiguration | None, VerilogModule]:
    """Translate a design, a multiplier or a system; the configuration is None for a system."""
    chosen = choose_circuit(design, nbits, params)
    if not isinstance(chosen, System):
        return chosen, translation(chosen, "rtl")
    module = translate_cached(
        chosen.key,
        chosen.component,
        sources=system_sources(chosen.configuration),
        top=chosen.key,
        check=check_system,
    )
    return None, module
