"""``make bench``: times commands and engines, and tests 1,000 RSA keys on two designs."""
