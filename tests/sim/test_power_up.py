"""Contents of registers before the first reset: zeros, or drawn by a seed."""

import numpy as np
import pytest
from pymtl3 import Bits1, Bits3, Bits8, Component, Wire, mk_bits, mk_bitstruct, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.sim.batch import Conditions
from rsaxcel.sim.engine import open_engine
from rsaxcel.sim.stalls import StallProfile
from tests.sim.cases import CASES
from tests.sim.components import ElasticPipeline

WORDS, WIDE = 8, 200


class Unset(Component):
    """Shows registers that no request of these tests writes."""

    def construct(s):
        Wide = mk_bits(WIDE)
        Request = mk_bitstruct("UnsetReq", {"write": Bits1, "index": Bits3, "word": Bits8})
        Response = mk_bitstruct("UnsetResp", {"flag": Bits1, "word": Bits8, "wide": Wide})
        s.recv, s.send = RecvIfcRTL(Request), SendIfcRTL(Response)
        s.bits = [Wire(Bits1) for _ in range(WORDS)]
        s.words = [Wire(Bits8) for _ in range(WORDS)]
        s.wide_reg = Wire(Wide)

        @update
        def comb_ports():
            s.recv.rdy @= s.send.rdy
            s.send.val @= s.recv.val
            s.send.msg.flag @= s.bits[s.recv.msg.index]
            s.send.msg.word @= s.words[s.recv.msg.index]
            s.send.msg.wide @= s.wide_reg

        @update_ff
        def seq_registers():
            if s.recv.val & s.recv.msg.write:
                s.words[s.recv.msg.index] <<= s.recv.msg.word
                s.bits[s.recv.msg.index] <<= s.recv.msg.word[0]
                s.wide_reg <<= ~s.wide_reg


@pytest.fixture(scope="module")
def unset():
    return open_engine("native", Unset)


def contents(engine, seed):
    """Read bits, words and the wide register as one number."""
    batch = engine.run([(0, i, 0) for i in range(WORDS)], power_up_seed=seed)
    bits, words, wide = zip(*batch.responses, strict=True)
    assert len(set(wide)) == 1
    number = wide[0]
    for bit, word in zip(bits, words, strict=True):
        number = number << 9 | bit << 8 | word
    return number


def test_registers_are_zero_without_a_seed(unset):
    assert contents(unset, 0) == 0


def test_every_bit_is_drawn_on_its_own(unset):
    """Over many seeds, no two bits are correlated, even between words of a memory."""
    seeds, nbits = 400, WIDE + 9 * WORDS
    drawn = [contents(unset, seed) for seed in range(1, seeds + 1)]
    assert drawn == [contents(unset, seed) for seed in range(1, seeds + 1)]
    table = np.array([[number >> i & 1 for i in range(nbits)] for number in drawn])
    signs = 2 * table - 1
    agreements = signs.T @ signs / seeds
    np.fill_diagonal(agreements, 0)
    # Six standard deviations of fair coins.
    assert np.abs(signs.mean(axis=0)).max() < 6 / seeds**0.5
    assert np.abs(agreements).max() < 6 / seeds**0.5


def test_only_the_native_engine_draws():
    for engine in ("native", "pymtl"):
        assert open_engine(engine, Unset).run([(0, 0, 0)]).responses == [(0, 0, 0)]
    with pytest.raises(ValueError, match="power_up_seed=3: only the native engine"):
        open_engine("pymtl", Unset).run([(0, 0, 0)], power_up_seed=3)


def test_many_conditions_in_one_call(engine_of):
    """Runs under many conditions in one call equal separate runs."""
    engine, requests = engine_of("native", "gcd_8"), CASES["gcd_8"].requests(5)
    conditions = [
        Conditions(StallProfile("x", sink=(0, sink)), seed, power_up_cycles, at, length)
        for sink in (0, 20)
        for seed, power_up_cycles in ((0, 3), (5, 1))
        for at in (None, 0, 3, 40)
        for length in (1, 3)
    ]
    batches = engine.run_each(requests, conditions, in_flight=2)
    assert any(batch.dropped for batch in batches)
    for batch, under in zip(batches, conditions, strict=True):
        alone = engine.run(
            requests,
            stalls=under.stalls,
            in_flight=2,
            power_up_seed=under.power_up_seed,
            power_up_cycles=under.power_up_cycles,
            reset_at=under.reset_at,
            reset_cycles=under.reset_cycles,
        )
        assert batch == alone


def test_no_conditions_are_no_runs(engine_of):
    assert engine_of("native", "gcd_8").run_each([(1, 2)], []) == []


@pytest.mark.parametrize("length", [1, 2, 3])
def test_a_reset_of_any_length(engine_name, length):
    """Worked out by hand: two requests are dropped; the others follow the reset."""
    batch = open_engine(engine_name, ElasticPipeline).run(
        [(i, i) for i in range(4)], in_flight=None, reset_at=2, reset_cycles=length
    )
    first = 2 + length
    assert batch.accepted == [0, 1, first, first + 1]
    assert batch.valid == [None, None, first + 3, first + 4]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reset_at": 1, "reset_cycles": 0}, "reset_cycles=0: at least 1 cycle"),
        ({"power_up_cycles": 0}, "power_up_cycles=0: at least 1 cycle"),
        ({"power_up_seed": -1}, "power_up_seed=-1: 0 to"),
        ({"power_up_seed": 1 << 64}, f"power_up_seed={1 << 64}: 0 to"),
    ],
)
def test_resets_out_of_range(engine_of, options, message):
    with pytest.raises(ValueError, match=message):
        engine_of("native", "gcd_8").run([], **options)
