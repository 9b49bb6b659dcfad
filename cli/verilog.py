"""``rsaxcel verilog``: writes the Verilog of a design, and a testbench."""

from pathlib import Path

import click

from rsaxcel.circuit import Circuit
from rsaxcel.cli.options.common import choose_circuit, system_options
from rsaxcel.cli.options.plain import only_with
from rsaxcel.cli.options.vectors import VECTOR_OPTIONS, VectorSource, choose_vectors, vector_options
from rsaxcel.cli.output.verilog import (
    folder_option,
    tell_paths,
    tell_simulators,
    texts_of,
    write_texts,
)
from rsaxcel.cli.progress import steps
from rsaxcel.diagnosis.check import check_target
from rsaxcel.proc.systems import System
from rsaxcel.sim.operations import operation
from rsaxcel.sim.runners import translation
from rsaxcel.sim.system_run import check_system
from rsaxcel.sim.testbench import testbench
from rsaxcel.sim.translate import VerilogModule, translate_cached
from rsaxcel.store.errors import UserError

_VECTORS = 20


@click.command(
    epilog="""\b
    Examples:
      rsaxcel verilog mont_r2l
      rsaxcel verilog ssmm_r2l --nbits 64 --testbench --output verilog
      rsaxcel verilog mul_rem --testbench --random 1000 --seed 7
      rsaxcel verilog mont_r2l --param schedule=window --testbench --vectors vectors.jsonl
      rsaxcel verilog proc_mont_r2l --plain

    \b
    To run the testbench (the command prints these lines, with the names filled in and with
    the paths of simulators that are not on PATH):
      verilator --binary -Wno-fatal -Wno-lint --top NAME_tb NAME.sv NAME_tb.sv && obj_dir/VNAME_tb
      iverilog -g2012 -o NAME_tb NAME.v NAME_tb.sv && vvp NAME_tb
    """
)
@system_options
@click.option(
    "--testbench",
    "with_testbench",
    is_flag=True,
    help="Write a self-checking testbench, too; includes --plain.",
)
@click.option(
    "--plain", is_flag=True, help="Write Verilog-2005, too, for simulators such as Icarus."
)
@vector_options(_VECTORS)
@folder_option
@only_with(VECTOR_OPTIONS, "--testbench")
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
    with steps(f"verilog {design}"):
        configuration, module = _translate(design, nbits, params)
        if with_testbench and configuration is None:
            raise UserError(
                f"{design}: --testbench is for designs and multipliers; `rsaxcel run` runs "
                "programs on a system"
            )
        bench = ""
        if configuration and with_testbench:
            to_do = operation(configuration)
            chosen = choose_vectors(to_do, nbits, source, _VECTORS, configuration)
            bench = testbench(configuration, module, chosen.vectors, chosen.origin)
        texts = texts_of(module, bench, plain=plain or with_testbench)
    tell_paths(write_texts(output, texts, secret=source.secret))
    if with_testbench:
        tell_simulators(output, module)


def _translate(
    design: str, nbits: int, params: dict[str, str]
) -> tuple[Circuit | None, VerilogModule]:
    """Translate a design, a multiplier or a system; the configuration is None for a system."""
    chosen = choose_circuit(design, nbits, params)
    if not isinstance(chosen, System):
        return chosen, translation(chosen, "rtl")
    check_target(chosen)
    module = translate_cached(
        chosen.key, chosen.component, sources=chosen.sources, top=chosen.key, check=check_system
    )
    return None, module
