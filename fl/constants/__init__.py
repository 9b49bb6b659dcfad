"""Units that compute constants of the modulus: which constants each computes, its parameters."""
