"""A multiplier in Verilog serves in compositions, by its name or its description's path."""

from pathlib import Path

import pytest

from rsaxcel import catalog
from rsaxcel.catalog.registry import named
from rsaxcel.cores.errors import DescriptionError
from rsaxcel.flow.subjects import subject_of
from rsaxcel.proc.systems import find_system
from rsaxcel.sim.check.plan import CheckRequest
from rsaxcel.sim.replay import command
from rsaxcel.sim.translate import translate
from tests.shared.planted import planted

PRODUCT = Path(__file__).with_name("own_mul.v").read_text("utf-8")
MONTGOMERY = Path(__file__).with_name("own_mont.v").read_text("utf-8")
_OF_PRODUCT = Path(__file__).with_name("own_mul.toml").read_text("utf-8")
_OF_MONTGOMERY = Path(__file__).with_name("own_mont.toml").read_text("utf-8")


def product(folder, *changes):
    return _written(folder, PRODUCT, _OF_PRODUCT, changes)


def montgomery(folder, *changes):
    return _written(folder, MONTGOMERY, _OF_MONTGOMERY, changes)


def _written(folder, verilog, text, changes):
    folder.mkdir(exist_ok=True)
    (folder / "core.v").write_text(verilog)
    (folder / "core.toml").write_text(planted(text, *changes))
    return folder


@pytest.mark.slow_cases("l2r")
@pytest.mark.parametrize("schedule", ["r2l", "l2r"])
def test_a_product_by_its_description_is_as_its_formula_says(run, tmp_path, schedule):
    chosen = f"multiplier={product(tmp_path / 'mul')}", f"schedule={schedule}"
    params = [x for each in chosen for x in ("--param", each)]
    told = run("sim", "mulrem_r2l", *params, "--nbits", 8, "--random", 100)
    assert "mismatches   0" in told
    assert "as cl model  yes, all" in told
    told = run("sim", "mulrem_r2l", *params, "--nbits", 8, "--level", "cl", "--engine", "pymtl")
    assert "mismatches   0" in told


@pytest.mark.slow_cases("r2l-*")
@pytest.mark.parametrize(
    ("schedule", "more"), [("r2l", ()), ("l2r", ("divisor", 'divisor = "2**(nbits + 4)"'))]
)
def test_a_montgomery_product_has_any_power_of_two(run, tmp_path, schedule, more):
    changes = [('{ N = "nbits" }', '{ N = "nbits", STEPS = "nbits + 4" }')] if more else []
    changes += [('name = "own_mont"', f'name = "own_mont"\n{more[1]}')] if more else []
    if more:  # the first operand is wider, with zeros above
        text = MONTGOMERY.replace("{x, y, m} <= ops;", "{x, y, m} <= {{STEPS-N{1'b0}}, ops};")
        path = _written(tmp_path / "mont", text, _OF_MONTGOMERY, changes)
    else:
        path = montgomery(tmp_path / "mont", *changes)
    params = "--param", f"multiplier={path}", "--param", f"schedule={schedule}", "--nbits", 8
    assert "mismatches   0" in run("sim", "mont_r2l", *params, "--random", 100)
    told = run("sim", "mont_r2l", *params, "--level", "cl", status=2)
    assert "level=cl: mont_r2l has no cycle model; fl, rtl are allowed" in told


@pytest.mark.slow_cases("12")
@pytest.mark.parametrize("nbits", [4, 12])
def test_the_host_gives_constants_of_a_multiplier(run, tmp_path, nbits):
    """It has digits of 4 bits, and reads the low bits of -n**-1, of a field that may be wider."""
    digits = MONTGOMERY.replace("[3*N-1:0] ops", f"[3*N-1:0] ops, input [{nbits - 1}:0] np")
    digits = planted(
        digits,
        ("reg [N:0] t;", "reg [N:0] t; reg [3:0] p;"),
        ("[N+1:0] s = t + (x[0] ? y : {N{1'b0}})", "[N+4:0] s = t + y * x[3:0]"),
        ("[N+1:0] u = s + (s[0] ? m : {N{1'b0}})", "[3:0] k = s * p; wire [N+5:0] u = s + m * k"),
        ("t <= 0; left <= STEPS;", "t <= 0; p <= np; left <= STEPS / 4;"),
        ("t <= u >> 1; x <= x >> 1;", "t <= u >> 4; x <= x >> 4;"),
    )
    constants = f'constants = {{ np = {{ value = "-n**-1 mod 2**{nbits}", nbits = {nbits} }} }}'
    changes = [("[protocol]", f"{constants}\n[protocol]"), ('"n"] }', '"n"], np = "np" }')]
    path = _written(tmp_path / "mont", digits, _OF_MONTGOMERY, changes)
    assert "mismatches   0" in run("sim", path, "--nbits", 8, "--random", 100)
    told = run("check", path, "--nbits", 8, "--only", "cycles", "--random", 20)
    assert "cycles: constant (3)" in told
    chosen = "--param", f"multiplier={path}", "--nbits", 8
    told = run("sim", "mont_r2l", *chosen, "--random", 100)
    assert "mismatches   0" in told
    data = tmp_path / "vector.json"
    data.write_text('{"base": "7b", "exp": "11", "n": "d7"}')
    system = "--system", "proc_mont_r2l", *chosen, "--data", data, "--level", "fl"
    assert "result        5d" in run("run", "xcel", *system)


