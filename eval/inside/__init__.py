"""Looks inside a design: its Verilog, its waveforms and traces, its hierarchy."""
