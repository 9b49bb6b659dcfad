"""Timing of RegisterStore: operands are registered with the request, results just there."""

from cl.exponentiator import VAL_RDY, Handshake
from fl.multipliers.contract import Multiplier


class RegisterStore:
    """Nothing to move."""

    def __init__(self, multiplier: Multiplier):
        self.handshake: Handshake = VAL_RDY
