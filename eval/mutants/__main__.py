"""``python -m eval.mutants``: plants faults, runs tests, and reports what survives."""

import sys

from eval.signals import stand_guard

if __name__ == "__main__":
    stand_guard()
    from eval.cli import guard
    from eval.mutants.command import command

    sys.exit(guard(command, "python -m eval.mutants"))
