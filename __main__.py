"""Entry point of the command ``rsaxcel`` and of ``python -m rsaxcel``."""

from rsaxcel.cli.start import main

if __name__ == "__main__":
    main()
