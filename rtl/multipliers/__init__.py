"""Modular multipliers: request {operands a and b, modulus m}, response {result r}."""
