"""What became of faults, kept in a file so that an interrupted run picks up where it stopped."""

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tools.mutants.fault import Fault
from tools.mutants.trial import SURVIVED, Result


class Ledger:
    """Results and proofs by the keys of faults.

    Parameters
    ----------
    file : Path
        A line of JSON each; the last one of a fault counts.
    tree : str
        Digest of the code that is tested now, and of its tests.
    keeps_found : bool
        Whether a fault stays found when other files or tests have changed since.
    is_argued : callable
        Whether there is a reason why a fault is none; with ``keeps_found`` it is not tried again.
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
                continue  # written in part, when a run was interrupted

    def result(self, fault: Fault, budget: float) -> Result | None:
        """Give the result of a fault, unless something has changed since that may change it."""
        kept = self._kept.get(("result", fault.key))
        if kept is None:
            return None
        result = Result.read(kept)
        if self._keeps_found and (result.outcome != SURVIVED or self._is_argued(fault)):
            return result
        if result.outcome == SURVIVED and result.budget < budget and result.ran < result.reach:
            return None
        return result if result.tree == self._tree else None

    def add(self, result: Result) -> None:
        """Keep a result."""
        self.keep("result", result.fault.key, result.record())

    def keep(self, what: str, key: str, value: Any) -> None:
        """Keep any value under a name of its own."""
        line = json.dumps({"what": what, "key": key, "value": value})
        with self._lock:
            self._kept[what, key] = value
            # A line that was written in part must not spoil the next one.
            with self._file.open("a+b") as file:
                if file.tell():
                    file.seek(-1, 2)
                    line = line if file.read(1) == b"\n" else f"\n{line}"
                file.write(f"{line}\n".encode())

    def find(self, what: str, key: str) -> Any:
        """Give what was kept under a name; None for nothing."""
        return self._kept.get((what, key))
