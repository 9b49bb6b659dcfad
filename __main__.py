"""Entry point of ``rsaxcel`` and of ``python -m rsaxcel``: signals first, then slow imports."""

import gc
import os
import signal
import sys

from rsaxcel.cli.signals import SIGNALLED, stand_guard


def main() -> None:
    """Run the command line and end the process."""
    try:
        stand_guard()
        # Processes that commands start must not import modules from the current folder, in which
        # somebody else may have put a file such as `selectors.py`.
        os.environ["PYTHONSAFEPATH"] = "1"
        if os.environ.get("NO_COLOR"):  # rich would leave out colours, but not bold and dim text
            os.environ["TERM"] = "dumb"
        gc.disable()  # main.py enables garbage collection after its imports, which leave no garbage
        from rsaxcel.cli.main import main as run

        run()
    except KeyboardInterrupt:  # a signal during the import of the command line
        sys.exit(SIGNALLED + signal.SIGTERM)


if __name__ == "__main__":
    main()
