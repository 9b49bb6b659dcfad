"""An engine with residues in digits shows its operands on its interface in the response only.

Its handshakes are the same, cycle by cycle, for all good requests of a width. The gates show that
no bit of the message reaches them except by the status of the input rules.
"""

import json
import random
from collections.abc import Iterator
from math import gcd

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rsaxcel import catalog
from rsaxcel.fl.contract import DigitMultiplier
from rsaxcel.sim.engine import open_engine
from rsaxcel.sim.runners import hang_cycles
from rsaxcel.sim.stalls import NO_STALLS, STALL_PROFILES
from rsaxcel.sim.translate import translate
from tests.shared.harness import built_once, configure, engine_for, response_of
from tests.shared.yosys import through_yosys

NBITS = 8
WINDOW_NBITS = 3  #: the table has entries that a step fills
ENGINES = [
    name
    for name, design in catalog.DESIGNS.items()
    if issubclass(design.multiplier.fl, DigitMultiplier)
]
of_each_engine = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=built_once(name, NBITS)) for name in ENGINES]
)

Row = tuple[int, int, int]


@st.composite
def rows_of(draw, configuration) -> Row:
    """Draw a base, exponents and a key; lengths are drawn first, and corners are likely.

    Corners are multiples of a prime as base, exponents 0, 1 and all ones, primes of unequal length
    and of the least value.
    """
    nbits, halves = configuration.nbits, configuration.choices.domain.halves
    ones = (1 << configuration.choices.exponent_nbits) - 1
    exponent = st.sampled_from((0, 1, 2, ones)) | st.integers(0, ones)

    def odd(most_nbits: int) -> int:
        length = draw(st.integers(2, most_nbits))
        return draw(st.integers(1 << length - 1, (1 << length) - 1)) | 1

    if halves is None:
        modulus = odd(nbits)
        base = draw(st.sampled_from((0, 1, modulus - 1)) | st.integers(0, modulus - 1))
        return base, draw(exponent), modulus
    p, q = odd(halves.nbits), odd(halves.nbits)
    if gcd(p, q) > 1:  # moduli of a key are coprime: take neighbours
        q = p - 2 if p > 3 else 5
    most = (1 << nbits) - 1
    prime = draw(st.sampled_from((p, q)))
    multiple = prime * draw(st.integers(0, most // prime))
    base = draw(
        st.sampled_from((0, 1, multiple, min(most, p * q - 1), most)) | st.integers(0, most)
    )
    return base, halves.joined(draw(exponent), draw(exponent)), halves.joined(p, q)


def check_time(configuration, rows: list[Row], stalls=NO_STALLS) -> None:
    """Check results, and that handshakes of model and circuit do not depend on the operands."""
    requests = [configuration.request(*row) for row in rows]
    base, exponent, _ = rows[0]
    like = [configuration.request(base ^ base, exponent ^ exponent, rows[0][2])] * len(rows)
    options = {"stalls": stalls, "in_flight": None, "max_idle_cycles": hang_cycles(configuration)}
    timed = engine_for(configuration, "cl", "pymtl").run(requests, **options)
    circuit = engine_for(configuration, "rtl", "native").run(requests, **options)
    other = engine_for(configuration, "rtl", "native").run(like, **options)
    assert circuit.responses == [response_of(configuration, row) for row in rows]
    assert circuit == timed
    for batch in (circuit, other):
        assert (batch.accepted, batch.valid, batch.taken) == (
            timed.accepted,
            timed.valid,
            timed.taken,
        )
    assert len({configuration.cycles(*row) for row in rows}) == 1


@pytest.mark.quick_cases("orup_window")
@of_each_engine
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_no_operand_changes_a_handshake(name, data):
    """Any bases, exponents and keys, with several requests in flight and any stalls."""
    configuration = configure(name, NBITS, window_nbits=WINDOW_NBITS)
    rows = data.draw(st.lists(rows_of(configuration), min_size=2, max_size=5))
    check_time(configuration, rows, data.draw(st.sampled_from(list(STALL_PROFILES.values()))))


def some_rows(configuration, seed: int, count: int) -> Iterator[Row]:
    """Yield rows that differ widely."""
    draw, halves = random.Random(seed), configuration.choices.domain.halves
    for i in range(count):
        exponent = (0, (1 << configuration.choices.exponent_nbits) - 1)[(i + seed) % 2]
        if halves is None:
            modulus = draw.choice((3, 0x65, 0xFF))
            yield draw.randrange(modulus), exponent, modulus
        else:
            p, q = draw.choice(((3, 5), (13, 11), (15, 7), (3, 13)))
            base = draw.choice((0, p, q, p * q - 1, (1 << configuration.nbits) - 1))
            yield base, halves.joined(exponent, exponent ^ 1), halves.joined(p, q)


@pytest.mark.quick_cases("*-cl", "crt_window-rtl")
@pytest.mark.parametrize("level", ["cl", "rtl"])
@pytest.mark.parametrize("name", ENGINES)
def test_every_cycle_of_the_interface(name, level):
    """Record all handshake signals in each cycle, with stalls.

    They do not depend on the operands; the interface is silent until the response, which waits.
    """
    configuration = configure(name, NBITS, window_nbits=WINDOW_NBITS)
    made = []

    def component():
        made.append(configuration.component(level))
        return made[-1]

    engine, seen = open_engine("pymtl", component), []
    (top,) = made
    edge = top.sim_edge
    signals = [top.recv.val, top.recv.rdy, top.send.val, top.send.rdy]
    if level == "rtl":
        signals.append(top.core.sequencer.next_step.repeats)  # see ``CUTS``

    def recorded_edge():
        if not top.reset:
            seen[-1].append(tuple(map(int, signals)))
        edge()

    top.sim_edge = recorded_edge
    for seed in range(2):
        rows = list(some_rows(configuration, seed, 2))
        seen.append([])
        requests = [configuration.request(*row) for row in rows]
        options = {"stalls": STALL_PROFILES["random"], "in_flight": None}
        batch = engine.run(requests, max_idle_cycles=hang_cycles(configuration), **options)
        assert batch.responses == [response_of(configuration, row) for row in rows]
    assert seen[0] == seen[1]
    assert all(map(any, zip(*seen[0], strict=True)))
    busy = shows = False
    for offers, takes, answers, taken, *_ in seen[0]:
        assert not (takes and busy)
        assert answers or not shows
        assert busy or not answers
        busy = (busy or bool(offers and takes)) and not (answers and taken)
        shows = bool(answers and not taken)


CUTS = ("store.status", "sequencer.next_step.repeats")
"""Ends of the names of two nets. The first net has the status of the input rules. The second net
compares the table's index with the last index. The index is a counter while the table is filled,
and a digit of the exponent later. The sequencer reads the net while the table is filled only, so
what it reads is the same in all runs; ``test_every_cycle_of_the_interface`` checks this."""


def sources(module: dict, sinks: list[int], cuts: set[int]) -> set[int]:
    """Find all nets on which ``sinks`` depend, over any number of cycles, not through ``cuts``."""
    read: dict[int, list[int]] = {}
    for cell in module["cells"].values():
        ways = cell["port_directions"]
        pins = [
            bit for pin, bits in cell["connections"].items() if ways[pin] == "input" for bit in bits
        ]
        for pin, bits in cell["connections"].items():
            if ways[pin] == "output":
                read |= dict.fromkeys(bits, pins)
    found, waiting = set(sinks), list(sinks)
    while waiting:
        bit = waiting.pop()
        new = set() if bit in cuts else set(read.get(bit, ())) - found
        found |= new
        waiting += new
    return found


TO_GATES = (
    "proc",
    "flatten",
    "opt -full -nosdff",
    "dffunmap",
    "opt_clean",
    "techmap",
    "opt -full",
    "opt_clean",
    "write_json gates.json",
)


@pytest.mark.quick_cases("orup_window")
@pytest.mark.parametrize("name", ENGINES)
def test_no_message_gets_to_the_handshakes(name, tmp_path):
    """No path of gates and registers leads from the message to a handshake, except through CUTS."""
    module = translate(configure(name, NBITS, window_nbits=WINDOW_NBITS).component("rtl"), name)
    through_yosys(module, tmp_path, TO_GATES, "--no-implicit-memories")
    gates = json.loads((tmp_path / "gates.json").read_text())["modules"][name]
    message = set(gates["ports"]["recv__msg"]["bits"])
    ends = [bit for port in ("recv__rdy", "send__val") for bit in gates["ports"][port]["bits"]]
    found = [
        {
            bit
            for net, entry in gates["netnames"].items()
            if net.endswith(cut)
            for bit in entry["bits"]
        }
        for cut in CUTS
    ]
    assert all(found)
    assert not message & sources(gates, ends, set.union(*found))
    for cuts in found:
        assert message & sources(gates, ends, cuts)
    shown = sources(gates, gates["ports"]["send__msg"]["bits"], set.union(*found))
    assert len(message & shown) > configure(name, NBITS, window_nbits=WINDOW_NBITS).nbits
