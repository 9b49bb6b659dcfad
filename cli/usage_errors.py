"""Messages for numbers that are refused, and options that a command does not have, or lacks."""

import ast
import re
import shlex
from typing import Any

import click

from rsaxcel.store.errors import nearest
from rsaxcel.store.shown import shorten

#: Message of click: the refused value is in quotes if it is not a number, else out of range.
_REFUSED = re.compile(r"(?P<value>.+) is not (?:a valid|in the range) .+", re.DOTALL)
_WHOLE, _ANY = type(click.INT), type(click.FLOAT)
_LONGEST = 40
#: Whole numbers up to this one are exact as floating-point numbers.
_LARGEST = 1e15


def number_error(error: click.BadParameter) -> str:
    """Return a message with the refused number and the allowed ones; empty for other errors.

    For texts such as ``1e3``, ``1,000`` and ``0x3e8``, the message suggests the whole number.
    """
    option: Any = error.param
    kind = getattr(option, "type", None)
    found = _REFUSED.fullmatch(error.message)
    if not isinstance(kind, _WHOLE | _ANY) or not found:
        return ""
    value = found["value"]
    if value[0] in "'\"":
        value = ast.literal_eval(value)
    what = "a whole number" if isinstance(kind, _WHOLE) else "a number"
    meant = _whole(value) if isinstance(kind, _WHOLE) else None
    example = f", as {meant}" if meant is not None and _fits(meant, kind) else ""
    name = max(option.opts, key=len)
    return f"{name} {quoted(value)}: {what}{_range(kind)} is allowed{example}"


def quoted(value: str) -> str:
    """Quote a value as a shell reads it, shortened if it is long."""
    return shlex.quote(shorten(value, _LONGEST))


def _whole(text: str) -> int | None:
    """Return the whole number that a text such as ``1e3`` or ``1,000`` means, or None."""
    plain = re.sub(r"[\s,_']", "", text)
    try:
        return int(plain, 0)
    except ValueError:
        pass
    try:
        number = float(plain)
    except ValueError:
        return None
    return int(number) if abs(number) <= _LARGEST and number.is_integer() else None


def _fits(number: int, kind: Any) -> bool:
    try:
        kind.convert(str(number), None, None)
    except click.BadParameter:
        return False
    return True


def _range(kind: Any) -> str:
    least, most = getattr(kind, "min", None), getattr(kind, "max", None)
    words = []
    if least is not None:
        words.append(f"above {least:g}" if kind.min_open else f"from {least}")
    if most is not None:
        words.append("to" if words else "up to")
        words.append(f"below {most:g}" if kind.max_open else str(most))
    return "".join(f" {word}" for word in words)


_FREE_TEXTS = {"--label", "--label-hex"}

#: Names under which users look for an option.
_MEANT = {
    "--nbits": ("width", "bits", "bit", "size", "n"),
    "--clock-ns": ("clk", "period", "frequency", "freq"),
    "--output": ("out", "file", "folder", "dir", "directory", "o"),
    "--plot": ("output", "out", "o"),
    "--workers": ("jobs", "threads", "processes", "cpus", "cores", "j"),
    "--placement-seed": ("seed",),
    "--utilisation": ("utilization", "util", "density"),
    "--random": ("count", "vectors", "runs", "number", "samples"),
    "--vectors": ("input", "inputs", "file"),
    "--system": ("design", "proc", "processor"),
    "--design": ("system", "name"),
    "--library": ("lib", "cells", "pdk", "kit"),
    "--param": ("params", "parameter", "set", "choice", "p"),
    "--older": ("days", "age"),
}


def usage_error(error: click.ClickException) -> str:
    """Return one line on the fault in the arguments of a command, and on what is allowed.

    Messages that click words well enough stay as they are.
    """
    if isinstance(error, click.NoSuchOption) and error.ctx:
        return _no_such_option(error, error.ctx)
    if isinstance(error, click.BadOptionUsage) and error.ctx:
        for param in error.ctx.command.params:
            if not isinstance(param, click.Option) or error.option_name not in param.opts:
                continue
            if error.message.endswith("an argument."):
                return f"{error.option_name} needs a value: {_takes(param, error.ctx)}"
    if isinstance(error, click.MissingParameter) and error.param and error.ctx:
        return _missing(error.param, error.ctx)
    if isinstance(error, click.BadParameter) and error.param:
        told, kind = error.format_message(), error.param.type
        refused = re.match(r"'(.+)' is not ", error.message)
        if isinstance(kind, click.Choice) and refused:
            return f"{told.rstrip('.')}{nearest(refused[1], kind.choices)}"
        return number_error(error) or told
    return error.format_message()


