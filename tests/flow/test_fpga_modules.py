"""FPGA resources by module: small circuits whose parts are known, and the digit-serial design."""

from pathlib import Path

import pytest

from rsaxcel import catalog
from rsaxcel.flow.resources import MODULE_FAMILIES, add_up, count_resources_by_module
from rsaxcel.sim.translate import translate_cached

#: Two registered sums, and a memory of 16 words of 6 bits behind a delay of its input.
CIRCUIT = Path(__file__).with_name("modules.sv").read_text("utf-8")


def count(family, folder):
    (folder / "unit.v").write_text(CIRCUIT)
    found = count_resources_by_module(folder / "unit.v", "unit", family, folder / "work")
    return {path: {k: v for k, v in own.items() if v} for path, own in found.items()}


@pytest.mark.slow
def test_known_circuit_on_virtex_e(tmp_path):
    each = {"logic_luts": 8, "carry_bits": 8}
    assert count("xcve", tmp_path) == {
        "": {},
        "late_reg": {"flip_flops": 6},
        "one": {},
        "one.+": each,
        "one.sum_reg": {"flip_flops": 8},
        "two": {},
        "two.+": each,
        "two.sum_reg": {"flip_flops": 8},
        "bank": {"dual_port_memory_luts": 12},
    }


@pytest.mark.slow
def test_known_circuit_on_xc7(tmp_path):
    found = count("xc7", tmp_path)
    assert found["one.+"] == found["two.+"] == {"logic_luts": 8, "carry_bits": 8}
    assert found["bank"] == {"memory_luts": 4}
    assert found["late_reg"] == {"flip_flops": 6}


def test_parts_are_sums_of_what_is_nearest():
    counts = {
        "": {"x": 1},
        "a": {"x": 2, "y": 1},
        "a.b": {"x": 4},
        "a.b.c_reg": {"x": 8},
        "a.d": {"x": 16},
        "ab": {"x": 32},
    }
    assert add_up(counts, {"": "rest", "a": "first", "a.b": "second", "a.d": "second"}) == {
        "rest": {"x": 33},
        "first": {"x": 2, "y": 1},
        "second": {"x": 28},
    }
    with pytest.raises(ValueError, match="ab is in no part"):
        add_up({"ab": {"x": 1}}, {"a": "first"})
    with pytest.raises(ValueError, match="b, c: the design has no such path"):
        add_up({"a": {"x": 1}}, {"": "rest", "c": "first", "b": "first"})


def test_other_families_are_refused(tmp_path):
    with pytest.raises(ValueError, match="family 'cyclonev': xc7, xcve are allowed"):
        count_resources_by_module(tmp_path / "x.v", "x", "cyclonev", tmp_path)
    assert list(MODULE_FAMILIES) == ["xc7", "xcve"]


@pytest.mark.slow
@pytest.mark.xdist_group("rsaxcel-fpga")
def test_stages_of_the_digit_serial_lane(tmp_path):
    """Adder bits for each bit of a digit and its carry; four registers of a digit."""
    digit = 16
    configuration = catalog.get("digit_serial_r2l").configure(126, digit_nbits=digit)
    module = translate_cached(
        configuration.name,
        lambda: configuration.component("rtl"),
        sources=catalog.sources(),
        top="digit_serial_r2l",
    )
    (tmp_path / "design.v").write_text(module.text)
    found = count_resources_by_module(tmp_path / "design.v", module.top, "xcve", tmp_path / "work")
    lane = "core.store.engine.adders__"
    parts = {"": "rest"} | {f"{lane}{i}": "write" for i in range(2)}
    parts |= {f"{lane}{i}.{x}": "adder" for i in range(2) for x in ("+", "carry_reg", "top_reg")}
    stages = add_up(found, parts)
    assert stages["adder"]["logic_luts"] == 2 * (digit + 1)
    assert stages["adder"]["flip_flops"] == 2 * 3
    assert 2 * 4 * digit <= stages["write"]["flip_flops"] <= 2 * (4 * digit + 4)
    # 8 words of the running sum in a memory of 16, two tables a bit
    assert stages["write"]["dual_port_memory_luts"] == 2 * 2 * digit
    total = sum(x["flip_flops"] for x in stages.values())
    assert total == sum(x.get("flip_flops", 0) for x in found.values())
