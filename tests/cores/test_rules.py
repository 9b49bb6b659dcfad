"""Input rules of a description: the shell and every generator of operands keep them."""

import json
import random

import pytest

from rsaxcel.catalog.described import describe
from rsaxcel.fl.keys import MIN_KEY_NBITS
from rsaxcel.fl.status import Status
from rsaxcel.lab.leakage.operands import OperandSource
from rsaxcel.sim.operations import operation
from rsaxcel.sim.vectors import random_vectors
from tests.cores.test_described import make
from tests.shared.planted import plant

ROWS = '{"base": "3", "exp": "0", "n": "7"}\n{"base": "3", "exp": "1", "n": "7"}\n'


def ruled(folder, rules, changes=()):
    """Write the core to start from, with rules, and its Verilog with changes."""
    make(folder, changes=[("odd_modulus = false", rules)])
    plant(folder / "power.v", *changes)
    return folder


def test_an_exponent_of_zero_is_refused(rsaxcel, tmp_path):
    hangs = [("else if (start) begin", "else if (start && exponent != 0) begin")]
    folder = ruled(tmp_path / "core", "positive_exponent = true", hangs)
    (tmp_path / "rows").write_text(ROWS)
    done = rsaxcel("sim", folder, "--nbits", 8, "--vectors", tmp_path / "rows", "--json")
    rows = [json.loads(x) for x in done.out.splitlines()]
    assert [x["status"] for x in rows] == ["exponent_too_small", "ok"]
    assert all(x["match"] for x in rows)
    assert rows[0]["cycles"] == 1


@pytest.mark.parametrize("nbits", [4, 5, 8, 13, 32])
def test_drawn_operands_keep_the_rules(tmp_path, nbits):
    folder = ruled(tmp_path / "core", "positive_exponent = true, full_modulus = true")
    circuit = describe(folder).configure(nbits)
    to_do = operation(circuit)
    drawn = [x.status for x in random_vectors(600, 0, nbits, to_do)]
    assert Status.EXPONENT_TOO_SMALL not in drawn
    assert drawn.count(Status.OK) > 500
    draw = random.Random(0)
    corners = [to_do.draw_corner(draw, nbits) for _ in range(300)]
    assert {to_do.status(x) for x in corners} == {Status.OK}
    assert any(to_do.result(x) == 0 for x in corners)
    if nbits >= MIN_KEY_NBITS:
        source = OperandSource(circuit)
        assert min(source.exponent(draw, 1) for _ in range(20)) == 1
