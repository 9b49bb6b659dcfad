"""Timing of WordStore, one word per cycle: one pass over the words to load, two to unload."""

from rsaxcel.cl.elastic import Timing
from rsaxcel.cl.exponentiator import Handshake
from rsaxcel.cl.stores.registers import RegisterStore
from rsaxcel.fl.multipliers.contract import WordMultiplier


class WordStore(RegisterStore):
    """Timing of WordStore: operands are loaded and checked before the request is accepted."""

    def __init__(self, multiplier: WordMultiplier, timing: Timing):
        self._words = words = multiplier.words
        self.handshake = Handshake(load_cycles=words + 1, request_cycles=1, unload_cycles=2 * words)

    def bus_handshake(self, request_digits: int) -> Handshake:
        """Handshake of ``DigitBusExponentiator``: a digit per cycle, in and out.

        ``load_cycles`` count from the offer of the first digit to the acceptance of the last.
        """
        return Handshake(
            load_cycles=request_digits - 1,
            request_cycles=3,
            unload_cycles=2 * self._words,
            send_cycles=self._words,
        )
