"""EntropySource: the bytes of paddings, from a register on the chip."""

from collections.abc import Iterator

from pymtl3 import Bits8, Bits32, Component, Wire, concat, update, update_ff
from pymtl3.stdlib.stream.ifcs import SendIfcRTL

from fl.bus_unit import EntropyMsg

SEED = 0xACE1_2357
_TAPS = (31, 29, 25, 24)  # x**32 + x**30 + x**26 + x**25 + 1
_BYTE_NBITS = 8


def entropy() -> Iterator[int]:
    """Bytes of ``EntropySource`` from its reset on."""
    state = SEED
    while True:
        yield state & 0xFF
        for _ in range(_BYTE_NBITS):
            bit = sum(state >> tap & 1 for tap in _TAPS) & 1
            state = (state << 1 | bit) & 0xFFFF_FFFF


class EntropySource(Component):
    """Stands where a chip has its source of random numbers: a feedback shift register.

    Whoever knows a few bytes knows all that follow, and they are the same after every reset: for
    simulations and measurements, never for a key in use.

    Ports
    -----
    send : 8 bits; a byte is always there, and the next one in the cycle after it is taken

    The register has a period of 2**32 - 1 bits, and moves on by 8 of them.
    """

    def construct(s):
        s.send = SendIfcRTL(EntropyMsg)
        s.state_reg = Wire(Bits32)
        s.next = Wire(Bits8)
        s.send.val //= 1
        s.send.msg //= s.state_reg[0:8]

        # No new bit depends on another one: all taps are 24 or above.
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
