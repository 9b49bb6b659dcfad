"""Timing of the units with ``SerialControl``: iterations, then cycles that finish the result."""


def serial_cycles(
    iterations: int, finish_cycles: int = 1, handshake_cycles: int | None = None
) -> int:
    """Cycles from request to response.

    Parameters
    ----------
    iterations : int
        Iterations of this operation.
    finish_cycles : int
        Cycles between the last iteration and the result (see ``rtl.lib.serial_control``).
    handshake_cycles : int or None
        Cycles that the control in a document takes in addition to the iterations; None: the cycles
        of this project's circuit.
    """
    if handshake_cycles is None:
        handshake_cycles = finish_cycles + 1
    return iterations + handshake_cycles
