"""Flip-flops with an asynchronous reset or set, in a library that has no others."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rsaxcel.flow.gates.streams import GateSimulator
from rsaxcel.flow.kit_check import check_kit
from rsaxcel.flow.physical.array_netlist import read_array_netlist
from rsaxcel.flow.physical.checks import check_connections
from rsaxcel.flow.physical.embedded.tool import share_ties
from rsaxcel.flow.physical.equivalence import check_equivalent
from rsaxcel.flow.physical.lef import geometry
from rsaxcel.flow.power.netlist import Netlist
from rsaxcel.lab.proofs.netlists import NotProved, proved_equal
from rsaxcel.store.errors import SetupError
from tests.flow.flow_circuits import ENABLED, KIT, STREAMS, library, synthesized

MOST = 16
"""Flip-flops of a tie cell where the library has no limit."""


def kit_of(*unusable: str):
    """Kit without some flip-flops."""
    return replace(KIT, unusable_cells=(*KIT.unusable_cells, *unusable))


RESET, SET = kit_of("DFF_X?", "DFFS*", "DFFRS*"), kit_of("DFF_X?", "DFFR*")


@pytest.mark.parametrize(("kit", "cell", "pin"), [(RESET, "DFFR_X", "RN"), (SET, "DFFS_X", "SN")])
def test_resets_and_sets_are_tied_to_what_has_no_effect(tmp_path, kit, cell, pin):
    check_kit(kit)
    verilog = STREAMS.replace("{valid}", "full_reg")
    synthesized(verilog, "unit", tmp_path, 3.0, kit)
    netlist = Netlist.from_yosys_json(tmp_path / "netlist.json", library(), top="unit")
    high = {x.nets["Z"] for x in netlist.instances if x.cell.name == "LOGIC1_X1"}
    registers = [x for x in netlist.instances if x.cell.name.startswith(cell)]
    assert len(registers) == 5
    assert {x.nets[pin] for x in registers} == high
    assert GateSimulator(netlist).run([[5, 10, 15]]).responses == [[5, 10, 15]]
    assert proved_equal(tmp_path, "unit", kit, library()).kept == 5


def test_a_reset_that_is_tied_to_its_active_value_is_no_equivalent(tmp_path):
    verilog = STREAMS.replace("{valid}", "full_reg")
    synthesized(verilog, "unit", tmp_path, 3.0, RESET)
    path = tmp_path / "netlist.json"
    path.write_text(path.read_text().replace("LOGIC1_X1", "LOGIC0_X1"))
    with pytest.raises(NotProved):
        proved_equal(tmp_path, "unit", RESET, library())


def test_a_library_without_any_flip_flop_is_told():
    with pytest.raises(SetupError, match="none of the usable cells is a flip-flop"):
        check_kit(kit_of("DFF*"))


@pytest.fixture(scope="module")
def wide(tmp_path_factory) -> Path:
    """Netlist of a register of 60 bits, and one of 8."""
    folder = tmp_path_factory.mktemp("wide")
    synthesized(ENABLED.format(last=59), "enabled", folder, 3.0, RESET)
    return folder / "netlist.json"


def test_tie_cells_get_the_flip_flops_near_them(wide):
    given = read_array_netlist(wide, "enabled", geometry(KIT).kinds)
    # The bits of the register lie in another order than by their numbers.
    draw = np.random.default_rng(1)
    given.x[:], given.y[:] = draw.integers(0, 400_000, (2, given.count))
    shared = share_ties(given, library())
    check_connections(shared)
    check_equivalent(shared, given, library())

    assert Counter(shared.names) == Counter(given.names)
    start, pins = shared.net_pins
    x, y = shared.pin_places()
    spans = []
    for net in range(len(shared.nets)):
        driver, *sinks = pins[start[net] : start[net + 1]].tolist()
        own = shared.pin_instance[driver]
        if shared.names[own].startswith("tie"):
            assert 0 < len(sinks) <= MOST
            spans += [int(np.ptp(axis[sinks])) for axis in (x, y)]
            assert x[sinks].min() - shared.width[own] <= shared.x[own] <= x[sinks].max()
            assert y[sinks].min() - shared.height[own] <= shared.y[own] <= y[sinks].max()
    assert len(spans) == 2 * 5
    # Five parts of the core, of about half of either side.
    assert sum(spans) < 0.6 * len(spans) * 400_000
    # Only ends of tie cells' nets have changed.
    moved = np.flatnonzero(shared.pin_net != given.pin_net).tolist()
    assert {shared.pin_name(pin)[1] for pin in moved} == {"RN"}
