"""What each pass of the mapping gains: ``python -m tools.mapping_gains``."""
