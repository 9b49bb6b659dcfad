"""Stall profiles: how long the test bench waits before it offers a request or takes a response."""

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class StallProfile:
    """Idle cycles of the source and the sink, drawn from inclusive ranges.

    Parameters
    ----------
    name
        Name in tables and test identifiers.
    source, sink
        (smallest, largest) number of idle cycles before a request is offered, counted from the
        acceptance of the one before, and before a response is taken, counted likewise.
    seed
        Seed of the draw. The first delays stay the same when more are drawn.

    Raises
    ------
    ValueError
        If a range is negative or empty.
    """

    name: str
    source: tuple[int, int] = (0, 0)
    sink: tuple[int, int] = (0, 0)
    seed: int = 0

    def __post_init__(self) -> None:
        """Check the ranges."""
        for side in ("source", "sink"):
            least, most = getattr(self, side)
            if not 0 <= least <= most:
                raise ValueError(
                    f"stall profile {self.name}: {side}={least, most} is no range of cycles"
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
