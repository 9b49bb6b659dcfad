"""Cores of others: a circuit in Verilog, described by a file ``core.toml``."""
