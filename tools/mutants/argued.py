"""Reads argued.toml: faults that have no visible effect, with the reasons."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from tools.mutants.fault import Fault

FILE = Path(__file__).with_name("argued.toml")


@dataclass(frozen=True)
class Argument:
    """A reason why a fault (``tools.mutants.fault.Fault``), on any line, has no visible effect."""

    path: str
    scope: str
    was: str
    becomes: str
    because: str

    def is_about(self, fault: Fault) -> bool:
        """Return whether this reason belongs to a fault."""
        place = (fault.path, fault.scope, fault.was, fault.becomes)
        return place == (self.path, self.scope, self.was, self.becomes)


def arguments(file: Path = FILE) -> list[Argument]:
    """Read all reasons from a file; ``ValueError`` for missing or unknown keys."""
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        return [Argument(**entry) for entry in table.get("fault", [])]
    except (tomllib.TOMLDecodeError, TypeError) as error:
        raise ValueError(f"{file.name}: {error}") from error


def entry(fault: Fault) -> str:
    """Text of a new entry of argued.toml for a fault, with an empty reason."""
    fields = {"path": fault.path, "scope": fault.scope, "was": fault.was, "becomes": fault.becomes}
    lines = [f"{name} = {_quoted(text)}" for name, text in fields.items()]
    return "\n".join(["[[fault]]", *lines, 'because = ""'])


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
