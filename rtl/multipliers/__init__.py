"""Modular multipliers: request {a, b, m}, response {r}."""
