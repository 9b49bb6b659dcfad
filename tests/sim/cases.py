"""Designs under test with requests and independently computed responses."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

from pymtl3 import Component

from tests.sim.components import (
    AddConstant,
    Constants,
    ElasticPipeline,
    Gcd,
    KitchenSink,
    PassThrough,
    TableLookup,
    XorConstant,
    answer_kitchen_sink,
)

ODD_WIDTHS = (1, 5, 33, 64, 7, 100, 31)


@dataclass(frozen=True)
class Case:
    """A design, its random requests and its expected responses."""

    factory: Callable[[], Component]
    draw: Callable[[random.Random], tuple[int, ...]]
    answer: Callable[[list[tuple[int, ...]]], list[tuple[int, ...]]]

    def requests(self, count: int, seed: int = 0) -> list[tuple[int, ...]]:
        generator = random.Random(seed)
        return [self.draw(generator) for _ in range(count)]


def answer_gcd(requests):
    return [(math.gcd(a, b), math.gcd(a, b) & 1) for a, b in requests]


def answer_pipeline(requests):
    return [((x + y) % 2**16, x) for x, y in requests]


def answer_inverted(requests):
    return [
        tuple(v ^ (2**width - 1) for v, width in zip(request, ODD_WIDTHS, strict=True))
        for request in requests
    ]


def answer_lookup(requests):
    stored, answers = [0] * 4, []
    for addr, x in requests:
        y = x + (0x9E3779B97F4A7C15 >> addr) + 5 & 0xFFFFFFFF
        answers.append(((y ^ 5) + 3 & 0xFFFFFFFF, stored[addr]))
        stored[addr] = x
    return answers


def table_lookup():
    return TableLookup(32, AddConstant, XorConstant, Constants(5))


CASES = {
    "gcd": Case(
        lambda: Gcd(32),
        lambda r: (r.randrange(1, 2**32) >> r.randrange(20, 32), r.randrange(1, 300)),
        answer_gcd,
    ),
    "gcd_8": Case(lambda: Gcd(8), lambda r: (r.randrange(256), r.randrange(1, 256)), answer_gcd),
    "pipeline": Case(
        ElasticPipeline, lambda r: (r.randrange(2**16), r.randrange(2**16)), answer_pipeline
    ),
    "pass_through": Case(
        lambda: PassThrough(ODD_WIDTHS),
        lambda r: tuple(r.getrandbits(width) for width in ODD_WIDTHS),
        answer_inverted,
    ),
    "table_lookup": Case(
        table_lookup, lambda r: (r.randrange(4), r.getrandbits(32)), answer_lookup
    ),
    "kitchen_sink": Case(
        KitchenSink,
        lambda r: (r.getrandbits(16), r.getrandbits(16), r.randrange(8)),
        answer_kitchen_sink,
    ),
}
