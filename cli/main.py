"""The command line ``rsaxcel``."""

import errno
import gc
import io
import os
import signal
import sys
import sysconfig
import traceback
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from importlib import import_module

import click
from click.core import augment_usage_errors

from rsaxcel.cli.signals import INTERRUPTED_STATUS, SIGNALLED
from rsaxcel.cli.usage_errors import extra_arguments, text_error, usage_error
from rsaxcel.diagnosis.error import DesignError, Place
from rsaxcel.store.errors import RsaxcelError, RunError, UserError, nearest
from rsaxcel.store.installing import missing_module
from rsaxcel.store.shown import one_line, shown_lines
from rsaxcel.store.tools import ToolError

#: Commands by group, each with its line in the help; its module has the name of the command.
_GROUPS = {
    "Designs": {
        "list": "all designs, multipliers and systems, or the details of one",
        "show": "draw the hierarchy of a design",
        "new": "write a project, multiplier or core to start from",
        "verilog": "write the Verilog of a design, with a testbench",
        "circuit": "go from an RSA key to a circuit for its modulus",
    },
    "Simulate": {
        "sim": "simulate operations at any level, check results, count cycles",
        "run": "run a program on the processor, with an accelerator or without",
        "crypt": "encrypt, decrypt, sign or verify a file by an accelerator",
    },
    "Measure": {
        "flow": "area, clock period, power and energy; placed, if asked",
        "fpga": "estimate FPGA resources",
        "report": "measure all designs; write a web page that compares them",
        "sweep": "measure many designs, widths and clocks",
        "optimize": "find the best combination of choices, with few syntheses",
        "export": "write a folder for OpenROAD or LibreLane",
    },
    "Compare": {
        "results": "what was measured here, filtered and sorted",
        "compare": "two designs side by side, with their ratios",
        "pareto": "the designs that no other one beats, and a plot",
        "fidelity": "figures printed in papers, beside ours",
    },
    "Laboratory": {
        "leak": "do time or energy tell about exponent, base or modulus?",
        "fault": "inject faults, and try whether they give the key away",
        "prove": "prove statements about a circuit for all inputs",
    },
    "Course": {
        "evaluate": "measure the designs of a project; write a report to hand in",
        "check": "check a design before it is handed in",
        "rank": "check the designs of a class, measure and rank them",
        "course": "write labs and autograders, check labs before the term",
    },
    "Upkeep": {
        "clean": "remove results that were not used for some days",
        "doctor": "which tools are there, and how to install a missing one",
    },
}

_COMMANDS = [name for names in _GROUPS.values() for name in names]

_FIRST_STEPS = """\
RSA accelerators, from a golden model to area, clock and energy. To begin:

  rsaxcel list                       all designs
  rsaxcel sim mont_r2l --random 5    run one on random operands, checked against Python's pow
  rsaxcel flow mont_r2l              its area, clock period, power and energy
  rsaxcel report                     all designs side by side, as a web page
  rsaxcel new multiplier booth       a multiplier of your own to start from
  rsaxcel --help                     all commands; rsaxcel COMMAND --help has examples"""

_HELP = "rsaxcel.help"  #: key in click's metadata: whether a command's help is asked for

_WITHOUT_DESIGNS = ("doctor", "new", "results", "clean")
#: commands whose DESIGN, width, library and clock are a project's, where a line has none
_OF_PROJECTS = "show verilog sim run flow fpga export leak fault evaluate check".split()

_NO_READER = SIGNALLED + signal.SIGPIPE  #: exit status if the reader of the output has gone


class _LazyGroup(click.Group):
    """Group that imports a command's module when the command is looked up."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands into the help, by group."""
        for title, names in _GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([*names.items()])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command; None for an unknown name."""
        if cmd_name not in _COMMANDS:
            return None
        # Designs of other packages may print text when they are imported. The text goes to standard
        # error. If a design cannot be loaded, a diagnosis is printed instead of the text.
        with redirect_stdout(io.StringIO()) as printed:
            # Only now, so that no command waits for the libraries of another command.
            command: click.Command = import_module(f"rsaxcel.cli.{cmd_name}").command
        if not gc.isenabled():  # __main__.py has disabled it
            # Excludes the imported modules from all garbage collections. pyslang, which reads cores
            # of RSAXCEL_DESIGNS, complains at the exit about what is not collected.
            if "pyslang" not in sys.modules:
                gc.freeze()
            gc.enable()
        if not getattr(sys.modules.get("rsaxcel.catalog"), "PROBLEMS", ()):
            click.echo(printed.getvalue(), err=True, nl=False)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Look up a command; for an unknown name, fail with a list of the commands."""
        if args == ["help"]:
            click.echo(ctx.get_help())
            ctx.exit()
        if args[0] not in _COMMANDS and not args[0].startswith("-"):
            meant = nearest(args[0], _COMMANDS)
            ctx.fail(f"no command {args[0]!r}{meant}; `rsaxcel --help` has all commands")
        ctx.meta[_HELP] = bool({*ctx.help_option_names} & {*args[1:]})
        if not (args[0] in _WITHOUT_DESIGNS or ctx.meta[_HELP] or _is_on_hand_ins(args)):
            _enter_project(ctx)  # before the import of the command, which imports all designs
        name, command, left = super().resolve_command(ctx, args)
        if command and not ctx.resilient_parsing:
            _check_arguments(click.Context(command, ctx, name), left)
        return name, command, left


class _ClosedInput(io.RawIOBase):
    """Standard input for a command that began with a closed one: reading it is an error."""

    name = "<stdin>"

    def readable(self) -> bool:
        return True

    def readinto(self, _buffer: object) -> int:
        raise OSError(errno.EBADF, "standard input is closed")


