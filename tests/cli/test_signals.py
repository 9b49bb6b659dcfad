"""Commands that are ended at random times leave no processes, and the next command continues."""

import os
import random
import signal
import time
from collections.abc import Callable

import pytest

from tests.shared.processes import ROOT, marked

MOMENTS = 10
PERIOD_S = 2.0
"""Most time in s until all processes have ended; an idle machine takes a fifth of it."""

VECTORS = (1_000, 1_000_000)
"""Number of vectors for the run that may end, and for interrupted runs."""

# Arguments of each run (interrupted ones, then the one that may end), and the longest time before
# an interrupt. Each run has new work to do, because finished results are kept.
COMMANDS: dict[str, tuple[Callable[[int], str], float]] = {
    "report": (lambda n: "report", 30),
    "flow": (lambda n: f"flow mulrem_r2l --nbits 8 --clock-ns {3 + n // 3}", 12),
    "sim": (
        lambda n: f"sim ssmm_r2l --nbits {8 + n // 3} --random {VECTORS[n < MOMENTS]} --json",
        8,
    ),
    "sweep": (lambda n: f"sweep {ROOT}/docs/examples/sweep-short.toml", 30),
    "run": (lambda n: "run selfcheck --system proc_null --level rtl --json", 20),
}
QUIET = ("Traceback", "rsaxcel: error", "failed", "waiting for another run")


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", COMMANDS)
def test_commands_end_at_random_moments(tmp_path, monkeypatch, name):
    monkeypatch.setenv("RSAXCEL_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("RSAXCEL_DESIGNS", raising=False)
    draw = random.Random(f"{name} {os.environ.get('RSAXCEL_TEST_SEED', 0)}")
    arguments, longest = COMMANDS[name]
    for number in range(MOMENTS):
        signum = draw.choice([signal.SIGTERM, signal.SIGINT])
        # A terminal and `timeout` send a signal to all processes, a batch system to the first one.
        send = draw.choice([os.kill, os.killpg])
        moment = draw.uniform(0, draw.choice([0.2, longest, longest]))
        with marked(["-m", "rsaxcel", *arguments(number).split()], tmp_path) as process:
            time.sleep(moment)
            done = process.poll() is not None
            count = len(process.living())
            if not done:
                send(process.pid, signum)
            began = time.monotonic()
            status = process.wait(PERIOD_S)
            took = time.monotonic() - began
            assert process.living() == []
        said = process.err.read_text()
        print(f"{name} at {moment:.2f} s, {count} processes, {signum.name}: {status}, {took:.2f} s")
        assert not [x for x in QUIET if x in said], said
        # Before the guard is set up, there is only Python, which the signal ends.
        assert status == 0 if done else status in (0, 128 + signum, -signum), said
    if name == "report":
        with marked(["-m", "rsaxcel", "report"], tmp_path) as process:
            process.wait_for(": ", 300)
            assert "waiting for another run" not in process.err.read_text()
    else:
        with marked(["-m", "rsaxcel", *arguments(MOMENTS).split()], tmp_path) as process:
            assert process.wait(600) == 0, process.err.read_text()
            assert "waiting for another run" not in process.err.read_text()
