"""EntropySource: pseudo-random bytes for paddings, in place of a random number generator."""

from collections.abc import Iterator

from pymtl3 import Bits8, Bits32, Component, Wire, concat, update, update_ff
from pymtl3.stdlib.stream.ifcs import SendIfcRTL

from rsaxcel.fl.bus import EntropyMsg

SEED = 0xACE1_2357
_TAPS = (31, 29, 25, 24)  #: x**32 + x**30 + x**26 + x**25 + 1
_BYTE_NBITS = 8


def entropy() -> Iterator[int]:
    """Yield the bytes that ``EntropySource`` sends after its reset."""
    state = SEED
    while True:
        yield state & 0xFF
        for _ in range(_BYTE_NBITS):
            bit = sum(state >> tap & 1 for tap in _TAPS) & 1
            state = (state << 1 | bit) & 0xFFFF_FFFF


class EntropySource(Component):
    """Linear feedback shift register, in place of a chip's random number generator.

    From a few bytes, all following bytes can be computed, and the sequence is the same after every
    reset. So the circuit is for simulations and measurements, never for keys in real use.

    Ports
    -----
    send : 8 bits; always valid; the next byte comes in the cycle after a byte is taken

    The sequence has a period of 2**32 - 1 bits; the register advances by 8 bits per byte.
    """

    def construct(s):
        s.send = SendIfcRTL(EntropyMsg)
        s.state_reg = Wire(Bits32)
        s.next = Wire(Bits8)
        s.send.val //= 1
        s.send.msg //= s.state_reg[0:8]

        # All taps are at bit 24 or above, so no new bit depends on another new bit: the eight new
        # bits are formed in one cycle.
        @update
        def comb_next():
            s.next @= (
                s.state_reg[24:32] ^ s.state_reg[22:30] ^ s.state_reg[18:26] ^ s.state_reg[17:25]
            )

        @update_ff
        def seq_state():
            if s.reset:
                s.state_reg <<= SEED
            elif s.send.rdy:
                s.state_reg <<= concat(s.state_reg[0:24], s.next)
