"""Numbers that share a memory with two ports (``memory=dual_port``)."""

from dataclasses import replace

import pytest

from rsaxcel import catalog
from rsaxcel.eval.studies.cilardo import PORTS, STAGES
from rsaxcel.plan.dual_port import DualPort, dual_port
from rsaxcel.plan.steps import Product, When
from rsaxcel.sim.stalls import STALL_PROFILES
from tests.rtl.digit_bus_pins import Pins, digits_of
from tests.shared.harness import check_batch, check_rows, configure, simulate, table, tables_of

DESIGN = "digit_serial_r2l"
SHAPES = [
    # (bits, digit): one digit, two digits (fewer than the pipeline has stages), three; two bits
    # beyond the modulus that fill the last word, or all but one bit of it
    (8, 64),
    (13, 8),
    (14, 8),
    (22, 8),
    (30, 16),
    (64, 16),
]


def on_ports(nbits: int, digit_nbits: int, **params):
    """Configuration with a bus of one digit and a memory with two ports."""
    own = {"digit_nbits": digit_nbits, "bus": "digit", "memory": "dual_port"} | params
    return configure(DESIGN, nbits, **own)


@pytest.mark.quick_cases("directed-14-8", "directed-22-8")
@pytest.mark.parametrize(("nbits", "digit_nbits"), SHAPES)
@pytest.mark.parametrize("rows", tables_of(DESIGN))
def test_levels_agree(rows, nbits, digit_nbits):
    """Results by Python, cycles by the cycle model, which are those with a memory per number."""
    configuration = on_ports(nbits, digit_nbits)
    banks = on_ports(nbits, digit_nbits, memory="banks")
    operands, expected = table(configuration, rows)
    batch = check_rows(configuration, operands, expected)
    assert list(batch.cycles) == [banks.cycles(*row) for row in operands]


@pytest.mark.parametrize("stalls", STALL_PROFILES.values(), ids=lambda x: x.name)
def test_stalls(stalls):
    """With stalls before any digit, every handshake is that of the cycle model."""
    configuration = on_ports(14, 8)
    operands, expected = table(configuration, "directed")
    operands, expected = [*operands[:3], *operands[-6:]], [*expected[:3], *expected[-6:]]
    circuit = simulate(configuration, "rtl", "native", operands, stalls)
    check_batch(configuration, "rtl", "native", operands, circuit, expected, under=stalls.name)
    assert circuit == simulate(configuration, "cl", "pymtl", operands, stalls)


def test_the_last_square_may_be_missing():
    """Schedule ``r2l`` forms no square for the top bit: B is in lane 1's register all the same."""
    configuration = on_ports(14, 8, schedule="r2l")
    rows = [(16382, (1 << n) - 1, 16383) for n in range(6)] + [(5, 1 << n, 9) for n in range(14)]
    rows += [(2, 0b10101, 16383), (16382, 16383, 16383), (3, 2, 9), (0, 1, 3)]
    check_rows(configuration, rows, [(pow(*row), 0) for row in rows])


def test_resets_in_every_phase():
    """A reset in any cycle of a product: the memory is loaded anew, the next result is right."""
    configuration = on_ports(22, 8)
    operands = [(3, 5, (1 << 22) - 1), (77, 6, 4194301), (2, 0b1011, 3)]
    expected = [(pow(*row), 0) for row in operands]
    undisturbed = simulate(configuration, "rtl", "native", operands)
    first = undisturbed.accepted[1] + 1
    for cycle in range(first, first + 100):
        batch = simulate(configuration, "rtl", "native", operands, reset_at=cycle)
        assert batch.dropped == [1]
        assert [batch.responses[0], batch.responses[2]] == [expected[0], expected[2]]


def accesses(top) -> tuple[list[str], list[str]]:
    """Accesses of each port of the memory whose words are used in this cycle."""
    memory, engine, control = top.memory, top.engine, top.engine.control
    apart = int(memory.apart)
    ports: tuple[list[str], list[str]] = ([], [])
    for lane, (port, adder) in enumerate(zip(ports, engine.adders, strict=True)):
        adds = int(adder.adds_b) | int(adder.adds_n)
        if control.valid and adds and not (apart and int(engine.lanes[lane].reads_b)):
            port.append(f"addend of lane {lane}")
        reads_a = control.doubles and control.valid and int(engine.lanes[lane].token)
        if reads_a and not int(engine.pending[lane]) and not (lane == 0 and int(memory.a_is_one)):
            ports[1].append(f"a of lane {lane}")
    if control.valid and control.doubles:
        ports[0].append("modulus")
    if int(top.unloader.phase_reg) or int(top.loader.compares):
        ports[0].append("modulus for the bus")
    writes = {
        "base or modulus": memory.loads_base | memory.loads_modulus,
        "2B + N": memory.sum_write,
        "result 0": memory.stores[0],
        "result 1": memory.stores[1],
    }
    ports[1].extend(name for name, happens in writes.items() if int(happens))
    return ports


@pytest.mark.slow_cases("22-8", "30-8")
@pytest.mark.parametrize(("nbits", "digit_nbits"), [(8, 64), (14, 8), (22, 8), (30, 8)])
def test_each_port_has_one_access(nbits, digit_nbits):
    """In no cycle, a port has two accesses; each kind of access happens, and results are right."""
    seen: set[str] = set()

    def watch(top):
        for found in accesses(top):
            assert len(found) <= 1, found
            seen.update(found)

    pins = Pins(on_ports(nbits, digit_nbits), watch)
    words = -(-(nbits + 2) // digit_nbits)
    modulus = (1 << nbits) - 1
    for base, exponent in ((5, 0b1011001), (modulus - 1, 0), (2, 1)):
        r2 = pow(2, 2 * (nbits + 2), modulus)
        numbers = (r2, modulus, exponent, base)
        counts = (words, words, -(-nbits // digit_nbits), words)
        pins.send([0])
        for number, count in zip(numbers, counts, strict=True):
            pins.send(digits_of(number, count, digit_nbits))
        result = digits_of(pow(base, exponent, modulus), words, digit_nbits)
        assert pins.receive(1 + words) == [0, *result]
    kinds = {"addend of lane 0", "addend of lane 1", "a of lane 0", "a of lane 1", "modulus"}
    kinds |= {"modulus for the bus", "base or modulus", "2B + N", "result 0", "result 1"}
    assert seen == kinds


def test_programs():
    """What the two memories hold, and programs whose accesses do not fit."""
    (program,) = on_ports(14, 8).programs
    assert dual_port(program) == DualPort(("r", "b"), "r2")
    square = Product("b", "b", "b", lane=1)
    for loop, told in (
        ((Product("r", "b", "r", When.SET), square), "reads b while both ports are in use"),
        ((Product("r", "b", "b", When.SET), square), "reads a while both ports are in use"),
        ((Product("r", "r", "b"), Product("b", "r", "b", lane=1)), "lane 1|reads a while"),
        ((Product("r", "r", "b", When.SET),), "lane 1 forms no product"),
        ((Product("r", "r", "b"), Product("b", "b", "b", When.SET, lane=1)), "lane 1 forms no"),
    ):
        with pytest.raises(ValueError, match=told):
            dual_port(replace(program, loop=(loop,)))
    with pytest.raises(ValueError, match="a memory with two ports needs two lanes"):
        dual_port(replace(program, lanes=1))


def test_every_part_has_a_stage():
    """The stages of the document's pipeline: registers A belong to the last one."""
    assert STAGES[PORTS].keys() - STAGES["digit"].keys() == {"engine.queues__0", "engine.queues__1"}
    assert not catalog.get(DESIGN).default.params.get("memory")
