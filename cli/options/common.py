"""Arguments and options that several commands share."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from rsaxcel import catalog
from rsaxcel.catalog import AnyConfiguration
from rsaxcel.circuit import Circuit
from rsaxcel.cli.options.plain import Decorator, file_option
from rsaxcel.diagnosis.error import silent
from rsaxcel.fl.blinded_key import LEAST_NBITS, MOST_NBITS, Variation
from rsaxcel.fl.pseudo_modulus import is_family_member
from rsaxcel.store.errors import UserError, told_of_file
from rsaxcel.store.shown import shorten

if TYPE_CHECKING:
    from rsaxcel.proc.systems import System

_Found = TypeVar("_Found", bound=Circuit, covariant=True)

_SYSTEMS = ("proc_", "axi_")  # prefixes of systems, as in proc.kinds.ATTACHED, which loads slowly
_VALUE = 40  #: most characters of a parameter's value in a line of text


def _parse_params(
    context: click.Context, parameter: click.Parameter, items: tuple[str, ...]
) -> dict[str, str]:
    params: dict[str, str] = {}
    for item in items:
        name, separator, value = item.partition("=")
        if not (name and separator and value):
            raise UserError(f"--param {item}: {_how_to_write(name)}")
        if name in params:
            raise click.BadParameter(f"{name} is given twice")
        params[name] = _multiplier(value) if name == "multiplier" else value
    return params


def _multiplier(value: str) -> str:
    """Return the name of a multiplier, for which the path of its description may stand."""
    found = catalog.named(value)
    told = "it forms powers; a core for products is allowed" if found in catalog.designs() else ""
    if told := told or (found not in catalog.circuits() and told_of_file(found)) or "":
        raise UserError(f"multiplier={value}: {told}")
    return found


def _how_to_write(name: str) -> str:
    """Text on writing a choice, for a name without a value or a value without a name."""
    axes = catalog.axes()
    meant = next((f"{axis}={name}" for axis, known in axes.items() if name in known), "")
    if name in axes:
        meant = f"{name}={next(iter(axes[name]))}"
    return f"NAME=VALUE is allowed, such as {meant or 'schedule=window'}"


def _param_option(of_systems: str = "") -> Decorator:
    return click.option(
        "--param",
        "params",
        multiple=True,
        callback=_parse_params,
        metavar="NAME=VALUE",
        help=f"A parameter of the design{of_systems}, or a choice on an axis, such as "
        "schedule=window; can be repeated. `rsaxcel list NAME` shows them.",
    )


#: Adds --param to a command.
param_option = _param_option()

#: Adds --param to a command that takes systems.
system_param_option = _param_option(" (of a system: of the processor, too)")


def together(*decorators: Decorator) -> Decorator:
    """Combine decorators into one; help lists their options in the given order."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return add


