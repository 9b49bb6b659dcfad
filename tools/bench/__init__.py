"""``make bench``: speed of commands and engines, and 1,000 RSA keys on two designs."""
