"""Speed of commands and engines, 1,000 RSA keys on both designs: ``make bench``."""
