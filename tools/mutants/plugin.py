"""Plugin of pytest: runs given tests in order, and notes the start and end of each in a file.

So the notes show which test ran if the process is killed. ``--planned FILE`` names a JSON file: ids
of tests, file of notes, CPU seconds after which no test starts, and limit for a test.
"""

import json
import os
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

import pytest

_PYMTL3 = "/pymtl3/"
_LOOKS_S = 0.2  #: interval of the checks of CPU time


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--planned", help="file with the tests to run, of tools.mutants")


def pytest_configure(config: pytest.Config) -> None:
    if planned := config.getoption("planned"):
        config.pluginmanager.register(_Planned(**json.loads(Path(planned).read_text())))


class _Planned:
    """Hooks that run the planned tests and write the notes, a line of JSON each.

    ``seconds``: CPU time with children, after which no test starts; ``limit``: CPU time of a test.
    """

    def __init__(self, tests: list[str], notes: str, seconds: float, limit: float) -> None:
        self._place = {test: place for place, test in enumerate(tests)}
        self._notes = Path(notes)
        self._seconds, self._limit = seconds, limit
        self._running, self._began = "", 0.0
        Thread(target=self._watch, daemon=True).start()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Keep only the planned tests, in their order."""
        found = {item.nodeid: item for item in items}
        kept = sorted(self._place.keys() & found.keys(), key=self._place.__getitem__)
        config.hook.pytest_deselected(items=[x for x in items if x.nodeid not in self._place])
        items[:] = [found[test] for test in kept]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """Note the start of a test, or end the run if no time is left."""
        if _spent() > self._seconds:
            item.session.shouldstop = "no time left"
            self._note(test=item.nodeid, outcome="postponed")
            return True
        self._note(test=item.nodeid)
        self._began = _spent()
        self._running = item.nodeid  # assigned last, because the watch thread reads both
        return None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo) -> Any:
        report = yield
        if call.when == "call" or report.outcome != "passed":
            error = call.excinfo
            self._note(
                test=item.nodeid,
                outcome=report.outcome,
                seconds=round(call.duration, 3),
                spent=round(_spent(), 1),
                error="" if error is None else error.exconly(tryshort=True)[:400],
                refused=error is not None and _refused(error),
            )
        return report

    def _watch(self) -> None:
        """End the process if a test exceeds its limit of CPU time (other load does not count)."""
        while True:
            sleep(_LOOKS_S)
            test, spent = self._running, _spent()
            if test and spent - self._began > self._limit:
                self._note(test=test, outcome="hung", spent=round(spent, 1))
                os._exit(1)

    def _note(self, **fields: Any) -> None:
        with self._notes.open("a", encoding="utf-8") as file:
            file.write(json.dumps(fields) + "\n")


def _spent() -> float:
    """CPU seconds of this process and its children so far."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _refused(error: pytest.ExceptionInfo) -> bool:
    """Return whether an error means that a tool refused the circuit, not that a test failed."""
    kind = error.type
    if kind.__module__.partition(".")[0] == "pymtl3":
        return True
    if kind.__name__ in ("TranslationError", "ToolError", "DesignError"):
        return True
    if any(entry.name == "construct" for entry in error.traceback):
        return True  # the circuit can't be constructed
    return _PYMTL3 in Path(error.traceback[-1].path).as_posix() and kind is not AssertionError
