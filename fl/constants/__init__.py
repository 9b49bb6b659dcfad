"""Units that compute constants of the modulus: the formulas and the parameters of each unit."""
