"""Multipliers for tests that read constants of the modulus: by Barrett and by Montgomery."""

from pymtl3 import Component, Wire, mk_bits, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from rsaxcel.catalog import Classes, Design
from rsaxcel.fl.contract import MontgomeryMultiplier, Multiplier
from rsaxcel.fl.messages import product_request, product_response
from rsaxcel.plan.modulus_constants import ModulusConstant, NegatedInverse, Reciprocal, widths_of


class Barrett(Multiplier):
    """``a * b mod m`` with an estimate of the quotient that is too small by at most 1."""

    odd_modulus = False
    r = 1
    source = "Barrett"

    @property
    def constants(self) -> tuple[ModulusConstant, ...]:
        nbits = 2 * self.nbits
        return (ModulusConstant("mu", nbits, Reciprocal(nbits), "floor(4^n / m)", "division"),)

    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        result = a * b - (a * b * constants["mu"] >> 2 * self.nbits) * modulus
        return result - modulus if result >= modulus else result


class Redc(MontgomeryMultiplier):
    """``a * b / 2**nbits mod m`` in one step, with m' of the full width."""

    source = "Montgomery"

    @property
    def constants(self) -> tuple[ModulusConstant, ...]:
        return (ModulusConstant("m_prime", self.nbits, NegatedInverse(self.nbits), "m'"),)

    def product(self, a: int, b: int, modulus: int, **constants: int) -> int:
        low = (1 << self.nbits) - 1
        q = (a * b & low) * constants["m_prime"] & low
        result = (a * b + q * modulus) >> self.nbits
        return result - modulus if result >= modulus else result


class OneCycle:
    """Timing of one product at a time."""

    overlaps = False

    def __init__(self, nbits: int):
        self.nbits = nbits

    def durations(self, a: int, b: int, modulus: int) -> tuple[int, ...]:
        return (1,)


class _Registered(Component):
    """Multiplier whose result is registered when the request is accepted.

    Latency: 1 cycle; one product at a time.
    """

    def add_streams(s, nbits: int, contract: type) -> None:
        constants = widths_of(contract(nbits).constants)
        s.recv = RecvIfcRTL(product_request(nbits, constants))
        s.send = SendIfcRTL(product_response(nbits))
        s.result = Wire(mk_bits(nbits))
        s.result_reg = Wire(mk_bits(nbits))
        s.full_reg = Wire(1)
        s.send.msg.r //= s.result_reg
        s.send.val //= s.full_reg

        @update
        def comb_ready():
            s.recv.rdy @= ~s.full_reg

        @update_ff
        def seq_result():
            if s.reset:
                s.full_reg <<= 0
            elif s.recv.val & s.recv.rdy:
                s.full_reg <<= 1
                s.result_reg <<= s.result
            elif s.send.rdy:
                s.full_reg <<= 0

    def line_trace(s):
        return f"{s.recv}(){s.send}"


class BarrettRTL(_Registered):
    """Barrett's reduction in one cycle."""

    def construct(s, nbits):
        s.add_streams(nbits, Barrett)
        Wide = mk_bits(4 * nbits)
        shift = 2 * nbits
        s.product, s.quotient, s.rest = Wire(Wide), Wire(Wide), Wire(Wide)

        @update
        def comb_result():
            s.product @= zext(s.recv.msg.a, Wide) * zext(s.recv.msg.b, Wide)
            s.quotient @= (s.product * zext(s.recv.msg.mu, Wide)) >> shift
            s.rest @= s.product - s.quotient * zext(s.recv.msg.m, Wide)
            if s.rest >= zext(s.recv.msg.m, Wide):
                s.rest @= s.rest - zext(s.recv.msg.m, Wide)
            s.result @= s.rest[0:nbits]


class RedcRTL(_Registered):
    """Montgomery's reduction in one cycle."""

    def construct(s, nbits):
        s.add_streams(nbits, Redc)
        Wide = mk_bits(2 * nbits + 1)
        Value = mk_bits(nbits)
        s.product, s.rest = Wire(Wide), Wire(Wide)
        s.quotient = Wire(Value)

        @update
        def comb_result():
            s.product @= zext(s.recv.msg.a, Wide) * zext(s.recv.msg.b, Wide)
            s.quotient @= s.product[0:nbits] * s.recv.msg.m_prime
            s.rest @= (s.product + zext(s.quotient, Wide) * zext(s.recv.msg.m, Wide)) >> nbits
            if s.rest >= zext(s.recv.msg.m, Wide):
                s.rest @= s.rest - zext(s.recv.msg.m, Wide)
            s.result @= s.rest[0:nbits]


BARRETT = Design(
    id=1001,
    name="barrett_test",
    summary="a constant of the multipliers by a unit",
    multiplier=Classes(Barrett, OneCycle, BarrettRTL),
    schedule="r2l",
    lanes=2,
    source="Barrett",
)
REDC = Design(
    id=1002,
    name="redc_test",
    summary="constants of the multipliers and of the domain from the host",
    multiplier=Classes(Redc, OneCycle, RedcRTL),
    schedule="r2l",
    lanes=2,
    source="Montgomery",
    conversions="dedicated",
    r_squared="host",
)
