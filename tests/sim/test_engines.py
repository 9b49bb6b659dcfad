"""Both engines give right responses, in the same cycles."""

import pytest

from rsaxcel.sim.batch import Batch, SimulationTimeout, UnexpectedResponse
from rsaxcel.sim.engine import open_engine
from rsaxcel.sim.stalls import NO_STALLS, STALL_PROFILES, StallProfile
from tests.sim.cases import CASES
from tests.sim.components import Chatty, Dead, ElasticPipeline, PassThrough, Unlatched


@pytest.mark.quick_cases("*-1-*")
@pytest.mark.parametrize("profile", STALL_PROFILES.values(), ids=STALL_PROFILES)
@pytest.mark.parametrize("in_flight", [1, 2, None])
@pytest.mark.parametrize("name", CASES)
def test_engines_agree_with_the_expected_answers_and_each_other(
    engine_of, name, in_flight, profile
):
    requests = CASES[name].requests(40)
    native, pymtl = (
        engine_of(engine, name).run(requests, stalls=profile, in_flight=in_flight)
        for engine in ("native", "pymtl")
    )
    assert native.responses == CASES[name].answer(requests)
    assert native == pymtl


@pytest.mark.parametrize("reset_at", [0, 1, 5, 23, 60])
@pytest.mark.parametrize("profile", ["no_stalls", "random"])
@pytest.mark.parametrize("name", CASES)
def test_engines_agree_around_a_reset_in_flight(engine_of, name, profile, reset_at):
    requests = CASES[name].requests(40, seed=reset_at)
    native, pymtl = (
        engine_of(engine, name).run(
            requests,
            stalls=STALL_PROFILES[profile],
            in_flight=None,
            power_up_cycles=1 + reset_at % 2,
            reset_at=reset_at,
            reset_cycles=1 + reset_at % 3,
        )
        for engine in ("native", "pymtl")
    )
    assert native == pymtl
    # Responses of the excluded cases depend on requests before the reset.
    if name not in ("table_lookup", "kitchen_sink"):
        expected = CASES[name].answer(requests)
        for index in native.dropped:
            expected[index] = None
        assert native.responses == expected


def steady(source, sink):
    return StallProfile("x", source=(source, source), sink=(sink, sink))


#: Worked out by hand from the definition in sim/engine.py.
TIMELINES = {
    "combinational": (
        lambda: PassThrough((8,)),
        {"stalls": NO_STALLS},
        ([0, 1, 2], [0, 1, 2], [0, 1, 2], 3),
    ),
    "combinational, both sides late": (
        lambda: PassThrough((8,)),
        {"stalls": steady(2, 3)},
        ([3, 7, 11], [2, 6, 10], [3, 7, 11], 12),
    ),
    "pipeline, one in flight": (
        ElasticPipeline,
        {"in_flight": 1},
        ([0, 4, 8], [3, 7, 11], [3, 7, 11], 12),
    ),
    "pipeline, two in flight": (
        ElasticPipeline,
        {"in_flight": 2},
        ([0, 1, 4, 5], [3, 4, 7, 8], [3, 4, 7, 8], 9),
    ),
    "pipeline, no limit": (
        ElasticPipeline,
        {"in_flight": None},
        ([0, 1, 2, 3], [3, 4, 5, 6], [3, 4, 5, 6], 7),
    ),
    "pipeline, back-pressure": (
        ElasticPipeline,
        {"in_flight": None, "stalls": steady(0, 10)},
        ([0, 1, 2, 10, 21], [3, 11, 22, 33, 44], [10, 21, 32, 43, 54], 55),
    ),
    "pipeline, slow source": (
        ElasticPipeline,
        {"in_flight": None, "stalls": steady(4, 0)},
        ([4, 9, 14], [7, 12, 17], [7, 12, 17], 18),
    ),
    "reset drops two": (
        ElasticPipeline,
        {"in_flight": None, "reset_at": 2},
        ([0, 1, 4, 5], [None, None, 7, 8], [None, None, 7, 8], 9),
    ),
    "reset drops the last one": (ElasticPipeline, {"reset_at": 1}, ([0], [None], [None], 3)),
    "reset while idle": (
        ElasticPipeline,
        {"stalls": steady(2, 0), "reset_at": 1},
        ([5, 9], [8, 12], [8, 12], 13),
    ),
    "reset after the end": (ElasticPipeline, {"reset_at": 4}, ([0], [3], [3], 4)),
}


@pytest.mark.parametrize("name", TIMELINES)
def test_cycles_are_those_of_the_definition(engine_name, name):
    factory, options, (accepted, valid, taken, total) = TIMELINES[name]
    width = len(CASES["pipeline"].requests(1)[0]) if factory is ElasticPipeline else 1
    requests = [(index + 1,) * width for index in range(len(accepted))]
    batch = open_engine(engine_name, factory).run(requests, **options)
    assert (batch.accepted, batch.valid, batch.taken, batch.total_cycles) == (
        accepted,
        valid,
        taken,
        total,
    )
    assert batch.dropped == [i for i, cycle in enumerate(taken) if cycle is None]


