"""Stall profiles: delays of the test bench before it offers a request or takes a response."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat


@dataclass(frozen=True)
class StallProfile:
    """Random idle cycles of the test bench's source (of requests) and sink (of responses)."""

    name: str  #: name in tables and test identifiers
    source: tuple[int, int] = (0, 0)  #: range of idle cycles from an acceptance to the next offer
    sink: tuple[int, int] = (0, 0)  #: range of idle cycles from a taken response to the next ready
    seed: int = 0  #: seed; a longer sequence begins with the shorter one

    def __post_init__(self) -> None:
        for side in ("source", "sink"):
            least, most = getattr(self, side)
            if not 0 <= least <= most:
                raise ValueError(
                    f"stall profile {self.name}: {side}={least, most} is not a range of cycles"
                )

    def delays(self, count: int) -> tuple[list[int], list[int]]:
        """Source and sink delays, in cycles, of ``count`` requests and their responses."""
        return (self._draw("source", count), self._draw("sink", count))

    def _draw(self, side: str, count: int) -> list[int]:
        least, most = getattr(self, side)
        if least == most:
            return [least] * count
        draw = random.Random(f"{self.seed}/{side}")
        return [draw.randint(least, most) for _ in range(count)]


NO_STALLS = StallProfile("no_stalls")

STALL_PROFILES = {
    profile.name: profile
    for profile in (
        NO_STALLS,
        StallProfile("slow_source", source=(1, 12)),
        StallProfile("slow_sink", sink=(1, 12)),
        StallProfile("random", source=(0, 5), sink=(0, 5)),
        StallProfile("steady", source=(3, 3), sink=(3, 3)),
    )
}


@dataclass(frozen=True)
class SystemStalls:
    """Random stalls of the test bench at the interfaces of a system's processor.

    Interfaces lead to the instruction memory, the data memory and the manager. Each has two
    channels, which stall independently: no request accepted, no due response started, no message
    offered or taken.
    """

    name: str  #: name in tables and test identifiers
    imem: int = 0  #: chance of each channel to stall in a cycle, in 256ths, 0 to 255
    dmem: int = 0
    mngr: int = 0
    seed: int = 0x9E3779B97F4A7C15  #: 1 to 2**64 - 1

    def __post_init__(self) -> None:
        for side in ("imem", "dmem", "mngr"):
            if not 0 <= getattr(self, side) <= 255:
                raise ValueError(
                    f"system stalls {self.name}: {side}={getattr(self, side)}: 0 to 255"
                )
        if not 1 <= self.seed < 1 << 64:
            raise ValueError(f"system stalls {self.name}: seed={self.seed}: 1 to 2**64 - 1")

    @property
    def chances(self) -> tuple[int, ...]:
        """Chance of each channel: two of imem (requests, responses), of dmem and of the manager."""
        return (*(2 * (self.imem,)), *(2 * (self.dmem,)), *(2 * (self.mngr,)))

    def draws(self) -> Iterator[tuple[bool, ...]]:
        """Yield for each cycle which channels do not stall, by a random byte of each."""
        if not any(self.chances):
            yield from repeat((True,) * len(self.chances))
        x = self.seed
        while True:
            x ^= x << 13 & (1 << 64) - 1
            x ^= x >> 7
            x ^= x << 17 & (1 << 64) - 1
            yield tuple((x >> 8 * (i + 1) & 255) >= chance for i, chance in enumerate(self.chances))


NO_SYSTEM_STALLS = SystemStalls("no_stalls")
