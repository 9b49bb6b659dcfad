"""The reader of waveforms of the wheel ``vcdvcd``, without what its import does to the process.

It sets SIGPIPE to its default: a write to a pipe without a reader then ends the process, silently,
where Python would raise an error.
"""

import signal

_handler = signal.getsignal(signal.SIGPIPE)
from vcdvcd import VCDVCD  # noqa: E402 - between the two

signal.signal(signal.SIGPIPE, _handler)

__all__ = ["VCDVCD"]
