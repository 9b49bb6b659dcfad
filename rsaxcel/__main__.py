"""Entry point of the command ``rsaxcel`` and of ``python -m rsaxcel``."""

import sys

from rsaxcel.shadowed_packages import ShadowedPackageError, check_packages


def main() -> None:
    """Run the command line and end the process."""
    try:
        check_packages()
    except ShadowedPackageError as error:
        sys.exit(_refused(str(error)))
    from rsaxcel.start import main as command_line

    command_line()


def _refused(reason: str) -> int:
    print(f"rsaxcel: error: {reason}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    main()
