"""Injects faults into the netlist of a design, and attacks its key with the wrong results."""
