"""Exponentiators: request {b, e, m, wide}, response {r, status}."""
