"""The bus of a system: where it is, and what stands between it and the processor."""
