"""`rsaxcel list` shows the content of the registry."""

import contextlib
import re
from functools import partial

import pytest

from rsaxcel import catalog
from rsaxcel.catalog.choices import AXES, OWN_AXES
from rsaxcel.proc.systems import find_system


@pytest.fixture
def entries(objects):
    return objects("list")


def test_json_has_every_design_and_multiplier(entries):
    assert {e["name"] for e in entries if e["kind"] == "design"} == set(catalog.DESIGNS)
    assert {e["name"] for e in entries if e["kind"] == "multiplier"} == set(catalog.multipliers())


def test_json_of_the_montgomery_design(objects):
    (entry,) = objects("list", "mont_r2l")
    assert set(entry["axes"]) == {"multiplier", "domain", "schedule", "store"}
    assert entry["axes"]["multiplier"] == "mont_mul_rem"
    assert entry["nbits_min"] <= 8
    assert entry["nbits_max"] >= 128
    assert entry["exponent_dependent"]
    assert not entry["base_dependent"]
    assert entry["input_rules"]["modulus_even"]
    assert "McNay" in entry["source"]
    stages = next(p for p in entry["parameters"] if p["name"] == "stages")
    assert stages["default"] == 4
    assert stages["allowed"] == list(range(1, 33))


def test_only_designs_that_need_it_demand_an_odd_modulus(entries):
    odd = {e["name"]: e.get("odd_modulus") for e in entries}
    assert odd["mont_r2l"]
    assert odd["mont_mul_rem"]
    assert not odd["mulrem_r2l"]
    assert not odd["mul_rem"]


def needs_cofactor(entry: dict, name: str) -> bool:
    return name == "modulus" and "cofactor" in (p["name"] for p in entry["parameters"])


def test_every_parameter_that_is_listed_can_be_given(entries):
    for entry in entries:
        if entry["kind"] == "axis":
            continue
        if entry["kind"] == "system":
            design = entry["name"].replace("DESIGN", "mont_r2l")
            configure = partial(find_system, design)
        else:
            configure = catalog.find(entry["name"]).configure
        for parameter in entry["parameters"]:
            for value in (parameter["allowed"][0], parameter["allowed"][-1]):
                # not every modulus has a pseudo-modulus
                more = {"cofactor": 3} if needs_cofactor(entry, parameter["name"]) else {}
                configured = configure(parameter["nbits"], **{parameter["name"]: value}, **more)
                assert configured.params[parameter["name"]] == value


def test_systems_show_the_parameters_of_the_processor(rsaxcel, entries):
    systems = {e["name"]: e for e in entries if e["kind"] == "system"}
    assert set(systems) == {"proc_null", "proc_DESIGN", "axi_DESIGN"}
    for name, entry in systems.items():
        listed = [p["name"] for p in entry["parameters"]]
        system = find_system(name.replace("DESIGN", "mont_r2l"))
        assert listed == [p.name for p in system.parameters]
    assert "parameter    proc_divider=skipping: " in rsaxcel("list", "proc_DESIGN").out


def test_all_names_fit_a_screen(rsaxcel):
    lines = rsaxcel("list").out.splitlines()
    # Twelve multipliers and a prompt take 24 rows; each further multiplier takes one.
    assert len(lines) - len(catalog.multipliers()) <= 11
    assert max(map(len, lines)) <= 80
    words = set(re.split(r"[\s,;:]+", "\n".join(lines)))
    listed = [*catalog.DESIGNS, *catalog.multipliers(), "window", "proc_null", "axi_DESIGN"]
    assert set(listed) <= words


def test_text_of_one_tells_widths_and_side_channels(rsaxcel):
    out = rsaxcel("list", "mont_r2l").out
    assert "8 to 256 bits" in out
    assert "depend on the exponent" in out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize("name", ["mont_r2l", "mul_rem", "schedule", "proc_null", "axi_DESIGN"])
def test_one_entry_is_that_of_the_list(rsaxcel, objects, entries, name):
    assert objects("list", name) == [e for e in entries if e["name"] == name]
    assert name in rsaxcel("list", name).out


def test_system_with_a_design_has_the_parameters_of_both(objects):
    (entry,) = objects("list", "axi_mont_r2l")
    listed = {parameter["name"] for parameter in entry["parameters"]}
    assert listed == set(find_system("axi_mont_r2l").params)
    assert (entry["nbits_min"], entry["nbits_max"]) == (8, 256)


def test_every_choice_that_is_listed_can_be_made(entries):
    """Each choice configures a design that it fits; other designs refuse it by name."""
    axes = {e["name"]: e["choices"] for e in entries if e["kind"] == "axis"}
    assert {"schedule", "multiplier", "lanes", "control", "states"} <= set(axes)
    assert set(AXES) == set(axes)
    needed = {"memory": {"bus": "digit"}}
    for name, choices in axes.items():
        for token, meaning in choices.items():
            assert meaning
            fitting = 0
            for design in catalog.DESIGNS.values():
                with contextlib.suppress(ValueError):
                    configured = design.configure(32, **needed.get(name, {}), **{name: token})
                    fitting += 1
                    tokens = dict(configured.choices.tokens)
                    # The usual choice on an axis that few designs have is no part of a name.
                    usual = next(iter(choices)) if name in OWN_AXES else None
                    assert str(tokens.get(name, usual)) == token
            assert fitting, (name, token)


def test_formulas_of_halves_name_their_prime(objects):
    (entry,) = objects("list", "crt_window")
    assert [x["formula"][-5:] for x in entry["host_constants"]] == ["mod p", "mod q", "mod p"]
