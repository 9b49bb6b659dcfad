"""Starts the command line ``rsaxcel``: first its guard, then what takes time to import."""

import gc
import signal
import sys

from eval.signals import SIGNALLED, stand_guard


def main() -> None:
    """Run the command line and end the process."""
    try:
        stand_guard()
        gc.disable()  # nothing that is imported is garbage: until there is a command to run
        from rsaxcel.cli import main as run

        run()
    except KeyboardInterrupt:  # the command line was still being imported
        sys.exit(SIGNALLED + signal.SIGTERM)
