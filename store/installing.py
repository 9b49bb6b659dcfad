"""Find the programs of tools, and tell how missing tools are installed."""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from rsaxcel.store.tools import ALL, TARGETS, TOOLS, Tool, ToolError

_ROOT = Path(__file__).parents[1]
_LISTS = Path("/var/lib/apt/lists")
_PIN = re.compile(r"([\w.-]+)==([^\s;]+)(?:.*\bextra\s*==\s*[\"'](\w+)[\"'])?")
_MACHINE = re.compile(r"\bplatform_machine\s*==\s*[\"'](\w+)[\"']")
_CANDIDATE = re.compile(r"^(\S+):\n.*\n  Candidate: [^(]", re.MULTILINE)
#: Name of the Python distribution of a module, where the two names differ.
_MODULES = {"yaml": "pyyaml", "elftools": "pyelftools"}


def is_checkout() -> bool:
    """Whether rsaxcel runs from a clone of the repository, where ``make setup`` works."""
    return (_ROOT / "tools" / "setup.sh").is_file()


def program(tool: Tool) -> tuple[str, ...]:
    """Find a tool's program: by its environment variable, else ``ask[0]``, ``others``, ``module``.

    Returns the path, then arguments of the variable or the module, which precede all others.
    """
    asked = os.environ.get(tool.variable, "") if tool.variable else ""
    if whole := shutil.which(asked):  # the variable is a path without arguments, maybe with blanks
        return (whole,)
    try:
        name, *arguments = shlex.split(asked) or [tool.ask[0]]
    except ValueError as error:
        raise ToolError(f"{tool.variable}={asked}: {error}") from error
    for each in (name, *(() if asked else tool.others)):
        if found := shutil.which(each):
            return (found, *arguments)
    if asked:
        raise ToolError(f"{tool.variable}={asked}: there is no program {name}")
    if tool.module and find_spec(tool.module[0]):
        return (sys.executable, "-m", *tool.module)
    raise ToolError(missing(tool))


def beside_python(name: str) -> str | None:
    """Find a program that a Python package installs: in this Python's folder, or else on PATH."""
    own = Path(sys.executable).with_name(name)
    return str(own) if own.exists() else shutil.which(name)


def missing(tool: Tool, what: str = "") -> str:
    """Say in one line that a tool is missing, and how to install it; ``what``: first words."""
    subject = what or f"{tool.name} is"
    them = "them" if subject.endswith(" are") else "it"
    how = f"; install {them} with: {how_to_install([tool])}"
    if unknown := _unknown([tool]):
        how = f": {unknown}" + (f"; without {them}: {tool.without}" if tool.without else "")
    if tool.module:
        how += f", or without root: {_pip()} install {_pinned(tool.module[0])}"
    return f"{subject} missing{how}; `rsaxcel doctor` lists all that is missing"


def how_to_install(tools: Iterable[Tool], wheels: Iterable[str] = ()) -> str:
    """Return the command that installs tools; in a clone, ``make setup (or COMMAND)``."""
    listed = list(tools)
    how = install_command(listed, wheels)
    set_up = [x for x in listed if not _replaced(x) and _set_up(x)]
    return f"make setup (or {how})" if is_checkout() and set_up else how


def losses(packages: Iterable[str]) -> list[str]:
    """Yield a line on each of Debian's packages: its use, and what works without it."""
    listed = set(packages)
    lines = []
    for tool in TOOLS:
        if (name := _package(tool)) in listed:
            parts = [", ".join(tool.needed_by), *tool.optional_for]
            without = f"; without it: {tool.without}" if tool.without else ""
            known = f" ({tool.common})" if tool.common else ""
            lines.append(f"{name}{known} is for: {'; '.join(filter(None, parts))}{without}")
    return lines


def missing_module(error: BaseException) -> str | None:
    """Return the message about a missing module that rsaxcel needs; None for other exceptions."""
    if not isinstance(error, ModuleNotFoundError):
        return None
    module = (error.name or "").partition(".")[0]
    name = _MODULES.get(module, module)
    for tool in TOOLS:
        if tool.wheel and tool.wheel == name:
            return missing(tool)
    known = {pinned.lower(): pinned for pinned in pins(ALL)}
    if name.lower() not in known:
        return None
    return missing(Tool(name, wheel=known[name.lower()]), f"the Python package {name} is")


