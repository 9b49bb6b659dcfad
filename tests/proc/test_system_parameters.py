"""Parameters of systems: allowed values and names; they change no result."""

import random

import pytest

from rsaxcel.proc.parameters import PROCESSOR_PARAMETERS, SOFTWARE
from rsaxcel.proc.run import run_fl
from rsaxcel.proc.systems import find_system
from rsaxcel.sim.system import open_circuit
from rsaxcel.sim.system_run import SystemRequest


@pytest.mark.parametrize(
    ("name", "nbits", "told"),
    [
        ("proc_null", "24", "nbits=24: 8 to 4096 bits allowed for proc_null"),
        ("proc_mont_r2l", "24", "nbits=24: 8 to 256 bits allowed for mont_r2l"),
        ("axi_mont_r2l", 24.0, r"nbits=24\.0: 8 to 256 bits allowed for mont_r2l"),
        ("mont_r2l", None, "nbits=None: 8 to 256 bits allowed for mont_r2l"),
    ],
)
def test_a_width_that_is_no_number_is_refused(name, nbits, told):
    """Other parameters are refused in ``tests/cli/refused.txt``."""
    with pytest.raises(ValueError, match=f"^{told}$"):
        find_system(name, nbits)


@pytest.mark.parametrize("name", ["proc_null", "proc_mulrem_r2l"])
def test_params_and_key_tell_systems_apart(name):
    usual = find_system(name)
    defaults = {p.name: p.default(32) for p in usual.parameters}
    assert {k: v for k, v in usual.params.items() if k in defaults} == defaults
    keys = {usual.key}
    for parameter in usual.parameters:
        for value in parameter.allowed(32):
            system = find_system(name, 32, **{parameter.name: str(value)})
            assert system.params == usual.params | {parameter.name: value}
            assert find_system(name, 32, **system.params) == system
            keys.add(system.key)
    assert len(keys) == 1 + sum(len(p.allowed(32)) - 1 for p in usual.parameters)


def test_default_keys_stay():
    assert find_system("proc_null").key == "proc_null"
    assert find_system("proc_mont_r2l", 64).key == "proc_mont_r2l_64"


def corners():
    """All values of the divider's parameter, each with corners of the other parameters."""
    apart = "proc_divider", "proc_isa"  # test_instruction_sets has the instruction sets
    bounds = [p for p in PROCESSOR_PARAMETERS if p.name not in apart]
    for turn, divider in enumerate(("skipping", "restoring", "aligning", "aligning")):
        others = {p.name: p.allowed(32)[-((turn + i) % 2)] for i, p in enumerate(bounds)}
        yield {"proc_divider": divider} | others


CORNERS = list(corners())


@pytest.mark.quick_cases("aligning-M-8", "aligning-X-1")
@pytest.mark.xdist_group("proc-null")
@pytest.mark.parametrize("params", CORNERS, ids=lambda p: "-".join(map(str, p.values())))
def test_every_corner_computes_what_the_functional_model_does(params):
    """Every corner of the parameters runs all software and the self-check correctly."""
    system = find_system("proc_null", 32, **params)
    circuit = open_circuit(system)
    draw = random.Random(str(params))
    modulus = draw.getrandbits(32) | 1 << 31 | 1
    operands = draw.randrange(modulus), draw.getrandbits(8), modulus
    forms = [find_system("proc_null", 32, software=form) for form in SOFTWARE.allowed(32)]
    runs = [
        (form, form.image(program, *operands), pow(*operands))
        for form in forms
        for program in ("naive", "montgomery")
    ]
    runs.append((system, system.build("selfcheck"), 1))
    for form, image, expected in runs:
        request = SystemRequest(image, 100_000)
        done = circuit.run(request)
        functional = run_fl(image)
        assert form.result(done.messages) == expected
        assert (done.messages, done.instructions) == (functional.messages, functional.instructions)
        assert done.end == functional.end


def test_a_slower_divider_takes_longer():
    """Naive software takes more cycles with a slower divider, so the parameter takes effect."""
    operands = (1460365373, 65537, 2148676643)
    cycles = []
    for params in (
        {"proc_divider_bits_per_cycle": 8},
        {},
        {"proc_divider": "restoring", "proc_divider_bits_per_cycle": 1},
    ):
        system = find_system("proc_null", 32, **params)
        image = system.image("naive", *operands)
        cycles.append(open_circuit(system).run(SystemRequest(image, 100_000)).measured_cycles)
    assert cycles[0] < cycles[1] < cycles[2]


def test_software_has_a_parameter_at_the_xcel_interface():
    assert SOFTWARE in find_system("proc_mont_r2l").parameters
    assert SOFTWARE not in find_system("axi_mont_r2l").parameters
    for name in ("proc_null", "proc_mont_r2l"):
        tuned, printed = find_system(name), find_system(name, software="printed")
        assert printed.programs == tuned.programs
        for program in printed.programs:
            assert printed.build(program) != tuned.build(program)
        assert printed.build("selfcheck") == tuned.build("selfcheck")
