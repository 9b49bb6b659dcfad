"""Timing of the units with ``SerialControl``: iterations, then cycles that finish the result."""


def serial_cycles(
    iterations: int, finish_cycles: int = 1, handshake_cycles: int | None = None
) -> int:
    """Cycles from request to response; ``handshake_cycles``: of a document's control."""
    if handshake_cycles is None:
        handshake_cycles = finish_cycles + 1
    return iterations + handshake_cycles
