"""Stores the results of faults in a file, so that an interrupted run can continue."""

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tools.mutants.fault import Fault
from tools.mutants.trial import SURVIVED, TrialResult


class Ledger:
    """Stores values, such as results and proofs, in a file: each under a kind and a key.

    Of several lines of JSON with the same kind and key, the last one counts. With ``keeps_found``,
    results of found or argued faults hold even after changes of other files or tests (``tree``).
    """

    def __init__(
        self,
        file: Path,
        tree: str,
        keeps_found: bool,
        is_argued: Callable[[Fault], bool] = lambda fault: False,
    ) -> None:
        self._file, self._tree, self._keeps_found = file, tree, keeps_found
        self._is_argued = is_argued
        self._lock = threading.Lock()
        self._kept: dict[tuple[str, str], dict[str, Any]] = {}
        file.parent.mkdir(parents=True, exist_ok=True)
        for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
            try:
                kept = json.loads(line)
                self._kept[kept["what"], kept["key"]] = kept["value"]
            except (ValueError, KeyError, TypeError):
                continue  # an interrupted run wrote only a part of the line

    def result(self, fault: Fault, budget: float) -> TrialResult | None:
        """Return the stored result of a fault, unless it may be out of date."""
        kept = self._kept.get(("result", fault.key))
        if kept is None:
            return None
        result = TrialResult.read(kept)
        if self._keeps_found and (result.outcome != SURVIVED or self._is_argued(fault)):
            return result
        if result.outcome == SURVIVED and result.budget < budget and result.ran < result.reach:
            return None
        return result if result.tree == self._tree else None

    def add(self, result: TrialResult) -> None:
        """Store the result of a fault, under the fault's key."""
        self.keep("result", result.fault.key, result.record())

    def keep(self, what: str, key: str, value: Any) -> None:
        """Store a value under a kind, such as ``proof``, and a key."""
        line = json.dumps({"what": what, "key": key, "value": value})
        with self._lock:
            self._kept[what, key] = value
            # An interrupted run may have left an incomplete last line: start a new line then.
            with self._file.open("a+b") as file:
                if file.tell():
                    file.seek(-1, 2)
                    line = line if file.read(1) == b"\n" else f"\n{line}"
                file.write(f"{line}\n".encode())

    def find(self, what: str, key: str) -> Any:
        """Return the value under a kind and a key; None if there is none."""
        return self._kept.get((what, key))
