"""Other capacitances of wires: with the usual ones, period and energy are those of the record."""

import pytest

from rsaxcel.flow.job import energy_job
from rsaxcel.flow.kit import DEFAULT_LIBRARY
from rsaxcel.flow.layout import PLACED, Layout
from rsaxcel.flow.run import RECORD, run
from rsaxcel.flow.subjects import find_target
from tools.cases import Case
from tools.wire_range import main

CASE = Case("montmul_r2l_shared", 8, 1.5, 0.6)


@pytest.mark.slow  # places a circuit
def test_the_usual_capacitance_gives_the_record(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["montmul_r2l_shared:8:1.5:0.6", "--ff-per-um", "0.21"]) == 0
    target = find_target(CASE.design, CASE.nbits, {})
    layout = Layout(PLACED, utilisation=CASE.utilisation)
    asked = energy_job(target, DEFAULT_LIBRARY, CASE.clock_ns, layout=layout)
    record = run(asked, RECORD, lookup=True)
    _, usual, doubled = capsys.readouterr().out.splitlines()
    assert f"period {record.min_period_ns:.4f} ns" in usual
    for name, operation in record.operations.items():
        assert f"{name} {operation.energy_nj:.4g} nJ" in usual
    period_ns = float(doubled.split("period ")[1].split()[0])
    assert period_ns > record.min_period_ns
