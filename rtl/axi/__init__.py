"""Accelerators on a bus: AXI4-Lite slave, registers, padding."""
