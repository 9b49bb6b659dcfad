"""Reads the values in a sweep's specification: one value, a list, or a range."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

from rsaxcel.store.errors import UserError, nearest

ALL = "all"  #: value that stands for all valid values

_MOST = 10_000
_RANGE = ("from", "to", "step", "factor")


class SpecTable:
    """A table of a specification; its errors name file and table (``where``)."""

    def __init__(self, where: str, content: Mapping[str, Any]) -> None:
        self.where, self.content = where, content

    def refuse(self, reason: str) -> NoReturn:
        raise UserError(f"{self.where}: {reason}")

    def allow(self, keys: Iterable[str]) -> None:
        """Raise ``UserError`` if the table has a key that is not in ``keys``."""
        keys = list(keys)
        for key in self.content:
            if key not in keys:
                self.refuse(f"{key}: unknown{nearest(key, keys)}; allowed: {', '.join(keys)}")

    def table(self, key: str) -> SpecTable:
        """Return a table inside this one; empty if there is none."""
        found = self.content.get(key, {})
        if not isinstance(found, dict):
            self.refuse(f"{key}={found!r}: a table of names and values is allowed")
        return SpecTable(f"{self.where} {key}", found)

    def all(self, key: str) -> bool:
        return self.content.get(key) == ALL

    def values(self, key: str, usual: Iterable[Any] = ()) -> tuple[Any, ...]:
        """Values of a key, each once and in order; ``usual`` if the key is missing."""
        if key not in self.content:
            return tuple(usual)
        found = self.content[key]
        if isinstance(found, dict):
            found = self._range(key, found)
        elif not isinstance(found, list):
            found = [found]
        if not found:
            self.refuse(f"{key}=[]: at least one value is needed")
        for value in found:
            if not isinstance(value, str | int | float):
                self.refuse(f"{key}={value!r}: numbers and texts are allowed")
        return tuple(dict.fromkeys(found))

    def checked(
        self, key: str, usual: Iterable[Any], allowed: str, good: Callable[[Any], bool]
    ) -> tuple[Any, ...]:
        """Return a key's values, if all are ``good``; ``allowed`` begins the error ("... are")."""
        found = self.values(key, usual)
        for value in found:
            if isinstance(value, bool) or not good(value):
                self.refuse(f"{key}={value}: {allowed} allowed")
        return found

    def chosen(self, key: str, usual: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
        """Values of a key; raise ``UserError`` unless all of them are in ``known``."""
        known = list(known)
        for value in (found := self.values(key, usual)):
            if value not in known:
                meant = nearest(str(value), known)
                self.refuse(f"{key}={value}: unknown{meant}; allowed: {', '.join(known)}")
        return found

    def _range(self, key: str, given: Mapping[str, Any]) -> list[Any]:
        allowed = f"{key}={given}: from, to, and step or factor are allowed"
        if set(given) - set(_RANGE) or {"from", "to"} - set(given) or len(given) > 3:
            self.refuse(allowed)
        if not all(isinstance(x, int | float) for x in given.values()):
            self.refuse(f"{allowed}, as numbers")
        value, end = given["from"], given["to"]
        step, factor = given.get("step", 0 if "factor" in given else 1), given.get("factor", 1)
        if not (step > 0 or (factor > 1 and value > 0)) or value > end:
            self.refuse(f"{allowed}: from at most to, step above 0, factor above 1")
        found: list[Any] = []
        while value <= end + 1e-9:
            if len(found) == _MOST:
                self.refuse(f"{key}: more than {_MOST} values")
            found.append(round(value, 9) if isinstance(value, float) else value)
            value = value * factor + step
        return found
