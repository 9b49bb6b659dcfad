"""Products of wide values by the native engine's own function."""

import random

import pytest
from pymtl3 import Bits1, Component, Wire, mk_bits, mk_bitstruct, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.sim.engine import open_engine


class Products(Component):
    """Answers with the product of two operands, in full and truncated to their width."""

    def construct(s, nbits):
        Value, Full = mk_bits(nbits), mk_bits(2 * nbits)
        Request = mk_bitstruct(f"ProductsReq{nbits}", {"a": Value, "b": Value})
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(mk_bitstruct(f"ProductsResp{nbits}", {"full": Full, "cut": Value}))
        s.full_reg, s.request_reg = Wire(Bits1), Wire(Request)

        @update
        def comb_products():
            s.recv.rdy @= ~s.full_reg
            s.send.val @= s.full_reg
            s.send.msg.full @= zext(s.request_reg.a, Full) * zext(s.request_reg.b, Full)
            s.send.msg.cut @= s.request_reg.a * s.request_reg.b

        @update_ff
        def seq_request():
            if s.reset:
                s.full_reg <<= 0
            elif s.full_reg:
                s.full_reg <<= ~s.send.rdy
            else:
                s.full_reg <<= s.recv.val
                s.request_reg <<= s.recv.msg


@pytest.mark.parametrize("nbits", [33, 64, 97, 129, 1000, 4100])
def test_products(nbits):
    """Operands of any length, with runs of zeros, repeated alone or in other pairs."""
    draw, mask = random.Random(nbits), (1 << nbits) - 1
    pool = [0, 1, mask, 1 << nbits - 1]
    pool += [draw.getrandbits(draw.randint(1, nbits)) for _ in range(12)]
    pool += [x << draw.randrange(nbits) & mask for x in pool[4:10]]
    rows = [(a, b) for a in pool for b in pool]
    rows += [draw.choice(rows[:20]) for _ in range(60)]
    batch = open_engine("native", lambda: Products(nbits)).run(rows, in_flight=None)
    assert batch.responses == [(a * b, a * b & mask) for a, b in rows]
