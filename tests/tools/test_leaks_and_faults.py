"""The table over all designs: a row for each, with figures of the two commands."""

import pytest
from click.testing import CliRunner

from tools.leaks_and_faults import table


@pytest.mark.slow
def test_rows_have_the_figures_of_the_commands():
    arguments = ["--nbits", "8", "--traces", "64", "--faults", "200"]
    done = CliRunner().invoke(table, [*arguments, "montmul_r2l", "montmul_r2l_shared"])
    assert done.exit_code == 0, done.output
    head, rule, *rows = (line.strip("| ").split(" | ") for line in done.stdout.splitlines())
    assert rule[0].count("---") == len(head)
    assert [row[0] for row in rows] == ["`montmul_r2l`", "`montmul_r2l_shared`"]
    for row in rows:
        found = dict(zip(head, row, strict=True))
        assert found["time varies with"] == "exponent"
        shares = [float(found[x].removesuffix(" %")) for x in head[5:9]]
        assert sum(shares) == pytest.approx(100, abs=0.3)
        assert float(found["max t"]) > 0
        assert found["wrong results with factor"] == "-"
        assert found["proven at 8 bits"] == "status, netlist"
