"""``python -m tools.mutants``: plants faults, runs tests, and reports the survivors."""

import sys

from rsaxcel.cli.signals import stand_guard

if __name__ == "__main__":
    stand_guard()
    from rsaxcel.cli.main import guard
    from tools.mutants.command import command

    sys.exit(guard(command, "python -m tools.mutants"))
