"""Unpadding of 2048 bits takes the same cycles for every block, good or malformed."""

import random
import re
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st
from pymtl3 import Bits1, Component, Wire, connect, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.fl.messages import message
from rsaxcel.fl.pkcs1 import unpad
from rsaxcel.fl.status import STATUS_NBITS, InputRuleError, Status
from rsaxcel.rtl.axi.control import Control
from rsaxcel.rtl.axi.padding import OutputWindow, Padding
from rsaxcel.sim.engine import Engine, open_engine
from tests.shared.harness import built_once

NBITS = 2048
NBYTES = NBITS // 8
GOOD = b"\0\2" + b"\7" * (NBYTES - 10) + b"\0" + b"at noon"


class Unpadding(Component):
    """Control, padding and output of an accelerator whose exponentiation ends at once."""

    def construct(s, nbytes):
        s.recv = RecvIfcRTL(message("Block", (("r", 8 * nbytes),)))
        s.send = SendIfcRTL(message("Unpadded", (("status", STATUS_NBITS), ("length", 32))))
        words = nbytes // 4
        s.control, s.padding = Control(words), Padding(words)
        s.window = OutputWindow(8 * nbytes)
        s.block_reg = Wire(8 * nbytes)
        s.full_reg = Wire(Bits1)
        for name in ("fill", "scan", "cancel", "active", "good", "found"):
            connect(getattr(s.control, name), getattr(s.padding, name))
        for port in (s.control.removes, s.control.recv_rdy, s.control.send_val, s.padding.padded):
            port //= 1
        for port in (s.control.clear, s.control.refusal, s.control.send_status):
            port //= 0
        for port in (s.control.block, s.padding.block, s.padding.length):
            port //= nbytes
        s.padding.signature //= 0
        s.padding.entropy.val //= 0
        s.padding.entropy.msg //= 0
        s.window.value //= s.block_reg
        s.window.address //= 0
        s.window.length //= s.control.length
        s.window.looks //= s.padding.active
        s.window.index //= s.padding.index
        s.window.octet //= s.padding.seen

        @update
        def comb_streams():
            s.recv.rdy @= ~s.full_reg
            s.control.start @= s.recv.val & ~s.full_reg
            s.send.val @= s.full_reg & s.control.done
            s.send.msg.status @= s.control.status
            s.send.msg.length @= 0
            s.send.msg.length[0:9] @= s.control.length

        @update_ff
        def seq_block():
            if s.reset:
                s.full_reg <<= 0
            elif s.recv.val & s.recv.rdy:
                s.full_reg <<= 1
                s.block_reg <<= s.recv.msg.r
            elif s.send.val & s.send.rdy:
                s.full_reg <<= 0


@cache
def unpadding() -> Engine:
    return open_engine("native", lambda: Unpadding(NBYTES))


def body(seed: int) -> bytearray:
    """Block whose only zero is its first byte."""
    draw = random.Random(seed)
    return bytearray((0, 2, *(draw.randrange(1, 256) for _ in range(NBYTES - 2))))


@st.composite
def blocks(draw) -> bytes:
    """Draw a block: first two bytes right or wrong, up to three zeros anywhere after them.

    The first of these zeros ends the padding; the rest of the block is the message.
    """
    block = body(draw(st.integers(0, 1000)))
    block[0] = draw(
        st.just(0) | st.integers(0, 127)
    )  # keeps the block below any modulus of NBITS bits
    block[1] = draw(st.just(2) | st.integers(0, 255))
    for place in draw(st.sets(st.integers(2, 11) | st.integers(2, NBYTES - 1), max_size=3)):
        block[place] = 0
    return bytes(block)


def every_block() -> list[bytes]:
    """All values of the first two bytes; all places of the first zero, alone and with others."""
    found = [bytes(body(0))]
    for place, limit in ((0, 128), (1, 256)):
        for value in range(limit):
            block = bytearray(GOOD)
            block[place] = value
            found.append(bytes(block))
    for place in range(2, NBYTES):
        block, alone = body(place), body(place)
        alone[place] = 0
        for behind in range(place, NBYTES, 1 + place % 7):
            block[behind] = 0
        found += [bytes(block), bytes(alone)]
    return found


def expected(block: bytes) -> tuple[Status, bytes]:
    """Expected status and message, by a regular expression."""
    matched = re.fullmatch(rb"\x00\x02[^\x00]{8,}?\x00(.*)", block, re.DOTALL)
    return (Status.OK, matched[1]) if matched else (Status.PADDING_WRONG, b"")


def golden(block: bytes) -> tuple[Status, bytes]:
    try:
        return Status.OK, unpad(block)
    except InputRuleError as error:
        return error.status, b""


def check_unit(some: list[bytes]) -> set[Status]:
    """Unpad a good block, then others: right answers, all in the same number of cycles."""
    some = [GOOD, *some]
    batch = unpadding().run([(int.from_bytes(block, "big"),) for block in some])
    assert len(set(batch.cycles)) == 1
    statuses = set()
    for block, answer in zip(some, batch.responses, strict=True):
        status, text = expected(block)
        assert answer == (status, len(text))
        assert golden(block) == (status, text)
        statuses.add(status)
    return statuses


@built_once("unpadding", NBITS)
def test_every_place_of_a_zero():
    assert check_unit(every_block()) == {Status.OK, Status.PADDING_WRONG}


@built_once("unpadding", NBITS)
@settings(max_examples=200, deadline=None)
@given(block=blocks())
def test_any_block(block):
    check_unit([block])
