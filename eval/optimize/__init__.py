"""Search for the best composition: all compositions are estimated, a few are synthesized."""
