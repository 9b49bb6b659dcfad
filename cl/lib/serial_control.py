"""Timing of the units that iterate over one operation, then finish it."""


def serial_cycles(
    iterations: int, finish_cycles: int = 1, handshake_cycles: int | None = None
) -> int:
    """Cycles from request to response.

    Parameters
    ----------
    iterations : int
        Iterations of this operation.
    finish_cycles : int
        As the circuit's (``rtl.lib.serial_control``).
    handshake_cycles : int or None
        Cycles besides the iterations, of a control other than the circuit's.
    """
    if handshake_cycles is None:
        handshake_cycles = finish_cycles + 1
    return iterations + handshake_cycles
