"""Plugin of pytest: runs given tests in a given order, and notes at once what becomes of each.

So it is known which test was running when the process had to be ended. ``--planned FILE`` names a
file with one line of JSON: the tests' ids in their order, the file for the notes, the seconds after
which no further test is begun, and those that a test may take. Imported by pytest alone.
"""

import json
import os
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

import pytest

_PYMTL3 = "/pymtl3/"
_LOOKS_S = 0.2  # between two looks at the processor's time


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--planned", help="file with the tests to run, of tools.mutants")


def pytest_configure(config: pytest.Config) -> None:
    """Begin where the option is given."""
    if planned := config.getoption("planned"):
        config.pluginmanager.register(_Planned(**json.loads(Path(planned).read_text())))


class _Planned:
    """The tests of one run.

    Parameters
    ----------
    tests
        Ids of the tests.
    notes
        File to which a line of JSON is added when a test begins and when it has ended.
    seconds
        Of the processor, for this process and all that it has started: after these, no further
        test is begun.
    limit
        Of the processor, too: a test that takes more is ended, and the process with it.
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
        """Leave the planned tests, in their order."""
        found = {item.nodeid: item for item in items}
        kept = sorted(self._place.keys() & found.keys(), key=self._place.__getitem__)
        config.hook.pytest_deselected(items=[x for x in items if x.nodeid not in self._place])
        items[:] = [found[test] for test in kept]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """Note that a test begins; end instead where there is no time left for it."""
        if _spent() > self._seconds:
            item.session.shouldstop = "no time left"
            self._note(test=item.nodeid, outcome="postponed")
            return True
        self._note(test=item.nodeid)
        self._began = _spent()
        self._running = item.nodeid  # last: the watch looks at both
        return None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo) -> Any:
        """Note how a test ended."""
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
        """End the process when a test takes too long, whoever else has the processor meanwhile."""
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
    """Seconds of the processor so far, which do not grow while others have it."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _refused(error: pytest.ExceptionInfo) -> bool:
    """Whether a tool has refused a circuit, and not a test what it does."""
    kind = error.type
    if kind.__module__.partition(".")[0] == "pymtl3":
        return True
    if kind.__name__ in ("TranslationError", "ToolError", "DesignError"):
        return True
    if any(entry.name == "construct" for entry in error.traceback):
        return True  # it cannot even be put together
    return _PYMTL3 in Path(error.traceback[-1].path).as_posix() and kind is not AssertionError
