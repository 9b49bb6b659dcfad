"""Accelerators on a bus: AXI4-Lite, registers, padding."""
