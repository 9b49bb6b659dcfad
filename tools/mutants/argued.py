"""Faults that change nothing that can be seen, with the reason why."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from tools.mutants.fault import Fault

FILE = Path(__file__).with_name("argued.toml")


@dataclass(frozen=True)
class Argument:
    """Why a fault is none.

    Parameters
    ----------
    path, scope, was, becomes : str
        See ``tools.mutants.fault.Fault``: the fault is known by its content, wherever it stands.
    because : str
        The reason.
    """

    path: str
    scope: str
    was: str
    becomes: str
    because: str

    def is_about(self, fault: Fault) -> bool:
        """Whether it is about a fault."""
        place = (fault.path, fault.scope, fault.was, fault.becomes)
        return place == (self.path, self.scope, self.was, self.becomes)


def arguments(file: Path = FILE) -> list[Argument]:
    """All that are written down.

    Raises
    ------
    ValueError
        For a file that is none, or an entry that lacks something.
    """
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        return [Argument(**entry) for entry in table.get("fault", [])]
    except (tomllib.TOMLDecodeError, TypeError) as error:
        raise ValueError(f"{file.name}: {error}") from error


def entry(fault: Fault) -> str:
    """Text of an entry for a fault, whose reason is still to be given."""
    fields = {"path": fault.path, "scope": fault.scope, "was": fault.was, "becomes": fault.becomes}
    lines = [f"{name} = {_quoted(text)}" for name, text in fields.items()]
    return "\n".join(["[[fault]]", *lines, 'because = ""'])


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
