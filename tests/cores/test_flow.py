"""Cores with resets of every kind go through the flow."""

import pytest

from rsaxcel.catalog.registry import named
from rsaxcel.cli.flow import describe as lines
from rsaxcel.flow.run import run_flow
from rsaxcel.flow.subjects import find_target
from tests.cores.test_described import _forgotten, make  # noqa: F401

RESET = 'reset = "reset"  # synchronous and active high'
ASYNCHRONOUS = 'reset = { port = "reset", active = "low", synchronous = false }'


def measure(folder, reset):
    make(folder, "start_done", [(RESET, reset)])
    for file in folder.glob("*.v"):
        text = file.read_text("utf-8")
        assert reset == RESET or "posedge clk)" in text or file.name == "core.v"
        if reset != RESET:
            text = text.replace("posedge clk)", "posedge clk or negedge reset)")
            text = text.replace("if (reset)", "if (!reset)")
        file.write_text(text)
    record = run_flow(
        find_target(named(str(folder)), 8, {}), activity="zero", directory=folder / "flow"
    )
    assert record.checked["operations"] > 1000
    return record


@pytest.mark.slow
def test_an_asynchronous_reset_costs_area_alone(tmp_path):
    from rsaxcel.catalog.registry import GIVEN

    found = {}
    for name, reset in (("no", RESET), ("yes", ASYNCHRONOUS)):
        found[name] = measure(tmp_path / name, reset)
        GIVEN.clear()
    cycles = {x.operations["decrypt"].cycles for x in found.values()}
    assert len(cycles) == 1
    areas = {name: x.area_by_module["pins"] for name, x in found.items()}
    assert areas["yes"] > areas["no"]


@pytest.mark.slow
def test_the_area_of_the_core_stands_apart(tmp_path):
    record = measure(tmp_path / "core", RESET)
    told = "\n".join(lines(record))
    assert f"{record.area_by_module['pins']:,.1f} um2  the core itself" in told
    assert record.area_by_module["pins"] < 0.95 * record.area_um2