def gathered(name: str, make: Callable[..., Any], *options: str) -> Decorator:
    """Return a decorator that gives a command ``make``'s result in place of its arguments."""

    def declare(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def called(*args: Any, **given: Any) -> Any:
            made = make(*(given.pop(option) for option in options))
            return command(*args, **{name: made}, **given)

        return called

    return declare


#: Endings of the files to which pictures are drawn.
PICTURES = (".svg", ".png", ".pdf")


def output_file(option: str, text: str, *endings: str, metavar: str = "FILE") -> Decorator:
    """Return a decorator that adds an option for a file to write, whose name has an ending."""

    def check(_context: click.Context, _parameter: click.Parameter, path: Path | None) -> Any:
        if path is not None and path.suffix not in endings:
            raise click.BadParameter(f"{path}: the name must end in {' or '.join(endings)}")
        if path is not None:
            check_folder(option, path)
        return path

    return file_option(option, text, metavar=metavar, exists=False, callback=check)


def check_folder(option: str, path: Path) -> None:
    """Check that the file of an output option can be written."""
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise UserError(f"{option}: cannot write {path}: {error.strerror}") from error


def complete(names: Callable[[], Iterable[str]]) -> Callable[..., list[str]]:
    """Return a callback for completion in a shell: it gives the names that begin as typed."""

    def found(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
        return [name for name in names() if name.startswith(begun)]

    return found


def nbits_option(
    text: str = "Width of operands and result in bits.",
    kind: Any = int,
    default: int | None = catalog.DEFAULT_NBITS,
) -> Decorator:
    """Return a decorator that adds --nbits, with its help."""
    return click.option("--nbits", type=kind, default=default, metavar="N", help=text)


def named(_context: click.Context, _parameter: click.Parameter, given: Any) -> Any:
    """Return names for a parameter, the name of a core in place of its description's path."""
    if isinstance(given, str):
        return catalog.named(given)
    return tuple(map(catalog.named, given)) if isinstance(given, tuple) else given


_design_options = (
    click.argument("design", callback=named, shell_complete=complete(catalog.designs)),
    nbits_option(),
)

#: Adds DESIGN, --nbits and --param to a command.
design_options = together(*_design_options, param_option)

#: Adds the same to a command whose DESIGN may be a system.
system_options = together(*_design_options, system_param_option)


#: Adds --level to a command.
level_option = click.option(
    "--level",
    type=click.Choice(catalog.LEVELS),
    default="rtl",
    help="Golden model, cycle model or circuit.",
)


class _Entry(Protocol[_Found]):
    def configure(self, nbits: int, /, **params: Any) -> _Found: ...


def refuse_system(name: str, allowed: str = "designs and multipliers") -> None:
    """Refuse the name of a system in a command without systems."""
    if name.startswith(_SYSTEMS):
        raise UserError(f"{name} is a system; {allowed} are allowed")


def configure(
    find: Callable[[str], _Entry[_Found]], design: str, nbits: int, params: dict[str, str]
) -> _Found:
    """Find a design (or a multiplier) and configure it, with notes for the user.

    For circuits alone; ``flow.subjects.find_target`` also finds systems and hand-ins.
    """
    with silent():
        configuration = find(design).configure(nbits, **params)
    tell_choices(configuration, params)
    return configuration


def check_circuit(configuration: Circuit, level: str = "") -> None:
    """Refuse a circuit that is too large to be built.

    ``level`` is the level that the user chose; empty: the command has no levels.
    """
    if level in ("", "rtl"):
        try:
            configuration.check_circuit()
        except ValueError as error:
            hint = "; --level fl and --level cl have no such limit" if level else ""
            raise UserError(f"{error}{hint}") from error


def design_text(design: str, nbits: int, params: Mapping[str, Any]) -> str:
    """Text that names a configuration in outputs: design, width, parameters, shortened."""
    shown = " ".join(f"{name}={shorten(str(value), _VALUE)}" for name, value in params.items())
    return ", ".join(filter(None, (design, f"{nbits} bits", shown)))


def design_fields(of: Circuit | System) -> dict[str, Any]:
    """Design, width and parameters for JSON."""
    return {"design": of.design_name, "nbits": of.nbits, "params": dict(of.params)}


def tell_choices(configuration: Circuit | None, asked: Iterable[str]) -> None:
    """Print notes on a configuration to standard error.

    One note lists the choices that follow from the user's choices. Another warns of a constant
    modulus that is easy to factor.
    """
    if not isinstance(configuration, AnyConfiguration):
        return
    if adapted := configuration.adapted_choices(asked):
        listed = ", ".join(f"{name}={value}" for name, value in adapted.items())
        verb = "follows" if len(adapted) == 1 else "follow"
        text = f"{configuration.design_name}: {listed} {verb} from the other choices"
        click.echo(f"rsaxcel: {text}", err=True)
    modulus = configuration.constant_modulus
    if modulus and is_family_member(modulus):
        click.echo(
            f"rsaxcel: modulus={modulus:#x} is (2^{modulus.bit_length() + 1} - 1) / 3, which "
            "factors by inspection: for measurements, never as a key",
            err=True,
        )


def variation_text(variation: Variation) -> tuple[str, ...]:
    """Return the options that ask for a variation."""
    factors = [f"--blind-moduli {variation.factor_nbits}"] if variation.factor_nbits else []
    return (*factors, *["--swap-primes"] * variation.swaps)


def refused_option(variation: Variation) -> str:
    """Return the option with which a message about a refused variation begins."""
    # The option that multiplies primes comes first: multiplied primes may be swapped, too.
    return variation_text(variation)[0].replace(" ", "=")


#: Options of ``variation_options``.
VARIATION_OPTIONS = ("--blind-moduli", "--swap-primes")

#: Adds --blind-moduli and --swap-primes to a command, which gets both as ``variation``.
variation_options = together(
    click.option(
        "--blind-moduli",
        type=click.IntRange(LEAST_NBITS, MOST_NBITS),
        metavar="BITS",
        help="Designs by two primes: multiply each prime of the key by a random prime of BITS "
        "bits, new in each operation. The design has to be 2 BITS wider than the key.",
    ),
    click.option(
        "--swap-primes",
        is_flag=True,
        help="Designs by two primes: draw the order of the two primes in each operation.",
    ),
    gathered(
        "variation",
        lambda nbits, swaps: Variation(nbits or 0, swaps),
        "blind_moduli",
        "swap_primes",
    ),
)


def _confinement(as_user: bool, trusts: bool) -> str:
    from rsaxcel.course.rank import sandbox

    if as_user and trusts:
        raise UserError("--as-user and --trust-hand-ins exclude each other")
    if trusts:
        return sandbox.TRUSTED
    return sandbox.BY_USER if as_user else sandbox.BY_BUBBLEWRAP


#: Adds --as-user and --trust-hand-ins to a command, which gets ``confinement``.
confinement_options = together(
    click.option(
        "--as-user",
        is_flag=True,
        help="Where namespaces are refused: confine by another uid, as root.",
    ),
    click.option(
        "--trust-hand-ins", is_flag=True, help="Do not confine: hand-ins get all your rights."
    ),
    gathered("confinement", _confinement, "as_user", "trust_hand_ins"),
)


def choose_system(name: str, nbits: int, params: dict[str, str]) -> System:
    """Find a system by name, and print notes on its choices (``tell_choices``)."""
    from rsaxcel.proc.systems import find_system

    with silent():
        system = find_system(name, nbits, **params)
    tell_choices(system.configuration, params)
    return system


def choose_circuit(name: str, nbits: int, params: dict[str, str]) -> Circuit | System:
    """Find a design, a multiplier or a system by name; raise errors as ``choose_system`` does."""
    from rsaxcel.proc.systems import is_system

    if is_system(name):
        return choose_system(name, nbits, params)
    return configure(catalog.find, name, nbits, params)
