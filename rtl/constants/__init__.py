"""Units that compute constants of the modulus: request {m}, response {value}."""
