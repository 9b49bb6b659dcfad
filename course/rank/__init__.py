"""Ranks designs that nobody here wrote: their Python runs alone, their Verilog is what counts."""
