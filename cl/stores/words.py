"""Timing of WordStore, one word per cycle: one pass over the words to load, two to unload."""

from cl.elastic import Timing
from cl.exponentiator import Handshake
from cl.stores.registers import RegisterStore
from fl.multipliers.contract import WordMultiplier


class WordStore(RegisterStore):
    """Timing of WordStore: operands are loaded and checked before the request is accepted."""

    def __init__(self, multiplier: WordMultiplier, timing: Timing):
        words = multiplier.words
        self.handshake = Handshake(load_cycles=words + 1, request_cycles=1, unload_cycles=2 * words)
