"""Speed of the engines on designs and systems, 1,000 RSA keys on both designs: ``make bench``."""
