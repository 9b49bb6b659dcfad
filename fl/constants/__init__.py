"""Units that compute constants of the modulus: which ones, and by which parameters."""