@pytest.mark.parametrize("name", ["one", "r2", "domain"])
def test_constants_of_a_design_are_not_those_of_its_multiplier(run, tmp_path, name):
    constant = f'{name} = {{ value = "2**nbits mod n" }}'
    path = montgomery(
        tmp_path,
        ("[protocol]", f"constants = {{ {constant} }}\n[protocol]"),
        ('"n"] }', f'"n", "{name}"] }}'),
    )
    told = run("sim", "mont_r2l", "--param", f"multiplier={path}", "--nbits", 8, status=2)
    assert f"core.toml:9: {name} is no name of a constant: a design has one" in told


def test_optimize_wants_a_cycle_model(run, tmp_path):
    chosen = f"multiplier={montgomery(tmp_path)}"
    told = run("optimize", "--nbits", 8, "--param", chosen, status=2)
    assert "multiplier=own_mont: it has no cycle model; one with `cycles` in its" in told


@pytest.mark.parametrize(
    ("design", "params", "told"),
    [
        ("mulrem_r2l", ["nbits=12"], "nbits=12: 8, 16 bits allowed for own_mont"),
        ("mont_r2l", ["domain=plain"], "domain=plain: this multiplier forms a * b / R mod m"),
        ("mont_r2l", ["domain=pseudo_modulus"], "nbits=10: 8, 16 bits allowed for own_mont"),
        ("crt_window", ["domain=crt"], "domain=crt: it needs a multiplier that keeps its last"),
        (
            "mont_r2l",
            ["stages=2"],
            "stages=2: not a parameter of mont_r2l with multiplier=own_mont",
        ),
    ],
)
def test_what_does_not_fit_is_refused(run, tmp_path, design, params, told):
    named(str(montgomery(tmp_path)))
    nbits = next((x.partition("=")[2] for x in params if x.startswith("nbits")), 8)
    given = [x for each in params if not each.startswith("nbits") for x in ("--param", each)]
    given += ["--param", "multiplier=own_mont", "--nbits", nbits]
    found = run("sim", design, *given, status=2)
    assert told in found
    assert found.count("\n") == 1


def test_moduli_of_full_length_are_not_those_of_a_composition(run, objects, tmp_path):
    path = montgomery(tmp_path, ("[protocol]", "rules = { full_modulus = true }\n[protocol]"))
    rows = objects("sim", path, "--nbits", 8, "--level", "fl", "--random", 60)
    assert all(int(x["n"], 16) > 128 for x in rows if x["status"] == "ok")
    told = run("sim", "mont_r2l", "--param", f"multiplier={path}", "--nbits", 8, status=2)
    assert "multiplier=own_mont: it takes moduli of full length alone" in told


def test_a_wrong_formula_of_cycles_is_found(run, tmp_path):
    path = product(tmp_path, ("nbits + 2", "nbits + 1"))
    told = run("sim", path, "--nbits", 8, "--random", 20, status=1)
    assert "cycles 10, the cycle model says 9" in told
    assert f"| rsaxcel sim {path} --nbits 8 --level rtl --vectors -" in told  # the path, as given
    again = command("check", "mulrem_r2l", 8, {"multiplier": "own_mul"})
    assert again == f"rsaxcel check mulrem_r2l --nbits 8 --param multiplier={path}"


def test_its_files_are_those_of_the_composition(tmp_path):
    named(str(product(tmp_path)))
    configuration = catalog.get("mulrem_r2l").configure(8, multiplier="own_mul")
    assert {tmp_path / "core.v", tmp_path / "core.toml"} <= {*configuration.sources}
    assert configuration.is_foreign
    assert not catalog.get("mulrem_r2l").configure(8).is_foreign


def test_a_netlist_is_refused_where_the_multiplier_has_none(run, tmp_path):
    path = product(tmp_path / "mul")
    text = (path / "core.v").read_text().replace("posedge clk or", "negedge clk or")
    (path / "core.v").write_text(text)
    chosen = "--param", f"multiplier={path}", "--nbits", 8
    told = run("flow", "mulrem_r2l", *chosen, status=2)
    assert "falling edge of clk" in told
    system = find_system("proc_mulrem_r2l", 8, multiplier="own_mul")
    with pytest.raises(DescriptionError, match="falling edge of clk"):
        system.operator()


def test_netlists_have_zeros_where_nothing_drives(tmp_path):
    """So have those of compositions and systems, and their records say it."""
    path = product(tmp_path)
    text = PRODUCT.replace("  reg [N-1:0] x,", "  wire [N-1:0] none;\n  reg [N-1:0] x,")
    (path / "core.v").write_text(text.replace("r <= 0;", "r <= none;"))
    named(str(path))
    composed = catalog.get("mulrem_r2l").configure(8, multiplier="own_mul")
    alone = catalog.find("own_mul").configure(8)
    for target in (alone, composed, find_system("proc_mulrem_r2l", 8, multiplier="own_mul")):
        assert "assign none = '0;" in subject_of(target).verilog().text
        (note,) = target.notes
        assert "nothing drives it, and a netlist has 0" in note
    assert "assign none" not in translate(composed.component("rtl")).text


def test_a_check_takes_the_widths_of_the_multiplier(tmp_path):
    """Not those of the design: some of these the multiplier does not have."""
    named(str(product(tmp_path, ("{ least = 4, most = 64 }", "[5, 8]"))))
    design = catalog.get("mulrem_r2l")
    planned = CheckRequest(design, 8, {"multiplier": "own_mul"}, 20, 0).steps()
    (step,) = (x for x in planned if x.name == "widths")
    assert (step.of, step.run()) == ("own_mul", "5 bits are right")
