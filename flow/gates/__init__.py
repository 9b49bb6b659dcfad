"""Gate-level simulation: a netlist of library cells, 64 runs at once, with toggle counts."""
