"""Search for the best composition: all are estimated, a few are synthesized."""
