"""Speed of the simulation engines, and 1,000 RSA keys on both designs: ``make bench``."""
