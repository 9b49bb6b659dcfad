"""Ranks untrusted designs: their Python runs in a confined process, their Verilog is measured."""