def _check_arguments(ctx: click.Context, args: list[str]) -> None:
    """Fail if arguments are too many, or an option is given twice: click allows this."""
    with augment_usage_errors(ctx):
        values, extra, order = ctx.command.make_parser(ctx).parse_args(args=list(args))
    for param in set(order):
        if isinstance(param, click.Option) and not param.multiple and order.count(param) > 1:
            ctx.fail(f"{param.opts[0]} is given {order.count(param)} times; once is allowed")
        told = text_error(param, values.get(param.name or ""), ctx)
        if told and not ctx.meta[_HELP]:
            ctx.fail(told)
    if extra and not ctx.meta[_HELP]:
        ctx.fail(extra_arguments(ctx, extra, args))


@click.group(
    cls=_LazyGroup,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 96,
        "show_default": True,
    },
    epilog="rsaxcel COMMAND --help has examples.",
    invoke_without_command=True,
)
@click.version_option(package_name="rsaxcel", prog_name="rsaxcel")
@click.option("--debug", is_flag=True, help="Show the traceback of an error, too.")
@click.pass_context
def cli(context: click.Context, debug: bool) -> None:
    """RSA accelerators in PyMTL3, from a golden model to area, clock and energy.

    Results go to standard output, all else to standard error. Exit status: 0 done; 1 a result is
    wrong, a signature or padding is refused, or a simulation never ends; 2 bad input, a mistake in
    a circuit or a missing tool; 128 plus the number of a signal that ended the command, such as 130
    after Ctrl-C.
    """
    if context.invoked_subcommand is None:
        click.echo(_FIRST_STEPS)
        return
    context.ensure_object(dict)["debug"] = debug
    # Help and these commands work even if a design cannot be loaded.
    if context.meta.get(_HELP) or context.invoked_subcommand in _WITHOUT_DESIGNS:
        return
    # this module imports all designs, which help does not need
    from rsaxcel.cli.outside_designs import check_outside

    check_outside(context.obj.get("arguments", ())[1:])


def _is_on_hand_ins(args: Sequence[str]) -> bool:
    """Whether a command is on what others handed in: it runs no code of a project around that."""
    return args[0] == "rank" or (
        args[0] == "check" and any(os.path.isdir(x) and (os.sep in x or x == ".") for x in args)
    )


def _enter_project(context: click.Context) -> None:
    """Make the design of a project in this folder, or above it, what commands take by default."""
    from rsaxcel.course.project import find_project

    if project := find_project():
        project.enter()
        context.default_map = dict.fromkeys(_OF_PROJECTS, project.defaults)


def guard(command: click.Command, name: str, args: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status; print an error as one line on standard error.

    The command returns its exit status, or None for 0.
    """
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BufferedReader(_ClosedInput()))
    if sys.stdout is None:
        return _fail("standard output is closed", UserError.exit_status)
    options: dict[str, object] = {"arguments": sys.argv[1:] if args is None else args}
    try:
        # None: click uses colours on a terminal only
        color = False if os.environ.get("TERM") == "dumb" else None
        status = command.main(args, name, standalone_mode=False, obj=options, color=color)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except click.ClickException as error:
        return _fail(usage_error(error), error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED_STATUS
    except (BrokenPipeError, SystemExit) as error:
        if isinstance(error, SystemExit) and not error.code:  # raised after a completion in a shell
            return 0
        # click and rich raise SystemExit if the reader of the output is gone. Output that is still
        # buffered goes to the null device.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _NO_READER
    except Exception as error:
        if options.get("debug"):
            traceback.print_exception(error)
        told = _told(error)
        if isinstance(told, DesignError):
            click.echo(f"rsaxcel: error: {shown_lines(told)}", err=True)
            return told.exit_status
        return _fail(str(told), told.exit_status)
    return status if isinstance(status, int) else 0


def _told(error: Exception) -> RsaxcelError:
    """Error with a message for users and an exit status: a mistake in a circuit, or another cause.

    An error whose message is written for users stays as it is, unless a circuit's code raised it.
    """
    if lacking := missing_module(error):
        return ToolError(lacking)
    from rsaxcel.diagnosis.explain import diagnose  # PyMTL3 takes long to load

    known = _known(error)
    if told := diagnose(error, circuits_only=known is not None) or known:
        return told
    # The cause is a fault in rsaxcel, or in a design, that was not diagnosed.
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{frame.filename}:{frame.lineno}; rsaxcel --debug shows the traceback"
    return UserError(f"{type(error).__name__}: {error} ({where})")


def _known(error: Exception) -> RsaxcelError | None:
    if isinstance(error, RsaxcelError):
        return error
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return UserError(f"{place}{error.strerror or error}")
    if _is_refusal(error):
        return UserError(str(error))
    # ArithmeticError is raised if the golden model is wrong.
    return RunError(str(error)) if isinstance(error, ArithmeticError) else None


def _is_refusal(error: Exception) -> bool:
    """Whether this project's or a design's code raised a ``ValueError``, which has a message."""
    if not isinstance(error, ValueError):
        return False
    frame, line = [*traceback.walk_tb(error.__traceback__)][-1]
    place = Place(frame.f_code.co_filename, line)
    ours = str(frame.f_globals.get("__name__")).startswith("rsaxcel.")
    libraries = tuple({sysconfig.get_path(x) for x in ("stdlib", "platlib", "purelib")})
    return place.statement.startswith("raise ") and (ours or not place.file.startswith(libraries))


def _fail(message: str, status: int) -> int:
    with suppress(OSError):  # standard error may be on a full disk
        click.echo(f"rsaxcel: error: {one_line(message)}", err=True)
    return status


def main() -> None:
    """Run the command line and end the process."""
    status = guard(cli, "rsaxcel")
    for stream in filter(None, (sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except OSError:  # Python would end with status 120 when flushing fails again
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(status)
