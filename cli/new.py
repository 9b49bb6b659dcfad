"""``rsaxcel new``: writes the files of a new multiplier, core or project to start from."""

from pathlib import Path
from shlex import quote

import click

from rsaxcel.cli.options.plain import output_folder
from rsaxcel.course import new
from rsaxcel.course.project import KINDS, LANGUAGES
from rsaxcel.store.errors import UserError

#: What is written, with the options that it has.
_OPTIONS = {"multiplier": (), "core": ("protocol", "language"), "project": ("kind", "language")}


@click.command(
    epilog="""\b
    Examples:
      rsaxcel new project booth --kind multiplier --language pymtl
      cd booth && pytest
      rsaxcel new multiplier booth
      export RSAXCEL_DESIGNS=$PWD/booth
      rsaxcel sim booth --random 100
      rsaxcel sim booth_r2l --random 100
      rsaxcel new core mine --protocol start_done
      rsaxcel sim mine/core.toml --random 100
    """
)
@click.argument("what", type=click.Choice(tuple(_OPTIONS)))
@click.argument("name")
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    help="Of a project, which needs one: xcel has registers of its own, and programs in C.",
)
@click.option(
    "--protocol",
    type=click.Choice(new.PROTOCOLS),
    help="Of a core, which needs one: streams have valid and ready, start_done a start and a sign "
    "of the end, words registers with addresses.",
)
@click.option(
    "--language",
    type=click.Choice((*LANGUAGES, new.VHDL)),
    help="Of a project, pymtl or verilog; of a core, verilog or vhdl, which has streams.  "
    "[default: verilog]",
)
@output_folder("Where the folder NAME is made.  [default: here]", default=Path())
def command(
    what: str, name: str, kind: str | None, protocol: str | None, language: str | None, folder: Path
) -> None:
    """Write a project, or a multiplier or a core alone, to start from.

    A project: a repository for a design, with tests for pytest, a project.toml, README and a
    workflow. It works as it is; in its folder and below it, commands find the design.

    A multiplier: four small files in a folder NAME, golden model, cycle model, circuit and entry.
    They work as they are: a product by doubling and adding, a bit per cycle. TODO marks what to
    change. RSAXCEL_DESIGNS=.../NAME makes the multiplier NAME and the design NAME_r2l known to
    every command.

    A core: Verilog or VHDL in a folder NAME, with its description core.toml, which every
    command takes for DESIGN. It works as it is, too: a power by interleaved multiplication, a bit
    per cycle.
    """
    given = {"kind": kind, "protocol": protocol, "language": language}
    for option, value in given.items():
        if value is not None and option not in _OPTIONS[what]:
            others = " or ".join(x for x, options in _OPTIONS.items() if option in options)
            raise UserError(f"--{option}={value}: not for a {what}; a {others} is allowed")
    if what == "project":
        if kind is None:
            raise UserError(f"project: --kind is needed; allowed: {', '.join(KINDS)}")
        if language == new.VHDL:
            raise UserError(f"--language={language}: {', '.join(LANGUAGES)} are allowed")
        texts = new.project(name, kind, language or new.VERILOG)
    elif what == "core":
        if protocol is None:
            raise UserError(f"core: --protocol is needed; allowed: {', '.join(new.PROTOCOLS)}")
        if language == new.PYMTL:
            raise UserError(f"--language={language}: {new.VERILOG}, {new.VHDL} are allowed")
        if language == new.VHDL and protocol != "streams":
            raise UserError(f"--language={new.VHDL}: --protocol=streams is allowed")
        texts = new.core(name, language or new.VERILOG, protocol)
    else:
        texts = new.multiplier(name)
    new.write_new(texts, place := folder / name)
    told = {
        "project": f"to try it: cd {quote(str(place))} && pytest",
        "core": f"to try it: rsaxcel sim {quote(str(place / 'core.toml'))} --random 100",
        "multiplier": f"to use it: export RSAXCEL_DESIGNS={quote(str(place.absolute()))}\n"
        f"to try it: rsaxcel sim {name} --random 100; rsaxcel sim {name}_r2l --random 100",
    }
    click.echo(f"{place}: {', '.join(texts)}\n{told[what]}")
