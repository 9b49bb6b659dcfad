"""Names of steps in the trace of an executor."""

import pytest

from rsaxcel import catalog
from rsaxcel.sim.traces import _step_names


@pytest.mark.parametrize(
    ("name", "params"),
    [
        pytest.param(name, params, id=f"{name}-{label}")
        for name in ("montmul_r2l", "orup_window", "crt_window", "crt_window_shared")
        for label, params in (
            ("default", {}),
            ("check", {"check": "public_exponent"}),
            ("all", {"check": "public_exponent", "dummies": "squares", "blinding": "both"}),
        )
        if not params or name.startswith("crt")
    ],
)
def test_every_step_has_a_name_of_its_own(name, params):
    """A dummy has no number: while it runs, the step before it is shown."""
    for program in catalog.get(name).configure(64, **params).programs:
        names = _step_names(program)
        assert len(names) == len(program.steps) - bool(program.dummy)
        assert len(set(names)) == len(names)
