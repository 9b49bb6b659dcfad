"""Imports the reader of waveforms of the wheel ``vcdvcd``, and undoes a side effect of the import.

The import sets SIGPIPE to its default action: a write to a pipe without a reader would then end the
process silently, instead of raising an error.
"""

import signal

_handler = signal.getsignal(signal.SIGPIPE)
from vcdvcd import VCDVCD  # noqa: E402 - between the two

signal.signal(signal.SIGPIPE, _handler)

__all__ = ["VCDVCD"]
