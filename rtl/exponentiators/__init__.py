"""Exponentiators: request {base b, exponent e, modulus m, flag wide}, response {r, status}."""
