"""Register-transfer level: synthesizable PyMTL3 components."""
