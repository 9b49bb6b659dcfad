"""Units that compute constants of the modulus: which constants, and with which parameters."""