def install_command(
    tools: Iterable[Tool], wheels: Iterable[str] = (), *, again: bool = False
) -> str:
    """Return one line that installs tools and wheels; ``again``: installed ones do not run.

    Without apt-get, the line names the tools in other package managers; and it says which packages
    this release does not have.
    """
    variables, listed = [], []
    for tool in tools:
        if _replaced(tool):
            # the variable names another program for the tool
            variables.append(f"unset {tool.variable}")
        else:
            listed.append(tool)
    packages = [_package(x) for x in listed if x.debian and not _unknown([x])]
    names = [*(x.wheel for x in listed if x.wheel), *wheels]
    commands, words = variables, []
    if unknown := _unknown(listed):
        words.append(unknown)
    if packages and _has_apt():
        commands += _apt(packages, "--reinstall " if again else "")
    elif packages:
        known = ", ".join(x.common or x.name for x in listed if x.debian)
        words.append(f"the system's package manager ({known})")
    if names:
        option = "--force-reinstall --no-deps " if again else ""
        commands.append(f"{_pip()} install {option}{' '.join(map(_pinned, names))}")
    if others := ", ".join(x.name for x in listed if not (x.debian or x.wheel or x.extra)):
        words.append(f"a build of {others} from its sources")
    return "; ".join(filter(None, [" && ".join(commands), *words]))


@cache
def pins(extra: str) -> dict[str, str]:
    """Pinned version of each distribution of an extra or ``ALL``; only those with a wheel here."""
    # Imported here, because the import is slow: every command imports this module, but few call
    # this function.
    from importlib.metadata import PackageNotFoundError, requires

    try:
        needed = requires("rsaxcel") or []
    except PackageNotFoundError:
        return {}
    machine = os.uname().machine
    found = (_PIN.match(x) for x in needed if _MACHINE.findall(x) in ([], [machine]))
    wanted = None if extra == ALL else extra
    return {match[1]: match[2] for match in found if match and match[3] == wanted}


def python_version() -> str:
    """Version of this Python, as file names have it: ``3.11``."""
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def _replaced(tool: Tool) -> bool:
    """Whether the tool's environment variable is set, and hence names the program to use."""
    return bool(tool.variable and os.environ.get(tool.variable))


def _set_up(tool: Tool) -> bool:
    by_apt = tool.debian and _has_apt() and not _unknown([tool])
    return bool(tool.wheel or tool.extra or by_apt)


def _package(tool: Tool) -> str:
    """Debian's package of the tool, or nothing."""
    return tool.debian.format(version=python_version())


def _unknown(tools: Iterable[Tool]) -> str:
    """Say which Debian packages of the tools this release does not have; nothing if it has all."""
    if not _has_apt() or not any(_LISTS.glob("*_Packages*")):
        return ""
    if not (names := [x for x in map(_package, tools) if x and x not in _candidates()]):
        return ""
    # slow to import, and few commands call this function
    from platform import freedesktop_os_release

    return f"{freedesktop_os_release()['PRETTY_NAME']} has no package {', '.join(names)}"


@cache
def _candidates() -> frozenset[str]:
    """Debian packages of all tools that are installed, or in apt's lists."""
    import subprocess

    names = filter(None, map(_package, TOOLS))
    path = os.pathsep.join([os.environ.get("PATH", ""), os.defpath])
    told = subprocess.run(
        ["apt-cache", "policy", *names],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "LC_ALL": "C", "PATH": path},
    )
    return frozenset(_CANDIDATE.findall(told.stdout))


def _has_apt() -> bool:
    path = os.pathsep.join([os.environ.get("PATH", ""), os.defpath])
    return shutil.which("apt-get", path=path) is not None


def _apt(packages: Iterable[str], option: str) -> list[str]:
    as_root = "sudo " if os.geteuid() and shutil.which("sudo") else ""
    # A container image of Debian has no lists of packages: apt-get has to fetch them first.
    update = [] if any(_LISTS.glob("*_Packages*")) else [f"{as_root}apt-get update"]
    return [*update, f"{as_root}apt-get install {option}{' '.join(packages)}"]


def _pip() -> str:
    """Return the command of this Python's pip: ``pip`` if PATH finds it, or ``PYTHON -m pip``."""
    first = shutil.which("pip")
    if first and Path(first).parent == Path(sys.executable).parent:
        return "pip"
    return f"{shlex.quote(sys.executable)} -m pip"


def _pinned(name: str) -> str:
    for extra in (ALL, *TARGETS, "compiler"):
        if version := pins(extra).get(name):
            return f"{name}=={version}"
    return name
