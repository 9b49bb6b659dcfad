"""``python -m eval`` is the command line ``rsaxcel``."""

from eval.cli import main

if __name__ == "__main__":
    main()
