"""The decoder agrees with the instruction tables on every word."""

import random

import pytest
from pymtl3 import DefaultPassGroup

from rsaxcel.proc.isa import CSRS, INSTRUCTIONS, decode
from rsaxcel.proc.pipeline.control import CsrRead, patterns
from rsaxcel.proc.pipeline.decoder import Decoder


@pytest.fixture(scope="module")
def decoder():
    unit = Decoder()
    unit.apply(DefaultPassGroup())
    return unit


def words():
    """All kinds of instructions with random operands, with one bit wrong, and any words."""
    draw = random.Random(3)
    found = []
    for entry in INSTRUCTIONS.values():
        for _ in range(20):
            legal = entry.match | draw.getrandbits(32) & ~entry.mask
            if entry.unit == "csr":
                csr = draw.choice(list(CSRS.values())).address if draw.random() < 0.8 else 0x300
                legal = legal & 0xFFFFF | csr << 20
            found += [legal, legal ^ 1 << draw.randrange(32)]
    return found + [draw.getrandbits(32) for _ in range(500)]


def test_no_two_patterns_share_a_word():
    rows = patterns()
    for i, one in enumerate(rows):
        for other in rows[:i]:
            assert (one.match ^ other.match) & one.mask & other.mask


def test_legal_words_immediates_and_operands(decoder):
    legal = 0
    for word in words():
        decoder.inst @= word
        decoder.sim_eval_combinational()
        decoded = decode(word)
        control = decoder.control
        assert bool(decoder.illegal) == (decoded is None), f"{word:#010x}"
        if decoded is None:
            assert int(control.to_bits()) == 0
            continue
        legal += 1
        entry = decoded.instruction
        # A shift takes the lowest bits of its operand.
        counted = 31 if entry.format == "shift" else 0xFFFFFFFF
        refetches = entry.unit == "refetch"  # a branch to the next instruction
        imm = 4 if refetches else decoded.imm
        assert int(decoder.imm) & counted == imm & counted, f"{word:#010x}"
        assert bool(control.writes) == entry.writes_rd
        assert bool(control.reads2) == entry.reads_rs2
        assert bool(control.reads1) == (entry.reads_rs1 or entry.unit == "ecall")
        assert bool(control.mem) == (entry.unit in ("load", "store"))
        assert bool(control.muldiv) == (entry.unit in ("mul", "div"))
        assert bool(control.branch) == (entry.unit == "branch" or refetches)
        assert bool(control.jump) == (entry.unit == "jump")
        if entry.unit == "csr":
            name = next(csr.name for csr in CSRS.values() if csr.address == decoded.csr)
            assert bool(control.xcel) == name.startswith("xcel")
            assert bool(control.to_mngr) == (name == "proc2mngr")
            assert bool(control.from_mngr) == (name == "mngr2proc")
            assert bool(control.stats) == (name == "stats_en")
            counter = CsrRead[name.upper()] if name.upper() in CsrRead.__members__ else 0
            assert int(control.csr) == counter
    assert legal > 800