def test_cycles_count_from_acceptance_to_first_sight():
    batch = Batch([(1,), None], [4, 9], [7, None], [20, None], 30)
    assert batch.cycles == [3, None]


def test_no_request_takes_no_cycle(engine_of, engine_name):
    assert engine_of(engine_name, "gcd").run([]) == Batch([], [], [], [], 0)


def test_batches_are_independent(engine_of, engine_name):
    engine, case = engine_of(engine_name, "gcd"), CASES["gcd"]
    first = engine.run(case.requests(5))
    engine.run(case.requests(5, seed=1))
    assert engine.run(case.requests(5)) == first


def test_message_is_inverted_between_requests(engine_name):
    batch = open_engine(engine_name, Unlatched).run([(1,), (2,), (3,)])
    assert batch.responses == [(0xFD,), (0xFC,), (0xFC,)]


def test_design_that_never_answers_ends_in_a_time_out(engine_name):
    with pytest.raises(SimulationTimeout) as caught:
        open_engine(engine_name, Dead).run([(1,), (2,)], in_flight=None, max_idle_cycles=50)
    error = caught.value
    assert (error.cycle, error.accepted, error.answered, error.count) == (51, 1, 0, 2)
    assert str(error) == (
        "Dead: no handshake for 50 cycles, given up at cycle 51: "
        "1 of 2 requests accepted, 0 answered"
    )


def test_waiting_for_longer_than_the_limit_is_a_time_out_only_without_handshakes(engine_name):
    requests = [(1, 1)] * 4
    stalls = steady(6, 0)
    assert open_engine(engine_name, ElasticPipeline).run(requests, stalls=stalls, max_idle_cycles=7)
    with pytest.raises(SimulationTimeout):
        open_engine(engine_name, ElasticPipeline).run(requests, stalls=stalls, max_idle_cycles=6)


@pytest.mark.parametrize("in_flight", [1, 2])
def test_response_without_request_is_an_error(engine_name, in_flight):
    with pytest.raises(UnexpectedResponse, match=r"Chatty: response in cycle 2 .* all 1 accepted"):
        open_engine(engine_name, Chatty).run([(1,), (2,)], in_flight=in_flight)


BAD_ARGUMENTS = {
    "too wide": ([(1, 2), (1, 256)], {}, "Gcd: request 1: b=0x100 does not fit 8 bits"),
    "negative": ([(-1, 2)], {}, "Gcd: request 0: a=-0x1 does not fit 8 bits"),
    "too few": ([(1, 2), (1,)], {}, r"request 1 has 1 values, expected 2 \(a, b\)"),
    "in_flight": ([], {"in_flight": 0}, "in_flight=0: at least 1"),
    "max_idle": ([], {"max_idle_cycles": 0}, "max_idle_cycles=0: at least 1"),
    "reset_at": ([], {"reset_at": -1}, "reset_at=-1: a cycle number"),
}


@pytest.mark.parametrize("name", BAD_ARGUMENTS)
def test_bad_arguments_are_named(engine_of, engine_name, name):
    requests, options, message = BAD_ARGUMENTS[name]
    with pytest.raises(ValueError, match=message):
        engine_of(engine_name, "gcd_8").run(requests, **options)


def test_unknown_engine_is_refused():
    with pytest.raises(ValueError, match="engine='fast': expected one of native, pymtl"):
        open_engine("fast", Dead)


def test_waveform_shows_the_handshakes(engine_of, engine_name, tmp_path):
    path = tmp_path / "wave.vcd"
    requests = CASES["gcd_8"].requests(3)
    engine = engine_of(engine_name, "gcd_8")
    batch = engine.run(requests, vcd=path)
    assert batch == engine.run(requests)
    changes = rises(path.read_text())
    assert changes["clk"] >= batch.total_cycles
    # recv__val and recv.val: Verilator and PyMTL3 separate the names differently.
    assert changes.get("recv__val", changes.get("recv.val")) == len(requests)
    assert changes.get("send__val", changes.get("send.val")) == len(requests)


def rises(text):
    """Changes to 1 of each one-bit signal of the top module in a VCD."""
    names, counts = {}, {}
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["$var"] and words[2] == "1":
            names.setdefault(words[3], words[4])
        elif line[:1] == "1" and line[1:] in names:
            counts[names[line[1:]]] = counts.get(names[line[1:]], 0) + 1
        elif line[:2] in ("b1", "0b") and words[1:] and words[1] in names and words[0][-1] == "1":
            counts[names[words[1]]] = counts.get(names[words[1]], 0) + 1
    return counts


def test_waveform_name_must_end_in_vcd(engine_of, tmp_path):
    with pytest.raises(ValueError, match=r"the name must end in \.vcd"):
        engine_of("pymtl", "gcd_8").run([], vcd=tmp_path / "wave.txt")