def text_error(param: click.Parameter, given: Any, ctx: click.Context) -> str:
    """Return the fault in the text of an option: no text, or characters that look like digits.

    Python reads digits of all scripts as numbers. Labels and names of files may be any text.
    """
    texts = [x for x in (given if isinstance(given, list) else [given]) if isinstance(x, str)]
    if isinstance(param.type, click.Path | click.File) or {*param.opts} & _FREE_TEXTS:
        return ""
    if given == "" and isinstance(param, click.Option):
        return f"{param.opts[0]} needs a value: {_takes(param, ctx)}"
    found = ((text, x) for text in texts for x in text if x.isdecimal() and not x.isascii())
    return next((f"{text}: {x!r} is no digit; 0 to 9 are allowed" for text, x in found), "")


def extra_arguments(ctx: click.Context, extra: list[str], args: list[str]) -> str:
    """Return a message on arguments that a command does not take, with the probably meant ones."""
    first, options = extra[0], {name: x for x in ctx.command.params for name in x.opts}
    before = args[: -1 - args[::-1].index(first)]
    option = options.get(before[-2]) if len(before) > 1 else None
    hint = ""
    if option and ",..." in (option.metavar or ""):
        hint = f"several values have commas: {before[-2]} {','.join((before[-1], *extra))}"
    elif "=" in first and "--param" in options:
        hint = f"did you mean --param {first}?"
    elif "--system" in options and _is_system(first):
        hint = f"did you mean --system {first}?"
    elif "--design" in options:
        hint = f"did you mean --design {first}?"
    elif first.isdecimal() and "--nbits" in options and "--nbits" not in args:
        hint = f"did you mean --nbits {first}?"
    told = f"{first!r} is an argument too many{hint and f' ({hint})'}"
    return f"{told}; allowed: {_usage(ctx)}"


def _usage(ctx: click.Context) -> str:
    return " ".join((ctx.command_path, *ctx.command.collect_usage_pieces(ctx)))


def _missing(param: click.Parameter, ctx: click.Context) -> str:
    """Text on the missing argument or option, and on its values."""
    if isinstance(param, click.Option):
        typed = str(ctx.params.get("program")) if "--system" in param.opts else ""
        hint = f" (did you mean --system {typed}?)" if _is_system(typed) else ""
        return f"{param.opts[0]} is missing{hint}: {_takes(param, ctx)}"
    return f"{param.make_metavar(ctx)} is missing; allowed: {_usage(ctx)}"


def _is_system(name: str) -> bool:
    """Whether a name is that of a system, or of a design, which stands for one."""
    from rsaxcel import catalog  # loads slowly, as do the next ones
    from rsaxcel.proc.kinds import ATTACHED
    from rsaxcel.proc.systems import NULL_SYSTEM

    designs = {name.removeprefix(prefix) for prefix in ATTACHED}
    return name == NULL_SYSTEM or not designs.isdisjoint(catalog.designs())


def _takes(option: click.Option, ctx: click.Context) -> str:
    """Return the values that an option takes, and the first sentence of its help."""
    first, _, _ = str(option.help).partition(". ")
    return f"{option.opts[0]} {option.make_metavar(ctx)} ({first.rstrip('.')})"


def _no_such_option(error: click.NoSuchOption, ctx: click.Context) -> str:
    """Return a message on an option that a command lacks, with the probably meant option."""
    given = error.option_name
    hint = _meant_option(given, ctx)
    if not hint and (ctx.parent and given in _names(ctx.parent)):
        hint = f" (it stands before the command: {ctx.parent.command_path} {given} {ctx.info_name})"
    if not hint and not ctx.parent and isinstance(ctx.command, click.Group):
        hint = " (options of a command stand after its name)"
    listed = f"`{ctx.command_path} --help` has all options"
    return f"{ctx.command_path} has no option {given}{hint}; {listed}"


def _names(ctx: click.Context) -> list[str]:
    return [x for p in ctx.command.params if isinstance(p, click.Option) for x in p.opts]


def _meant_option(given: str, ctx: click.Context) -> str:
    """Find the option that is meant: by a synonym, by a value of the option, by spelling."""
    word = given.lstrip("-").lower()
    names = _names(ctx)
    for name, words in _MEANT.items():
        if name in names and word in words:
            return f" (did you mean {name}?)"
    for param in ctx.command.params:
        if isinstance(param.type, click.Choice) and word in param.type.choices:
            return f" (did you mean {max(param.opts, key=len)} {word}?)"
    if "--param" in names:
        from rsaxcel import catalog  # loads slowly

        token = word.replace("-", "_")
        if token in catalog.axes():
            return f" (did you mean --param {token}=VALUE?)"
    return nearest(given, names)
