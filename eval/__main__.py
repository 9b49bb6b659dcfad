"""``python -m eval`` is the command line ``rsaxcel``."""

from eval.start import main

if __name__ == "__main__":
    main()
