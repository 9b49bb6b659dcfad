"""Units that supply constants of a domain: request {m}, response {the constants}."""
